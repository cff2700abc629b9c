"""The check ``files-missing``."""

from envaudit.model.files import Files, Manifest
from envaudit.model.finding import Reinstall
from envaudit.model.layout import Owner
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, told

SITE = "lib/python3.11/site-packages"
FOLDER = f"{SITE}/pyyaml-6.0.2.dist-info"
ENVIRONMENT = snapshot("PyYAML==6.0.2")


def missing(*paths: str, folder: str = FOLDER) -> Files:
    return Files(manifests=(Manifest(folder=folder, rows=9, missing=paths),))


def test_a_missing_module_is_an_error_and_is_reinstalled() -> None:
    findings = judge(ENVIRONMENT, files=missing(f"{SITE}/yaml/__init__.py"))

    assert told(findings) == [
        "error[files-missing] of the 9 files of `PyYAML 6.0.2`, 1 is not there"
    ]
    assert findings[0].remedies == (Reinstall(name="pyyaml", version="6.0.2"),)


def test_a_missing_script_or_licence_is_a_warning() -> None:
    findings = judge(ENVIRONMENT, files=missing("bin/yaml", f"{FOLDER}/licenses/LICENSE"))

    assert told(findings) == [
        "warning[files-missing] of the 9 files of `PyYAML 6.0.2`, 2 are not there"
    ]


def test_in_a_plain_folder_a_missing_module_is_an_error_and_a_script_is_not() -> None:
    folder = "pyyaml-6.0.2.dist-info"
    module = judge(ENVIRONMENT, files=missing("yaml/__init__.py", folder=folder))
    script = judge(ENVIRONMENT, files=missing("bin/yaml", folder=folder))

    assert told(module)[0].startswith("error[files-missing]")
    assert told(script)[0].startswith("warning[files-missing]")


def test_a_missing_metadata_is_left_to_the_check_that_says_it() -> None:
    assert told(judge(ENVIRONMENT, files=missing(f"{FOLDER}/METADATA"))) == []


def test_a_record_that_is_no_distribution_is_known_by_its_folder() -> None:
    files = missing(f"{SITE}/six.py", folder=f"{SITE}/six-1.16.0.dist-info")

    (finding, _) = judge(ENVIRONMENT, files=files)

    assert finding.distributions == ("six",)
    assert finding.remedies == (Reinstall(name="six", version="1.16.0"),)


def test_what_conda_looks_after_gets_no_command_of_uv() -> None:
    env = snapshot(distribution("PyYAML==6.0.2", owner=Owner.CONDA))

    finding, *_ = judge(env, files=missing(f"{SITE}/yaml/__init__.py"))

    assert finding.remedies == ()
    assert any("conda install" in line for line in finding.evidence)


def test_of_what_the_operating_system_looks_after_only_modules_count() -> None:
    env = snapshot(distribution("PyYAML==6.0.2", owner=Owner.SYSTEM))

    def severity(*paths: str) -> str:
        return judge(env, files=missing(*paths))[0].severity.value

    assert severity(f"{SITE}/scripts-3.10/yaml", "bin/yaml") == "info"
    assert severity(f"{SITE}/yaml/__init__.py", "bin/yaml") == "error"
