"""Rows of words as lines of aligned columns."""

from collections.abc import Sequence


def align(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return one line a row, all columns but the last padded to their widest cell."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return tuple(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
