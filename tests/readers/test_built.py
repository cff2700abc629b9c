"""Facts that only files of a distribution tell, read from folders made by hand."""

import json
from pathlib import Path

import pytest

from envaudit.doors.disk import open_folder
from envaudit.readers.built import measure
from envaudit.readers.environment import read_environment
from tests.kit.builders import snapshot
from tests.kit.written import write_environment

TORCH = (
    "__version__ = '2.9.1'\ndebug = False\n"
    "cuda: Optional[str] = {cuda}\nhip: Optional[str] = {hip}\n"
)
DEEPSPEED = (
    "version='0.15.0'\ninstalled_ops={{'a': False, 'b': {op}}}\n"
    "torch_info={{'version': '{torch}', 'cuda_version': '12.1', 'hip_version': '0.0'}}\n"
)


@pytest.mark.parametrize(
    ("name", "path", "text", "facts"),
    [
        ("torch", "torch/version.py", TORCH.format(cuda="'12.8'", hip=None), (("cuda", "12.8"),)),
        ("torch", "torch/version.py", TORCH.format(cuda=None, hip="'6.4'"), (("vendor", "rocm"),)),
        ("torch", "torch/version.py", TORCH.format(cuda=None, hip=None), ()),
        (
            "xformers",
            "xformers/cpp_lib.json",
            json.dumps({"version": {"cuda": 1208, "torch": "2.10.0+cu128"}}),
            (("built.torch", "2.10.0+cu128"),),
        ),
        ("xformers", "xformers/cpp_lib.json", '{"version": {"torch": "x"}}', ()),
        ("xformers", "xformers/cpp_lib.json", "[" * 50_000, ()),
        (
            "deepspeed",
            "deepspeed/git_version_info_installed.py",
            DEEPSPEED.format(op=1, torch="2.3"),
            (("built.cuda", "12.1"), ("built.torch", "2.3")),
        ),
        (
            "deepspeed",
            "deepspeed/git_version_info_installed.py",
            DEEPSPEED.format(op=False, torch="2.3"),
            (),
        ),
        (
            "deepspeed",
            "deepspeed/git_version_info_installed.py",
            DEEPSPEED.format(op=1, torch="0.0"),
            (),
        ),
        ("deepspeed", "deepspeed/git_version_info_installed.py", "installed_ops=exit()", ()),
        ("deepspeed", "deepspeed/git_version_info_installed.py", "(" * 10_000, ()),
        ("other", "other/version.py", TORCH.format(cuda="'12.8'", hip=None), ()),
    ],
)
def test_a_file_tells_what_it_tells_or_nothing(
    name: str, path: str, text: str, facts: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    file = tmp_path / path
    file.parent.mkdir()
    file.write_text(text)
    with open_folder(tmp_path) as site:
        assert measure(site, name) == facts


def test_a_link_out_of_the_environment_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(TORCH.format(cuda="'12.8'", hip=None))
    (tmp_path / "site" / "torch").mkdir(parents=True)
    (tmp_path / "site" / "torch" / "version.py").symlink_to(tmp_path / "secret")
    with open_folder(tmp_path / "site") as site:
        assert measure(site, "torch") == ()


def test_a_live_environment_is_read_with_them(tmp_path: Path) -> None:
    root = write_environment(snapshot("xformers==0.0.34", "six==1"), tmp_path / "env")
    package = next(root.glob("lib/python*/site-packages")) / "xformers"
    package.mkdir(exist_ok=True)
    (package / "cpp_lib.json").write_text('{"version": {"torch": "2.10.0+cu130"}}')
    measured = {record.name: record.measured for record in read_environment(root).distributions}
    assert measured == {"six": (), "xformers": (("built.torch", "2.10.0+cu130"),)}
