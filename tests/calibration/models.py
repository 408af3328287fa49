"""Random models of all kinds whose truth is known, as files and specs.

`families(seed, folder)` writes them and gives a list of (family, name, spec).
All have at most 2^20 states, so that marginals, mean U and the shares of modes
are known exactly.
"""
import itertools
import math
import os
import random

EACH = 6  # of every family


def coo(path, pairs, fields=()):
    with open(path, "w", encoding="utf-8") as out:
        print("# vartype=SPIN", file=out)
        for i, h in fields:
            print(f"{i} {i} {-h:.6f}", file=out)
        for i, j, coupling in pairs:
            print(f"{i} {j} {-coupling:.6f}", file=out)
    return path


def bonds(shape):
    """Neighbors on a box, periodic along edges longer than two."""
    sites = list(itertools.product(*map(range, shape)))
    number = {site: n for n, site in enumerate(sites)}
    for site in sites:
        for axis, size in enumerate(shape):
            other = list(site)
            other[axis] = (site[axis] + 1) % size
            if size > 2 or site[axis] + 1 < size:
                yield number[site], number[tuple(other)]


def glass(rng, path, shape, has_field):
    beta, gauss = rng.choice((0.6, 1.0, 1.5, 2.0)), rng.random() < 0.5
    pairs = [(i, j, beta * (rng.gauss(0, 1) if gauss
                            else rng.choice((-1, 1))))
             for i, j in bonds(shape)]
    fields = [(i, beta * rng.gauss(0, 0.5)) for i in range(math.prod(shape))]
    return coo(path + ".coo", pairs, fields if has_field else ())


def hopfield(rng, path):
    n, patterns = rng.randint(10, 15), rng.choice((1, 2, 3))
    beta = rng.choice((0.8, 1.2, 2.0))
    stored = [[rng.choice((-1, 1)) for _ in range(n)]
              for _ in range(patterns)]
    return coo(path + ".coo",
               [(i, j, beta / n * sum(p[i] * p[j] for p in stored))
                for i in range(n) for j in range(i)])


def far_table(rng, path):
    top = rng.choice((9, 12, 15))
    states = list(itertools.product((0, 1, top), (0, 1), (0, 1), (0, 1)))
    weight = [rng.gammavariate(0.5, 1) + 1e-4 for _ in states]
    with open(path + ".txt", "w", encoding="utf-8") as out:
        print(f"ordinal:0,1,{top} binary binary binary", file=out)
        for state, w in zip(states, weight):
            print(*state, f"{w / sum(weight):.17g}", file=out)
    return f"table(file={path}.txt)"


def mixture(rng, _):
    return (f"mixture(k={rng.choice((2, 3, 4))},d={rng.randint(8, 14)},"
            f"seed={rng.randint(1, 10 ** 6)})")


def uai(path, states, factors):
    with open(path, "w", encoding="utf-8") as out:
        print("MARKOV", len(states), *states, len(factors), sep="\n", file=out)
        for scope, _ in factors:
            print(len(scope), *scope, file=out)
        for _, table in factors:
            print(len(table), *table, sep="\n", file=out)
    return path


def coloring(rng, path):
    """Proper colorings of a sparse graph, with preferences for colors."""
    n, colors = rng.randint(6, 9), rng.choice((3, 4))
    edges = {tuple(sorted(rng.sample(range(n), 2)))
             for _ in range(rng.randint(n - 1, n + 2))}
    differ = [float(a != b) for a in range(colors) for b in range(colors)]
    likes = rng.random() < 0.5
    factors = [(edge, differ) for edge in sorted(edges)]
    factors += [((i,), [rng.uniform(0.2, 1) if likes else 1.0
                        for _ in range(colors)]) for i in range(n)]
    return uai(path + ".uai", [colors] * n, factors)


def clauses(rng, path):
    """Clauses that a hidden assignment satisfies."""
    n = rng.randint(9, 13)
    hidden = [rng.choice((-1, 1)) for _ in range(n)]
    lines = []
    for _ in range(rng.randint(n, 2 * n)):
        chosen = rng.sample(range(n), 3)
        signs = [rng.choice((-1, 1)) for _ in chosen]
        if all(hidden[i] != s for i, s in zip(chosen, signs)):
            signs[0] = hidden[chosen[0]]
        lines.append([s * (i + 1) for i, s in zip(chosen, signs)])
    with open(path + ".wcnf", "w", encoding="utf-8") as out:
        print("p wcnf", n, len(lines), file=out)
        for line in lines:
            print(1, *line, 0, file=out)
    return path + ".wcnf"


def tour(rng, path):
    n = rng.randint(5, 6)
    with open(path + ".tsp", "w", encoding="utf-8") as out:
        print(f"NAME: cities\nTYPE: TSP\nDIMENSION: {n}\n"
              "EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION", file=out)
        for i in range(n):
            print(i + 1, f"{rng.uniform(0, 9):.4f} {rng.uniform(0, 9):.4f}",
                  file=out)
        print("EOF", file=out)
    return f"tsp(file={path}.tsp,temperature={rng.choice((0.7, 1.5, 4))})"


def machine(rng, _):
    return (f"rbm(visible={rng.randint(8, 13)},hidden={rng.randint(2, 5)},"
            f"seed={rng.randint(1, 10 ** 6)},modes={rng.choice((0, 2, 3))},"
            f"strength={rng.choice((1, 2, 3))})")


def binary_network(rng, path):
    """A network with weights of -1 and 1, fitted to noise."""
    inputs, hidden = rng.choice(((2, 3), (3, 3), (4, 2)))
    with open(path + ".csv", "w", encoding="utf-8") as out:
        print(*(f"a{i}" for i in range(inputs)), "y", sep=",", file=out)
        for _ in range(8):
            row = [rng.gauss(0, 1) for _ in range(inputs)]
            label = float(sum(row) + rng.gauss(0, 1) > 0)
            print(*(f"{v:.4f}" for v in row), label, sep=",", file=out)
    return f"bnn(data={path}.csv,target=y,hidden={hidden})"


def network(rng, path):
    """Random conditional tables; a third of them with zeros."""
    n = rng.randint(6, 9)
    states = [rng.choice((2, 2, 3)) for _ in range(n)]
    kind = rng.choice(("smooth", "rugged", "zeros"))
    factors = []
    for i in range(n):
        scope = rng.sample(range(i), min(i, rng.choice((1, 2)))) + [i]
        entries = []
        for _ in range(math.prod(states[j] for j in scope[:-1])):
            row = [rng.uniform(0.5, 2) if kind == "smooth"
                   else math.exp(rng.gauss(0, 1.5)) if kind == "rugged"
                   else float(rng.random() < 0.7) * rng.uniform(0.2, 1)
                   for _ in range(states[i])]
            row[rng.randrange(states[i])] += float(kind == "zeros")
            entries += [v / sum(row) for v in row]
        factors.append((scope, entries))
    return uai(path + ".uai", states, factors)


def lattice(rng, _):
    return rng.choice((
        f"ising(side=4,beta={rng.choice((0.2, 0.44, 0.8))})",
        f"ising(side=3,beta={rng.choice((0.5, 1))},field=0.05)",
        f"potts(side=3,states=3,beta={rng.choice((0.5, 1, 1.5))})",
        f"ladder(d=5,levels=4,beta={rng.choice((0.3, 1, 3))})",
        f"pairs(d={rng.choice((6, 10))},coupling={rng.choice((2, 4))})"))


FAMILIES = {
    "glass 2-d": lambda r, p: glass(r, p, r.choice(((4, 4), (3, 5))), False),
    "glass 2-d, field": lambda r, p: glass(r, p, (4, 4), True),
    "glass 3-d": lambda r, p: glass(r, p, r.choice(((2, 3, 3), (2, 2, 4))),
                                    r.random() < 0.5),
    "Hopfield": hopfield,
    "far value": far_table,
    "mixture": mixture,
    "coloring": coloring,
    "clauses": clauses,
    "tour": tour,
    "RBM": machine,
    "binary network": binary_network,
    "network": network,
    "lattice": lattice,
}


def families(seed, folder):
    out = []
    for number, (family, make) in enumerate(FAMILIES.items()):
        for n in range(EACH):
            rng = random.Random(f"{seed} {family} {n}")
            path = os.path.join(folder, f"m{number}_{n}")
            out.append((family, f"{family} {n}", make(rng, path)))
    return out
