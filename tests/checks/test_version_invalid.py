"""The check ``version-invalid``."""

import pytest

from envaudit.model.finding import Clear
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge


def test_a_version_that_is_none_is_an_error_and_its_record_goes() -> None:
    folder = "lib/python3.11/site-packages/gpg.dist-info"
    env = snapshot(distribution("gpg==1.14.0-unknown", folder=folder))

    (finding, _) = judge(env)

    assert (finding.code, finding.severity.value) == ("version-invalid", "error")
    assert finding.remedies == (Clear(paths=(folder,)),)


@pytest.mark.parametrize("version", ["1!2.0", "1.0+deb.1", "1.1.dev3+gabc.d2024", "v1.0", "1.0-1"])
def test_odd_versions_that_pep_440_knows_are_quiet(version: str) -> None:
    found = {item.code for item in judge(snapshot(f"x=={version}"))}

    assert "version-invalid" not in found
