"""What list_models() and its like return: a list that reads as a table."""
from __future__ import annotations

from ._table import Table


class Listing(list):
    """Dicts with `name`, `summary` and `options`; shown as a table."""

    @property
    def table(self) -> Table:
        """Names, summaries and the names of options."""
        return Table({
            "name": [row["name"] for row in self],
            "summary": [row.get("summary") or "" for row in self],
            "options": [", ".join(option["name"] for option in row["options"])
                        for row in self]})

    def to_pandas(self):
        """A pandas.DataFrame of the table."""
        return self.table.to_pandas()

    def __repr__(self):
        width = max((len(row["name"]) for row in self), default=0)
        return "\n".join(f"{row['name']:{width}}  {row.get('summary') or ''}"
                         for row in self)

    def _repr_html_(self):
        return self.table._repr_html_()
