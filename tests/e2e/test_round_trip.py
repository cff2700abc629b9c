"""Odd distributions of a real environment: what is stashed comes back whole, or is refused."""

import base64
import csv
import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from envaudit.effects.stash import keep_stash
from envaudit.model.bundle import Bundle
from envaudit.readers.bundles import read_bundle
from envaudit.readers.environment import read_environment
from tests.e2e.test_stash import back
from tests.kit.environments import find_site, install, uninstall
from tests.kit.staging import contents

ELF = b"\x7fELF\x02\x01\x01" + bytes(64)
MANYLINUX = "py3-none-manylinux_2_5_x86_64.manylinux1_x86_64"


def odd_wheel(
    folder: Path, spelled: str, files: Mapping[str, bytes], *, tag: str = "py3-none-any"
) -> Path:
    """Build a wheel whose metadata folder is spelled as given; `.data` stands for its own."""
    name, version = spelled.split("-")
    stem = f"{name.lower().replace('.', '_')}-{version}"
    texts = {path.replace(".data/", f"{spelled}.data/", 1): text for path, text in files.items()}
    texts[f"{spelled}.dist-info/METADATA"] = (
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode()
    )
    texts[f"{spelled}.dist-info/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: kit\nRoot-Is-Purelib: true\nTag: {tag}\n".encode()
    )
    rows = [(path, _digest(text), str(len(text))) for path, text in texts.items()]
    record = io.StringIO()
    csv.writer(record, lineterminator="\n").writerows(
        [*rows, (f"{spelled}.dist-info/RECORD", "", "")]
    )
    texts[f"{spelled}.dist-info/RECORD"] = record.getvalue().encode()
    target = folder / f"{stem}-{tag}.whl"
    with zipfile.ZipFile(target, "w") as archive:
        for path, text in texts.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (0o100755 if text.startswith(b"#!") else 0o100644) << 16
            archive.writestr(entry, text)
    return target


def _digest(text: bytes) -> str:
    encoded = base64.urlsafe_b64encode(hashlib.sha256(text).digest())
    return f"sha256={encoded.rstrip(b'=').decode()}"


def bundle(environment: Path, name: str) -> Bundle | str:
    snapshot = read_environment(environment, variables={}, contents=True)
    (record,) = snapshot.by_name()[name]
    return read_bundle(environment, record)


def refusal(environment: Path, name: str) -> str:
    refused = bundle(environment, name)
    assert isinstance(refused, str)
    return refused


def test_each_comes_back_byte_for_byte(environment: Path, index: Path, tmp_path: Path) -> None:
    everything = {
        "elsewhere.py": b"x = 1\n",
        ".data/scripts/elsewhere-tool": b"#!python\nprint('tool')\n",
        ".data/data/share/elsewhere.bin": b"data",
        ".data/headers/elsewhere.h": b"#define ELSEWHERE\n",
    }
    odd_wheel(index, "My.Pkg-1.0.0", everything)
    odd_wheel(index, "dated-2024.01.05", {".data/data/share/dated.bin": b"data"})
    odd_wheel(index, "compiled-1", {"compiled.so": ELF}, tag=MANYLINUX)
    odd_names = {
        "names/back\\slash.txt": b"1",
        "names/ünïcode ☃.txt": b"2",
        "names/com,ma \"quote\" 'single'.txt": b"3",
        "names/empty": b"",
        "names/run": b"#!/bin/sh\n",
        ".data/data/share/names/run": b"#!/bin/sh\n",
    }
    odd_wheel(index, "names-1", odd_names)
    pins = ("my-pkg==1.0.0", "dated==2024.1.5", "compiled==1", "names==1")
    install(environment, *pins, index=index)
    # Built for another interpreter, as WHEEL says; it is here, and works.
    wheel = find_site(environment) / "compiled-1.dist-info" / "WHEEL"
    wheel.write_text(wheel.read_text().replace("py3-none", "cp27-cp27mu"))
    before = contents(environment)

    names = [pin.partition("==")[0] for pin in pins]
    found = [bundle(environment, name) for name in names]
    bundles = [one for one in found if isinstance(one, Bundle)]
    assert found == bundles
    stash = tmp_path / "shelf" / "stash"
    keep_stash(environment, bundles, stash)
    uninstall(environment, *names)
    assert contents(environment).keys() & {"share/elsewhere.bin", "share/dated.bin"} == set()
    back(environment, stash, *pins)
    assert contents(environment) == before


@pytest.fixture
def plain(environment: Path, index: Path) -> Path:
    """Return an environment with one plain distribution that has a generated program."""
    record = "plain-1.dist-info/entry_points.txt"
    entry_points = b"[console_scripts]\nplain-run = plain:main\n"
    odd_wheel(index, "plain-1", {"plain.py": b"def main(): ...\n", record: entry_points})
    install(environment, "plain", index=index)
    return environment


def test_what_no_wheel_can_hold_is_refused_beforehand(plain: Path) -> None:
    records = find_site(plain) / "plain-1.dist-info"
    assert isinstance(bundle(plain, "plain"), Bundle)
    record = (records / "RECORD").read_text()
    for text, reason in (
        ("", "has no `METADATA` that its RECORD lists"),
        (record.replace("plain-1.dist-info/WHEEL", "plain-1.dist-info/GONE"), "has no `WHEEL`"),
        (f"{record}/etc/hostname,,\n", "lists `/etc/hostname`, which lies outside"),
        (f"{record}../../../../x,,\n", "lists `../../../../x`, which lies outside"),
        (f'{record}"torn,,\n', "has a RECORD that is not in order"),
    ):
        (records / "RECORD").write_text(text)
        assert reason in refusal(plain, "plain"), text
    (records / "RECORD").write_bytes(record.encode() + b"caf\xe9.py,,\n")
    assert "has a RECORD that is not in order" in refusal(plain, "plain")


def test_a_generated_program_edited_by_hand_is_refused_beforehand(plain: Path) -> None:
    program = plain / "bin" / "plain-run"
    program.write_text(program.read_text() + "# tuned\n")
    assert "`bin/plain-run`, which was edited by hand" in refusal(plain, "plain")
