"""--beta and --temperature: log p is multiplied, objectives are not, and a
result remembers it."""
import itertools
import math

import harness

FIELD, J01, J12 = 0.3, 0.7, -0.5
COO = f"# vartype=SPIN\n0 0 {FIELD}\n0 1 {J01}\n1 2 {J12}\n"
STATES = list(itertools.product((-1, 1), repeat=3))


def energy(s):
    return FIELD * s[0] + J01 * s[0] * s[1] + J12 * s[1] * s[2]


class Temperature(harness.Case):
    def setUp(self):
        super().setUp()
        self.write("k.coo", COO)

    def test_exact_answers(self):
        beta = 1.7
        weight = [math.exp(-beta * energy(s)) for s in STATES]
        z = sum(weight)
        for words in (("--beta", beta), ("--temperature", repr(1 / beta))):
            found = self.good_json("exact", "k.coo", *words)
            self.assertAlmostEqual(found["log_z"], math.log(z), 9)
            self.assertAlmostEqual(found["beta"], beta, 12)
            self.assertAlmostEqual(
                found["objective"]["mean"],
                sum(w * energy(s) for w, s in zip(weight, STATES)) / z, 9)
            self.assertAlmostEqual(found["objective"]["best"],
                                   min(map(energy, STATES)), 9)
            self.assertEqual(found["max_log_p"], found["max_u"])
            self.assertEqual(found["mean_log_p"], found["mean_u"])
            self.assertEqual(found["objective_name"], "energy")
            self.assertEqual(found["sense"], "min")

    def test_every_command(self):
        hot = ("k.coo", "--beta", 0.5)
        for call in (("explain", *hot),
                     ("verify", *hot, "--sampler", "gibbs", "--replicates",
                      20000),
                     ("compare", *hot, "--samplers", "gibbs;gwg", "--evals",
                      2000, "--repetitions", 2)):
            self.good(*call)
        best = self.good_json("optimize", *hot, "--evals", 5000)
        self.assertAlmostEqual(best["best"]["objective"],
                               min(map(energy, STATES)), 6)
        self.assertAlmostEqual(best["best"]["log_p"],
                               -0.5 * min(map(energy, STATES)), 6)

    def test_a_result_remembers(self):
        run = self.good_json("sample", "k.coo", "--beta", 2, "--samples", 200,
                             "-o", "run.nc")
        self.assertEqual(run["beta"], 2)
        self.assertAlmostEqual(run["objective"]["mean"],
                               -0.5 * run["log_p"]["mean"], 9)
        self.assertEqual(run["log_p"], run["energy"])
        again = self.good_json("summary", "run.nc")
        self.assertEqual(again["beta"], 2)
        self.assertAlmostEqual(again["objective"]["mean"],
                               run["objective"]["mean"], 9)
        self.assertNotIn("no_modes", again)  # the model is the draws' own

    def test_models_of_all_makes(self):
        """The mean of log p is the derivative of log Z in beta."""
        for model in ("ising(side=3,beta=0.3,field=0.1)", "bernoulli4",
                      "potts(side=2,states=3,beta=0.5,field=0.2)",
                      "rbm(visible=6,hidden=3)", "mixture(k=3,d=6,seed=1)"):
            low, mid, high = (
                self.good_json("exact", model, "--beta", repr(beta))
                for beta in (0.699, 0.7, 0.701))
            slope = (high["log_z"] - low["log_z"]) / 0.002
            self.assertAlmostEqual(mid["mean_log_p"], 0.7 * slope, 5)

    def test_a_scan(self):
        """One run serves all temperatures; errors hold at each."""
        found = self.good_json("scan", "k.coo", "--beta", "0.5:2:4")
        self.assertIn("sum", found["reads_as"])
        self.assertEqual([row["beta"] for row in found["rows"]],
                         [0.5, 1, 1.5, 2])
        for row in found["rows"]:
            e = next(o for o in row["observables"] if o["name"] == "E")
            weight = [math.exp(-row["beta"] * energy(s)) for s in STATES]
            mean = sum(w * energy(s) for w, s in zip(weight, STATES)) / \
                sum(weight)
            self.assertLess(abs(e["mean"] - mean), 5 * e["mcse"])

    def test_scan_files(self):
        text = self.good("scan", "k.coo", "--temperature", "0.5:2:4",
                         "--observable", "E;|m|", "--samples", 100, "-o",
                         "scan.csv", "--figure", "scan.svg")
        self.assertIn("beta", text)
        comments, head, rows = harness.rows_of(self.path("scan.csv"))
        self.assertEqual(head, ["beta", "temperature", "E", "E_mcse", "E_ess",
                                "|m|", "|m|_mcse", "|m|_ess"])
        self.assertEqual([float(row[1]) for row in rows], [2, 1.5, 1, 0.5])
        with open(self.path("scan.svg"), encoding="utf-8") as file:
            self.assertEqual(file.read().count(">beta<"), 2)
        self.bad(2, "scan", "k.coo", "--beta", "1:2:3", "-o", "scan.csv")

    def test_scan_mistakes(self):
        for words in ((), ("--beta", "1"), ("--beta", "1:2"),
                      ("--beta", "2:1:3"), ("--beta", "0:1:3"),
                      ("--beta", "1:2:0"), ("--beta", "1:2:3:4"),
                      ("--beta", "1:2:3", "--temperature", "1:2:3"),
                      ("--beta", "1:2:3", "-o", "x.nc"),
                      ("--beta", "1:2:3", "--sampler", "pt"),
                      ("--beta", "1:2:3", "--observable", "nonsense")):
            self.bad(2, "scan", "k.coo", *words)

    def test_mistakes(self):
        for words in (("--beta", "cold"), ("--beta", "0"), ("--beta", "-1"),
                      ("--temperature", "0"),
                      ("--beta", "1", "--temperature", "1")):
            self.bad(2, "exact", "k.coo", *words)


if __name__ == "__main__":
    harness.main()
