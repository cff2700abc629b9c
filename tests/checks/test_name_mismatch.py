"""The check ``name-mismatch``."""

import pytest

from envaudit.model.finding import Clear
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge

SITE = "lib/python3.11/site-packages"


@pytest.mark.parametrize(
    ("folder", "names"),
    [
        ("sixx-1.17.0.dist-info", ("six", "sixx")),
        ("six-1.17.0.dist-info", ("six",)),
        ("sixx-1.16.0.dist-info", ("six", "sixx")),
    ],
)
def test_another_name_or_version_is_an_error(folder: str, names: tuple[str, ...]) -> None:
    env = snapshot(distribution("six==1.16.0", folder=f"{SITE}/{folder}"))

    (finding, _) = judge(env)

    assert (finding.code, finding.distributions) == ("name-mismatch", names)
    assert finding.remedies == (Clear(paths=(f"{SITE}/{folder}",), name="six", version="1.16.0"),)


@pytest.mark.parametrize(
    ("pin", "folder"),
    [
        ("Foo.Bar-baz==1.0", "foo_bar_baz-1.0.dist-info"),
        ("Foo.Bar-baz==1.0", "Foo.Bar_baz-1.0.0.dist-info"),
        ("foo==1.0.post1", "foo-1.0-1.dist-info"),
        ("foo==1.0+local.1", "foo-1.0+local.1.dist-info"),
        ("foo==1.0", "foo.dist-info"),
    ],
)
def test_other_spellings_of_the_same_are_quiet(pin: str, folder: str) -> None:
    env = snapshot(distribution(pin, folder=f"{SITE}/{folder}"))

    assert "name-mismatch" not in {item.code for item in judge(env)}
