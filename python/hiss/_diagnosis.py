"""Whether draws can be trusted: what hiss.diagnose returns."""
from __future__ import annotations

from dataclasses import dataclass

from ._table import Table


@dataclass(frozen=True)
class Finding:
    """One check of a diagnosis."""

    name: str
    outcome: str  # "passed", "failed", "doubt", "skipped", "unchecked"
    value: float
    limit: float
    text: str
    remedy: str | None
    is_wrong: bool = False  # neither chance nor disagreement explains it


class Diagnosis:
    """Whether draws can be trusted, and why.

    verdict: proved, trusted, consistent, not decided, not trusted or wrong.
    headline: the verdict in one sentence.  It is true in a condition if the
    verdict is proved or trusted.
    """

    def __init__(self, verdict: str, headline: str, findings: list[Finding]):
        self.verdict = verdict
        self.headline = headline
        self.findings = findings

    @property
    def is_trusted(self) -> bool:
        return self.verdict in ("proved", "trusted")

    @property
    def is_wrong(self) -> bool:
        """What the draws say is not true, though their chains agree."""
        return self.verdict == "wrong"

    def __bool__(self):
        return self.is_trusted

    def _table(self):
        rows = [(f.outcome, f.name, f.text, f.remedy or "")
                for f in self.findings]
        names = ("outcome", "check", "found", "remedy")
        columns = zip(*rows) if rows else [()] * 4
        return Table(dict(zip(names, map(list, columns))), self.headline)

    @property
    def skipped(self) -> list[str]:
        """Checks that could not be made, or were not asked for."""
        return [f.name for f in self.findings if f.outcome == "skipped"]

    @property
    def unchecked(self) -> list[str]:
        """Checks that the verdict waits for."""
        return [f.name for f in self.findings if f.outcome == "unchecked"]

    def __repr__(self):
        lines = [self.headline]
        for finding in self.findings:
            lines.append(f"  {finding.outcome:9}  {finding.name}: "
                         f"{finding.text}")
            if finding.remedy:
                lines.append(f"             {finding.remedy}")
        return "\n".join(lines)

    def _repr_html_(self):
        return self._table()._repr_html_()
