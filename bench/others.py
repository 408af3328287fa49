"""Draws of public samplers, judged on small models with exact answers.

usage: PYTHONPATH=build/release/python python3 bench/others.py [NAME ...]

Each sampler runs on two or more models with three seeds.  It runs as its
documentation says for draws at a given temperature, with as many sweeps
between draws as make them independent.  Judged by hiss.diagnose, and by a
chi-square test of all states with their exact probabilities.  A bug is either
"wrong" draws, or independent draws off by 6 standard deviations, with every
seed on two models.  Chains that only mix slowly are none.
"""
import collections
import itertools
import math
import sys

import hiss
import numpy as np

SEEDS, CHAINS, DRAWS = (1, 2, 3), 4, 5000
SWEEPS = 100  # independent draws on models of nine spins


class Spins:
    """log p = sum of J s s + h s; spins -1 and 1."""

    def __init__(self, h, J):
        self.h, self.J = h, J
        full = np.zeros((len(h), len(h)))
        for (i, j), value in J.items():
            full[i, j] = full[j, i] = value
        self.model = hiss.ising(full, np.array(h))
        self.states = np.array(list(itertools.product((-1, 1), repeat=len(h))))
        log_p = (0.5 * np.einsum("ni,ij,nj->n", self.states, full, self.states)
                 + self.states @ np.array(h))
        self.p = np.exp(log_p - log_p.max())
        self.p /= self.p.sum()

    def energies(self):
        """h and J of an energy at inverse temperature 1."""
        return ({i: -v for i, v in enumerate(self.h)},
                {pair: -v for pair, v in self.J.items()})


class Clauses:
    """All solutions alike; bits."""

    def __init__(self, bits, clauses):
        self.clauses = clauses
        tables = []
        for clause in clauses:
            table = np.zeros((2,) * len(clause))
            table[tuple(int(v < 0) for v in clause)] = -np.inf
            tables.append(([abs(v) - 1 for v in clause], table))
        self.model = hiss.factors([2] * bits, tables)
        self.states = np.array([
            x for x in itertools.product((0, 1), repeat=bits)
            if all(any(x[abs(v) - 1] == (v > 0) for v in c) for c in clauses)])
        self.p = np.full(len(self.states), 1 / len(self.states))


def glasses():
    """A ferromagnet in a field, and a glass with fields: nine spins each."""
    pairs = {tuple(sorted((3 * r + c, 3 * s + d)))
             for r in range(3) for c in range(3)
             for s, d in (((r + 1) % 3, c), (r, (c + 1) % 3))}
    rng = np.random.default_rng(43)
    return {"ferromagnet": Spins([0.1] * 9, {pair: 0.3 for pair in pairs}),
            "glass": Spins(list(rng.normal(0, 0.5, 9)),
                           {pair: rng.normal(0, 0.7) for pair in sorted(pairs)})}


def constraints():
    """s -> d == 0 with a word of 8 bits, and a < b with words of 4 bits."""
    def word(first, value):
        return [-(first + i) if value >> i & 1 else first + i for i in range(4)]

    less = [word(1, a) + word(5, b) for a in range(16) for b in range(a + 1)]
    return {"s -> d == 0": Clauses(9, [[-1, -k] for k in range(2, 10)]),
            "a < b": Clauses(8, less)}


def dwave(criterion, shuffled):
    def draw(target, count, seed):
        from dwave.samplers import SimulatedAnnealingSampler

        found = SimulatedAnnealingSampler().sample_ising(
            *target.energies(), num_reads=count, seed=seed,
            beta_schedule_type="custom", beta_schedule=[1.0],
            num_sweeps_per_beta=SWEEPS, randomize_order=shuffled,
            proposal_acceptance_criteria=criterion)
        return found.record.sample[:, np.argsort(list(found.variables))]
    return draw


def openjij(seeded):
    def draw(target, count, seed):
        from openjij import SASampler

        found = SASampler().sample_ising(
            *target.energies(), num_reads=count, schedule=[(1.0, SWEEPS)],
            **{"seed": seed} if seeded else {})
        return found.record.sample[:, np.argsort(list(found.variables))]
    return draw


def pymc(step):
    """Bits x with s = 2 x - 1; chains of dependent draws, a fifth as many."""
    def draw(target, count, seed):
        import logging

        import pymc
        logging.getLogger("pymc").setLevel(logging.ERROR)
        full = np.zeros((len(target.h), len(target.h)))
        for (i, j), value in target.J.items():
            full[i, j] = full[j, i] = value
        with pymc.Model():
            x = pymc.Bernoulli("x", 0.5, shape=len(target.h))
            s = 2 * x - 1
            pymc.Potential("log_p", 0.5 * s.dot(full).dot(s)
                           + s.dot(np.array(target.h)))
            found = pymc.sample(
                count // 5, tune=100, chains=1, cores=1, random_seed=seed,
                step=getattr(pymc, step)([x]), progressbar=False,
                compute_convergence_checks=False)
        return 2 * found.posterior["x"].values[0] - 1
    return draw


def cmsgen(target, count, seed):
    from pycmsgen import Solver

    solver = Solver(seed=seed)
    solver.add_clauses(target.clauses)
    return np.array([solver.solve()[1][1:] for _ in range(count)], int)


def unigen(target, count, seed):
    from pyunigen import Sampler

    sampler = Sampler(seed=seed)
    for clause in target.clauses:
        sampler.add_clause(clause)
    count //= 10  # a draw takes milliseconds
    return (np.array(sampler.sample(num=count)[2][:count]) > 0).astype(int)


SAMPLERS = {
    "dwave, Metropolis": (glasses, dwave("Metropolis", False)),
    "dwave, Metropolis, random order": (glasses, dwave("Metropolis", True)),
    "dwave, Gibbs": (glasses, dwave("Gibbs", False)),
    "dwave, Gibbs, random order": (glasses, dwave("Gibbs", True)),
    "openjij, seed=": (glasses, openjij(True)),
    "openjij, no seed": (glasses, openjij(False)),
    "pymc, BinaryGibbsMetropolis": (glasses, pymc("BinaryGibbsMetropolis")),
    "pymc, BinaryMetropolis": (glasses, pymc("BinaryMetropolis")),
    "cmsgen": (constraints, cmsgen),
    "unigen": (constraints, unigen)}

CHAINED = {name for name in SAMPLERS if name.startswith("pymc")}


def deviation(target, draws):
    """Chi-square of all states in standard deviations; states whose expected
    number is below 5 are one."""
    count = collections.Counter(map(tuple, draws.astype(int).tolist()))
    expected = target.p * len(draws)
    seen = np.array([count[tuple(x)] for x in target.states.tolist()])
    rare = expected < 5
    if rare.any():
        seen = np.append(seen[~rare], seen[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    chi = ((seen - expected) ** 2 / expected).sum()
    return (chi - len(seen) + 1) / math.sqrt(2 * len(seen) - 2)


def main():
    wanted = sys.argv[1:] or SAMPLERS
    print("| sampler | model | chi-square, sd | hiss judge |\n|---|---|---|---|")
    for name in wanted:
        targets, draw = SAMPLERS[name]
        wrong = 0
        for label, target in targets().items():
            sds, verdicts = [], []
            for seed in SEEDS:
                try:
                    x = [draw(target, DRAWS, 100 * seed + chain)
                         for chain in range(CHAINS)]
                except ImportError as why:
                    sys.exit(f"{name}: {why}")
                sds.append(deviation(target, np.concatenate(x)))
                verdicts.append(hiss.diagnose(
                    np.array(x, float), target.model).verdict)
            wrong += (set(verdicts) == {"wrong"}
                      or min(sds) > 6 and name not in CHAINED)
            print(f"| {name} | {label} | {', '.join(f'{v:.1f}' for v in sds)} | "
                  f"{', '.join(verdicts)} |", flush=True)
        print(f"{name}: {'a bug' if wrong >= 2 else 'no fault on two models'}",
              file=sys.stderr)


if __name__ == "__main__":
    main()
