"""T20: canary secrets in every channel that envaudit reads; none of them in anything that it says.

One thing holds what the user typed, and must: the command that ``fix`` prints.
"""

import json
from pathlib import Path

import pytest

from envaudit.core.redaction import find_secrets, redact_text, redact_url
from tests.kit.commands import envaudit
from tests.kit.environments import find_site, hermetic_variables, make_environment
from tests.kit.hostile import metadata, pretend_uv, write_program, write_record
from tests.kit.wheels import Wheel, build_wheel

CANARY = "c4n4ry"
HOST = "host.invalid"
DIRECT_URLS = (
    f"https://user:{CANARY}01@{HOST}/a-1-py3-none-any.whl",
    f"https://{CANARY}02@{HOST}/a-1-py3-none-any.whl",
    f"https://{HOST}/a-1-py3-none-any.whl?token={CANARY}03&subdirectory=x",
    f"https://{HOST}/a-1-py3-none-any.whl#sha256=00&key={CANARY}04",
    f"user:{CANARY}05@{HOST}/a.whl",
    f"https:///user:{CANARY}06@{HOST}/a.whl",
    f"git+ssh://git:{CANARY}07@{HOST}/a.git",
    f"https://user:{CANARY}08%40x@{HOST}:8080/a.whl",
)
VARIABLES = {
    "UV_INDEX_URL": f"https://user:{CANARY}20@{HOST}/wheels",
    "UV_EXTRA_INDEX_URL": f"https://{CANARY}21@{HOST}/wheels?auth={CANARY}22",
    "UV_INDEX_PRIVATE_PASSWORD": f"{CANARY}23",
    "UV_FIND_LINKS": f"https://u:{CANARY}24@{HOST}/links",
    "PIP_INDEX_URL": f"https://user:{CANARY}25@{HOST}/wheels",
    "HTTPS_PROXY": f"http://user:{CANARY}26@{HOST}:3128",
    "API_TOKEN": f"{CANARY}27",
}
UV_CONFIGURATION = f"""\
[[index]]
name = "private"
url = "https://user:{CANARY}30@{HOST}/wheels?key={CANARY}31"
"""


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """Return an environment with a secret in every file that is read, and something to fix."""
    place = make_environment(tmp_path / "environment")
    for number, url in enumerate(DIRECT_URLS):
        content = metadata(
            f"a{number}",
            "1",
            f"Requires-Dist: missing @ https://user:{CANARY}10@{HOST}/m-1-py3-none-any.whl",
            f"Requires-Dist: other @ https://{HOST}/o-1-py3-none-any.whl?sig={CANARY}11 ; "
            'python_version > "3"',
            f"Project-URL: Source, https://user:{CANARY}12@github.com/owner/project",
            f"Home-page: https://{CANARY}13@github.com/owner/project?t={CANARY}14",
        )
        direct = json.dumps({"url": url, "archive_info": {}}).encode()
        write_record(
            place, f"a{number}-1.dist-info", {"METADATA": content, "direct_url.json": direct}
        )
    needy = metadata("needy", "1", "Requires-Dist: helper>=2")
    write_record(place, "needy-1.dist-info", {"METADATA": needy, "RECORD": b""})
    (find_site(place) / "x.pth").write_text(f"# {CANARY}15\n", encoding="utf-8")
    (tmp_path / "uv.toml").write_text(UV_CONFIGURATION, encoding="utf-8")
    return place


def _secrets_in(folder: Path) -> list[Path]:
    return [
        path for path in folder.rglob("*") if path.is_file() and CANARY in path.read_text("latin-1")
    ]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (("snapshot",), 0),
        (("snapshot", "--name", "prod"), 0),
        (("check",), 1),
        (("check", "--format", "json"), 1),
        (("check", "-o", "report.json", "--format", "json"), 1),
        (("why", "missing"), 0),
        (("policy", "list"), 0),
        (("fix",), 1),
        (("fix", "--format", "json"), 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_no_secret_is_said_or_kept(
    command: tuple[str, ...], expected: int, environment: Path, tmp_path: Path
) -> None:
    folder, state = tmp_path / "folder", tmp_path / "state"
    folder.mkdir()
    (folder / "uv.toml").write_text(UV_CONFIGURATION, encoding="utf-8")
    variables = {
        **hermetic_variables(tmp_path / "home"),
        **VARIABLES,
        "ENVAUDIT_STATE": str(state),
    }

    outcome = envaudit(*command, "-p", environment, folder=folder, variables=variables)

    assert outcome.code == expected, outcome.stderr
    assert CANARY not in outcome.stdout
    assert CANARY not in outcome.stderr
    (folder / "uv.toml").unlink()
    assert _secrets_in(folder) == []
    assert not state.exists() or _secrets_in(state) == []


def test_a_diff_says_where_something_came_from_without_its_secrets(
    environment: Path, tmp_path: Path
) -> None:
    assert envaudit("snapshot", "--to", "a.json", "-p", environment, folder=tmp_path).code == 0
    for record in find_site(environment).glob("a*.dist-info"):
        (record / "direct_url.json").unlink()

    outcome = envaudit("diff", "a.json", environment, folder=tmp_path)

    assert outcome.stdout.count("moved") == len(DIRECT_URLS)
    assert CANARY not in outcome.stdout


def test_flags_with_a_secret_stand_in_the_printed_command_and_nowhere_else(
    tmp_path: Path, index: Path
) -> None:
    place = make_environment(tmp_path / "environment")
    needy = metadata("needy", "1", "Requires-Dist: helper>=2")
    write_record(place, "needy-1.dist-info", {"METADATA": needy, "RECORD": b""})
    build_wheel(Wheel("needy", "1", requires=("helper>=2",)), index)
    build_wheel(Wheel("helper", "2"), index)
    typed = f"https://user:{CANARY}40@{HOST}/wheels?key={CANARY}41"
    flags = ("--", "--no-index", "--find-links", index, "--extra-index-url", typed)

    outcome = envaudit("fix", "-p", place, "--format", "json", *flags, folder=tmp_path)
    document = json.loads(outcome.stdout)

    assert outcome.code == 0, outcome.stderr
    assert typed in document["plan"].pop("commands")[0]
    assert typed in document["plan"].pop("shell")
    assert CANARY not in json.dumps(document)
    assert CANARY not in outcome.stderr


def test_what_uv_says_in_refusing_is_quoted_without_secrets(tmp_path: Path) -> None:
    place = make_environment(tmp_path / "environment")
    needy = metadata("needy", "1", "Requires-Dist: helper>=2")
    write_record(place, "needy-1.dist-info", {"METADATA": needy, "RECORD": b""})
    repeats = write_program(
        tmp_path / "bin" / "uv",
        '[ "$1" = --version ] && { echo uv 99.0.0; exit; }',
        'echo "no, by $* and $UV_INDEX_PRIVATE_PASSWORD" >&2; exit 1',
    )
    typed = f"https://user:{CANARY}42@{HOST}/wheels?key={CANARY}43"
    variables = {
        **hermetic_variables(tmp_path / "home"),
        **VARIABLES,
        **pretend_uv(tmp_path / "modules", repeats),
    }
    words = ("-p", place, "--", "--index-url", typed)

    outcome = envaudit("fix", *words, folder=tmp_path, variables=variables)

    assert outcome.code == 1, outcome.stderr
    assert "no, by pip install" in outcome.stdout
    assert HOST in outcome.stdout
    assert CANARY not in outcome.stdout
    assert CANARY not in outcome.stderr


@pytest.mark.parametrize("url", DIRECT_URLS)
def test_a_redacted_url_still_says_where(url: str) -> None:
    redacted = redact_url(url)

    assert CANARY not in redacted
    assert HOST in redacted
    assert redact_url(redacted) == redacted


def test_a_harmless_url_stays_as_it_is() -> None:
    for url in (
        "https://example.org/a.whl#sha256=00",
        "git+https://example.org/a.git?subdirectory=x",
        "file:///srv/wheels/a@b/c.whl",
        "https://example.org:8080/a/@scope/b",
    ):
        assert redact_url(url) == url


def test_a_password_is_masked_where_a_program_repeats_it_without_its_url() -> None:
    variables = {"UV_INDEX_X_PASSWORD": "hunter2hunter2", "UV_INDEX_URL": "https://tok%40en99@h/s"}
    secrets = find_secrets(variables, ("--index-url", "https://me:correct-horse@h/s"))
    said = "denied: hunter2hunter2, tok@en99, tok%40en99, correct-horse; see https://u:p@h/x?q=1"

    assert redact_text(said, secrets) == "denied: ****, ****, ****, ****; see https://h/x"


def test_short_values_are_no_secrets() -> None:
    assert find_secrets({"TOKEN": "yes", "OTHER_TOKEN": ""}) == frozenset()
