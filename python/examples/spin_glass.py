#!/usr/bin/env python3
"""A spin glass: which sampler finds all valleys, and how to know.

Random couplings of both signs on a square lattice leave many valleys with
walls between them.  Three samplers get the same budget of evaluations; what
they say of each spin is compared with the exact marginals, which elimination
of one spin after the other gives for a lattice of this width.

    python spin_glass.py [--side 12] [--evals 4e6] [--plot glass.png]
"""
import argparse

import numpy as np

import hiss

SAMPLERS = {
    "DMALA": hiss.DMALA(alpha="auto"),
    "Gibbs": hiss.Gibbs(),
    "tempered Gibbs": hiss.PT(base=hiss.Gibbs(), levels=8,
                              max_temperature=10),
}


def couplings(side, beta, seed):
    """beta times +-1 on the bonds of an open square lattice, sparse."""
    from scipy.sparse import coo_matrix

    rng = np.random.default_rng(seed)
    site = np.arange(side * side).reshape(side, side)
    a = np.concatenate([site[:, :-1].ravel(), site[:-1].ravel()])
    b = np.concatenate([site[:, 1:].ravel(), site[1:].ravel()])
    bond = beta * rng.choice([-1.0, 1.0], len(a))
    J = coo_matrix((bond, (a, b)), shape=(side * side, side * side))
    return (J + J.T).tocsr()


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--side", type=int, default=12)
    options.add_argument("--beta", type=float, default=1.5)
    options.add_argument("--evals", type=float, default=4e6)
    options.add_argument("--plot", help="file for the picture")
    given = options.parse_args()

    field = 0.1 * np.random.default_rng(2).normal(size=given.side**2)
    model = hiss.ising(couplings(given.side, given.beta, 1), field)
    truth = hiss.exact(model)
    print(f"log Z is {truth.log_z:.6f}, by {truth.method} in "
          f"{truth.seconds:.2f} s")
    runs = {}
    for name, sampler in SAMPLERS.items():
        run = hiss.sample(model, sampler, chains=16, evals=given.evals,
                          progress=False)
        means = run.draws.mean((0, 1))
        error = np.abs(means - truth.means()).mean()
        diagnosis = run.diagnose(blind=True)
        print(f"{name:15} mean error of a magnetisation {error:.3f}; "
              f"{diagnosis.headline}")
        runs[name] = run
    if given.plot:
        plot(given.plot, truth, runs)


def plot(file, truth, runs):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(runs), figsize=(4 * len(runs), 4),
                                sharey=True, layout="constrained")
    for axis, (name, run) in zip(axes, runs.items()):
        axis.plot([-1, 1], [-1, 1], color="grey", linewidth=0.5)
        axis.plot(truth.means(), run.draws.mean((0, 1)), ".", markersize=4)
        axis.set(title=name, xlabel="exact magnetisation")
    axes[0].set_ylabel("sampled magnetisation")
    figure.savefig(file)
    print(f"{file} shows the magnetisations")


if __name__ == "__main__":
    main()
