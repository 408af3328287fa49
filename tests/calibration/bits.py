"""Functions of bits with a mode that almost no state leads to.

usage: bits.py BEGIN END

Run n has the seed 977000 + n, one of four kinds of function and one of three
samplers.  It prints the verdict without exact answers, the share of the narrow
mode (half of the mass is right), or those of all modes, and the headline.
"""
import math
import sys

import hiss
import numpy as np

SAMPLERS = ("auto", "gibbs", "pt(base=gibbs,levels=auto)", "auto", "auto")


def golf(rng):
    """One state of 2^25 that has as much mass as all others."""
    hole = rng.integers(0, 2, 25)
    return lambda x: np.where((x == hole).all(1), 25 * math.log(2.0), 0.0), \
        [hole], 0


def needle(rng, dim=40):
    """A state and its neighbors beside a product law."""
    point, field = rng.integers(0, 2, dim), rng.normal(0, 0.6, dim)
    mass = np.log1p(np.exp(field)).sum() - math.log(dim + 1.0)

    def log_p(x):
        near = (x != point).sum(1) <= 1
        return np.logaddexp(x @ field, np.where(near, mass, -1e3))
    return log_p, [point], 1


def funnel(rng, dim=40, radius=6, slope=3.0):
    """A slope to one state, in a plain."""
    point, depth = rng.integers(0, 2, dim), np.arange(radius + 1)
    count = [math.log(math.comb(dim, k)) for k in depth]
    mass = dim * math.log(2.0) - np.logaddexp.reduce(
        np.array(count) + slope * (radius - depth))

    def log_p(x):
        away = (x != point).sum(1)
        return np.where(away <= radius, np.logaddexp(
            0.0, mass + slope * (radius - away)), 0.0)
    return log_p, [point], radius


def groups(rng, dim=36):
    """Two groups of three product laws, of different widths and masses."""
    modes, widths, masses = [], [], []
    for center in rng.integers(0, 2, (2, dim)):
        for _ in range(3):
            modes.append(center.copy())
            modes[-1][rng.choice(dim, 6, replace=False)] ^= 1
            widths.append(rng.uniform(1.5, 3.5))
            masses.append(math.log(rng.uniform(0.5, 2)))

    def log_p(x):
        return np.logaddexp.reduce([
            mass - width * (x != mode).sum(1) -
            dim * math.log1p(math.exp(-width))
            for mode, width, mass in zip(modes, widths, masses)], 0)
    return log_p, modes, dim


def main():
    kinds = (golf, needle, funnel, groups)
    for n in range(int(sys.argv[1]), int(sys.argv[2])):
        log_p, modes, radius = kinds[n % 4](np.random.default_rng(977000 + n))
        sampler = SAMPLERS[n // 4 % 5]
        model = hiss.from_function(log_p, len(modes[0]))
        run = hiss.sample(model, sampler, samples=1000, seed=n, threads=1)
        found = run.diagnose(blind=True)
        draws = np.asarray(run.draws).reshape(-1, len(modes[0]))
        away = np.array([(draws != mode).sum(1) for mode in modes])
        shares = [float(np.mean((away.argmin(0) == k) & (away[k] <= radius)))
                  for k in range(len(modes))]
        print(n, kinds[n % 4].__name__, sampler, found.verdict,
              np.round(shares, 3).tolist(), found.headline, flush=True)


if __name__ == "__main__":
    main()
