"""hiss sample: figures, options, start states."""
import json

import harness

KEYS = {"model", "sampler", "dim", "chains", "samples", "warmup", "seed",
        "threads", "seconds", "evals", "accept", "energy", "ess_min",
        "rhat_max", "warnings", "version", "thin", "exact", "isa", "ended",
        "coordinates_checked", "coordinate_states", "tuning"}


class Sample(harness.Case):
    def test_json_has_its_keys(self):
        found = self.good_json("sample", "bernoulli4", "--sampler", "hiss",
                               "--chains", 3,
                               "--samples", 200, "--warmup=10", "--seed", 7,
                               "--threads", 1)
        self.assertLessEqual(KEYS, set(found))
        self.assertEqual(
            [found[k] for k in ("dim", "chains", "samples", "warmup", "thin",
                                "seed", "threads", "ended", "exact")],
            [4, 3, 200, 10, 1, 7, 1, "done", True])
        self.assertLessEqual({"energy", "gradient"}, set(found["evals"]))
        self.assertLessEqual({"mean", "max"}, set(found["energy"]))
        self.assertTrue(any("jump" in key for key in found["accept"]))
        self.assertEqual(found["coordinates_checked"], 4)
        self.assertEqual(sum(found["coordinate_states"].values()), 4)

    def test_the_default_sampler_is_named(self):
        found = self.good_json("sample", "bernoulli4", "--samples", 10)
        self.assertTrue(found["sampler"].startswith("auto("))
        found = self.good_json("sample", "bernoulli4", "--sampler", "hiss",
                               "--samples", 10)
        self.assertIn("inner=gibbs", found["resolved"])
        self.assertIn("jumps=", found["tuning"])
        found = self.good_json("sample", "ising(side=12,beta=0.2)",
                               "--samples", 10)
        self.assertTrue(found["sampler"].startswith("auto("))
        self.assertIn("gibbs", found["resolved"])
        found = self.good_json("sample", "ising(side=3,beta=0.2)",
                               "--samples", 10)
        self.assertIn("independent", found["resolved"])
        text = self.good("sample", "bernoulli4", "--samples", 10,
                         "--full")
        self.assertIn("(default)", text)

    def test_seeds_repeat(self):
        def draws(*words):
            self.good("sample", "bernoulli4", "--samples", 50, *words,
                      "--force", "-o", "x.csv")
            return harness.rows_of(self.path("x.csv"))[2]

        one = draws("--seed=3")
        self.assertEqual(one, draws("--seed", "3", "--threads", 1))
        self.assertNotEqual(one, draws("--seed", "4"))
        self.assertEqual(one[:50], draws("--seed=3", "--chains=1"))

    def test_numbers_may_be_short(self):
        found = self.good_json("sample", "bernoulli4", "--samples", "1e2",
                               "--warmup", "0", "--chains", "+2")
        self.assertEqual((found["samples"], found["chains"]), (100, 2))

    def test_what_is_not_exact_says_so(self):
        words = ["sample", "bernoulli4", "--sampler", "dula(alpha=1)",
                 "--samples", 100]
        found = self.good_json(*words)
        self.assertIs(found["exact"], False)
        self.assertTrue(any("not exact" in w for w in found["warnings"]))
        text = self.good(*words, "-o", "x.csv")
        self.assertIn("NOT EXACT", text)
        comments = harness.rows_of(self.path("x.csv"))[0]
        self.assertTrue(any(c.startswith("# exact: no") for c in comments))

    def test_every_output_says_what_is_not_exact(self):
        self.good("sample", "bernoulli4", "--sampler", "dula(alpha=1)",
                  "--samples", 100, "-o", "x.nc", "--mar", "x.MAR")
        with open(self.path("x.MAR"), encoding="ascii") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], "MAR")
        self.assertEqual(len(lines[1].split()), 1 + 4 * 3)
        self.assertIn("NOT EXACT", lines[2])
        for command in ("modes", "summary"):
            self.assertIn("(NOT EXACT)", self.good(command, "x.nc"))
            self.assertIs(self.good_json(command, "x.nc")["exact"], False)
        self.good("report", "x.nc", "-o", "x.html")
        with open(self.path("x.html"), encoding="utf-8") as file:
            self.assertIn("NOT EXACT", file.read())
        self.good("sample", "bernoulli4", "--sampler", "gibbs", "--samples",
                  100, "-o", "y.nc", "--mar", "y.MAR")
        with open(self.path("y.MAR"), encoding="ascii") as file:
            self.assertEqual(len(file.read().splitlines()), 2)
        self.assertNotIn("NOT EXACT", self.good("modes", "y.nc"))

    def test_exact_is_what_was_run(self):
        """Blocks that auto(base=dula) was resolved to are exact."""
        words = ["sample", "ising(side=3,beta=0.3)", "--sampler",
                 "auto(base=dula)", "--samples", 100]
        found = self.good_json(*words, "-o", "x.nc")
        self.assertIs(found["exact"], True)
        self.assertFalse(any("not exact" in w for w in found["warnings"]))
        self.assertIs(self.good_json("summary", "x.nc")["exact"], True)
        self.assertNotIn("NOT EXACT", self.good(*words))

    def test_budgets(self):
        found = self.good_json("sample", "bernoulli4", "--evals", "2e5")
        spent = found["evals"]["energy"] + found["evals"]["gradient"]
        self.assertLess(0.5e5, spent)
        self.assertLess(spent, 3e5)
        self.assertEqual(found["ended"], "evals")
        self.assertFalse(any("--evals" in w for w in found["warnings"]))
        found = self.good_json("sample", "bernoulli4", "--sampler", "gibbs",
                               "--warmup", 10, "--time-limit", "0.3s")
        self.assertEqual(found["ended"], "time")
        found = self.good_json("sample", "bernoulli4", "--samples", "1e5",
                               "--warmup", 100,
                               "--evals", "1e5")
        self.assertTrue(any("--evals" in w for w in found["warnings"]))

    def test_a_budget_that_nothing_is_spent_of(self):
        """A bridge that has found one mode evaluates nothing."""
        for sampler in ("bridge", "auto(base=bridge)"):
            self.good("sample", "rbm(4,3)", "--sampler", sampler, "--evals",
                      "1e5", "--quiet")

    def test_a_budget_that_ends_in_the_warm_up(self):
        message = self.bad(2, "sample", "bernoulli4", "--evals", 100,
                           "--warmup", 1000, "--samples", 10)
        self.assertIn("--evals", message)

    def test_too_few_draws_are_undefined(self):
        found = self.good_json("sample", "bernoulli4", "--samples", 1,
                               "--chains", 1)
        self.assertIsNone(found["ess_min"])
        self.assertIsNone(found["rhat_max"])
        self.assertTrue(found["warnings"])

    def test_summary(self):
        text = self.good("sample", "bernoulli4", "--sampler", "hiss",
                         "--samples", 2000, "--full")
        for word in ("coordinate", "x.1", "x.4", "log p", "mcse", "exact",
                     "ESS", "R-hat", "hiss.jump", "mode", "sampled", "1110"):
            self.assertIn(word, text)

    def test_every_kind_has_a_summary(self):
        for model, word in (("ising(side=3,beta=0.2)", "x.9"),
                            ("potts(side=2,states=3,beta=0.3)", "x.1 = 2"),
                            ("ladder(d=3,levels=4,beta=0.3)", "x.3"),
                            ("ising(side=8,beta=0.2)", "32 of 64")):
            with self.subTest(model=model):
                self.assertIn(word, self.good("sample", model, "--samples",
                                              100, "--full"))

    def test_a_model_that_talks(self):
        self.write("t.table", "binary\n0 0.5\n1 0.25\n")
        done = self.hiss("sample", "table(t.table)", "--samples", 10)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("hiss: note: ", done.stderr)
        done = self.hiss("sample", "table(t.table)", "--samples", 10,
                         "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_certain_and_stuck_are_told(self):
        self.write("t.table",
                   "binary binary\n0 0 0.5\n0 1 0.5\n1 0 0\n1 1 0\n")
        found = self.good_json("sample", "table(t.table)", "--samples", 200,
                               "--sampler", "gibbs")
        self.assertEqual(found["coordinate_states"]["certain"], 1)
        self.write("s.table", "binary binary binary\n"
                   "0 0 0 0.5\n1 1 1 0.5\n0 1 0 0\n1 0 0 0\n"
                   "0 0 1 0\n0 1 1 0\n1 0 1 0\n1 1 0 0\n")
        self.write("start", "0 0 0\n1 1 1\n")
        found = self.good_json("sample", "table(s.table)", "--samples", 200,
                               "--sampler", "gibbs", "--init", "start",
                               "--chains", 2)
        self.assertEqual(found["coordinate_states"]["stuck"], 3)
        self.assertIsNone(found["rhat_max"])
        self.assertTrue(any("stuck" in w for w in found["warnings"]))


class Init(harness.Case):
    def first(self, *words):
        self.good("sample", "bernoulli4", "--samples", 1, "--warmup", 0,
                  "--sampler", "metropolis", "--force", "-o", "x.csv", *words)
        return [row[3:] for row in harness.rows_of(self.path("x.csv"))[2]]

    def test_words(self):
        self.first("--init", "random")
        self.first("--init", "best")
        self.assertIn("did you mean best?",
                      self.bad(2, "sample", "bernoulli4", "--init", "bset"))

    def test_one_state_serves_all(self):
        self.write("s", "# start\n\n 1, 1 1,0 # the second mode\n")
        self.assertEqual(len(self.first("--init", "s", "--chains", 3)), 3)

    def test_one_state_for_each(self):
        self.write("s", "0 0 0 0\n1 1 1 0\n1 1 1 1\n")
        for state, start in zip(self.first("--init", "s", "--chains", 3),
                                ("0000", "1110", "1111")):
            apart = sum(a != b for a, b in zip(state, start))
            self.assertLessEqual(apart, 1)

    def test_faults_have_a_place(self):
        for text, place in (("0 0 0\n", "s:1:6:"), ("0 0 0 0 0\n", "s:1:9:"),
                            ("# c\n0 0 7 0\n", "s:2:5:"),
                            ("0 0 x 0\n", "s:1:5:"), ("", "s:1:1:"),
                            ("0 0 0 0\n" * 2, "s:3:1:"),
                            ("0 0 0 0\n" * 4, "s:4:1:"),
                            ("0,,0,0,0\n", "s:1:3:")):
            with self.subTest(text=text):
                self.write("s", text)
                message = self.bad(2, "sample", "bernoulli4", "--init", "s",
                                   "--chains", 3)
                self.assertIn(place, message.splitlines()[0])

    def test_a_folder_is_no_file(self):
        self.bad(2, "sample", "bernoulli4", "--init", ".")


class Json(harness.Case):
    def test_it_is_the_last_thing(self):
        done = self.hiss("sample", "bernoulli4", "--samples", 20, "--json",
                         "-o", "x.csv")
        self.assertEqual(done.returncode, 0, done)
        found = json.loads(done.stdout)
        self.assertEqual(found["output"], "x.csv")
        self.assertTrue(done.stdout.endswith("}\n"))


if __name__ == "__main__":
    harness.main()
