"""Observables of spins and labels against enumeration."""
import itertools
import math

import harness

SIDE, BETA = 3, 0.35
SITES = range(SIDE * SIDE)
BONDS = [(r * SIDE + c, r * SIDE + (c + 1) % SIDE)
         for r in range(SIDE) for c in range(SIDE)] + \
        [(r * SIDE + c, (r + 1) % SIDE * SIDE + c)
         for r in range(SIDE) for c in range(SIDE)]
MODEL = f"ising(side={SIDE},beta={BETA})"
ERRORS = 5  # standard errors: false alarms of 1e-6 for each number


def law():
    """[(state, log p, probability)]"""
    states = list(itertools.product((-1, 1), repeat=len(SITES)))
    log_p = [BETA * sum(s[i] * s[j] for i, j in BONDS) for s in states]
    z = sum(map(math.exp, log_p))
    return [(s, u, math.exp(u) / z) for s, u in zip(states, log_p)]


class Observables(harness.Case):
    def measured(self, *words):
        found = self.good_json(*words)["observables"]
        return {o["name"]: (o["mean"], o["mcse"]) for o in found}

    def test_a_small_lattice(self):
        p = law()
        mean = lambda f: sum(w * f(s, u) for s, u, w in p)
        m = lambda s: sum(s) / len(SITES)
        size = mean(lambda s, u: abs(m(s)))
        square = mean(lambda s, u: m(s) ** 2)
        u1, u2 = mean(lambda s, u: u), mean(lambda s, u: u * u)
        corr = {(i, j): mean(lambda s, u: s[i] * s[j])
                for i in SITES for j in SITES}
        true = {
            "U": u1, "E": -u1, "m": 0.0, "|m|": size,
            "C": (u2 - u1 * u1) / len(SITES),
            "chi": len(SITES) * (square - size ** 2),
            "binder": 1 - mean(lambda s, u: m(s) ** 4) / (3 * square ** 2),
            "q": 0.0,
            "q^2": sum(c * c for c in corr.values()) / len(SITES) ** 2,
            "q_link": sum(corr[b] ** 2 for b in BONDS) / len(BONDS),
        }
        words = ("--observable", ";".join(true))
        run = self.measured("sample", MODEL, "--samples", 2000, "-o", "r.nc",
                            *words)
        self.assertEqual(list(run), list(true))
        for name, (value, error) in run.items():
            self.assertGreater(error, 0)
            self.assertLess(abs(value - true[name]), ERRORS * error, name)
        self.assertEqual(self.measured("summary", "r.nc", *words), run)

    def test_energies_at_another_temperature(self):
        self.write("k.coo", "# vartype=SPIN\n0 0 0.3\n0 1 0.7\n1 2 -0.5\n")
        run = self.good_json("sample", "k.coo", "--beta", 2, "--samples", 200,
                             "--observable", "E")
        self.assertAlmostEqual(run["observables"][0]["mean"],
                               run["objective"]["mean"], 9)

    def test_what_is_shown_by_default(self):
        for model, names in (
                ("ising(side=4,beta=0.3)",
                 ["E", "m", "|m|", "q", "q_link", "C", "chi", "binder"]),
                ("potts(side=4,states=3,beta=0.5)",
                 ["E", "m", "q", "C", "chi", "cluster"]),
                ("bernoulli4", [])):
            self.assertEqual(
                list(self.measured("sample", model, "--samples", 100)), names)

    def fails(self, *words):
        """Refused before the run: no draw is made."""
        done = self.hiss(*words)
        self.assertEqual(done.returncode, 2, done)
        self.assertNotEqual(done.stderr, "")
        self.assertEqual(done.stdout, "")

    def test_mistakes(self):
        for model, name in (("ladder(d=3,levels=4,beta=0.3)", "m"),
                            ("mixture(k=2,d=8,seed=1)", "cluster"),
                            ("bernoulli4", "magnet"), (MODEL, "|m")):
            self.fails("sample", model, "--samples", 50, "--observable", name)
        self.fails("sample", MODEL, "--chains", 1, "--observable", "q")


if __name__ == "__main__":
    harness.main()
