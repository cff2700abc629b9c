"""Golden files: read in review like code, rewritten by ``pytest --rewrite-goldens``."""

from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def assert_golden(name: str, text: str, *, rewrite: bool) -> None:
    """Compare ``text`` with the golden file ``name``, or write it there."""
    path = FOLDER / name
    if rewrite:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
