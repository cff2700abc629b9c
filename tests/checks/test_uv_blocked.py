"""The check ``uv-blocked``: the same answer that uv itself gives, entry by entry."""

from pathlib import Path

import pytest

from envaudit.checks.uv_blocked import refuse_name
from envaudit.model.distribution import Unreadable
from envaudit.model.finding import Clear
from tests.kit.builders import distribution, snapshot
from tests.kit.environments import find_site, make_environment, uv
from tests.kit.judging import judge

SITE = "lib/python3.11/site-packages"
STEMS = (
    *("gpg-1.14.0-unknown", "foo-", "foo-bar-1.0", "-1.0", "-oo-1.0", "a b-1.0"),
    *("__editable__.foo-1.0", "noversion", "", "~oo-1.0", "foo-1.0-1", "Foo_Bar.baz-1.0"),
    *("foo-1.0+x", "foo-v1", ".foo-1.0", "foo.-1.0", "foo_-1.0", "f\u00f6\u00f6-1.0", "foo-bar"),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return find_site(make_environment(tmp_path_factory.mktemp("blocked") / "environment"))


@pytest.mark.parametrize("suffix", ["dist-info", "egg-info"])
@pytest.mark.parametrize("stem", STEMS)
def test_a_name_is_refused_where_uv_refuses_it(site: Path, stem: str, suffix: str) -> None:
    entry = site / f"{stem}.{suffix}"
    entry.mkdir()
    try:
        listed = uv("pip", "list", "--no-config", "--python", site.parents[2])
    finally:
        entry.rmdir()

    assert (refuse_name(str(entry)) is not None) == (listed.code == 2), listed.stderr


def test_a_blocking_record_goes_and_comes_back_where_it_is_known_what_it_was() -> None:
    folder = f"{SITE}/foo-bar-1.0.dist-info"
    env = snapshot(distribution("foo-bar==1.0", folder=folder))

    finding = next(item for item in judge(env) if item.code == "uv-blocked")

    assert finding.remedies == (Clear(paths=(folder,), name="foo-bar", version="1.0"),)


def test_a_torn_direct_url_blocks_too() -> None:
    part = Unreadable(
        folder=f"{SITE}/six-1.dist-info", part="direct_url.json", reason="is not JSON"
    )

    assert {item.code for item in judge(snapshot("six==1", unreadable=(part,)))} == {
        "direct-url-invalid",
        "uv-blocked",
        "policy-none",
    }
