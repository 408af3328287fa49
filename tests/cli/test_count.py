"""Counting through the command: integers, uniform draws, what a .cnf may say."""
import gzip
import itertools
import json
import math
import random
import unittest

import harness


def planted(n, m, seed):
    """Clauses of three that a hidden assignment satisfies."""
    r = random.Random(seed)
    hidden = [r.random() < .5 for _ in range(n)]
    found = []
    while len(found) < m:
        clause = [(i + 1) * r.choice((-1, 1)) for i in r.sample(range(n), 3)]
        if any((l > 0) == hidden[abs(l) - 1] for l in clause):
            found.append(clause)
    return found


def solutions(n, clauses, xors=()):
    for x in itertools.product((0, 1), repeat=n):
        if all(any((l > 0) == x[abs(l) - 1] for l in c) for c in clauses) and \
           all(sum((l > 0) == x[abs(l) - 1] for l in c) % 2 for c in xors):
            yield x


class Count(harness.Case):
    def cnf(self, name, n, clauses, head="", xors=()):
        lines = [" ".join(map(str, c)) + " 0" for c in clauses]
        lines += ["x" + " ".join(map(str, c)) + " 0" for c in xors]
        return self.write(name, f"p cnf {n} {len(lines)}\n{head}" +
                          "\n".join(lines) + "\n")

    def exact(self, *words):
        return json.loads(self.good("exact", *words, "--json", "--quiet",
                                  "--top", "1"))

    def test_large_formula_is_counted(self):
        """7991977 is the count of an independent program."""
        self.cnf("a.cnf", 60, planted(60, 200, 1))
        found = self.exact("a.cnf")
        self.assertEqual(found["count"], "7991977")
        self.assertEqual(found["method"], "counting")
        self.assertAlmostEqual(found["log_z"], math.log(7991977), 9)
        self.assertIn("every clause holds", found["reads_as"])
        self.assertIn("\ncount     7991977\n", self.good("exact", "a.cnf"))

    def test_large_formula_is_sampled(self):
        """10000 independent draws: marginals within 5 standard errors, of 60
        variables (false alarms below 1e-4)."""
        self.cnf("a.cnf", 60, planted(60, 200, 1))
        truth = [m["probabilities"][1] for m in
                 self.exact("a.cnf")["marginals"]]
        for sampler in ("independent", "auto"):
            found = json.loads(self.good(
                "sample", "a.cnf", "--sampler", sampler, "--samples", 2500,
                "--chains", 4, "--modes", "no", "--json", "--quiet", "--mar",
                "a.mar", "--force"))
            self.assertIn("independent", found["resolved"])
            with open(self.path("a.mar"), encoding="utf-8") as f:
                words = f.read().split()
            mean = [float(w) for w in words[4::3]]
            for p, q in zip(truth, mean):
                self.assertLess(abs(p - q),
                                5 * math.sqrt(p * (1 - p) / 10000) + 1e-9)

    def test_small_formulas_agree_with_a_table(self):
        r = random.Random(3)
        for n in range(6, 12):
            clauses = [[(v + 1) * r.choice((-1, 1))
                        for v in r.sample(range(n), 3)] for _ in range(3 * n)]
            xors = [[v + 1 for v in r.sample(range(n), 3)]]
            count = sum(1 for _ in solutions(n, clauses, xors))
            self.cnf("s.cnf", n, clauses, xors=xors)
            if count:
                self.assertEqual(self.exact("s.cnf")["count"], str(count))
            else:
                self.bad(2, "exact", "s.cnf")

    def test_projection(self):
        clauses, show = planted(12, 30, 5), (2, 5, 11)
        wanted = {tuple(x[v - 1] for v in show)
                  for x in solutions(12, clauses)}
        for word in ("c p show", "c ind"):
            head = f"c t pmc\n{word} " + " ".join(map(str, show)) + " 0\n"
            self.cnf("p.cnf", 12, clauses, head)
            found = self.exact("p.cnf")
            self.assertEqual(found["count"], str(len(wanted)))
            self.assertEqual(found["dim"], 3)
            self.assertIn("projected on 3 of 12", found["note"])

    def test_weights(self):
        clauses = planted(10, 25, 7)
        w = {1: .2, -1: .8, 4: 3, -4: .5}
        head = "c t wmc\n" + "".join(f"c p weight {l} {v} 0\n"
                                     for l, v in w.items())
        total = sum(math.prod(w[v if x[v - 1] else -v] for v in (1, 4))
                    for x in solutions(10, clauses))
        self.cnf("w.cnf", 10, clauses, head)
        found = self.exact("w.cnf")
        self.assertAlmostEqual(found["log_z"], math.log(total), 10)
        self.assertIsNone(found.get("count"))

    def test_compressed_and_penalties(self):
        clauses = planted(10, 25, 9)
        path = self.cnf("z.cnf", 10, clauses)
        with open(self.path("z.cnf"), "rb") as f, \
                gzip.open(self.path("y.cnf.gz"), "wb") as g:
            g.write(f.read())
        count = sum(1 for _ in solutions(10, clauses))
        self.assertEqual(self.exact("y.cnf.gz")["count"], str(count))
        found = self.exact("z.cnf", "--format", "cnf(form=penalty)")
        self.assertEqual(found["max_u"], 25)
        self.assertIsNone(found.get("count"))
        del path

    def test_too_much_is_refused_with_a_word(self):
        self.cnf("h.cnf", 400, planted(400, 1000, 11))
        said = self.bad(3, "exact", "h.cnf", "--quiet")
        self.assertIn("counting stopped with", said)
        self.assertIn("all of it would take more than a century", said)


if __name__ == "__main__":
    unittest.main()
