"""Which rules are in force: what the configurations say, laid over what was loaded."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from envaudit.model.configuration import Configuration
from envaudit.model.errors import PolicyError, Problem
from envaudit.model.policy import Policy


def configured(
    policies: Sequence[Policy], configurations: Sequence[Configuration]
) -> tuple[Policy, ...]:
    """Return ``policies`` without disabled rules, and with the severities of the configurations.

    Raises:
        PolicyError: two rules have one id, or a configuration names a rule that is none.
    """
    known = _places(policies)
    complete = any(policy.builtin for policy in policies)
    strangers = [
        Problem(
            message=f"`{identity}` is disabled or made {word}, and no rule is called so",
            at=configuration.file,
            hint="`envaudit policy list` lists the rules",
        )
        for configuration in configurations
        for identity, word in _named(configuration)
        if identity not in known and complete
    ]
    if strangers:
        raise PolicyError(*strangers)
    disabled = {name for configuration in configurations for name in configuration.disabled}
    severities = {
        identity: severity
        for configuration in configurations
        for identity, severity in configuration.severities
    }
    if not disabled and not severities:
        return tuple(policies)
    return tuple(
        replace(
            policy,
            rules=tuple(
                replace(rule, severity=severities.get(rule.reference.id))
                for rule in policy.rules
                if rule.reference.id not in disabled
            ),
            asleep=tuple(identity for identity in policy.asleep if identity not in disabled),
        )
        for policy in policies
    )


def _places(policies: Iterable[Policy]) -> dict[str, str]:
    """Return where each id stands; ids are how waivers and configurations name rules."""
    places: dict[str, str] = {}
    problems: list[Problem] = []
    for policy in policies:
        rules = [
            (rule.reference.id, f"{policy.file}:{rule.reference.line}") for rule in policy.rules
        ]
        for identity, place in (*rules, *((name, policy.file) for name in policy.asleep)):
            if identity in places:
                problems.append(
                    Problem(
                        message=f"two rules have the id `{identity}`, the other is in "
                        f"`{places[identity]}`",
                        at=place,
                        hint="give one of them another id: waivers and configurations name it",
                    )
                )
            places[identity] = place
    if problems:
        raise PolicyError(*problems)
    return places


def _named(configuration: Configuration) -> Iterable[tuple[str, str]]:
    yield from ((identity, "silent") for identity in configuration.disabled)
    for identity, severity in configuration.severities:
        yield identity, severity.value
