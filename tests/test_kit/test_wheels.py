"""The wheels that the kit builds are real: uv installs them, and their RECORD verifies."""

import csv
import sys
import zipfile
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from tests.kit.environments import find_site, install, list_versions, run, uninstall, uv
from tests.kit.records import digest
from tests.kit.wheels import Wheel, build_wheel, gate

FULL = Wheel(
    "Flash.Infer-python",
    "0.6.4",
    requires=("torch>=2",),
    extras={"cubin": ("flashinfer-cubin==0.6.4 ; python_version > '3'",), "jit": ()},
    modules={
        "flashinfer/__init__.py": "def main() -> None:\n    print('loaded')\n",
        "flashinfer/a,b.txt": "a path that RECORD must quote",
    },
    project_urls={"Source Code": "https://example.org/flashinfer"},
    requires_python=">=3.9",
    entry_points={"flash": "flashinfer:main"},
)


def unverified_rows(root: Path, record: Path) -> list[str]:
    """Return the rows of RECORD that what lies below ``root`` does not bear out."""
    with record.open(newline="") as file:
        rows = list(csv.reader(file))
    wrong = []
    for path, expected, size in rows:
        target = root / path
        if not target.is_file():
            wrong.append(f"{path} is not there")
        elif expected and (digest(target.read_bytes()), str(target.stat().st_size)) != (
            expected,
            size,
        ):
            wrong.append(f"{path} differs")
    return wrong


def test_record_of_the_wheel_itself_names_every_file_and_verifies(
    index: Path, tmp_path: Path
) -> None:
    path = build_wheel(FULL, index)

    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path / "unpacked")
        names = set(archive.namelist())
    record = tmp_path / "unpacked" / "flash_infer_python-0.6.4.dist-info" / "RECORD"

    assert path.name == "flash_infer_python-0.6.4-py3-none-any.whl"
    assert unverified_rows(tmp_path / "unpacked", record) == []
    with record.open(newline="") as file:
        rows = list(csv.reader(file))
    assert {row[0] for row in rows} == names
    assert [row[0] for row in rows if not row[1]] == [
        str(record.relative_to(tmp_path / "unpacked"))
    ]


def test_equal_wheels_are_equal_bytes(tmp_path: Path) -> None:
    one, other = (build_wheel(FULL, tmp_path / side) for side in ("one", "other"))

    assert one.read_bytes() == other.read_bytes()


def test_uv_installs_it_offline_and_its_record_verifies(index: Path, environment: Path) -> None:
    build_wheel(FULL, index)
    build_wheel(Wheel("torch", "2.9.1"), index)
    build_wheel(Wheel("flashinfer-cubin", "0.6.4", modules={"cubin.py": ""}), index)

    install(environment, "flash-infer-python[cubin,jit]", index=index)

    assert list_versions(environment) == {
        "flash-infer-python": "0.6.4",
        "flashinfer-cubin": "0.6.4",
        "torch": "2.9.1",
    }
    records = sorted(find_site(environment).glob("*.dist-info/RECORD"))
    assert len(records) == 3
    for record in records:
        assert unverified_rows(find_site(environment), record) == []
    assert uv("pip", "check", "--python", environment).code == 0
    assert run(environment / "bin" / "flash").stdout == "loaded\n"


def test_a_changed_file_does_not_verify(index: Path, environment: Path) -> None:
    build_wheel(FULL, index)
    install(environment, "flash-infer-python", index=index, flags=("--no-deps",))
    site = find_site(environment)

    (site / "flashinfer" / "__init__.py").write_text("changed")

    (record,) = site.glob("*.dist-info/RECORD")
    assert unverified_rows(site, record) == ["flashinfer/__init__.py differs"]


def test_metadata_says_what_the_wheel_was_asked_to(index: Path, environment: Path) -> None:
    build_wheel(FULL, index)
    install(environment, "flash-infer-python", index=index, flags=("--no-deps",))

    (folder,) = find_site(environment).glob("*.dist-info")
    metadata = PathDistribution(folder).metadata

    assert metadata["Name"] == "Flash.Infer-python"
    assert metadata["Requires-Python"] == ">=3.9"
    assert metadata.get_all("Provides-Extra") == ["cubin", "jit"]
    assert metadata.get_all("Project-URL") == ["Source Code, https://example.org/flashinfer"]
    assert metadata.get_all("Requires-Dist") == [
        "torch>=2",
        'flashinfer-cubin==0.6.4 ; (python_version > "3") and extra == "cubin"',
    ]


@pytest.mark.parametrize(
    ("line", "gated"),
    [
        ("pillow>=10", 'pillow>=10 ; extra == "image"'),
        (
            "pillow; os_name == 'nt' or os_name == 'posix'",
            'pillow ; (os_name == "nt" or os_name == "posix") and extra == "image"',
        ),
    ],
)
def test_an_extra_gates_its_requirement_and_keeps_its_marker(line: str, gated: str) -> None:
    assert gate(line, "image") == gated


def test_a_compressed_tag_is_listed_tag_by_tag(index: Path) -> None:
    path = build_wheel(Wheel("six", "1.17.0", tag="py2.py3-none-any"), index)

    with zipfile.ZipFile(path) as archive:
        lines = archive.read("six-1.17.0.dist-info/WHEEL").decode().splitlines()

    assert [line for line in lines if line.startswith("Tag")] == [
        "Tag: py2-none-any",
        "Tag: py3-none-any",
    ]


def test_what_the_index_does_not_have_fails_loudly(index: Path, environment: Path) -> None:
    with pytest.raises(AssertionError, match="No solution found"):
        install(environment, "torch", index=index)


def test_uninstall_leaves_nothing(index: Path, environment: Path) -> None:
    build_wheel(Wheel("torch", "2.9.1", modules={"torch/__init__.py": ""}), index)
    install(environment, "torch", index=index)

    uninstall(environment, "torch")

    assert list_versions(environment) == {}
    assert not (find_site(environment) / "torch").exists()


def test_the_environment_has_an_interpreter_of_its_own(environment: Path) -> None:
    outcome = run(
        environment / "bin" / "python", "-c", "import sys; print(sys.prefix, sys.version)"
    )

    assert outcome.stdout.strip() == f"{environment} {sys.version}"
