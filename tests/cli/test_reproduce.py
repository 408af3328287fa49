"""`hiss reproduce`: results, report, resuming, bad calls, interrupts."""
import json
import os
import resource
import signal
from xml.etree import ElementTree

import harness

FAST = ("evaluations", "kernels")
ALL = ("bernoulli", "ablation", "ising", "gl", "critical", "bnn", "prior",
       "evaluations", "kernels", "theory")


def without_times(results):
    """Numbers that depend on the seed alone."""
    return {row: {name: metric for name, metric in metrics.items()
                  if name != "seconds"}
            for row, metrics in results.items()}


class Reproduce(harness.Case):
    def read(self, *name):
        with open(self.path(os.path.join(*name)), encoding="utf-8") as file:
            return file.read()

    def results(self, folder):
        return json.loads(self.read(folder, "results.json"))

    def run_fast(self, folder, *words, **how):
        done = self.hiss("reproduce", *FAST, "--quick", "--out", folder, *words,
                         **how)
        self.assertEqual(done.returncode, 0, done)
        return done

    def test_numbers_figures_and_report(self):
        done = self.run_fast("out")
        self.assertIn("holds", done.stdout)
        found = self.results("out")
        self.assertEqual(list(found), list(FAST))
        counts = found["evaluations"]
        for row, bernoulli, ising in (("dmala", 4e5, 1e6), ("pt", 2.2e6, 6e6),
                                      ("hiss", 5e5, 1.25e6)):
            self.assertEqual(counts[row]["bernoulli_paper_count"]["mean"],
                             bernoulli)
            self.assertEqual(counts[row]["ising_paper_count"]["mean"], ising)
        # one evaluation of each start, then 1 + L per sweep
        self.assertEqual(counts["hiss"]["bernoulli_energy_evals"]["mean"],
                         10 * (1 + 1000 * 5 * 3))
        for row, metrics in found["kernels"].items():
            for name, metric in metrics.items():
                self.assertEqual(
                    set(metric), {"mean", "se", "std", "repetitions", "paper",
                                  "evaluations", "command"}, (row, name))
                self.assertTrue(metric["command"].startswith("hiss "))
        flips = found["kernels"]["rho_eta_4"]
        self.assertLess(abs(flips["flip_probability"]["mean"] - 0.49741),
                        5 * flips["flip_probability"]["se"])
        report = self.read("out", "report.html")
        self.assertIn("</html>", report)
        self.assertIn("holds with another number", report)
        self.assertNotIn("<script", report)
        self.assertNotIn("src=", report)
        drawn = os.listdir(self.path("out/figures"))
        self.assertEqual(len(drawn), 6, drawn)
        self.assertEqual(report.count("<svg xmlns"), 6)
        self.assertEqual(report.count("<style>"), 1)
        for name in drawn:
            text = self.read("out", "figures", name)
            ElementTree.fromstring(text)
            self.assertIn("prefers-color-scheme:dark", text)
            self.assertNotIn("nan", text)
        self.assertIn("| claim of the paper | verdict |", self.read("out", "summary.md"))

    def test_a_command_in_the_results_repeats_its_number(self):
        self.run_fast("out")
        metric = self.results("out")["evaluations"]["dmala"][
            "ising_energy_evals"]
        words = [w.strip("'") for w in metric["command"].split()[1:]]
        again = json.loads(self.good(*words))
        self.assertEqual(again["evals"]["energy"], metric["mean"])

    def test_finished_experiments_are_skipped(self):
        self.run_fast("out")
        before = self.results("out")
        stamp = os.stat(self.path("out/figures")).st_mtime_ns
        done = self.run_fast("out")
        self.assertIn("evaluations is finished", done.stderr)
        self.assertIn("kernels is finished", done.stderr)
        self.assertEqual(self.results("out"), before)
        self.assertEqual(os.stat(self.path("out/figures")).st_mtime_ns, stamp)
        # another seed is another setting, --force asks for it again
        for words in (["--seed", 7], ["--seed", 7, "--force"]):
            done = self.hiss("reproduce", "kernels", "--quick", "--out", "out",
                             *words)
            self.assertEqual(done.returncode, 0, done)
            self.assertNotIn("finished", done.stderr)
        after = self.results("out")
        self.assertEqual(list(after), list(FAST))
        self.assertEqual(after["evaluations"], before["evaluations"])
        self.assertNotEqual(after["kernels"], before["kernels"])

    def test_a_missing_figure_is_drawn_again(self):
        self.run_fast("out")
        lost = self.path("out/figures/kernels-flips.svg")
        os.remove(lost)
        done = self.run_fast("out")
        self.assertNotIn("kernels is finished", done.stderr)
        self.assertIn("evaluations is finished", done.stderr)
        self.assertTrue(os.path.exists(lost))

    def test_a_reading_is_judged_alone(self):
        self.assertIn("printed, coded or correct",
                      self.bad(2, "reproduce", "ising", "--as", "spins"))
        self.good("reproduce", "ising", "--quick", "--out", "out")
        verdicts = {}
        for reading in (None, "printed", "coded", "correct"):
            words = ["--as", reading] if reading else []
            done = self.good_json("reproduce", "ising", "--quick", "--out",
                                  "out", *words)
            verdicts[reading] = {c["id"]: c["verdict"] for c in done["claims"]}
            summary = self.read("out", "summary.md")
            for other in ("printed", "coded", "correct"):
                self.assertEqual(f" {other} |" in summary,
                                 reading in (None, other), (reading, other))
        self.assertEqual(verdicts[None]["I4"], "holds in part")
        self.assertEqual(verdicts["printed"]["I4"], "holds")
        self.assertEqual(verdicts["coded"]["I4"], "does not hold")
        self.assertEqual(verdicts["printed"]["I1"], verdicts["coded"]["I1"])

    def test_numbers_depend_on_the_seed_alone(self):
        for folder, threads in (("one", 1), ("two", 2)):
            self.run_fast(folder, "--threads", threads)
        for name in FAST:
            self.assertEqual(without_times(self.results("one")[name]),
                             without_times(self.results("two")[name]))

    def test_json_is_one_object(self):
        found = self.good_json("reproduce", "evaluations", "--quick")
        self.assertEqual(list(found["results"]), ["evaluations"])
        self.assertEqual(found["out"], "hiss-paper")
        verdicts = {c["verdict"] for c in found["claims"]
                    if c["experiment"] == "evaluations"}
        self.assertLessEqual(verdicts, {"holds", "holds with another number",
                                        "holds in part", "does not hold"})
        self.assertIn("not run", {c["verdict"] for c in found["claims"]})

    def test_bad_names(self):
        self.assertIn("did you mean bernoulli?",
                      self.bad(2, "reproduce", "bernouli"))
        message = self.bad(2, "reproduce", "tsp-tours")
        for name in ("all", *ALL):
            self.assertIn(name, message)
        self.assertIn("EXPERIMENT", self.bad(2, "reproduce"))
        self.assertEqual(os.listdir(self.folder), [])

    def test_bad_folders(self):
        self.write("file", "x")
        self.assertIn("not a folder", self.bad(2, "reproduce", "evaluations",
                                               "--out", "file"))
        self.assertIn("empty", self.bad(2, "reproduce", "evaluations",
                                        "--out", ""))
        self.bad(3, "reproduce", "evaluations", "--out", "no/such/place")
        os.mkdir(self.path("mine"))
        self.write("mine/thesis.tex", "x")
        self.assertIn("--force", self.bad(2, "reproduce", "evaluations",
                                          "--out", "mine"))
        self.assertEqual(os.listdir(self.path("mine")), ["thesis.tex"])
        self.good("reproduce", "evaluations", "--out", "mine", "--force")
        self.assertEqual(self.read("mine", "thesis.tex"), "x")

    def test_broken_results_are_not_overwritten(self):
        self.good("reproduce", "evaluations", "--out", "out")
        self.write("out/results.json", "{\"evaluations\": ")
        message = self.bad(2, "reproduce", "evaluations", "--out", "out")
        self.assertRegex(message, r"out/results\.json:\d+:\d+: ")
        self.assertEqual(self.read("out", "results.json"),
                         "{\"evaluations\": ")
        self.good("reproduce", "evaluations", "--out", "out", "--force")
        self.assertIn("evaluations", self.results("out"))

    def test_a_folder_in_use(self):
        long = self.start("reproduce", "critical", "--out", "out")
        try:
            self.assertTrue(harness.wait_until(
                lambda: os.path.exists(self.path("out/figures")), long))
            message = self.bad(2, "reproduce", "evaluations", "--out", "out")
            self.assertIn("in use", message)
            self.assertIn(str(long.pid), message)
        finally:
            long.send_signal(signal.SIGINT)
            long.communicate(timeout=harness.TIMEOUT)

    def test_an_interrupt_keeps_what_is_finished(self):
        words = ("reproduce", "evaluations", "theory", "--out", "out")
        process = self.start(*words)
        self.assertTrue(harness.wait_until(
            lambda: os.path.exists(self.path("out/report.html")), process))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=harness.TIMEOUT)
        self.assertEqual((process.returncode, out), (130, ""), err)
        self.assertIn("interrupted in theory", err)
        self.assertEqual(list(self.results("out")), ["evaluations"])
        done = self.hiss("reproduce", "evaluations", "--out", "out")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("evaluations is finished", done.stderr)

    def test_a_full_disk(self):
        def small_files():
            harness.default_signals()
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

        self.good("reproduce", "evaluations", "--out", "out")
        before = self.results("out")
        message = self.bad(3, "reproduce", "evaluations", "--out", "out",
                           "--seed", 5, prepare=small_files)
        self.assertIn("cannot write", message)
        self.assertIn("finished experiments are kept in out", message)
        self.assertEqual(self.results("out"), before)
        self.assertFalse([name for name in os.listdir(self.path("out"))
                          if name.endswith(".part")])

    def test_figures_need_no_other_program(self):
        done = self.run_fast("out", env={"PATH": "/nowhere"})
        self.assertEqual(done.stderr.count("done in"), 2, done.stderr)
        self.assertEqual(len(os.listdir(self.path("out/figures"))), 6)

    def test_a_figure_that_cannot_be_written_ends_the_run(self):
        self.good("reproduce", "evaluations", "--out", "out")
        os.remove(self.path("out/figures/evaluations-ising.svg"))
        os.mkdir(self.path("out/figures/evaluations-ising.svg"))
        message = self.bad(3, "reproduce", "evaluations", "--out", "out",
                           "--seed", 5)
        self.assertIn("evaluations-ising.svg", message)
        self.assertIn("evaluations was not finished", message)


if __name__ == "__main__":
    harness.main()
