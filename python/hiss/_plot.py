"""Pictures of results and races, by matplotlib."""
from __future__ import annotations

import numpy as np


CHAINS = 16  # shown; ten colours repeat


def _count_along(axes, first, last):
    """Whole ticks from first to last, one of them at least."""
    from matplotlib.ticker import MaxNLocator

    margin = 0.6 + 0.03 * (last - first)
    axes.set_xlim(first - margin, last + margin)
    axes.xaxis.set_major_locator(MaxNLocator(
        nbins=6, integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))


def plot(result, axes=None):
    """Traces of U, and the masses of the modes where there is a model."""
    import matplotlib.pyplot as plt

    if axes is None:
        _, axes = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
    left, right = axes
    for chain, lp in enumerate(result.lp[:CHAINS]):
        left.plot(lp, linewidth=0.6, label=f"chain {chain}",
                  marker="." if len(lp) == 1 else None)
    shown = f", {CHAINS} of {len(result.lp)} chains" \
        if len(result.lp) > CHAINS else ""
    left.set(xlabel="draw", ylabel="U", title=f"log-probability{shown}")
    _count_along(left, 0, result.lp.shape[1] - 1)
    if result.model is None:
        right.axis("off")
        return axes
    modes = result.modes(12)
    right.bar(range(1, len(modes) + 1), modes["mass"])
    _count_along(right, 1, len(modes))
    right.set(xlabel="mode", ylabel="share of the draws", title=modes.title)
    return axes


def plot_race(comparison, axes=None):
    """Distance from the law against evaluations, or ESS per evaluation."""
    import matplotlib.pyplot as plt

    if axes is None:
        _, axes = plt.subplots(figsize=(6, 4), layout="constrained")
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
    import matplotlib.pyplot as plt

    names = scan.observables
    if axes is None:
        across = min(3, len(names))
        down = -(-len(names) // across)
        figure, axes = plt.subplots(
            down, across, squeeze=False, layout="constrained",
            figsize=(3.2 * across, 2.4 * down))
        for spare in axes.flat[len(names):]:
            spare.axis("off")
    for one, name in zip(np.ravel(axes), names):
        one.errorbar(scan.beta, scan[name], yerr=scan[f"{name}_mcse"],
                     fmt="o-", markersize=3, linewidth=0.8)
        one.set(xlabel="beta", title=name)
    return axes
