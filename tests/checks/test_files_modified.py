"""The checks ``files-modified`` and ``files-modified-before``."""

from dataclasses import replace

from envaudit.model.files import Files, Manifest
from envaudit.model.finding import Reinstall
from envaudit.model.inspection import Deviation, DeviationKind, FileDigest, Inspection, Tally
from envaudit.model.layout import Owner
from tests.kit.builders import distribution, snapshot
from tests.kit.judging import judge, told

SITE = "lib/python3.11/site-packages"
FOLDER = f"{SITE}/six-1.16.0.dist-info"
MANIFEST = Manifest(folder=FOLDER, rows=1)
ENVIRONMENT = snapshot("six==1.16.0")
DAY = 86_400_000_000_000


def deviation(path: str, *, links: int = 1, modified: int = 41 * DAY) -> Deviation:
    return Deviation(
        path=path,
        record=FOLDER,
        kind=DeviationKind.MODIFIED,
        reason="has other content",
        listed="sha256=one",
        digest="sha256=two",
        modified=modified,
        links=links,
    )


def files(*deviations: Deviation) -> Files:
    tally = Tally(record=FOLDER, installed=0, deviations=deviations)
    return Files(manifests=(MANIFEST,), inspection=Inspection(tallies=(tally,)))


def test_an_edited_module_is_an_error_and_is_reinstalled() -> None:
    (finding, *_) = judge(ENVIRONMENT, files=files(deviation(f"{SITE}/six.py")))

    assert told((finding,)) == [
        "error[files-modified] 1 file of `six 1.16.0` is not what was installed"
    ]
    assert finding.evidence == (
        (
            f"path: {SITE}/six.py has other content, written 1970-02-11T00:00:00Z, "
            "41 days after the install"
        ),
    )
    assert finding.remedies == (Reinstall(name="six", version="1.16.0"),)
    assert finding.introduced is None


def test_an_edited_script_is_an_error_and_an_edited_licence_a_warning() -> None:
    script = judge(ENVIRONMENT, files=files(deviation("bin/six")))
    licence = judge(ENVIRONMENT, files=files(deviation(f"{FOLDER}/LICENSE")))

    assert script[0].severity.value == "error"
    assert licence[0].severity.value == "warning"


def test_a_hard_link_names_the_cache_and_the_order_of_the_repair() -> None:
    (finding, *_) = judge(ENVIRONMENT, files=files(deviation(f"{SITE}/six.py", links=3)))

    assert any("3 hard links" in line for line in finding.evidence)
    assert any("`uv cache clean six` first" in line for line in finding.evidence)


def test_what_was_so_in_the_baseline_is_told_apart() -> None:
    recorded = (FileDigest(path=f"{SITE}/six.py", digest="sha256=two"),)
    baseline = replace(ENVIRONMENT, files=recorded)
    both = files(deviation(f"{SITE}/six.py"), deviation(f"{SITE}/seven.py"))

    new, known, *_ = judge(ENVIRONMENT, files=both, baseline=baseline)

    assert (new.code, new.introduced) == ("files-modified", True)
    assert (known.code, known.introduced) == ("files-modified-before", False)
    assert known.severity.value == "info"
    assert "seven.py" in new.evidence[0]
    assert "six.py" in known.evidence[0]


def test_another_edit_of_a_file_that_was_edited_before_is_new() -> None:
    recorded = (FileDigest(path=f"{SITE}/six.py", digest="sha256=three"),)
    baseline = replace(ENVIRONMENT, files=recorded)

    (finding, *_) = judge(ENVIRONMENT, files=files(deviation(f"{SITE}/six.py")), baseline=baseline)

    assert (finding.code, finding.introduced) == ("files-modified", True)


def test_a_baseline_that_recorded_no_files_tells_nothing() -> None:
    (finding, *_) = judge(
        ENVIRONMENT, files=files(deviation(f"{SITE}/six.py")), baseline=ENVIRONMENT
    )

    assert (finding.code, finding.introduced) == ("files-modified", None)


def test_a_time_that_nobody_can_say_is_said_as_a_number() -> None:
    (finding, *_) = judge(ENVIRONMENT, files=files(deviation(f"{SITE}/six.py", modified=10**30)))

    assert "seconds after 1970" in finding.evidence[0]


def test_what_conda_looks_after_gets_no_command_of_uv() -> None:
    env = snapshot(distribution("six==1.16.0", owner=Owner.CONDA))

    (finding, *_) = judge(env, files=files(deviation(f"{SITE}/six.py")))

    assert finding.remedies == ()
    assert any("conda install" in line for line in finding.evidence)
