"""A small table: columns of numbers and words, shown as text or HTML."""
from __future__ import annotations

import html

import numpy as np

SHOWN = 40  # rows


def _cell(value):
    if isinstance(value, (float, np.floating)):
        return "nan" if np.isnan(value) else f"{value:.4g}"
    if isinstance(value, np.ndarray):
        values = [_cell(entry) for entry in value[:12]]
        return " ".join(values) + (" ..." if len(value) > 12 else "")
    return str(value)


class Table:
    """Rows by number, columns by name: ``t["rhat"]``, ``t[0]["rhat"]``."""

    def __init__(self, columns, title=""):
        self._columns = columns
        self.title = title

    @property
    def columns(self) -> list[str]:
        return list(self._columns)

    def __len__(self):
        return len(next(iter(self._columns.values()), ()))

    def __getitem__(self, key):
        if isinstance(key, str):
            return self._columns[key]
        if not -len(self) <= key < len(self):
            raise IndexError(key)
        return {name: column[key] for name, column in self._columns.items()}

    def __iter__(self):
        return (self[row] for row in range(len(self)))

    def to_pandas(self):
        """A pandas.DataFrame with the same columns."""
        import pandas  # type: ignore
        return pandas.DataFrame({name: list(column) for name, column
                                 in self._columns.items()})

    def _cells(self):
        for row in range(min(len(self), SHOWN)):
            yield [_cell(column[row]) for column in self._columns.values()]

    def _rest(self):
        left = len(self) - SHOWN
        return f"... and {left} more" if left > 0 else ""

    def __repr__(self):
        rows = [self.columns, *self._cells()]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ["  ".join(cell.rjust(width) for cell, width
                           in zip(row, widths)) for row in rows]
        return "\n".join(line for line in [self.title, *lines, self._rest()]
                         if line)

    def _repr_html_(self):
        def row(tag, cells):
            inner = "".join(f"<{tag}>{html.escape(cell)}</{tag}>"
                            for cell in cells)
            return f"<tr>{inner}</tr>"

        body = "".join(row("td", cells) for cells in self._cells())
        caption = f"<caption>{html.escape(self.title)}</caption>" \
            if self.title else ""
        return f"<table>{caption}<thead>{row('th', self.columns)}</thead>" \
               f"<tbody>{body}</tbody></table>{html.escape(self._rest())}"


class Rows:
    """Of figures, dicts with the same keys: a list and a table of them.

    ``rows`` is the list; what has no place in a table is in ``_hidden``.
    """

    rows: list[dict]
    _hidden: tuple[str, ...] = ()

    @property
    def table(self) -> Table:
        """All figures but curves."""
        keys = self.rows[0] if self.rows else ()
        return Table({key: [row[key] for row in self.rows] for key in keys
                      if key not in self._hidden})

    def to_pandas(self):
        """A pandas.DataFrame of the table."""
        return self.table.to_pandas()

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, number):
        return self.rows[number]

    def __iter__(self):
        return iter(self.rows)
