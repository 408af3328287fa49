"""A result in a notebook: the verdict, counts, and traces of U."""
from __future__ import annotations

import html
import itertools

import numpy as np

WIDTH, HEIGHT, POINTS = 420, 90, 300
# All are seen on white and on black.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#7a5fd0")
CHAINS = 16  # shown; colors repeat


def _traces(lp):
    """An SVG with a line per chain; infinities are left out."""
    finite = lp[np.isfinite(lp)]
    if finite.size == 0 or lp.shape[1] < 2:
        return ""
    low, high = float(finite.min()), float(finite.max())
    gap = high - low or 1.0
    at = np.unique(np.linspace(0, lp.shape[1] - 1, POINTS).astype(int))
    lines = []
    for color, row in zip(itertools.cycle(COLORS), lp[:CHAINS]):
        points = " ".join(
            f"{k / max(1, len(at) - 1) * WIDTH:.1f},"
            f"{(high - row[t]) / gap * (HEIGHT - 4) + 2:.1f}"
            for k, t in enumerate(at) if np.isfinite(row[t]))
        lines.append(f"<polyline points='{points}' fill='none' "
                     f"stroke='{color}' stroke-width='0.8'/>")
    shown = "" if len(lp) <= CHAINS else f", {CHAINS} of {len(lp)} chains"
    return f"<svg viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' " \
           f"style='max-width:100%' role='img' " \
           f"aria-label='U of each chain'>{''.join(lines)}</svg>" \
           f"<div><small>U from {low:.6g} to {high:.6g}{shown}</small></div>"


def count(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _sampler(result):
    """What was asked for; what a pilot made of it, and why."""
    asked = f"<code>{html.escape(result.sampler or '')}</code><br>"
    if not result.pilot:
        return asked
    return f"{asked}resolved: <code>{html.escape(result.resolved or '')}" \
           f"</code><details><summary>what the pilot found</summary>" \
           f"<pre>{html.escape(result.pilot)}</pre></details>"


def page(result):
    info = result.info
    verdict = result.diagnose(probe=0)
    color = "#1a8a4b" if verdict.is_trusted else "#d0342c"
    wrong = "".join(
        f"<li>{html.escape(finding.text)}"
        f"{': ' + html.escape(finding.remedy) if finding.remedy else ''}</li>"
        for finding in verdict.findings
        if finding.outcome in ("failed", "doubt", "unchecked"))
    rates = ", ".join(f"{html.escape(name)} {rate:.3f}"
                      for name, rate in result.acceptance.items())
    name = result.model.name if result.model is not None else ""
    return (
        f"<div><b>hiss</b> {html.escape(name)}<br>"
        f"{_sampler(result)}"
        f"{count(info.chains, 'chain')} of {count(info.samples, 'draw')}, "
        f"{count(info.dim, 'coordinate')}, {info.energy_evals:.4g} energies and "
        f"{info.gradient_evals:.4g} gradients in {info.seconds:.3g} s"
        f"<br>accepted: {rates}"
        f"<div style='color:{color}'><b>{html.escape(verdict.headline)}</b>"
        f"<ul>{wrong}</ul></div>{_traces(result.lp)}</div>")
