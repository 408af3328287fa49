"""Coefficients keep their precision: laws by hand, in exact arithmetic.

Statistical tests compare a marginal p of N independent draws, or of draws with
N effective ones, with the law: |mean - p| < 5 sqrt(p (1 - p) / N), which fails
once in 1.7 million for each; about 300 of them are made, at fixed seeds.
"""
import itertools
import json
import math
import random
from fractions import Fraction

import harness

GAP = 3
PENALTIES = (10**7, 10**8, 10**9)
SAMPLERS = ("gibbs", "gibbs(scan=random)", "metropolis", "gwg",
            "dmala(alpha=0.4)", "hiss(eta=0.6,steps=2)",
            "hiss(eta=0.6,steps=1,inner=gibbs)", "pt(base=gibbs,levels=3)",
            "blocks", "blocks(table=4)", "independent", "acs", "mix(gibbs,gwg)",
            "pafs(length=2)", "hamming(block=4)")


def law(dim, energy, values=(0, 1), states=None):
    """Marginal probabilities P(x_i = last value), the mean of U, log Z less
    the largest U, and the states with the largest U, of U = energy(x) in
    fractions."""
    found = []
    for x in itertools.product(*(states or [values] * dim)):
        found.append((energy(x), x))
    top = max(u for u, _ in found)
    weight = [math.exp(float(u - top)) for u, _ in found]
    total = math.fsum(weight)
    marginal = [math.fsum(w for w, (_, x) in zip(weight, found)
                          if x[i] == (states[i] if states else values)[-1])
                / total for i in range(dim)]
    return marginal, top, [x for u, x in found if u == top], math.log(total)


def quadratic(linear, pairs):
    """-E as a function of x, from numbers as the file has them."""
    linear = [Fraction(v) for v in linear]
    pairs = {k: Fraction(v) for k, v in pairs.items()}

    def energy(x):
        return -(sum(h * v for h, v in zip(linear, x))
                 + sum(j * x[a] * x[b] for (a, b), j in pairs.items()))
    return energy


def coo(kind, linear, pairs):
    lines = [f"# vartype={kind}"]
    lines += [f"{i} {i} {v}" for i, v in enumerate(linear)]
    lines += [f"{a} {b} {v}" for (a, b), v in pairs.items()]
    return "\n".join(lines) + "\n"


def pinned(rng, size, penalty):
    """Costs of order 1 that single sites can move through, once x.1 is where
    the penalty wants it: every other one has -P and gets it back from x.1."""
    linear = [str(-size * penalty)]
    pairs = {}
    for i in range(1, size):
        linear.append(str(penalty + Fraction(rng.randrange(-200, 200), 100)))
        pairs[0, i] = str(-penalty)
    for a in range(1, size):
        for b in range(a + 1, size):
            pairs[a, b] = f"{rng.uniform(-1, 1):.6f}"
    return [decimal(v) for v in linear], pairs


def decimal(text):
    """A fraction of hundredths as a decimal number."""
    value = Fraction(text)
    assert value.denominator in (1, 2, 4, 5, 10, 20, 25, 50, 100)
    whole = abs(value.numerator * (100 // value.denominator))
    return ("-" if value < 0 else "") + f"{whole // 100}.{whole % 100:02d}"


class Precision(harness.Case):

    def marginals(self, model, *more):
        """P(last value) of each coordinate, by `hiss exact`."""
        found = self.good_json("exact", model, *more)
        return [c["probabilities"][-1] for c in found["marginals"]], found

    def exact(self, model, truth, *more, within=1e-6):
        found, whole = self.marginals(model, *more)
        for a, b in zip(found, truth[0]):
            self.assertAlmostEqual(a, b, delta=within)
        self.assertAlmostEqual(whole["log_z"] - float(truth[1]), truth[3],
                               delta=max(1e-6, 4e-16 * abs(truth[1])))
        return whole

    def sampled(self, model, sampler, truth, *more, samples=4000, seed=17):
        self.good("sample", model, *(["--sampler", sampler] if sampler else []),
                  "--samples", samples, "--seed", seed, "-o", "o.nc",
                  "--force", *more)
        found = self.good_json("summary", "o.nc")
        for c, p in zip(found["coordinates"], truth[0]):
            with self.subTest(model=model, sampler=sampler, x=c["name"]):
                ess = c["ess_bulk"] or samples
                limit = 5 * math.sqrt(p * (1 - p) / ess) + 1e-9
                self.assertLess(abs(c["mean"] - p), limit)
        return found

    def best(self, model):
        return self.good_json("optimize", model, "--restarts", 8)["best"]

    def two(self, penalty, name="two.coo"):
        pairs = {(0, 1): 2 * penalty}
        linear = [-penalty, -(penalty - GAP)]
        self.write(name, coo("BINARY", linear, pairs))
        return law(2, quadratic(linear, pairs))

    def test_two_variables(self):
        p = 1 / (1 + math.exp(-GAP))
        for penalty in PENALTIES:
            truth = self.two(penalty)
            self.assertAlmostEqual(truth[0][0], p, delta=1e-12)
            whole = self.exact("two.coo", truth)
            self.assertEqual(whole["max_u"], penalty)
            self.sampled("two.coo", None, truth)
            self.sampled("two.coo", "blocks", truth)
            best = self.best("two.coo")
            self.assertEqual(best["objective"], -penalty)
            self.assertEqual([float(v) for v in best["state"]], [1, 0])
            self.assertIn("double", self.good("explain", "two.coo"))

    def test_u_of_draws(self):
        """A difference of 3 at 1e9, in every draw that is written."""
        self.two(10**9)
        self.good("sample", "two.coo", "--samples", 500, "-o", "o.csv")
        with open(self.path("o.csv"), encoding="utf-8") as file:
            rows = [r for r in file.read().split("\n")
                    if r and not r.startswith("#")]
        head = rows[0].split(",")
        at = [head.index(n) for n in ("lp", "x.1", "x.2")]
        seen = set()
        for row in rows[1:]:
            words = row.split(",")
            seen.add(tuple(float(words[k]) for k in at))
        self.assertEqual(seen, {(1e9, 1, 0), (1e9 - GAP, 0, 1)})

    def test_random_penalties(self):
        """One of three in two groups, costs of order 1, spins too."""
        rng = random.Random(20)
        for penalty in (10**5, 10**6, 10**7, 10**8, 10**9):
            costs = [f"{rng.uniform(-2, 2):.3f}" for _ in range(6)]
            linear = [decimal(-penalty + round(Fraction(c) * 100) * Fraction(1, 100))
                      for c in costs]
            pairs = {}
            for a, b in itertools.combinations(range(6), 2):
                pairs[a, b] = (str(2 * penalty) if a // 3 == b // 3
                               else f"{rng.uniform(-1, 1):.4f}")
            truth = law(6, quadratic(linear, pairs))
            self.write("r.coo", coo("BINARY", linear, pairs))
            self.exact("r.coo", truth, within=1e-6 if penalty < 1e9 else 4e-6)
            self.sampled("r.coo", None, truth)
            best = self.best("r.coo")
            self.assertIn(tuple(int(v) for v in best["state"]), truth[2])
            self.assertAlmostEqual(best["objective"], -float(truth[1]),
                                   delta=1e-15 * 4 * penalty)
            spins = law(6, quadratic(linear, pairs), (-1, 1))
            self.write("s.coo", coo("SPIN", linear, pairs))
            self.exact("s.coo", spins, within=1e-6 if penalty < 1e9 else 1e-5)

    def test_samplers(self):
        """Every sampler where single sites can move."""
        rng = random.Random(21)
        for penalty in (10**5, 10**8):
            linear, pairs = pinned(rng, 6, penalty)
            truth = law(6, quadratic(linear, pairs))
            self.write("m.coo", coo("BINARY", linear, pairs))
            self.exact("m.coo", truth)
            for sampler in SAMPLERS:
                self.sampled("m.coo", sampler, truth, samples=3000)

    def keeps(self, model, sampler, replicates, seed):
        """The law, or it cannot move to tell."""
        done = self.hiss("verify", model, "--sampler", sampler, "--replicates",
                         replicates, "--seed", seed, "--json")
        found = json.loads(done.stdout)
        self.assertEqual(found["verdict"],
                         "kept" if found["moved"] else "undecided", found)

    def test_verify(self):
        """Exact draws, one application; some cannot move here to tell."""
        linear, pairs = pinned(random.Random(22), 5, 10**8)
        self.write("v.coo", coo("BINARY", linear, pairs))
        self.two(10**8, "w.coo")
        for sampler in SAMPLERS + ("cluster",):  # which alone cannot move here
            with self.subTest(sampler=sampler):
                self.keeps("v.coo", sampler, 40000, 23)
        self.good("verify", "w.coo", "--sampler", "blocks", "--replicates",
                  40000, "--seed", 23)

    def test_dense(self):
        """As many pairs as make a matrix of floats elsewhere; x.1 to x.4 are
        free, the others held by fields."""
        rng = random.Random(24)
        size, penalty = 70, 10**7
        linear = [f"{rng.uniform(-1, 1):.5f}" for _ in range(4)]
        linear += [f"-{size * penalty}.5"] * (size - 4)
        pairs = {}
        for a, b in itertools.combinations(range(size), 2):
            pairs[a, b] = f"{rng.uniform(-0.5, 0.5):.5f}"
        for a in range(4):
            pairs[a, 4] = str(penalty)
            pairs[a, 5] = str(-penalty)
        whole = quadratic(linear, pairs)
        truth = law(4, lambda x: whole(x + (1,) * (size - 4)))
        self.write("d.coo", coo("BINARY", linear, pairs))
        self.assertIn("double", self.good("explain", "d.coo"))
        for sampler in ("gibbs", "gwg", "dmala(alpha=0.4)", "metropolis"):
            self.sampled("d.coo", sampler, truth, samples=3000)

    def test_fixed(self):
        """Couplings to what is fixed become fields."""
        linear, pairs = pinned(random.Random(25), 6, 10**8)
        whole = quadratic(linear, pairs)
        truth = law(5, lambda x: whole((1,) + x))
        truth = ([1.0] + truth[0], truth[1], truth[2], truth[3])
        self.write("f.coo", coo("BINARY", linear, pairs))
        self.exact("f.coo", truth, "--fix", "1=1")
        truth[0][0] = 1.0
        for sampler in ("gibbs", "gwg", "blocks", None):
            self.sampled("f.coo", sampler, truth, "--fix", "1=1",
                         samples=3000)

    def test_tables(self):
        """UAI entries from 1e-300 to 1e300, labels and bits; what counts is
        what they have in common."""
        rng = random.Random(26)
        for states in ((2, 2, 2), (3, 2, 3)):
            size = states[0] * states[1]
            first = [rng.uniform(0.5, 2) for _ in range(size)]
            second = [rng.uniform(0.5, 2) for _ in range(states[1] * states[2])]
            scale = [math.exp(rng.uniform(-680, 680)) for _ in range(states[1])]
            one = [v * scale[n % states[1]] for n, v in enumerate(first)]
            two = [v / scale[n // states[2]] for n, v in enumerate(second)]
            text = ("MARKOV\n3\n%d %d %d\n2\n2 0 1\n2 1 2\n" % states
                    + f"\n{len(one)}\n{' '.join(map(repr, one))}\n"
                    + f"\n{len(two)}\n{' '.join(map(repr, two))}\n")
            self.write("t.uai", text)
            weight = {}
            for x in itertools.product(*map(range, states)):
                weight[x] = (Fraction(one[x[0] * states[1] + x[1]])
                             * Fraction(two[x[1] * states[2] + x[2]]))
            total = sum(weight.values())
            truth = [float(sum(w for x, w in weight.items()
                               if x[i] == states[i] - 1) / total)
                     for i in range(3)]
            found, whole = self.marginals("t.uai")
            for a, b in zip(found, truth):
                self.assertAlmostEqual(a, b, delta=1e-9)
            self.assertIn("double", self.good("explain", "t.uai"))
            for sampler in ("gibbs", "gwg", "blocks", "dmala(alpha=0.4)"):
                self.good("verify", "t.uai", "--sampler", sampler,
                          "--replicates", 40000, "--seed", 27)

    def test_labels(self):
        """DCA: a field of 1e8 that two couplings take back."""
        rng = random.Random(28)
        big, q = 10**8, 3
        small = [[Fraction(rng.randrange(-100, 100), 64) for _ in range(q)]
                 for _ in range(3)]
        lines = []
        for a in range(q):
            for i in range(3):
                lines.append(f"h {i} {a} {decimal64(big * (i == 1) * (a + 1) + small[i][a])}")
            for b in range(q):
                lines.append(f"J 0 1 {a} {b} {-big * (b + 1)}")
        self.write("l.dca", "\n".join(lines) + "\n")

        def energy(x):
            return (sum(small[i][x[i]] for i in range(3))
                    + big * (x[1] + 1) - big * (x[1] + 1))
        truth = law(3, energy, states=[range(q)] * 3)
        self.exact("l.dca", truth)
        for sampler in ("gibbs", "gwg", "blocks", "dmala(alpha=0.4)",
                        "hiss(eta=0.6,steps=1)"):
            self.good("verify", "l.dca", "--sampler", sampler, "--replicates",
                      40000, "--seed", 29)

    def test_clauses(self):
        """Soft weights of order 1 behind others of 1e9."""
        weights = [10**9, 10**9, 2, 1]
        clauses = [(1, 2), (-1, -2), (1,), (3,)]
        self.write("c.wcnf", "".join(
            f"{w} {' '.join(map(str, c))} 0\n"
            for w, c in zip(weights, clauses)))

        def energy(x):
            return Fraction(sum(w for w, c in zip(weights, clauses) if any(
                x[abs(k) - 1] == (k > 0) for k in c)))
        truth = law(3, energy)
        self.exact("c.wcnf", truth)
        self.sampled("c.wcnf", None, truth)
        best = self.best("c.wcnf")
        self.assertEqual([int(v) for v in best["state"]], [1, 0, 1])

    def test_models_of_ours(self):
        """Options of built-in models are not rounded either."""
        for spec, dim, energy in (
                ("ising(side=2,beta=1000000,field=0.3)", 4,
                 lambda x: 2 * 10**6 * (x[0] * x[1] + x[2] * x[3] + x[0] * x[2]
                                        + x[1] * x[3])
                 + Fraction("0.3") * sum(x)),
                ("pairs(d=4,coupling=-100000.3,bias=0.1)", 4,
                 lambda x: Fraction("-100000.3") * (x[0] * x[1] + x[2] * x[3])
                 + Fraction("0.1") * sum(x))):
            truth = law(dim, energy, (-1, 1))
            found, _ = self.marginals(spec)
            for a, b in zip(found, truth[0]):
                self.assertAlmostEqual(a, b, delta=1e-6)
        potts = "potts(side=2,states=3,beta=1000.1,field=0.3)"
        self.assertIn("double", self.good("explain", potts))
        for sampler in ("gibbs", "gwg", "blocks"):
            self.keeps(potts, sampler, 20000, 30)

    def test_small_ones_stay_floats(self):
        for spec, word in (("ising(side=24,beta=0.4407)", "single"),
                           ("ising(side=24,beta=0.5)", "without rounding"),
                           ("potts(side=8,states=3,beta=1.005)", "single"),
                           ("cross", "single")):
            self.assertIn(word, self.good("explain", spec))
        found = self.good_json("explain", "cross")
        self.assertIn("single", found["precision"])

    def test_conversion(self):
        """Not a digit is lost on the way from format to format."""
        linear = ["-100000000.1", "0.3333333333333333", "-99999997"]
        pairs = {(0, 1): "200000000.30000001", (1, 2): "1e-07"}
        self.write("a.coo", coo("BINARY", linear, pairs))
        before = self.good_json("exact", "a.coo")
        for suffix in ("bqm", "json", "qubo", "npz", "mtx"):
            self.good("convert", "a.coo", f"b.{suffix}", "--force")
            self.good("convert", f"b.{suffix}", "c.coo", "--force")
            after = self.good_json("exact", "c.coo")
            for a, b in zip(before["marginals"], after["marginals"]):
                self.assertAlmostEqual(a["mean"], b["mean"], delta=1e-7)


def decimal64(value):
    """A multiple of 1/64 as a decimal number."""
    whole = abs(value) * 10**6
    assert whole.denominator == 1
    text = f"{whole.numerator // 10**6}.{whole.numerator % 10**6:06d}"
    return ("-" if value < 0 else "") + text


if __name__ == "__main__":
    harness.main()
