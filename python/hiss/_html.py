"""A result in a notebook: the verdict, counts, and traces of U."""
from __future__ import annotations

import html

import numpy as np

WIDTH, HEIGHT, POINTS = 420, 90, 300
COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")
TRACES = 12


def _traces(lp):
    """An SVG with a line per chain; infinities are left out."""
    finite = lp[np.isfinite(lp)]
    if finite.size == 0 or lp.shape[1] < 2:
        return ""
    low, high = float(finite.min()), float(finite.max())
    gap = high - low or 1.0
    at = np.unique(np.linspace(0, lp.shape[1] - 1, POINTS).astype(int))
    lines = []
    for chain, row in enumerate(lp[:TRACES]):
        points = " ".join(
            f"{k / max(1, len(at) - 1) * WIDTH:.1f},"
            f"{(high - row[t]) / gap * (HEIGHT - 4) + 2:.1f}"
            for k, t in enumerate(at) if np.isfinite(row[t]))
        lines.append(f"<polyline points='{points}' fill='none' "
                     f"stroke='{COLOURS[chain % len(COLOURS)]}' "
                     f"stroke-width='0.8'/>")
    return f"<svg width='{WIDTH}' height='{HEIGHT}' " \
           f"role='img' aria-label='U of each chain'>{''.join(lines)}</svg>" \
           f"<div><small>U from {low:.6g} to {high:.6g}</small></div>"


def page(result):
    info = result.info
    verdict = result.diagnose(probe=0)
    colour = "#228833" if verdict.is_trusted else "#cc3311"
    wrong = "".join(
        f"<li>{html.escape(finding.text)}"
        f"{': ' + html.escape(finding.remedy) if finding.remedy else ''}</li>"
        for finding in verdict.findings
        if finding.outcome in ("failed", "doubtful"))
    rates = ", ".join(f"{html.escape(name)} {rate:.3f}"
                      for name, rate in result.acceptance.items())
    name = result.model.name if result.model is not None else ""
    return (
        f"<div><b>hiss</b> {html.escape(name)}<br>"
        f"<code>{html.escape(result.sampler or '')}</code><br>"
        f"{info.chains} chains of {info.samples} draws, {info.dim} "
        f"coordinates, {info.energy_evals:.4g} energies and "
        f"{info.gradient_evals:.4g} gradients in {info.seconds:.3g} s"
        f"<br>accepted: {rates}"
        f"<div style='color:{colour}'><b>{html.escape(verdict.verdict)}</b>"
        f"<ul>{wrong}</ul></div>{_traces(result.lp)}</div>")
