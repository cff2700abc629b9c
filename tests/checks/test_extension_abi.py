"""The check ``extension-abi``, and which names of extensions an interpreter loads."""

import pytest

from envaudit.model.files import Files, ForeignExtension
from envaudit.model.finding import Clear, Reinstall
from envaudit.readers.modules import loads
from tests.kit.builders import interpreter, snapshot
from tests.kit.judging import judge

SITE = "lib/python3.11/site-packages"
PATH = f"{SITE}/yaml/_yaml.cpython-310-x86_64-linux-gnu.so"


def test_an_owned_one_is_reinstalled_and_a_stray_one_removed() -> None:
    env = snapshot("PyYAML==6.0.2")
    owner = f"{SITE}/pyyaml-6.0.2.dist-info"

    owned = Files(foreign=(ForeignExtension(path=PATH, owners=(owner,)),))
    stray = Files(foreign=(ForeignExtension(path=PATH, owners=()),))

    assert judge(env, files=owned)[0].remedies == (Reinstall(name="pyyaml", version="6.0.2"),)
    assert judge(env, files=stray)[0].remedies == (Clear(paths=(PATH,)),)


@pytest.mark.parametrize(
    ("name", "loaded"),
    [
        ("x.so", True),
        ("x.abi3.so", True),
        ("x.cpython-311-x86_64-linux-gnu.so", True),
        ("x.cpython-311-x86_64-linux-musl.so", True),
        ("x.cpython-310-x86_64-linux-gnu.so", False),
        ("x.cpython-311-aarch64-linux-gnu.so", False),
        ("x.cpython-311-darwin.so", False),
        ("x.cp311-win_amd64.pyd", False),
        ("x.pypy39-pp73-x86_64-linux-gnu.so", False),
        ("x.whatever.so", True),
    ],
)
def test_names_tell_for_whom_an_extension_is(name: str, *, loaded: bool) -> None:
    assert loads(f"package/{name}", interpreter()) is loaded
