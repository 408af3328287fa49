"""--time-limit holds, whatever the pilot, the warm-up and the summary want.

Measured is the processor time of one thread, which no other program can make
longer: a run may take its limit, a tenth of it, a second, and 40 ns for each
value that it writes and looks at.  Where it does not look at the clock it takes
many times as much.
"""
import json
import os
import resource

import harness

TSP = os.path.join(harness.SOURCE, "tests", "data", "tsp", "five.tsp")
# Model, sampler, limit, whether the pilot has no time for all that it wants.
RUNS = [
    ("ising(side=64,beta=0.44)", "auto", 0.5, None),
    ("ising(side=256,beta=0.44)", "pt(levels=auto)", 0.5, True),
    ("mixture(k=6,d=2000,seed=1)", "auto", 0.5, True),
    ("rbm(visible=400,hidden=200,modes=4)", "auto", 0.5, True),
    ("rbm(visible=400,hidden=200,modes=4)", "dmala", 0.5, None),
    ("ladder(d=100000,levels=9,beta=0.3)", "bridge", 0.5, None),
    ("pairs(d=300000)", "pt(levels=auto)", 1, None),
    ("potts(side=100,states=5,beta=1.1)", "hiss", 0.5, None),
    (TSP, "auto", 0.5, None),
]
SLOW = 5 if os.environ.get("HISS_SANITIZE") else 1


def used():
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


class Limit(harness.Case):
    def run_in(self, model, sampler, limit, *more):
        before = used()
        done = self.hiss("sample", model, "--sampler", sampler,
                         "--time-limit", f"{limit}s", "--threads", 1,
                         "-o", "x.csv", "--force", *more)
        if done.returncode:  # other programs had most of the time
            self.assertIn("the budget ended before the first draw",
                          done.stderr, model)
        taken = used() - before
        values = 0
        if "--json" in more and done.stdout:
            found = json.loads(done.stdout)
            values = found["chains"] * found["samples"] * found["dim"]
        self.assertLess(taken, SLOW * (1.1 * limit + 1 + 40e-9 * values),
                        f"{model} {sampler}")
        return done.stdout

    def test_it_holds(self):
        for model, sampler, limit, is_cut in RUNS:
            out = self.run_in(model, sampler, limit, "--json")
            if not out:
                continue
            found = json.loads(out)
            said = " ".join(found["warnings"])
            self.assertEqual(found["ended"], "time", model)
            if found["warmup"] == 0:
                self.assertIn("no time for a warm-up", said, model)
            if is_cut:
                self.assertIn("the pilot was cut short", said, model)

    def test_the_summary_is_in_it(self):
        out = self.run_in("rbm(visible=784,hidden=500)", "dmala", 0.5)
        if out:
            self.assertIn("\ncost ", out)


class Modes(harness.Case):
    def test_switched_off_quick_and_full(self):
        words = ("sample", "ising(side=24,beta=0.5)", "--sampler", "gibbs",
                 "--samples", 2000, "--threads", 1)
        off = self.good(*words, "--modes", "no")
        self.assertNotRegex(off, "(?m)^modes?[: ]")
        found = self.good_json(*words, "--modes", "full")
        self.assertGreater(len(found["modes"]), 2)
        self.assertNotIn("modes_note", found)
        self.assertNotIn("modes", self.good_json(*words))
        self.assertIn("no, quick or full", self.bad(2, *words, "--modes", "x"))

    def test_a_result_file_in_a_time(self):
        self.good("sample", "rbm(visible=784,hidden=500)", "--sampler",
                  "dmala", "--chains", 16, "--samples", 200, "-o", "x.csv",
                  "--modes", "no")
        for words in (("modes", "x.csv", "--time-limit", "0.3s"),
                      ("summary", "x.csv", "--modes", "quick")):
            before = used()
            note = self.good_json(*words)["modes_note"]
            self.assertRegex(note, "of 3200 draws, by the work limit|time ended|no time")
            # the limit is work, two priced seconds at least, and reading
            self.assertLess(used() - before, SLOW * 6)


if __name__ == "__main__":
    harness.main()
