"""Advice: it knows what was run, and following it helps.

A run that is not trusted, the command that its verdict names, and the run of
that command, which must be trusted.
"""
import re
import shlex

import harness

# model, and options of a run that must fail
BAD = (
    (("ising(side=8,beta=1)",), ("--sampler", "gibbs")),
    (("mixture(k=4,d=60,seed=3)",), ("--sampler", "gibbs")),
    (("mixture(k=4,d=60,seed=3)",), ("--sampler", "pt(base=gibbs)")),
    (("potts(side=8,states=4,beta=1.5)", "--fix", "1=2"),
     ("--sampler", "gibbs")),
    (("pairs(d=40)",), ("--sampler", "dmala(alpha=0.2)")),
    (("mixture(k=3,d=30,seed=2)",), ("--sampler", "dula(alpha=0.1)")),
    (("mixture(k=2,d=40,seed=1)",), ("--sampler", "auto", "--samples", "8")),
    (("ising(side=20,beta=0.3)",),
     ("--sampler", "dmala(alpha=0.05)", "--samples", "100")),
)


class Advice(harness.Case):
    def remedy(self, name):
        """The verdict of a file, and the command of its remedy."""
        done = self.hiss("diagnose", name, "--json")
        found = harness.json.loads(done.stdout)
        remedies = [f["remedy"] for f in found["findings"] if f["remedy"]]
        self.assertEqual(len(remedies), 0 if found["trusted"] else 1, found)
        return found, remedies[0] if remedies else None

    def test_following_it_helps(self):
        for number, (model, options) in enumerate(BAD):
            with self.subTest(model=model, options=options):
                self.good("sample", *model, *options, "-o", f"{number}.nc")
                found, remedy = self.remedy(f"{number}.nc")
                self.assertIs(found["trusted"], False, found)
                words = shlex.split(re.search("`(.*)`", remedy).group(1))
                self.assertEqual(words[0], "hiss")
                self.assertEqual(words[2:2 + len(model)], list(model))
                if words[1] == "exact":
                    self.assertRegex(remedy, r"would take (about|less)")
                    self.good(*words[1:])
                    continue
                self.assertNotEqual(words[2:], [*model, *options])
                self.good(*words[1:], "-o", f"{number}-again.nc")
                found, remedy = self.remedy(f"{number}-again.nc")
                self.assertIs(found["trusted"], True, (words, found))

    def test_sample_and_summary_say_the_same(self):
        for model, options in BAD[:3]:
            found = self.good_json("sample", *model, *options, "-o", "x.nc",
                                   "--force")
            self.assertIn("`hiss ", found["advice"])
            self.assertEqual(self.good_json("summary", "x.nc")["advice"],
                             found["advice"])
            self.assertEqual(self.remedy("x.nc")[1], found["advice"])

    def test_a_trusted_run_has_none(self):
        found = self.good_json("sample", "ising(side=4,beta=0.2)", "-o",
                               "x.nc")
        self.assertEqual(found["warnings"], [])
        self.assertIsNone(found["advice"])
        self.assertEqual(self.remedy("x.nc")[1], None)

    def test_exact_answers_are_pointed_at(self):
        text = self.good("sample", "ising(side=8,beta=0.3)", "--full")
        self.assertIn("exact     `hiss exact 'ising(side=8,beta=0.3)'` would "
                      "take less than a second\n", text)
        # enumerated anyway, and too wide
        for model in ("bernoulli4", "ising(side=32,beta=0.3)"):
            self.assertNotIn("hiss exact", self.good("sample", model,
                                                     "--samples", "20"))
        err = self.bad(2, "sample", "ising(side=8,beta=0.3)", "--warmup",
                       "1000", "--evals", "1")
        self.assertIn("note: `hiss exact 'ising(side=8,beta=0.3)'` would take "
                      "about", err)

    def test_a_population_has_no_warm_up(self):
        words = ["sample", "ising(side=100,beta=0.4)", "--time-limit", "0.01"]
        err = self.bad(2, *words, "--sampler", "smc(steps=50)")
        self.assertIn("or lower --samples", err)
        self.assertNotIn("--warmup", err)

    def test_thresholds_are_the_same(self):
        """What `sample` warns of, `diagnose` does not pass, and the other way
        round; and nothing passes with a figure beyond its limit."""
        for seed in range(1, 5):
            found = self.good_json(
                "sample", "ising(side=6,beta=0.4)", "--sampler", "gibbs",
                "--samples", "60", "--seed", str(seed), "-o", "x.nc",
                "--force")
            verdict, _ = self.remedy("x.nc")
            mixing = next(f for f in verdict["findings"]
                          if f["name"] == "mixing")
            warned = [w for w in found["warnings"] if w.startswith("R-hat")]
            if mixing["outcome"] == "passed":
                self.assertEqual(warned, [])
                shown = re.search(r"R-hat (\S+),", mixing["text"])
                self.assertTrue(not shown or float(shown.group(1)) <= 1.0105)
            self.assertNotIn("nan", str(verdict["findings"]).lower().replace(
                "'value': nan", ""))


if __name__ == "__main__":
    harness.main()
