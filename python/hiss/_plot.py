"""Pictures of results and races, by matplotlib."""
from __future__ import annotations

import numpy as np

from ._html import COLORS


CHAINS = 16  # shown; ten colors repeat


def _count_along(axes, first, last):
    """Whole ticks from first to last, one of them at least."""
    from matplotlib.ticker import MaxNLocator

    margin = 0.6 + 0.03 * (last - first)
    axes.set_xlim(first - margin, last + margin)
    axes.xaxis.set_major_locator(MaxNLocator(
        nbins=6, integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))


# Seen on white and on black, as are the colors of the SVG in notebooks.
GRAY = "#808080"
STYLE = {"figure.facecolor": "none", "axes.facecolor": "none",
         "savefig.facecolor": "auto", "text.color": GRAY,
         "axes.labelcolor": GRAY, "axes.edgecolor": GRAY,
         "axes.titlecolor": GRAY, "xtick.color": GRAY, "ytick.color": GRAY,
         "axes.spines.top": False, "axes.spines.right": False,
         "axes.titlesize": "medium", "legend.frameon": False}
ROWS = 24  # coordinates or modes of a panel
BINS = 40
FEW = 4  # chains whose traces a reader can distinguish
POINTS = 100  # of the trace of a chain, if there are more


def _axes(axes, count=1):
    """Given axes, or new ones that suit light and dark pages."""
    import matplotlib.pyplot as plt

    if axes is not None:
        return axes
    across = min(3, count)
    down = -(-count // across)
    with plt.rc_context(STYLE):
        _, axes = plt.subplots(down, across, squeeze=False,
                               figsize=(4.2 * across, 3 * down),
                               layout="constrained")
    for spare in axes.flat[count:]:
        spare.axis("off")
    return axes.flat[0] if count == 1 else axes.flat[:count]


def _color(number):
    return COLORS[number % len(COLORS)]


def trace(result, axes=None):
    """log p of every chain, draw by draw, or of many chains in means."""
    axes = _axes(axes)
    draws = result.lp.shape[1]
    block = -(-draws // POINTS) if len(result.lp) > FEW else 1
    at = (np.arange(-(-draws // block)) + 0.5) * block - 0.5
    for chain, lp in enumerate(result.lp[:CHAINS]):
        means = [lp[k:k + block].mean() for k in range(0, draws, block)]
        axes.plot(at, means, linewidth=0.6, label=f"chain {chain}",
                  color=_color(chain), marker="." if draws == 1 else None)
    shown = f", {CHAINS} of {len(result.lp)} chains" \
        if len(result.lp) > CHAINS else ""
    what = "log p" if block == 1 else f"log p, means of {block} draws"
    axes.set(xlabel="draw", ylabel=what, title=f"trace{shown}")
    _count_along(axes, 0, draws - 1)
    return axes


def rank(result, axes=None):
    """Ranks of log p among all chains: lines that mix are flat."""
    axes = _axes(axes)
    lp = result.lp
    order = np.argsort(lp.ravel(), kind="stable")
    # draws of equal log p share their ranks evenly
    _, first, count = np.unique(lp.ravel()[order], return_index=True,
                                return_counts=True)
    place = np.empty(lp.size)
    spread = np.random.default_rng(0).permutation
    place[order] = np.concatenate([
        start + spread(number) for start, number in zip(first, count)])
    place = place.reshape(lp.shape)
    bins = min(20, max(2, lp.shape[1] // 8))
    edges = np.linspace(0, lp.size, bins + 1)
    for chain, ranks in enumerate(place[:CHAINS]):
        counts = np.histogram(ranks, edges)[0] * bins / max(1, len(ranks))
        axes.stairs(counts, edges, color=_color(chain), linewidth=0.8)
    axes.axhline(1, color=GRAY, linestyle="--", linewidth=0.8)
    axes.set(xlabel="rank of log p among all draws", ylabel="share x bins",
             ylim=(0, None), title="rank")
    return axes


def _edges(values):
    """Edges of bins; where values have a smallest step, whole steps wide, so
    that each bin can hold as many values."""
    low, high = values.min(), values.max()
    gaps = np.diff(np.unique(values))
    gaps = gaps[gaps > 1e-6 * (high - low)]  # rounding
    if not len(gaps) or gaps.min() < (high - low) / (10 * BINS):
        return np.histogram_bin_edges(values, BINS)
    step = gaps.min()
    width = step * max(1, np.ceil((high - low) / BINS / step))
    return np.arange(low - step / 2, high + width, width)


def energy(result, axes=None):
    """Distribution of the objective, such as an energy, or of log p."""
    axes = _axes(axes)
    name, scale, shift = result._objective()
    values = scale * result.lp + shift
    finite = values[np.isfinite(values)]
    edges = _edges(finite) if finite.size else [0, 1]
    for chain, row in enumerate(values[:CHAINS]):
        axes.hist(row[np.isfinite(row)], edges, density=True, histtype="step",
                  color=_color(chain), linewidth=0.8)
    axes.set(xlabel=name, ylabel="density of a chain", title=name)
    return axes


def marginal(result, axes=None):
    """Marginals of the coordinates that are known worst, with two errors."""
    axes = _axes(axes)
    table = result.summary()
    error = np.nan_to_num(np.asarray(table["mcse"], float))
    worst = np.sort(np.argsort(-error, kind="stable")[:ROWS])
    at = np.arange(len(worst))
    axes.errorbar(np.asarray(table["mean"])[worst], at, fmt="o", markersize=3,
                  xerr=2 * error[worst], color=_color(0), linewidth=1)
    axes.set_yticks(at, [str(table["name"][i]) for i in worst],
                    fontsize="x-small")
    axes.invert_yaxis()
    left = f", {len(worst)} of {len(error)}" if len(error) > ROWS else ""
    axes.set(xlabel="mean +- 2 errors", title=f"marginals{left}")
    return axes


def modes(result, axes=None, table=None):
    """Share of each mode; within a bar, a piece for each chain."""
    axes = _axes(axes)
    table = result.modes(12) if table is None else table
    axes.bar(range(1, len(table) + 1), table["mass"], color=_color(0))
    _count_along(axes, 1, len(table))
    axes.set(xlabel="mode", ylabel="share of the draws", title=table.title)
    axes.title.set_fontsize("small")
    return axes


def overlap(result, axes=None):
    """P(q): the overlap of independent chains, draw by draw."""
    axes = _axes(axes)
    axes.hist(result.observable("q").ravel(), np.linspace(-1, 1, BINS + 2),
              density=True, color=_color(1))
    axes.set(xlabel="q", ylabel="P(q)", title="overlap of two chains")
    return axes


def _panels(result):
    """What suits the model."""
    names = list(result.observables()["name"]) \
        if result.model is not None else []
    out = [trace]
    if min(result.lp.shape) > 1 and result.lp.shape[1] >= 16:
        out.append(rank)
    out.append(energy)
    if "q" in names:
        out.append(overlap)
    else:
        out.append(marginal)
    if result.model is not None:
        table = result.modes(12)
        if len(table) and np.sum(table["mass"]) > 0.1:  # else all differ
            out.append(lambda run, axes: modes(run, axes, table))
    return out


def plot(result, axes=None):
    """The panels that suit the model; `axes` are those to draw them in."""
    panels = _panels(result)
    axes = np.ravel(_axes(axes, len(panels)))
    for panel, one in zip(panels, axes):
        panel(result, one)
    return axes


def plot_race(comparison, axes=None):
    """Distance from the law against evaluations, or ESS per evaluation."""
    axes = _axes(axes)
    budgets = {row["budget"] for row in comparison}
    names = [row["sampler"] + (f", {row['budget']}" if len(budgets) > 1
                               else "") for row in comparison]
    if "curve" not in comparison[0]:
        at = range(len(names))
        axes.errorbar([row["ess_per_eval"] for row in comparison], at,
                      xerr=[row["ess_per_eval_se"] for row in comparison],
                      fmt="o")
        axes.set_yticks(at, [
            name if row["exact"] else f"{name}\n(not exact)"
            for name, row in zip(names, comparison)])
        axes.set(xlabel="effective draws per evaluation", xlim=(0, None))
        axes.invert_yaxis()
        return axes
    for row, name in zip(comparison, names):
        axes.errorbar(*([point[key] for point in row["curve"]]
                        for key in ("evals", "mean", "se")), marker="o",
                      markersize=3, label=name)
    axes.set(xscale="log", yscale="log", xlabel="evaluations",
             ylabel="total variation distance" if "tvd" in comparison[0]
             else "total variation of marginals")
    axes.legend()
    return axes


def plot_scan(scan, axes=None):
    """A panel for every observable, with errors."""
    names = scan.observables
    axes = np.ravel(_axes(axes, len(names)))
    for one, name in zip(axes, names):
        one.errorbar(scan.beta, scan[name], yerr=scan[f"{name}_mcse"],
                     fmt="o-", markersize=3, linewidth=0.8, color=_color(0))
        one.set(xlabel="beta", title=name)
    return axes
