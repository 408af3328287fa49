"""Verdicts on functions, Boltzmann machines and mean-field models.

usage: functions.py [--models A:B] [--kinds a,b] [--evals 1e5,5e4,2e5,4e5]
                    [--out FILE]
       functions.py --report FILE ...

Models of nine kinds at random, by number, whose masses are known: mixtures of
product laws of bits, labels, numbers and all three, a narrow bell beside a wide
one, with and without gradients; mean-field magnets, as couplings and as
functions, and Potts models, nearly symmetric; functions that are possible in
two bands of the number of ones; Boltzmann machines.  `auto` draws from each,
and the run is judged without exact answers.  It is *wrong* when a mode of mass
.02 or more has less than a tenth of its draws, or a mass is off by more than
3.5 of its own standard errors (as seldom exceeded by chance for the largest of
them).

Lines of JSON are appended to FILE.  PYTHONPATH has the package; `cc` compiles
functions.c.
"""
import argparse
import collections
import ctypes
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

import hiss

HERE = os.path.dirname(os.path.abspath(__file__))
EVALS = "1e5,5e4,2e5,4e5"  # in turn


def library():
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "functions.so")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", path,
                    os.path.join(HERE, "functions.c"), "-lm"], check=True)
    return ctypes.CDLL(path)


class Function:
    """A C function and the struct that it is given, kept alive."""

    native = None
    kept: list = []

    def __init__(self, name, fields):
        if Function.native is None:
            Function.native = library()
        self.address = ctypes.cast(getattr(Function.native, name),
                                   ctypes.c_void_p).value
        kinds, values = [], []
        for field, value in fields.items():
            if isinstance(value, np.ndarray):
                self.kept.append(value)
                kinds.append((field, ctypes.c_void_p))
                values.append(value.ctypes.data)
            else:
                kinds.append((field, ctypes.c_double if isinstance(
                    value, float) else ctypes.c_int))
                values.append(value)
        shape = type(name, (ctypes.Structure,), {"_fields_": kinds})
        self.context = shape(*values)
        self.kept.append(self.context)

    def model(self, dim, **more):
        return hiss.from_cfunc(self.address, dim=dim,
                               context=ctypes.addressof(self.context), **more)


def log_gamma(x):
    return np.vectorize(math.lgamma)(x)


def shares(log_weight):
    return np.exp(log_weight - np.logaddexp.reduce(log_weight))


def masses(rng, count):
    w = np.maximum(rng.dirichlet(np.ones(count)), 0.04)
    return w / w.sum()


def has_gradient(rng):
    return bool(rng.integers(0, 2))


def mixture(tables, w, kinds, states, gradient):
    """tables[k][i] are log probabilities of values, but for a constant."""
    first = np.concatenate([[0], np.cumsum(states)[:-1]]).astype(np.int32)
    log_p = np.zeros((sum(states), len(w)))
    for k, rows in enumerate(tables):
        for i, u in enumerate(rows):
            log_p[first[i]:first[i] + states[i], k] = \
                u - np.logaddexp.reduce(u)
    log_w = np.log(w)
    is_label = np.array([kind == "categorical" for kind in kinds], np.int32)
    f = Function("mixture_u", {
        "components": len(w), "dim": len(kinds),
        "states": np.array(states, np.int32), "first": first,
        "is_label": is_label, "log_weight": log_w, "log_p": log_p})
    if len(set(kinds)) == 1 and len(set(states)) == 1:
        domain = {"kind": kinds[0],
                  "states": None if kinds[0] == "binary" else states[0]}
    else:
        domain = {"kind": kinds, "states": states}
    m = f.model(len(kinds), gradient=gradient, name="mix", **domain)

    def classify(x):
        r = log_w + log_p[first[None, :] + x.astype(int)].sum(1)
        r = np.exp(r - r.max(1, keepdims=True))
        return r / r.sum(1, keepdims=True)

    return m, classify, np.array(w)


def binary(rng):
    count, d = int(rng.integers(2, 7)), int(rng.integers(30, 180))
    scale, w, tables = rng.uniform(.6, 1.6, count), masses(rng, count), []
    for k in range(count):
        like = rng.integers(0, 2, d)
        strength = scale[k] * rng.uniform(.4, 3.4, d)
        tables.append([np.where(np.arange(2) == like[i], strength[i], 0.)
                       for i in range(d)])
    return mixture(tables, w, ["binary"] * d, [2] * d, has_gradient(rng))


def labels(rng):
    count, d = int(rng.integers(2, 6)), int(rng.integers(15, 80))
    q = int(rng.integers(3, 9))
    scale, w = rng.uniform(.7, 1.5, count), masses(rng, count)
    tables = [[np.where(np.arange(q) == rng.integers(q),
                        scale[k] * rng.uniform(1, 3.5), 0.)
               for _ in range(d)] for k in range(count)]
    return mixture(tables, w, ["categorical"] * d, [q] * d, has_gradient(rng))


def ordinal(rng):
    count, d = int(rng.integers(2, 5)), int(rng.integers(8, 50))
    q = int(rng.integers(5, 14))
    width, w = rng.uniform(.6, 2.2, count), masses(rng, count)
    tables = [[-.5 * ((np.arange(q) - rng.integers(q)) /
                      (width[k] * rng.uniform(.8, 1.25))) ** 2
               for _ in range(d)] for k in range(count)]
    return mixture(tables, w, ["ordinal"] * d, [q] * d, has_gradient(rng))


def kinds(rng):
    count, d = int(rng.integers(2, 5)), int(rng.integers(20, 70))
    w, scale = masses(rng, count), rng.uniform(.7, 1.4, count)
    of = [["binary", "categorical", "ordinal"][rng.integers(3)]
          for _ in range(d)]
    states = [2 if kind == "binary" else int(rng.integers(3, 8))
              for kind in of]
    tables = []
    for k in range(count):
        rows = []
        for i in range(d):
            v, like = np.arange(states[i]), rng.integers(states[i])
            s = scale[k] * rng.uniform(.6, 1.4)
            rows.append(-.5 * ((v - like) * s / 1.2) ** 2
                        if of[i] == "ordinal" else
                        np.where(v == like, 2 * s, 0.))
        tables.append(rows)
    return mixture(tables, w, of, states, has_gradient(rng))


def narrow(rng):
    d, q = int(rng.integers(10, 60)), int(rng.integers(6, 12))
    ratio, wide = rng.uniform(.35, .8), rng.uniform(1.2, 2.)
    w = rng.uniform(.15, .85)
    tables = [[-.5 * ((np.arange(q) - rng.integers(q)) / width) ** 2
               for _ in range(d)] for width in (wide, wide * ratio)]
    return mixture(tables, [w, 1 - w], ["ordinal"] * d, [q] * d,
                   has_gradient(rng))


def rbm(rng):
    h, d = int(rng.integers(3, 9)), int(rng.integers(40, 200))
    w = rng.normal(0, rng.uniform(.2, .8), (d, h))
    b = rng.normal(0, .3, d)
    units = ((np.arange(2 ** h)[:, None] >> np.arange(h)) & 1).astype(float)
    c = -(np.logaddexp(0, b[:, None] + w) -
          np.logaddexp(0, b)[:, None]).sum(0) + rng.normal(0, 2, h)
    mass = shares(units @ c + np.logaddexp(0, b + units @ w.T).sum(1))
    top = np.argsort(-mass)[:12]
    top = top[mass[top] > .01]

    def classify(x):
        r = (x @ w + c) @ units.T
        r = np.exp(r - r.max(1, keepdims=True))
        return (r / r.sum(1, keepdims=True))[:, top]

    return hiss.rbm(w, b, c), classify, mass[top]


def magnet(rng):
    d, coupling = int(rng.integers(30, 160)), rng.uniform(1.1, 1.6)
    f = rng.choice([0., rng.uniform(0, 3. / d)])
    xi = rng.choice([-1., 1.], d)
    n = np.arange(d + 1)
    along = 2 * n - d
    p = shares(-log_gamma(n + 1) - log_gamma(d - n + 1) +
               coupling * along ** 2 / (2 * d) + f * along)
    how = int(rng.integers(3))
    if how == 0:
        pairs = coupling / d * np.outer(xi, xi)
        np.fill_diagonal(pairs, 0)
        m = hiss.ising(pairs, f * xi)
    else:
        m = Function("magnet_u", {
            "dim": d, "coupling": float(coupling), "xi": xi,
            "field": f * xi}).model(d, gradient=how == 1, name="magnet")

    def classify(x):
        q = (x if how == 0 else 2 * x - 1) @ xi
        return np.stack([q > 0, q < 0], 1).astype(float)

    return m, classify, np.array([p[along > 0].sum(), p[along < 0].sum()])


def bands(rng):
    d = int(rng.integers(16, 50))
    field = rng.normal(0, .8, d)
    few = int(rng.integers(2, d // 4 + 2))
    many = int(rng.integers(d // 2, d - 3))
    width = int(rng.integers(2, 4))
    log_sums = np.full(d + 1, -np.inf)  # of states with so many ones
    log_sums[0] = 0
    for h in field:
        log_sums[1:] = np.logaddexp(log_sums[1:], log_sums[:-1] + h)
    w = rng.uniform(.1, .9)
    table = np.full(d + 1, -np.inf)
    both = [np.arange(at, at + width) for at in (few, many)]
    for band, mass in zip(both, (w, 1 - w)):
        table[band] = np.log(mass) - np.logaddexp.reduce(log_sums[band])
    m = Function("bands_u", {"dim": d, "field": field, "table": table}).model(
        d, gradient=has_gradient(rng), name="bands")

    def classify(x):
        return np.stack([np.isin(x.sum(1), band) for band in both],
                        1).astype(float)

    return m, classify, np.array([w, 1 - w])


def potts(rng):
    d, coupling = int(rng.integers(18, 60)), rng.uniform(3.0, 3.8)
    f = rng.choice([0., rng.uniform(0, .05)])
    a, b = np.meshgrid(np.arange(d + 1), np.arange(d + 1), indexing="ij")
    n = np.stack([a, b, d - a - b], -1)[a + b <= d]
    p = shares(-log_gamma(n + 1).sum(1) +
               coupling / d * .5 * (n * (n - 1)).sum(1) + f * n[:, 0])
    pairs = np.full((d, d), coupling / d)
    np.fill_diagonal(pairs, 0)
    field = np.zeros((d, 3))
    field[:, 0] = f

    def classify(x):
        return np.stack([(x == c).sum(1) > d / 2 for c in range(3)],
                        1).astype(float)

    return hiss.potts(pairs, field, 3), classify, np.array(
        [p[n[:, c] > d / 2].sum() for c in range(3)])


MODELS = {"binary": binary, "bands": bands, "kinds": kinds, "labels": labels,
          "magnet": magnet, "narrow": narrow, "ordinal": ordinal,
          "potts": potts, "rbm": rbm}


def error_of(f):
    """Standard error of the mean of f, (chain, draw), by Geyer's rule."""
    chains, n = f.shape
    within, between = f.var(1, ddof=1).mean(), f.mean(1).var(ddof=1)
    var = within * (n - 1) / n + between
    if var <= 0:
        return 0.
    size, auto = 1 << (2 * n - 1).bit_length(), np.zeros(n)
    for row in f:
        y = np.fft.rfft(row - row.mean(), size)
        auto += np.fft.irfft(y * y.conj(), size)[:n] / n / chains
    rho = 1 - (within - auto * n / (n - 1)) / var
    tau, t = 1., 1
    while t + 1 < n and rho[t] + rho[t + 1] >= 0:
        tau += 2 * (rho[t] + rho[t + 1])
        t += 2
    return math.sqrt(var * max(tau, 1. / np.log10(chains * n)) / (chains * n))


def limit_of(count):
    low, high = 3.5, 8.
    while high - low > 1e-6:
        z = (low + high) / 2
        if count * math.erfc(z / 2 ** .5) > math.erfc(3.5 / 2 ** .5):
            low = z
        else:
            high = z
    return low


def judge(f, truth):
    """(modes that were missed, the largest error in standard errors)."""
    missed, worst = 0, 0.
    for k, p in enumerate(truth):
        own, se = f[..., k], error_of(f[..., k])
        missed += p >= .02 and own.mean() < .1 * p
        if se > 0:
            se = max(se, se * math.sqrt(p * (1 - p) / own.var()))
            worst = max(worst, abs(own.mean() - p) / se)
    return int(missed), float(worst)


def run(kind, number, evals):
    rng = np.random.default_rng([23, sorted(MODELS).index(kind), number])
    m, classify, truth = MODELS[kind](rng)
    out = {"kind": kind, "number": number, "evals": evals}
    try:
        drawn = hiss.sample(m, "auto", chains=4, evals=evals,
                            seed=1000 + number, threads=1)
    except hiss.HissError as error:
        return {**out, "error": str(error)}
    x = np.asarray(drawn.draws, float)
    f = classify(x.reshape(-1, x.shape[2])).reshape(*x.shape[:2], -1)
    missed, z = judge(f, truth)
    verdict = drawn.diagnose(blind=True, threads=1)
    return {**out, "trusted": bool(verdict.is_trusted), "missed": missed,
            "z": z, "wrong": bool(missed or z > limit_of(len(truth))),
            "doubts": [found.name for found in verdict.findings
                       if found.outcome in ("failed", "doubtful")]}


def report(files):
    counts = collections.defaultdict(collections.Counter)
    for name in files:
        with open(name, encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                word = "no run" if "error" in row else \
                    ("trusted" if row["trusted"] else "doubted") + \
                    (" and wrong" if row["wrong"] else " and right")
                counts[row["kind"]][word] += 1
                counts["all"][word] += 1
    for kind, row in counts.items():
        print(f"{kind:8}", ", ".join(f"{n} {word}"
                                     for word, n in sorted(row.items())))
    return counts["all"]["trusted and wrong"] > 0


def main(models, run_one, evals, out_file):
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", default="0:20")
    parser.add_argument("--kinds", default=",".join(models))
    parser.add_argument("--evals", default=evals)
    parser.add_argument("--out", default=out_file)
    parser.add_argument("--report", nargs="+")
    args = parser.parse_args()
    if args.report:
        return report(args.report)
    first, end = map(int, args.models.split(":"))
    evals = [float(e) for e in args.evals.split(",")]
    for number in range(first, end):
        for kind in args.kinds.split(","):
            row = run_one(kind, number, evals[number % len(evals)])
            with open(args.out, "a", encoding="utf-8") as out:
                out.write(json.dumps(row) + "\n")
    return report([args.out])


if __name__ == "__main__":
    sys.exit(main(MODELS, run, EVALS, "functions.jsonl"))
