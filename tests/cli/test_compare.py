"""hiss compare: a race that can be repeated, its figures and its advice."""
import math
import os

import harness

KEYS = {"sampler", "evals", "seconds", "ess_per_eval", "ess_per_second",
        "repetitions", "ess_per_eval_se", "ess_per_second_se"}
HISS = "hiss(eta=4,sweeps=10,steps=2,inner=dmala(alpha=0.2))"


class Compare(harness.Case):
    def race(self, model, samplers, *more):
        return self.good_json("compare", model, "--samplers",
                              ";".join(samplers), *more)

    def test_against_the_law(self):
        """Stuck in a mode or not: the paper's second example."""
        rows = self.race("cross", ["dmala(alpha=0.2)", HISS], "--evals",
                         "2e4", "--repetitions", 8)
        self.assertEqual([r["sampler"] for r in rows],
                         ["dmala(alpha=0.2)", HISS])
        for row in rows:
            self.assertLessEqual(KEYS | {"tvd", "tvd_se"}, set(row))
            self.assertAlmostEqual(row["evals"], 2e4, delta=500)
        stuck, moves = rows
        self.assertGreater(stuck["tvd"], 0.5)
        self.assertLess(moves["tvd"], 0.3)
        self.assertTrue(moves["best"] and not stuck["best"])
        self.assertAlmostEqual(stuck["p_value"], 2 / 2 ** 8)
        self.assertIsNone(moves["p_value"])
        curve = [point["mean"] for point in moves["curve"]
                 if point["mean"] is not None]
        self.assertLess(curve[-1], curve[0])
        self.assertEqual(curve[-1], moves["tvd"])

    def test_it_can_be_repeated(self):
        def once(threads):
            rows = self.race("ising(side=4,beta=0.3)", ["gibbs", "gwg"],
                             "--evals", 4000, "--threads", threads)
            for row in rows:
                for key in ("seconds", "ess_per_second", "ess_per_second_se"):
                    del row[key]
            return rows

        self.assertEqual(once(1), once(3))

    def test_the_distance_is_right(self):
        """Of a model with two states: |f - p| from the draws themselves."""
        self.write("coin.txt", "binary\n0 0.25\n1 0.75\n")
        rows = self.race("table(coin.txt)", ["gibbs", "metropolis"], "--evals",
                         64, "--chains", 1, "--repetitions", 2, "--warmup", 0)
        self.good("sample", "table(coin.txt)", "--sampler", "gibbs", "--chains",
                  2, "--evals", 128, "--warmup", 0, "-o", "x.csv", "--quiet")
        draws = harness.rows_of(self.path("x.csv"))[2]
        errors = []
        for chain in "01":
            values = [float(r[3]) for r in draws if r[0] == chain]
            errors.append(abs(sum(values) / len(values) - 0.75))
        self.assertAlmostEqual(rows[0]["tvd"], sum(errors) / 2, places=9)
        self.assertAlmostEqual(rows[0]["tvd_se"],
                               abs(errors[0] - errors[1]) / 2, places=9)

    def test_marginals_where_there_are_many_states(self):
        rows = self.race("ising(side=5,beta=0.3,field=0.1)",
                         ["gibbs", "dula(alpha=8)"], "--evals", 20000)
        self.assertNotIn("tvd", rows[0])
        self.assertLess(rows[0]["marginal_error"], rows[1]["marginal_error"])
        self.assertTrue(rows[0]["best"])
        self.assertFalse(rows[1]["exact"])

    def test_without_exact_answers(self):
        """What is not exact cannot win, however much it moves."""
        rows = self.race("ising(side=24,beta=0.4)",
                         ["dula(alpha=100)", "gibbs"], "--evals", 2000,
                         "--chains", 2, "--repetitions", 4)
        self.assertNotIn("tvd", rows[0])
        self.assertNotIn("marginal_error", rows[0])
        self.assertEqual([r["best"] for r in rows], [False, True])
        self.assertTrue(all(math.isfinite(r["ess_per_eval"]) for r in rows))

    def test_at_equal_time(self):
        rows = self.race("bernoulli4", ["gibbs", "gwg"], "--evals", 2000,
                         "--time", "0.3s", "--repetitions", 4)
        self.assertEqual([r["budget"] for r in rows],
                         ["evals", "evals", "time", "time"])
        for row in rows[2:]:
            self.assertGreater(row["seconds"], 0.25)
            self.assertLess(row["seconds"], 60)  # on a busy machine

    def test_for_people(self):
        text = self.good("compare", "cross", "--samplers",
                         f"dmala(alpha=0.2); {HISS} ;", "--evals", "2e4")
        self.assertIn(f"use {HISS}: it is nearest to the law", text)
        text = self.good("compare", "bernoulli4", "--samplers", "gibbs;gibbs",
                         "--evals", 4000)
        self.assertIn("cannot be told from it", text)

    def test_at_equal_length(self):
        """The paper's setting: a draw after so many steps of each; the
        figures are those of the draws themselves."""
        rows = self.race("bernoulli4", ["10*gwg", "10 * gibbs", HISS],
                         "--samples", 500, "--warmup", 0, "--chains", 1,
                         "--repetitions", 20)
        self.assertEqual([r["budget"] for r in rows], ["samples"] * 3)
        self.assertEqual([r["thin"] for r in rows], [10, 10, 1])
        self.assertEqual([r["draws"] for r in rows], [500] * 3)
        law = self.good_json("exact", "bernoulli4")
        self.good("sample", "bernoulli4", "--sampler", "gwg", "--chains", 20,
                  "--samples", 500, "--thin", 10, "--warmup", 0, "-o", "x.csv")
        p = {}
        for row in harness.rows_of(self.path("x.csv"))[2]:
            p[tuple(row[3:])] = math.exp(float(row[2]) - law["log_z"])
        tvd, mae, cover = [], [], []
        for chain in range(20):
            seen = {}
            for row in harness.rows_of(self.path("x.csv"))[2]:
                if int(row[0]) == chain:
                    seen[tuple(row[3:])] = seen.get(tuple(row[3:]), 0) + 1
            apart = sum(abs(n / 500 - p[s]) for s, n in seen.items())
            apart += 1 - sum(p[s] for s in seen)
            tvd.append(apart / 2)
            mae.append(math.log(apart / 16))
            cover.append(len(seen) / 16)
        for key, values in (("tvd", tvd), ("log_mae", mae),
                            ("coverage", cover)):
            self.assertAlmostEqual(rows[0][key], sum(values) / 20, places=6)

    def test_a_figure(self):
        for model in ("bernoulli4", "ising(side=24,beta=0.4)"):
            self.good("compare", model, "--samplers", "gibbs;gwg", "--evals",
                      4000, "-o", "it's a race.svg", "--force")
            with open(self.path("it's a race.svg"), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("<svg", text)
            self.assertIn("gwg", text)
            self.assertEqual(os.listdir(self.folder), ["it's a race.svg"])

    def test_bad_calls(self):
        for words in (["--evals", 100], ["--samplers", "gibbs;gwg"],
                      ["--samplers", "gibbs", "--evals", 1000],
                      ["--samplers", ";;", "--evals", 1000],
                      ["--samplers", "gibbs;nothing", "--evals", 1000],
                      ["--samplers", "gibbs;gwg", "--evals", 10],
                      ["--samplers", "gibbs;gwg", "--samples", 2],
                      ["--samplers", "0*gibbs;gwg", "--samples", 100],
                      ["--samplers", "10gibbs;gwg", "--samples", 100],
                      ["--samplers", "gibbs*10;gwg", "--samples", 100],
                      ["--samplers", "gibbs;gwg", "--evals", 1000, "-o",
                       "x.png"],
                      ["--samplers", "gibbs;gwg", "--evals", 1000,
                       "--repetitions", 1]):
            self.bad(2, "compare", "bernoulli4", *words)


if __name__ == "__main__":
    harness.main()
