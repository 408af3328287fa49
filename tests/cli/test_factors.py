"""Factor graphs at the command: evidence, --fix, elimination, .MAR."""
import csv
import math
import os

import harness

# x.1 and x.3 bits, x.2 with three states; x.1 = 1 forbids x.2 = 2
GRAPH = """MARKOV
3
2 3 2
3
2 0 1
2 1 2
1 2

6
 1 2 3
 4 5 0
6
 1 2  3 1  1 1
2
 1 0.5
"""


def truth(fixed):
    """Marginals and log Z of GRAPH with {variable: state} fixed."""
    first = [[1, 2, 3], [4, 5, 0]]
    second = [[1, 2], [3, 1], [1, 1]]
    third = [1, 0.5]
    marginals = [[0, 0], [0, 0, 0], [0, 0]]
    for a in range(2):
        for b in range(3):
            for c in range(2):
                x = (a, b, c)
                p = first[a][b] * second[b][c] * third[c]
                if all(x[i] == v for i, v in fixed.items()):
                    for i in range(3):
                        marginals[i][x[i]] += p
    z = sum(marginals[0])
    return math.log(z), [[p / z for p in m] for m in marginals]


def read_mar(path):
    with open(path, encoding="utf-8") as file:
        words = file.read().split()
    assert words[0] == "MAR"
    at, found = 2, []
    for _ in range(int(words[1])):
        states = int(words[at])
        found.append([float(w) for w in words[at + 1:at + 1 + states]])
        at += 1 + states
    assert at == len(words)
    return found


class Bayes(harness.Case):
    def test_rows_that_do_not_sum_to_1(self):
        """They are read as they are, and that is said."""
        head = "BAYES\n2\n2 2\n2\n1 0\n2 0 1\n\n2\n .3 .7\n\n4\n"
        self.write("b.uai", head + " .333 .667 .999 .001\n")
        self.assertNotIn("sum to 1", self.hiss("exact", "b.uai").stderr)
        self.write("b.uai", head + " .5 .5 2 1\n")
        done = self.hiss("exact", "b.uai")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("1 of 3 rows of this BAYES file do not sum to 1",
                      done.stderr)
        self.write("b.uai", (head + " .5 .5 2 1\n").replace("BAYES",
                                                            "MARKOV"))
        self.assertNotIn("sum to 1", self.hiss("exact", "b.uai").stderr)


class Conditions(harness.Case):
    def setUp(self):
        super().setUp()
        self.write("g.uai", GRAPH)

    def near(self, found, expected, within=1e-7):
        self.assertEqual([len(p) for p in found], [len(p) for p in expected])
        for p, q in zip(found, expected):
            for a, b in zip(p, q):
                self.assertAlmostEqual(a, b, delta=within)

    def test_exact(self):
        log_z, marginals = truth({})
        found = self.good_json("exact", "g.uai", "--mar", "g.MAR")
        self.assertAlmostEqual(found["log_z"], log_z)
        self.assertEqual(found["method"], "enumeration")
        self.assertIsNone(found["order"])
        self.near(read_mar(self.path("g.MAR")), marginals)

    def test_evidence(self):
        log_z, marginals = truth({1: 0})
        for text in ("1 1 0", "1\n1 1 0\n", "1\n 1 0"):
            self.write("e", text)
            found = self.good_json("exact", "g.uai", "--evidence", "e", "--mar",
                                   "g.MAR", "--force")
            self.assertAlmostEqual(found["log_z"], log_z)
            self.near(read_mar(self.path("g.MAR")), marginals)
        self.assertEqual(found["marginals"][1]["values"], [0])

    def test_fix_is_evidence(self):
        log_z, _ = truth({0: 1, 2: 0})
        found = self.good_json("exact", "g.uai", "--fix", "1=1,x.3=0")
        self.assertAlmostEqual(found["log_z"], log_z)
        self.write("e", "1 0 1")
        found = self.good_json("exact", "g.uai", "--evidence", "e", "--fix",
                               "3=0")
        self.assertAlmostEqual(found["log_z"], log_z)

    def test_sample(self):
        _, marginals = truth({1: 1})
        self.good("sample", "g.uai", "--fix", "2=1", "--chains", 16,
                  "--samples", 4000, "--sampler", "gibbs", "-o", "d.csv",
                  "--mar", "d.MAR")
        with open(self.path("d.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(
                line for line in file if not line.startswith("#")))
        self.assertEqual({row["x.2"] for row in rows}, {"1"})
        self.near(read_mar(self.path("d.MAR")), marginals, 0.02)

    def test_any_model(self):
        found = self.good_json("exact", "ising(side=4,beta=0.4)", "--fix",
                               "1=1,6=-1")
        self.assertEqual(found["states"], 2 ** 14)
        self.assertEqual(found["marginals"][5]["values"], [-1])
        found = self.good_json("verify", "rbm(visible=6,hidden=3,seed=1)",
                               "--fix", "2=1", "--sampler", "gwg",
                               "--replicates", 20000)
        self.assertIs(found["invariant"], True)
        self.assertEqual(found["states"], 32)

    def test_complaints(self):
        for words, message in (
                (["--fix", "9=1"], "x.9: coordinates are x.1 to x.3"),
                (["--fix", "2=3"], "x.2 (categorical) cannot be '3'"),
                (["--fix", "1"], "as in 3=1"),
                (["--fix", "1=1,2=2"], "probability 0"),
                (["--evidence", "none.evid"], "none.evid"),
                (["--evidence", "range.evid"], "range.evid:1:3: "),
                (["--evidence", "state.evid"], "state.evid:1:5: "),
                (["--evidence", "zero.evid"], "probability 0"),
                (["--evidence", "twice.evid"], "twice.evid:1:9: ")):
            self.write("range.evid", "1 3 0")
            self.write("state.evid", "1 1 7")
            self.write("zero.evid", "2 0 1 1 2")
            self.write("twice.evid", "2 0 1 0 0")
            for command in ("exact", "sample"):
                self.assertIn(message, self.bad(2, command, "g.uai", *words))

    def test_a_file_is_not_replaced(self):
        self.write("g.MAR", "mine")
        self.assertIn("g.MAR", self.bad(2, "exact", "g.uai", "--mar", "g.MAR"))
        with open(self.path("g.MAR"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")
        self.assertEqual(sorted(os.listdir(self.folder)), ["g.MAR", "g.uai"])


# Four bits in a row that must all agree, and a fifth that is their parity
# with a sixth: from one possible state to another several change at once.
TIED = """MARKOV
6
2 2 2 2 2 2
6
1 0
2 0 1
2 1 2
2 2 3
3 3 4 5
1 5
2
 .2 .8
4
 1 0 0 1
4
 1 0 0 1
4
 1 0 0 1
8
 1 0  0 1  0 1  1 0
2
 .6 .4
"""


class HardConstraints(harness.Case):
    def test_what_single_sites_cannot_pass(self):
        self.write("tied.uai", TIED)
        self.good("sample", "tied.uai", "--samples", 4000, "--mar", "tied.MAR")
        with open(self.path("tied.MAR"), encoding="utf-8") as file:
            words = file.read().split()[2:]
        one = [float(words[3 * i + 2]) for i in range(6)]
        for i, p in enumerate([.8] * 4 + [.8 * .6 + .2 * .4, .4]):
            self.assertAlmostEqual(one[i], p, delta=.03)

    def test_gibbs_is_not_trusted_with_them(self):
        self.write("tied.uai", TIED)
        found = self.good_json("sample", "tied.uai", "--sampler", "gibbs",
                               "--chains", 8)
        self.assertTrue(found["warnings"])


class Elimination(harness.Case):
    def test_it_is_chosen(self):
        found = self.good_json("exact", "ising(side=8,beta=0.3)")
        self.assertEqual(found["method"], "elimination")
        self.assertIn(found["order"], ("min-fill", "min-degree", "frontier",
                                       "given"))
        self.assertEqual(found["states"], 2 ** 64)
        self.assertAlmostEqual(found["max_u"], 128 * 0.3, places=4)
        self.assertEqual(len(found["top"]), 1)
        self.assertEqual(len(set(found["top"][0]["state"])), 1)
        for m in found["marginals"]:
            self.assertAlmostEqual(m["probabilities"][0], 0.5)

    def test_it_agrees_with_enumeration(self):
        spec = "potts(side=4,states=3,beta=0.4,field=0.2)"  # 3^16 states
        found = self.good_json("exact", spec)
        self.assertEqual(found["method"], "elimination")
        less = self.good_json("exact", spec, "--fix", "1=0,2=0,3=0,4=0")
        self.assertEqual(less["method"], "enumeration")
        wide = self.good_json("exact", spec, "--fix", "1=0,2=0")
        self.assertEqual(wide["method"], "elimination")
        p = sum(math.exp(self.good_json("exact", spec, "--fix",
                                        f"1=0,2=0,3={a},4={b}")["log_z"])
                for a in range(3) for b in range(3))
        self.assertAlmostEqual(wide["log_z"], math.log(p), places=6)

    def test_too_large(self):
        message = self.bad(3, "exact", "ising(side=40,beta=0.4)")
        self.assertIn("memory", message)
        message = self.bad(2, "exact", "rbm(visible=40,hidden=3,seed=1)")
        self.assertIn("enumeration goes to 2^26", message)


if __name__ == "__main__":
    harness.main()
