"""`bnn` models: the law is kept, bad files, missing data, reproduce."""
import gzip
import json
import os
import shutil
import signal
import subprocess

import harness

TINY = os.path.join(harness.SOURCE, "tests", "data", "bnn", "tiny.csv")
ROWS = 40  # of each set: an experiment of seconds


def few_rows(folder):
    """The first rows of the files that come with hiss, in FOLDER/bnn."""
    os.mkdir(os.path.join(folder, "bnn"))
    for name in ("wdbc.data.gz", "hiv-1625.txt",
                 "blogfeedback-2012-test.csv.gz"):
        path = os.path.join(harness.SOURCE, "data", "bnn", name)
        with (gzip.open if name.endswith(".gz") else open)(path, "rt") as file:
            rows = [file.readline() for _ in range(ROWS)]
        with open(os.path.join(folder, "bnn", name.removesuffix(".gz")), "w",
                  encoding="utf-8") as file:
            file.writelines(rows)


def invented_compas(folder):
    """Rows with the columns of COMPAS, of nobody."""
    with open(os.path.join(folder, "bnn", "compas-scores-two-years.csv"), "w",
              encoding="utf-8") as file:
        file.write("days_b_screening_arrest,is_recid,c_charge_degree,score_text"
                   ",two_year_recid,race,sex,priors_count,juv_fel_count,"
                   "juv_misd_count,juv_other_count,age\n")
        for row in range(ROWS):
            file.write(f"0,0,F,Low,{row * row % 3 % 2},Other,"
                       f"{'Female' if row % 2 else 'Male'},{row % 5},{row % 3},"
                       f"{row % 4},{row % 7},{20 + row % 11}\n")


class Networks(harness.Case):
    def test_the_law_is_kept(self):
        """Two inputs and two hidden units: 2^9 states."""
        for sampler in ("dmala(alpha=0.5)", "gwg", "gibbs", "metropolis",
                        "hiss(eta=0.3,steps=2,inner=dmala(alpha=0.5))"):
            found = self.good_json("verify", f"bnn({TINY},y,hidden=2)",
                                   "--sampler", sampler, "--replicates", 60000)
            self.assertTrue(found["invariant"], (sampler, found))
            self.assertGreater(found["moved"], 0.3, sampler)

    def test_threads_do_not_matter(self):
        found = []
        for threads in (1, 2):
            self.good("sample", f"bnn({TINY},y,hidden=5)", "--sampler",
                      "sequence(dmala(alpha=0.3),gibbs)", "--chains", 20,
                      "--samples", 5, "--threads", threads, "-o",
                      f"{threads}.csv")
            found.append(harness.rows_of(self.path(f"{threads}.csv"))[2])
        self.assertEqual(*found)

    def test_bad_files(self):
        for text, place in (
                ("a,y\n1,0\n2\n", "x.csv:3:1: the row has 1 field, the header "
                                  "has 2"),
                ("a,y\n1,\"0\n", "x.csv:2:3: this quote is not closed"),
                ("a,b\n1,0\n", "x.csv:1:1: there is no column 'y'"),
                ("a,b,y\n1,2,0\n1,3,1\n", "x.csv:1:1: column 'a' is 1"),
                ("a,y\n1,0\nnan,1\n", "x.csv:3:1: found 'nan'"),
                ("a,y\n1,0\nred,1\n", "x.csv:3:1: found 'red'")):
            self.write("x.csv", text)
            message = self.bad(2, "sample", "bnn(x.csv,y)", "-o", "draws.csv")
            self.assertIn(place, message)
        self.assertEqual(os.listdir(self.folder), ["x.csv"])

    def test_missing_data_are_named(self):
        message = self.bad(2, "sample", "bnn(data=hiv,folder=nowhere)")
        for part in ("bnn/hiv-1625.txt", "'nowhere'", "dataset/330",
                     "c7b962810e927bf4"):
            self.assertIn(part, message)
        message = self.bad(2, "reproduce", "bnn", "--data", "nowhere")
        self.assertIn("there is no folder 'nowhere'", message)
        self.assertEqual(os.listdir(self.folder), [])

    def test_data_that_did_not_come_along(self):
        """A program that was copied to a place without share/hiss/data."""
        shutil.copy(harness.HISS, self.path("hiss"))
        done = subprocess.run(
            [self.path("hiss"), "reproduce", "bnn"], cwd=self.folder,
            env=harness.environment(HISS_DATA="nowhere"), capture_output=True,
            text=True, timeout=harness.TIMEOUT, check=False)
        self.assertEqual(done.returncode, 2, done)
        for part in ("bnn/wdbc.data", "'nowhere'", "dataset/17",
                     "a906fc5c0c27c1ff"):
            self.assertIn(part, done.stderr)
        self.assertEqual(os.listdir(self.folder), ["hiss"])

    def reproduce(self, *words):
        """The experiment on the few rows that are in the folder."""
        done = self.hiss("reproduce", "bnn", "--quick", "--out", "out",
                         "--data", ".", *words)
        self.assertEqual(done.returncode, 0, done)
        with open(self.path("out/results.json"), encoding="utf-8") as file:
            found = json.load(file)["bnn"]
        texts = [done.stdout, done.stderr]
        for name in ("report.html", "summary.md"):
            with open(self.path(f"out/{name}"), encoding="utf-8") as file:
                texts.append(file.read())
        return found, texts

    def test_compas_is_left_out_by_name_until_it_is_there(self):
        few_rows(self.folder)
        found, texts = self.reproduce()
        self.assertEqual({name.split("_")[0] for name in found["hiss"]},
                         {"wdbc", "hiv", "blog"})
        for text in texts:
            self.assertRegex(text, "(?i)left out")
            for part in ("COMPAS", "tools/get_data compas", "d180e410066da845"):
                self.assertIn(part, text)
        for text in texts[2:]:
            self.assertNotIn("nan", text.lower())
            self.assertIn("of 3 sets", text)
        # finished as long as nothing changes
        _, texts = self.reproduce()
        self.assertIn("bnn is finished", texts[1])
        invented_compas(self.folder)
        parts = self.run_until(lambda parts: "COMPAS: lambda=0" in parts)
        self.assertEqual(parts["WDBC: hiss, repetition 1"]["test_mse"],
                         found["hiss"]["wdbc_test_mse"]["mean"])

    def parts(self):
        try:
            with open(self.path("out/data/bnn-parts.json"),
                      encoding="utf-8") as file:
                return json.load(file)["parts"]
        except (OSError, ValueError):
            return {}

    def run_until(self, condition):
        """Until it holds for the parts that are finished, then Ctrl-C."""
        process = self.start("reproduce", "bnn", "--quick", "--out", "out",
                             "--data", ".")
        self.assertTrue(harness.wait_until(lambda: condition(self.parts()),
                                           process))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=harness.TIMEOUT)
        self.assertEqual((process.returncode, out), (130, ""), err)
        return self.parts()

    def test_an_interrupted_experiment_goes_on(self):
        few_rows(self.folder)
        first = self.run_until(lambda parts: len(parts) >= 2)
        second = self.run_until(lambda parts: len(parts) > len(first))
        self.assertGreaterEqual(len(first), 2)
        self.assertGreater(len(second), len(first))
        for name, numbers in first.items():
            self.assertEqual(second[name], numbers)
        self.assertFalse(os.path.exists(self.path("out/results.json")))


if __name__ == "__main__":
    harness.main()
