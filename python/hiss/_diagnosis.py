"""Whether draws can be trusted: what hiss.diagnose returns."""
from __future__ import annotations

from dataclasses import dataclass

from ._table import Table


@dataclass(frozen=True)
class Finding:
    """One check of a diagnosis."""

    name: str
    outcome: str  # "passed", "failed", "doubtful" or "skipped"
    value: float
    limit: float
    text: str
    remedy: str | None
    is_wrong: bool = False  # neither chance nor disagreement explains it


class Diagnosis:
    """Whether draws can be trusted, and why."""

    def __init__(self, is_trusted: bool, findings: list[Finding]):
        self.is_trusted = is_trusted
        self.findings = findings

    @property
    def is_wrong(self) -> bool:
        """What the draws say is not true, though their chains agree."""
        return not self.is_trusted and any(f.is_wrong for f in self.findings)

    def __bool__(self):
        return self.is_trusted

    def _table(self):
        rows = [(f.outcome, f.name, f.text, f.remedy or "")
                for f in self.findings]
        names = ("outcome", "check", "found", "remedy")
        columns = zip(*rows) if rows else [()] * 4
        return Table(dict(zip(names, map(list, columns))), self.verdict)

    @property
    def skipped(self) -> list[str]:
        """Checks that could not be made, or were not asked for."""
        return [f.name for f in self.findings if f.outcome == "skipped"]

    @property
    def verdict(self) -> str:
        if self.is_wrong:
            return "the draws are wrong: " + next(
                f.text for f in self.findings if f.is_wrong)
        if not self.is_trusted:
            return "the draws cannot be trusted"
        left_out = ", ".join(self.skipped)
        return "the draws can be trusted" + (
            f"  (not looked at: {left_out})" if left_out else "")

    def __repr__(self):
        lines = [self.verdict]
        for finding in self.findings:
            lines.append(f"  {finding.outcome:8}  {finding.name}: "
                         f"{finding.text}")
            if finding.remedy:
                lines.append(f"            {finding.remedy}")
        return "\n".join(lines)

    def _repr_html_(self):
        return self._table()._repr_html_()
