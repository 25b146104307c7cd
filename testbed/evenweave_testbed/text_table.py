"""Tables of plain text."""

from __future__ import annotations

from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[str]], indent: str = "  ") -> list[str]:
    """Right-aligned columns, two spaces apart."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    return [
        indent + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in (header, *rows)
    ]
