"""Pictures of a result, by matplotlib."""
from __future__ import annotations


def plot(result, axes=None):
    """Traces of U, and the masses of the modes where there is a model."""
    import matplotlib.pyplot as plt

    if axes is None:
        _, axes = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
    left, right = axes
    for chain, lp in enumerate(result.lp):
        left.plot(lp, linewidth=0.6, label=f"chain {chain}")
    left.set(xlabel="draw", ylabel="U", title="log-probability")
    if result.model is None:
        right.axis("off")
        return axes
    modes = result.modes(12)
    right.bar(range(len(modes)), modes["mass"])
    right.set(xlabel="mode", ylabel="share of the draws", title=modes.title)
    return axes
