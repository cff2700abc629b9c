"""An environment's layout as a JSON object and back; the rest of a snapshot is in ``codec``."""

from envaudit.core.json_object import JsonObject
from envaudit.model.document import Json
from envaudit.model.layout import EnvironmentKind, Layout, Owner, Scope, Site


def encode_layout(layout: Layout) -> dict[str, Json]:
    """Return ``layout`` as a JSON object."""
    return {
        "kind": layout.kind.value,
        "sites": [
            {"path": site.path, "scope": site.scope.value, "named_by": site.named_by}
            for site in layout.sites
        ],
        "owner": None if layout.owner is None else layout.owner.value,
        "owner_says": layout.owner_says,
        "interpreter": layout.interpreter,
        "interpreter_found": layout.interpreter_found,
        "base": layout.base,
        "base_found": layout.base_found,
        "base_version": layout.base_version,
        "stated_version": layout.stated_version,
        "stranded": list(layout.stranded),
        "moved_from": layout.moved_from,
    }


def decode_layout(entry: JsonObject) -> Layout:
    """Read a layout back.

    Raises:
        ShapeError: it is not of the stated shape.
    """
    return Layout(
        kind=entry.word("kind", EnvironmentKind),
        sites=entry.children("sites", _decode_site),
        owner=entry.optional_word("owner", Owner),
        owner_says=entry.optional_text("owner_says"),
        interpreter=entry.optional_text("interpreter"),
        interpreter_found=entry.flag("interpreter_found"),
        base=entry.optional_text("base"),
        base_found=entry.flag("base_found"),
        base_version=entry.optional_text("base_version"),
        stated_version=entry.optional_text("stated_version"),
        stranded=entry.texts("stranded"),
        moved_from=entry.optional_text("moved_from"),
    )


def _decode_site(entry: JsonObject) -> Site:
    return Site(
        path=entry.text("path"),
        scope=entry.word("scope", Scope),
        named_by=entry.optional_text("named_by"),
    )
