#!/usr/bin/env python3
"""Block Gibbs of restricted Boltzmann machines, ours beside numpy's.

usage: bench/peers/rbm.py [build/release/python]

Both draw h given v and then v given h, so that a sweep is worth the same; what
is compared is sweeps, and effective draws of the worst coordinate, per second of
the processor, one thread each.  numpy's is given in double, as it comes, and in
single precision.
"""
import os
import sys
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, sys.argv[1] if len(sys.argv) > 1
                else os.path.join(ROOT, "build", "release", "python"))
import hiss  # noqa: E402

MACHINES = ((784, 500, 300), (200, 12, 3000))  # visible, hidden, sweeps
CHAINS = (4, 16, 64)
ROUNDS = 3  # the fewest seconds count


def block_gibbs(W, b, c, chains, sweeps, rng):
    """Draws (sweep, chain, visible), in the precision of W."""
    def coin(odds):
        return (rng.random(odds.shape, dtype=W.dtype)
                < 1 / (1 + np.exp(-odds))).astype(W.dtype)

    v = coin(np.zeros((chains, len(b)), W.dtype))
    draws = np.empty((sweeps, chains, len(b)), np.int8)
    for t in range(sweeps):
        h = coin(v @ W + c)
        v = coin(h @ W.T + b)
        draws[t] = v
    return draws


def seconds(run):
    """The fewest of the processor, and what the last run returned."""
    least = np.inf
    for _ in range(ROUNDS):
        began = time.process_time()
        out = run()
        least = min(least, time.process_time() - began)
    return least, out


def main():
    rng = np.random.default_rng(1)
    print(f"{'machine':>9} {'chains':>6} {'numpy':>9} {'float32':>9} {'hiss':>9}"
          f" {'ratio':>6} {'ratio32':>7} {'ESS / s':>9}")
    for visible, hidden, sweeps in MACHINES:
        W = rng.normal(size=(visible, hidden)) / np.sqrt(visible)
        b, c = rng.normal(size=visible) / 10, rng.normal(size=hidden) / 10
        model = hiss.rbm(W, b, c)
        for chains in CHAINS:
            rate = []
            for dtype in (np.float64, np.float32):
                parts = [a.astype(dtype) for a in (W, b, c)]
                rate.append(chains * sweeps / seconds(
                    lambda: block_gibbs(*parts, chains, sweeps, rng))[0])
            took, run = seconds(lambda: hiss.sample(
                model, "hidden", chains=chains, samples=sweeps, warmup=0,
                threads=1, progress=False))
            ours = chains * sweeps / took
            ess = float(np.min(run.summary()["ess_bulk"])) / took
            print(f"{visible:>4}x{hidden:<4} {chains:>6} {rate[0]:>9.0f}"
                  f" {rate[1]:>9.0f} {ours:>9.0f} {ours / rate[0]:>6.2f}"
                  f" {ours / rate[1]:>7.2f} {ess:>9.0f}", flush=True)


if __name__ == "__main__":
    main()
