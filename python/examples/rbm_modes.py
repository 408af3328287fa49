#!/usr/bin/env python3
"""A restricted Boltzmann machine with planted modes: are they all found?

Each of the first hidden units plants one pattern, and all patterns have the
same mass.  A sampler that crosses between them spends the same share of its
draws near each; one that does not stays where it began.

    python rbm_modes.py [--visible 32] [--modes 5] [--plot modes.png]
"""
import argparse

import numpy as np

import hiss

SAMPLERS = {
    "DMALA": hiss.DMALA(alpha="auto"),
    "HiSS": hiss.HiSS(eta="auto", inner=hiss.DMALA(alpha="auto")),
    "tempered DMALA": hiss.PT(base=hiss.DMALA(alpha="auto"), levels=12,
                              max_temperature=8),
}


def hadamard(size):
    """Columns of signs, of which any two differ in half of their places."""
    signs = np.ones((1, 1))
    while len(signs) < size:
        signs = np.block([[signs, signs], [signs, -signs]])
    if len(signs) != size:
        raise SystemExit("--visible: expected a power of 2")
    return signs


def planted(visible, modes, strength):
    """W, c and the patterns: one mode of equal mass around each.

    With weights g times a sign and c_j = kappa - 1/2 sum_i W_ij, a hidden unit
    that is on alone has the weight exp(kappa) cosh(g/2)^visible, more than all
    off (1) or two on, if kappa is -2/3 visible ln cosh(g/2).
    """
    signs = hadamard(visible)[:, 1:modes + 1]
    W = strength * signs
    kappa = -2 / 3 * visible * np.log(np.cosh(strength / 2))
    return W, kappa - 0.5 * W.sum(0), signs > 0


def shares(run, patterns):
    """Share of the draws of each chain that are nearest to each pattern."""
    wrong = (run.draws[..., :, None] != patterns).sum(2)
    nearest = wrong.argmin(-1)
    return np.array([np.bincount(row, minlength=patterns.shape[1]) / len(row)
                     for row in nearest])


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--visible", type=int, default=32)
    options.add_argument("--modes", type=int, default=5)
    options.add_argument("--strength", type=float, default=3.0)
    options.add_argument("--evals", type=float, default=2e6)
    options.add_argument("--plot", help="file for the picture")
    given = options.parse_args()

    W, c, patterns = planted(given.visible, given.modes, given.strength)
    model = hiss.rbm(W, c=c)
    found = {}
    for name, sampler in SAMPLERS.items():
        run = hiss.sample(model, sampler, chains=16, evals=given.evals,
                          progress=False)
        found[name] = shares(run, patterns)
        mean = " ".join(f"{share:.2f}" for share in found[name].mean(0))
        visited = (found[name] > 0).sum(1).mean()
        print(f"{name:15} shares {mean}; a chain visits {visited:.1f} of "
              f"{given.modes} modes; {run.diagnose().headline}")
    if given.plot:
        plot(given.plot, found)


def plot(file, found):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(found), figsize=(4 * len(found), 3),
                                sharey=True, layout="constrained")
    for axis, (name, share) in zip(axes, found.items()):
        image = axis.imshow(share, aspect="auto", vmin=0, vmax=1,
                            cmap="viridis")
        axis.set(title=name, xlabel="planted mode")
    axes[0].set_ylabel("chain")
    figure.colorbar(image, ax=axes, label="share of the draws")
    figure.savefig(file)
    print(f"{file} shows where each chain spent its time")


if __name__ == "__main__":
    main()
