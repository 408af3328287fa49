#!/usr/bin/env python3
"""Best energies of 20 QUBOs: `HissSampler` beside D-Wave's simulated annealing.

    PYTHONPATH=build/release/python python3 bench/qubos.py [--reads 100]
        [--only assignment] [--seed 0]

Both are called as dimod's users call them, with one thread and num_reads as
their only option.  HissSampler has one call of `--reads` reads.  Annealing
(`dwave.samplers`, once called neal) has calls until it has used at least as
much processor time: one read, then as many as the rest of the time allows.  The
best energy of all its calls counts.  The exit code is 1 if annealing found less
anywhere.
"""
import argparse
import itertools
import sys
import time

import dimod
import numpy as np

import hiss

TOLERANCE = 1e-6  # sums of up to 10^5 numbers in another order


def assignment(n, rng):
    """Agents to tasks at random costs; penalties hold both constraints."""
    cost = rng.uniform(1, 10, (n, n))
    penalty = 2 * cost.max()
    linear = {(i, j): cost[i, j] - 2 * penalty
              for i in range(n) for j in range(n)}
    pairs = {}
    for i in range(n):
        for a, b in itertools.combinations(range(n), 2):
            pairs[(i, a), (i, b)] = pairs[(a, i), (b, i)] = 2 * penalty
    return dimod.BQM(linear, pairs, 2 * n * penalty, "BINARY")


def maxcut(n, rng):
    """Minus the cut of a random graph of mean degree 6, weights -1 and 1 in
    every second graph."""
    bqm = dimod.BQM("BINARY")
    bqm.add_variables_from({i: 0.0 for i in range(n)})
    signed = n % 200 != 0
    for k in rng.choice(n * n, 6 * n // 2, replace=False):
        i, j = map(int, divmod(int(k), n))
        if i != j:
            w = float(rng.choice([-1, 1])) if signed else 1.0
            bqm.add_linear(i, -w)
            bqm.add_linear(j, -w)
            bqm.add_quadratic(i, j, 2 * w)
    return bqm


def knapsack(n, rng):
    """n items and the binary digits of the room that is left."""
    weight = rng.integers(1, 30, n)
    value = rng.integers(1, 30, n)
    room = int(weight.sum() // 2)
    digits = [2 ** k for k in range(room.bit_length() - 1)]
    digits.append(room - sum(digits))
    a = np.array([*weight, *digits], float)
    penalty = float(value.max() + 1)
    Q = penalty * np.outer(a, a)
    Q[np.diag_indices_from(Q)] -= 2 * penalty * room * a
    Q[np.arange(n), np.arange(n)] -= value
    return dimod.BQM.from_numpy_vectors(
        np.diag(Q), (*np.triu_indices(len(a), 1),
                     2 * Q[np.triu_indices(len(a), 1)]),
        penalty * room ** 2, "BINARY")


def random(n, rng):
    """Dense, whole numbers from -100 to 100, as in Beasley's sets."""
    row, column = np.triu_indices(n, 1)
    keep = rng.random(len(row)) < 0.1 if n > 200 else slice(None)
    row, column = row[keep], column[keep]
    return dimod.BQM.from_numpy_vectors(
        rng.integers(-100, 101, n).astype(float),
        (row, column, 2.0 * rng.integers(-100, 101, len(row))), 0.0, "BINARY")


FAMILIES = [(assignment, (6, 9, 12, 16, 20)), (maxcut, (60, 150, 400, 1000, 2500)),
            (knapsack, (15, 30, 50, 80, 120)), (random, (50, 100, 200, 500, 1500))]


def instances(seed):
    for family, sizes in FAMILIES:
        for n in sizes:
            seed += 1
            yield f"{family.__name__} {n}", family(
                n, np.random.default_rng(seed))


class Searched:
    """The best energy of calls with other seeds, and the time of all."""

    def __init__(self, sampler, bqm, **more):
        self.sampler, self.bqm, self.more = sampler, bqm, more
        self.energy, self.seconds, self.reads, self.calls = np.inf, 0.0, 0, 0

    def call(self, reads):
        start = time.process_time()
        found = self.sampler.sample(self.bqm, num_reads=reads,
                                    seed=1 + self.calls, **self.more)
        self.seconds += time.process_time() - start
        self.calls, self.reads = self.calls + 1, self.reads + reads
        self.energy = min(self.energy, found.first.energy)

    def until(self, seconds):
        while self.seconds < seconds:
            left = (seconds - self.seconds) * self.reads / (
                self.seconds or 1e-3)
            self.call(max(1, int(left)) if self.calls else 1)
        return self


def compared(bqm, reads):
    """(ours, theirs)."""
    from dwave.samplers import SimulatedAnnealingSampler
    ours = Searched(hiss.HissSampler(), bqm, threads=1)
    ours.call(reads)
    return ours, Searched(SimulatedAnnealingSampler(), bqm).until(ours.seconds)


def main():
    parse = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parse.add_argument("--reads", type=int, default=100)
    parse.add_argument("--only", default="")
    parse.add_argument("--seed", type=int, default=0,
                       help="the first instance has the next seed")
    asked = parse.parse_args()
    lost = rows = 0
    print(f"{'instance':<16}{'variables':>10}{'hiss':>14}{'s':>7}"
          f"{'annealing':>14}{'s':>7}{'reads':>7}")
    for name, bqm in instances(asked.seed):
        if not name.startswith(asked.only):
            continue
        ours, theirs = compared(bqm, asked.reads)
        worse = ours.energy > theirs.energy + TOLERANCE * max(
            1, abs(theirs.energy))
        lost, rows = lost + worse, rows + 1
        print(f"{name:<16}{bqm.num_variables:>10}{ours.energy:>14.7g}"
              f"{ours.seconds:>7.2f}{theirs.energy:>14.7g}"
              f"{theirs.seconds:>7.2f}{theirs.reads:>7}"
              f"{'  worse' if worse else ''}", flush=True)
    print(f"annealing found a better state in {lost} of {rows} rows")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
