"""Verdicts on sums of tables that are drawn from without elimination.

usage: tables.py [--models A:B] [--kinds a,b] [--evals 1e5,3e5,1e6]
                 [--out FILE]
       tables.py --report FILE ...

Models of fourteen kinds at random, by number: glasses in two and three
dimensions, random fields, ferromagnets in disguise, number partitioning,
Hopfield networks, colorings, clauses and parities, hard and soft, tables of
six bits with a few heavy states, rings of clusters, Potts glasses and magnets,
networks with evidence.  All are small enough for elimination, which says what
the marginals are and is kept from the sampler, auto(independent=no), and from
the verdict's exact answers.  A run is *wrong* when a marginal is off by more
than 3.5 of its own standard errors (as seldom exceeded by chance for the
largest of them) and one by .02, or one by .1.

Lines of JSON are appended to FILE.  PYTHONPATH has the package.
"""
import math
import sys

import numpy as np

import hiss
from functions import error_of, limit_of, main

SEED, SAMPLER = 77, "auto(independent=no)"
EVALS = "1e5,3e5,1e6"  # in turn
SPINS = {"clusters", "gauge", "glass2d", "glass3d", "hopfield", "numpart",
         "rfim"}


def lattice(shape, is_periodic, coupling):
    """(i, j, value) of all bonds."""
    site, bonds = np.arange(int(np.prod(shape))).reshape(shape), []
    for axis, size in enumerate(shape):
        following = np.roll(site, -1, axis)
        for at in np.ndindex(*shape):
            if is_periodic or at[axis] < size - 1:
                bonds.append((site[at], following[at], coupling()))
    return bonds


def spins(n, bonds, field):
    pairs = np.zeros((n, n))
    for i, j, value in bonds:
        pairs[i, j] += value
        pairs[j, i] += value
    return hiss.ising(pairs, np.asarray(field, float))


def dense(pairs, field):
    np.fill_diagonal(pairs, 0)
    return hiss.ising(pairs, field)


def glass2d(rng):
    side, beta = int(rng.integers(7, 14)), rng.uniform(1, 3)
    if rng.random() < .5:
        bonds = lattice((side, side), False, lambda: beta * rng.normal())
    else:
        bonds = lattice((side, side), False,
                        lambda: beta * rng.choice([-1., 1.]))
    strength = beta * rng.uniform(.02, .3)
    return spins(side ** 2, bonds, strength * rng.normal(size=side ** 2))


def glass3d(rng):
    length, beta = int(rng.integers(6, 14)), rng.uniform(.8, 2)
    bonds = lattice((4, 3, length), False, lambda: beta * rng.normal())
    return spins(12 * length, bonds, beta * .1 * rng.normal(size=12 * length))


def rfim(rng):
    side, beta = int(rng.integers(8, 14)), rng.uniform(.5, .9)
    field = rng.uniform(.1, .6) * rng.normal(size=side ** 2)
    field -= field.mean() + rng.normal() * .01
    return spins(side ** 2, lattice((side, side), False, lambda: beta), field)


def gauge(rng):
    side, beta = int(rng.integers(6, 11)), rng.uniform(.46, .8)
    sign = rng.choice([-1., 1.], side ** 2)
    bonds = [(i, j, beta * sign[i] * sign[j])
             for i, j, _ in lattice((side, side), True, lambda: 0)]
    return spins(side ** 2, bonds, rng.uniform(0, 1.5 / side ** 2) * sign)


def numpart(rng):
    n = int(rng.integers(14, 21))
    size, beta = rng.uniform(.1, 1, n), rng.uniform(1, 40)
    return dense(-beta * np.outer(size, size), .1 * rng.normal(size=n))


def hopfield(rng):
    n, count = int(rng.integers(16, 22)), int(rng.integers(2, 4))
    pattern = rng.choice([-1., 1.], (count, n))
    weight = rng.uniform(.7, 1.3, count)
    pairs = rng.uniform(2, 4) / n * np.einsum("k,ki,kj->ij", weight, pattern,
                                              pattern)
    return dense(pairs, .05 * rng.normal(size=n))


def fields(rng, n, states, strength):
    return [((i,), strength * rng.normal(size=states)) for i in range(n)]


def colour(rng):
    n = int(rng.integers(20, 40))
    edges, hidden = int(n * rng.uniform(1.6, 2.2)), rng.integers(0, 3, n)
    cost = -np.inf if rng.random() < .6 else -rng.uniform(2, 6)
    joined, tables = set(), []
    while len(joined) < edges:
        i, j = sorted(rng.integers(0, n, 2))
        if i == j or (i, j) in joined or hidden[i] == hidden[j]:
            continue
        joined.add((i, j))
        table = np.zeros((3, 3))
        np.fill_diagonal(table, cost)
        tables.append(((i, j), table))
    return hiss.factors([3] * n, tables + fields(rng, n, 3, .3))


def three(rng, n):
    return tuple(int(i) for i in rng.choice(n, 3, replace=False))


def sat(rng):
    n = int(rng.integers(18, 30))
    clauses, hidden = int(n * rng.uniform(2.8, 4.1)), rng.integers(0, 2, n)
    cost, tables = -np.inf if rng.random() < .6 else -rng.uniform(2, 6), []
    while len(tables) < clauses:
        scope, fails = three(rng, n), rng.integers(0, 2, 3)
        if all(fails == hidden[list(scope)]):
            continue
        table = np.zeros((2, 2, 2))
        table[tuple(fails)] = cost
        tables.append((scope, table))
    return hiss.factors([2] * n, tables + fields(rng, n, 2, .2))


def xorsat(rng):
    n = int(rng.integers(16, 30))
    count, hidden = int(n * rng.uniform(.5, .9)), rng.integers(0, 2, n)
    cost, tables = -np.inf if rng.random() < .4 else -rng.uniform(2, 7), []
    for _ in range(count):
        scope, table = three(rng, n), np.zeros((2, 2, 2))
        for state in np.ndindex(2, 2, 2):
            if sum(state) % 2 != hidden[list(scope)].sum() % 2:
                table[state] = cost
        tables.append((scope, table))
    return hiss.factors([2] * n, tables + fields(rng, n, 2, .3))


def products(rng):
    count, size, tables = int(rng.integers(3, 14)), 6, []
    for b in range(count):
        table = rng.normal(size=(2,) * size)
        for _ in range(int(rng.integers(2, 5))):
            table[tuple(rng.integers(0, 2, size))] += rng.uniform(5, 9)
        tables.append((tuple(range(b * size, b * size + size)), table))
    place = rng.permutation(count * size)
    for b in range(count - 1):
        tables.append(((b * size + int(rng.integers(size)),
                        (b + 1) * size + int(rng.integers(size))),
                       rng.normal(size=(2, 2)) * .5))
    return hiss.factors([2] * (count * size),
                        [(tuple(int(place[i]) for i in scope), table)
                         for scope, table in tables])


def clusters(rng):
    count, size = int(rng.integers(4, 20)), int(rng.integers(4, 8))
    n, bonds = count * size, []
    sign, strong = rng.choice([-1., 1.], n), rng.uniform(.8, 2)
    for c in range(count):
        for i in range(c * size, c * size + size):
            for j in range(c * size, i):
                bonds.append((i, j, strong * sign[i] * sign[j]))
    for c in range(count):
        for other in ((c + 1) % count, (c + 2) % count):
            if c != other:
                bonds.append((c * size + int(rng.integers(size)),
                              other * size + int(rng.integers(size)),
                              rng.normal() * .8))
    return spins(n, bonds, .05 * rng.normal(size=n))


def potts(rng, side, states, coupling, strength):
    tables = [((int(i), int(j)), np.eye(states) * value)
              for i, j, value in lattice((side, side), False, coupling)]
    return hiss.factors([states] * side ** 2,
                        tables + fields(rng, side ** 2, states, strength))


def pottsg(rng):
    side, states = int(rng.integers(5, 8)), int(rng.integers(3, 5))
    beta = rng.uniform(1, 3)
    return potts(rng, side, states, lambda: beta * rng.normal(), .1)


def pottsf(rng):
    side, states = int(rng.integers(4, 8)), int(rng.integers(3, 6))
    beta = rng.uniform(1.1, 1.8)
    return potts(rng, side, states, lambda: beta, .05)


def network(rng):
    n, tables = int(rng.integers(20, 60)), []
    states = [int(v) for v in rng.integers(2, 5, n)]
    for i in range(n):
        count, first = min(i, int(rng.integers(0, 4))), max(0, i - 8)
        parents = tuple(int(v) for v in rng.choice(
            np.arange(first, i), min(count, i - first),
            replace=False)) if i else ()
        shape = [states[a] for a in parents] + [states[i]]
        p = rng.dirichlet(np.full(states[i], rng.choice([.05, .2, 1.])),
                          size=shape[:-1] or None)
        least = 1e-6 if rng.random() < .7 else 1e-12
        tables.append((parents + (i,), np.log(
            np.maximum(np.asarray(p).reshape(shape), least))))
    for i in rng.choice(n, n // 5, replace=False):
        table = np.full(states[i], -4.)
        table[rng.integers(states[i])] = 0
        tables.append(((int(i),), table))
    return hiss.factors(states, tables)


MODELS = {f.__name__: f for f in (
    clusters, colour, gauge, glass2d, glass3d, hopfield, network, numpart,
    pottsf, pottsg, products, rfim, sat, xorsat)}


def judge(draws, exact, is_spin):
    """(standard errors, distance, classes): the largest of all marginals."""
    sigmas, off, count = 0., 0., 0
    for i in range(draws.shape[2]):
        p = exact.marginal(i)
        for v in range(len(p) == 2, len(p)):
            if not .005 < p[v] < .995:
                continue
            hits = (draws[:, :, i] == (2 * v - 1 if is_spin else v)).astype(
                float)
            away, se = abs(hits.mean() - p[v]), error_of(hits)
            if se > 0:
                se *= max(1., math.sqrt(p[v] * (1 - p[v]) / hits.var()))
            elif away > .02:
                se = away / 99
            sigmas = max(sigmas, away / se if se > 0 else 0.)
            off, count = max(off, away), count + 1
    return sigmas, off, count


def run(kind, number, evals):
    rng = np.random.default_rng([SEED, sorted(MODELS).index(kind), number])
    model = MODELS[kind](rng)
    out = {"kind": kind, "number": number, "evals": evals}
    try:
        drawn = hiss.sample(model, SAMPLER, chains=4, evals=evals,
                            seed=5000 + number, threads=1, progress=False)
    except hiss.HissError as error:
        return {**out, "error": str(error)}
    sigmas, off, count = judge(np.asarray(drawn.draws), hiss.exact(model),
                               kind in SPINS)
    verdict = drawn.diagnose(blind=True, threads=1)
    return {**out, "trusted": bool(verdict.is_trusted), "z": sigmas,
            "off": off, "resolved": drawn.resolved,
            "wrong": bool(off > .1 or (off > .02 and
                                       sigmas > limit_of(max(count, 1)))),
            "doubts": [found.name for found in verdict.findings
                       if found.outcome in ("failed", "doubtful")]}


if __name__ == "__main__":
    sys.exit(main(MODELS, run, EVALS, "tables.jsonl"))
