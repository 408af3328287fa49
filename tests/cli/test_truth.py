"""hiss exact, verify, list, explain, and verdicts by exact answers."""
import math
import shlex
import sys

import harness


class Exact(harness.Case):
    def test_bernoulli4(self):
        found = self.good_json("exact", "bernoulli4", "--top", 3)
        self.assertLessEqual({"log_z", "states", "max_u", "method", "seconds",
                              "marginals", "top"}, set(found))
        self.assertEqual(found["states"], 16)
        self.assertAlmostEqual(found["max_u"] - found["log_z"],
                               math.log(0.588204 / 1.000023466), places=4)
        self.assertEqual(len(found["marginals"]), 4)
        self.assertEqual([top["state"] for top in found["top"]],
                         [[0, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]])
        self.assertAlmostEqual(found["top"][1]["probability"], 0.2941, 3)
        for m in found["marginals"]:
            self.assertAlmostEqual(sum(m["probabilities"]), 1)
            self.assertEqual(m["values"], [0, 1])

    def test_text(self):
        text = self.good("exact", "potts(side=2,states=3,beta=0.3)")
        for word in ("log Z", "log p", "x.1", "x.4", "probability", "81"):
            self.assertIn(word, text)

    def test_top_may_be_none(self):
        self.assertEqual(self.good_json("exact", "bernoulli4", "--top",
                                        0)["top"], [])


class Verdict(harness.Case):
    def test_many_rare_values_are_not_held_against_a_right_run(self):
        # 15,000 values, each of a share of about .02: some are off by many of
        # the errors that a few hits suggest
        for seed in (1, 2, 3):
            self.good("sample", "ladder(d=300,levels=50,beta=.01)", "--sampler",
                      "independent", "--samples", 300, "--seed", seed,
                      "--modes", "no", "-o", "x.nc", "--force", "--quiet")
            self.good("diagnose", "x.nc", "--quiet")


class Verify(harness.Case):
    WORDS = ["verify", "ising(side=3,beta=0.4)", "--replicates", 50000]

    def test_a_right_sampler(self):
        found = self.good_json(*self.WORDS, "--sampler", "gibbs")
        self.assertLessEqual({"sampler", "replicates", "states", "moved",
                              "statistic", "p_value", "invariant",
                              "reversible", "freedom", "exact", "tests",
                              "tuning"}, set(found))
        self.assertIs(found["invariant"], True)
        self.assertEqual((found["states"], found["replicates"]), (512, 50000))
        self.assertEqual(set(found["reversible"]), {"claimed", "p_value"})
        self.assertGreater(found["moved"], 0.1)
        self.assertIn("kept", self.good(*self.WORDS, "--sampler", "gibbs"))

    def test_a_wrong_sampler(self):
        found = self.good_json(*self.WORDS, "--sampler", "dula(alpha=4)",
                               code=1)
        self.assertIs(found["invariant"], False)
        self.assertIs(found["exact"], False)
        done = self.hiss(*self.WORDS, "--sampler", "dula(alpha=4)")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("NOT KEPT", done.stdout)

    def test_a_bias_that_counts_over_states_cannot_see(self):
        words = ["verify", "ising(side=4,beta=0.3)", "--sampler",
                 "dula(alpha=0.6)", "--replicates", 300000, "--steps", 1]
        found = self.good_json(*words, code=1)
        tests = {}
        for test in found["tests"]:  # those of exact draws come first
            tests.setdefault(test["name"], test)
        self.assertGreater(tests["law"]["p_value"], 1e-4)
        self.assertLess(tests["U"]["p_value"], 1e-8)
        self.assertLess(found["bias"], -5 * found["bias_error"])
        self.assertEqual(found["verdict"], "broken")

    def test_too_little_movement_is_no_verdict(self):
        words = ["verify", "ising(side=3,beta=0.3)", "--sampler",
                 "hiss(eta=0.05,steps=0)", "--replicates", 20000]
        found = self.good_json(*words, code=4)
        self.assertEqual(found["verdict"], "undecided")
        self.assertIs(found["invariant"], False)
        self.assertIn("not enough movement", " ".join(found["warnings"]))
        done = self.hiss(*words)
        self.assertEqual(done.returncode, 4, done)
        self.assertIn("UNDECIDED", done.stdout)

    def test_moves_that_keep_u_are_no_verdict(self):
        """All states move, so that `only` would be no word for it."""
        self.write("turn.py", "import sys\n"
                   "for line in sys.stdin:\n"
                   "    for _ in range(int(line.split()[0])):\n"
                   "        x = map(int, sys.stdin.readline().split())\n"
                   "        print(*(-v for v in x))\n"
                   "    sys.stdout.flush()\n")
        done = self.hiss("verify", "ising(side=3,beta=0.4)", "--kernel",
                         f"{shlex.quote(sys.executable)} turn.py",
                         "--kernel-format", "text", "--replicates", 2000,
                         "--calls", 100)
        self.assertEqual(done.returncode, 4, done)
        self.assertIn("2000 of 2000 states moved, nearly all of them to "
                      "states of the same U", done.stdout)
        self.assertNotIn("only 2000", done.stdout)

    def test_steps_in_a_row(self):
        words = [*self.WORDS, "--sampler",
                 "sequence(acs(tune=no,alpha=1,cycle=4),"
                 "acs(tune=no,alpha=1,cycle=3))"]
        found = self.good_json(*words)
        self.assertEqual((found["verdict"], found["period"]), ("kept", 12))
        self.assertEqual((found["steps"], found["clocks"]), (64, 63))
        self.assertLess(found["detectable"], 0.2)
        self.assertEqual({t["steps"] for t in found["tests"]}, {1, 64})
        found = self.good_json(*words, "--steps", 20)
        self.assertEqual(found["steps"], 20)
        self.bad(2, *words, "--steps", -1)

    def test_pairs(self):
        words = ["verify", "bernoulli4", "--sampler", "gwg", "--replicates",
                 20000, "--pairs", "p.csv"]
        self.good(*words)
        comments, head, rows = harness.rows_of(self.path("p.csv"))
        self.assertEqual(head, ["from", "to", "count"])
        self.assertEqual(sum(int(row[2]) for row in rows), 20000)
        self.assertEqual(len(rows[0][0].split()), 4)
        self.assertIn("--force", self.bad(2, *words))
        self.good(*words, "--force")
        self.bad(3, *words[:-1], "no/such/dir/p.csv")


class Listing(harness.Case):
    def test_json(self):
        found = self.good_json("list")
        self.assertEqual(set(found), {"models", "samplers", "formats"})
        self.assertEqual(set(self.good_json("list", "samplers")), {"samplers"})
        self.assertEqual(set(self.good_json("list", "models")), {"models"})
        names = {s["name"] for s in found["samplers"]}
        self.assertLessEqual({"hiss", "dmala", "dula", "gwg", "acs", "pt",
                              "gibbs", "metropolis", "mix", "sequence"}, names)
        for entry in found["samplers"] + found["models"]:
            self.assertTrue(entry["summary"])
            for option in entry["options"]:
                self.assertEqual(set(option), {"name", "type", "default",
                                               "range", "help"})

    def test_text(self):
        text = self.good("list")
        for word in ("Models:", "Samplers:", "bernoulli4", "dmala", "alpha"):
            self.assertIn(word, text)


class Explain(harness.Case):
    def test_every_listed_sampler(self):
        for sampler in self.good_json("list", "samplers")["samplers"]:
            spec = {"mix": "mix(gwg,gibbs)", "sequence": "sequence(gwg,gibbs)"}
            name = sampler["name"]
            found = self.good_json("explain", spec.get(name, name))
            self.assertIn(name, found["sampler"])
            self.assertTrue(found["tree"])
            again = self.good_json("explain", found["sampler"])
            self.assertEqual(again["sampler"], found["sampler"])

    def test_promises(self):
        self.assertIs(self.good_json("explain", "dula")["exact"], False)
        self.assertIs(self.good_json("explain", "dmala")["exact"], True)
        self.assertIs(self.good_json("explain", "hiss")["reversible"], False)
        self.assertIn("NO", self.good("explain", "hiss(adjust=no)"))
        found = self.good_json("explain", "pt(base=gwg,levels=3)")
        self.assertEqual(found["replicas"], 3)

    def test_the_path_on_a_model(self):
        lattice = "ising(side=6,beta=0.4)"
        for model, sampler, path in (
                (lattice, "dmala", "regular"),
                (lattice, "pt(base=hiss(eta=2))", "factors"),
                (lattice, "hiss(eta=0.2)", "odds-regular"),
                (lattice, "gibbs", "regular"), ("cross", "gibbs", "scan"),
                ("potts(side=4,states=3,beta=1)", "gibbs", "labels")):
            with self.subTest(model=model, sampler=sampler):
                found = self.good_json("explain", model, sampler)
                self.assertEqual([p["path"] for p in found["paths"]], [path])
                self.assertIn(f": {path}\n", self.good("explain", model, sampler))
        self.assertEqual(self.good_json("explain", lattice, "gwg")["paths"], [])
        self.assertIn("nothing", self.good("explain", lattice, "gwg"))
        self.assertEqual(self.good_json("explain", lattice, "auto")["paths"],
                         [{"kernel": "auto", "path": "chosen by a pilot"}])
        self.bad(2, "explain", lattice, "dmalla")
        self.bad(2, "explain", "dmala", lattice)
        self.bad(2, "explain", "rbm(visible=4,hidden=2)", "blocks")

    def test_what_a_pilot_chose(self):
        self.good("sample", "ising(side=6,beta=0.7)", "--samples", 50, "-o",
                  "x.csv", "--sampler", "auto(independent=no)")
        found = self.good_json("explain", "x.csv")
        self.assertTrue(found["asked"].startswith("auto("))
        self.assertRegex(found["sampler"], "cluster|bridge")
        self.assertTrue(any("of the variance" in line for line in found["pilot"]))
        taken = [line for line in found["pilot"] if line.startswith(" > ")]
        self.assertEqual(len(taken), 1)
        self.assertRegex(taken[0], "^ > (clusters|jumps|components)")
        said = self.good("explain", "x.csv")
        self.assertIn("Requested: auto(", said)
        self.assertIn("Sampler used: ", said)
        self.assertLessEqual(said.count("\n"), 15)
        self.assertLessEqual(max(map(len, said.split("\n"))), 80)
        self.bad(2, "explain", "none.csv")


if __name__ == "__main__":
    harness.main()
