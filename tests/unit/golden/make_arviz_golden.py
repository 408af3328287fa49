#!/usr/bin/env python3
"""Writes arviz.inc: what ArviZ says about draws that both sides can make.

The draws come from integer arithmetic and plain products, so diag_draws.h
makes the same bits in C and the file holds results only.  Needs numpy, scipy
and arviz 0.23 (before 1.0); run it in this folder:

    python3 make_arviz_golden.py > arviz.inc
"""

import logging
import warnings

import arviz
import numpy as np
import scipy

# name, kind, chains, draws, seed, p, shift
CASES = [
    ("iid", "AR", 4, 1000, 1, 0.0, 0.0),
    ("iid, odd length", "AR", 4, 1001, 2, 0.0, 0.0),
    ("iid, one chain", "AR", 1, 500, 3, 0.0, 0.0),
    ("three chains", "AR", 3, 333, 4, 0.5, 0.0),
    ("slow", "AR", 4, 1000, 5, 0.95, 0.0),
    ("slow, one odd chain", "AR", 1, 2001, 6, 0.97, 0.0),
    ("very slow", "AR", 4, 2000, 7, 0.999, 0.0),
    ("very slow and long", "AR", 2, 20001, 8, 0.9995, 0.0),
    ("antithetic", "AR", 4, 1000, 9, -0.9, 0.0),
    ("antithetic, one chain", "AR", 1, 64, 10, -0.7, 0.0),
    ("shifted chains", "AR", 4, 1000, 11, 0.3, 0.2),
    ("far apart", "AR", 4, 1000, 12, 0.3, 100.0),
    ("large offset", "AR", 3, 400, 13, 0.5, 1e8),
    ("below resolution", "TINY", 2, 100, 14, 0.5, 0.0),
    ("heavy tail", "TAIL", 4, 1000, 15, 0.0, 0.0),
    ("heavy tail, odd", "TAIL", 3, 777, 16, 0.0, 0.0),
    ("bits, fair", "BITS", 4, 1000, 17, 0.5, 0.0),
    ("bits, slow", "BITS", 4, 1000, 18, 0.02, 0.0),
    ("bits, one chain", "BITS", 1, 999, 19, 0.1, 0.0),
    ("bits, alternating", "BITS", 4, 500, 20, 0.95, 0.0),
    ("bits, rarely one", "RARE", 4, 1000, 21, 0.03, 0.0),
    ("bits, hardly one", "RARE", 4, 1000, 22, 0.001, 0.0),
    ("bits, two chains, odd", "BITS", 2, 101, 23, 0.3, 0.0),
    ("levels", "WALK", 4, 1000, 24, 0.5, 0.0),
    ("levels, slow", "WALK", 3, 1501, 25, 0.03, 0.0),
    ("levels, one chain", "WALK", 1, 800, 26, 0.3, 0.0),
    ("levels, shifted", "WALK", 4, 600, 27, 0.4, 1.0),
    # its 95 % quantile is rounded to just below a level
    ("levels, rounded down", "WALK", 3, 198, 41, 0.5, 0.0),
    ("constant", "STUCK", 4, 100, 28, 0.0, 0.0),
    ("constant, one chain", "STUCK", 1, 100, 29, 0.0, 0.0),
    ("stuck", "STUCK", 4, 100, 30, 0.0, 1.0),
    ("stuck, two chains", "STUCK", 2, 51, 31, 0.0, 1.0),
    ("one chain still", "PARTLY", 4, 1000, 32, 0.2, 1.0),
    ("two chains still", "PARTLY", 5, 501, 33, 0.2, 2.0),
    ("shortest", "AR", 2, 4, 34, 0.0, 0.0),
    ("five draws", "AR", 2, 5, 35, 0.0, 0.0),
    ("seven draws", "AR", 2, 7, 36, 0.0, 0.0),
    ("nine draws", "AR", 1, 9, 37, 0.5, 0.0),
    ("ten draws", "AR", 3, 10, 38, 0.5, 0.0),
    ("eleven bits", "BITS", 2, 11, 39, 0.5, 0.0),
    ("too short", "AR", 4, 3, 40, 0.0, 0.0),
]

MASK = (1 << 64) - 1


class Uniform:
    """splitmix64 (Steele, Lea and Flood 2014), upper 53 bits, in (0, 1)."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z = z ^ (z >> 31)
        return ((z >> 11) + 0.5) * 2.0**-53


def chain(kind, c, n, u, p, shift):
    x = u() - 0.5
    bit = int(x < 0.0)
    level = 2
    out = []
    for _ in range(n):
        if kind in ("AR", "TINY"):
            x = p * x + (u() - 0.5)
            out.append(x + shift * c if kind == "AR" else x * 1e-17)
        elif kind == "TAIL":
            out.append(1.0 / u())
        elif kind == "RARE":
            out.append(float(u() < p))
        elif kind == "WALK":
            v = u()
            if v < 0.5 * p:
                level = max(level - 1, 0)
            elif v < p:
                level = min(level + 1, 4)
            out.append(1.7 * level + shift * c)
        elif kind == "STUCK":
            out.append(0.3 + shift * c)
        else:  # BITS, and PARTLY, where the first `shift` chains stand still
            flip = u() < p
            if flip and (kind == "BITS" or c >= shift):
                bit = 1 - bit
            out.append(float(bit))
    return out


def number(v):
    v = float(v)
    if np.isnan(v):
        return "NAN"
    if np.isinf(v):
        return "INFINITY"
    return f"{v:.17g}"


def main():
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    print(f"/* Made by make_arviz_golden.py: arviz {arviz.__version__},")
    print(f" * numpy {np.__version__}, scipy {scipy.__version__}.")
    print(" * name, kind, chains, draws, seed, p, shift,")
    print(" * sum of draws, ess bulk, tail, mean, rhat, mcse of the mean */")
    print("/* clang-format off */")
    for name, kind, chains, n, seed, p, shift in CASES:
        u = Uniform(seed)
        x = np.array([chain(kind, c, n, u, p, shift) for c in range(chains)])
        total = 0.0
        for v in x.ravel():
            total += float(v)
        results = [arviz.ess(x, method=m) for m in ("bulk", "tail", "mean")]
        results += [arviz.rhat(x), arviz.mcse(x, method="mean")]
        print(
            f'{{"{name}", {kind}, {chains}, {n}, {seed}, {p}, {shift},\n    '
            + f"{number(total)}, {number(results[0])},\n    "
            + f"{number(results[1])}, {number(results[2])},\n    "
            + f"{number(results[3])}, {number(results[4])}}},"
        )
    print("/* clang-format on */")


if __name__ == "__main__":
    main()
