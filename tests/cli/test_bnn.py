"""`bnn` models: the law is kept, bad files, missing data, reproduce."""
import json
import os
import signal

import harness

TINY = os.path.join(harness.SOURCE, "tests", "data", "bnn", "tiny.csv")
FOLDERS = (os.environ.get("HISS_DATA"), os.path.join(harness.SOURCE, "data"),
           os.path.join(harness.SOURCE, os.pardir, "shared", "data"))
FILES = ("wdbc.data", "compas-scores-two-years.csv.gz", "hiv-1625.txt",
         "blogfeedback-2012-test.csv.gz")


def data_folder():
    """Where all four data sets are, or None."""
    for folder in FOLDERS:
        if folder and all(os.path.exists(os.path.join(folder, "bnn", name))
                          for name in FILES):
            return folder
    return None


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
        env = {"HISS_DATA": "nowhere"}
        message = self.bad(2, "sample", "bnn(hiv)", env=env)
        for part in ("bnn/hiv-1625.txt", "'nowhere'", "dataset/330",
                     "c7b962810e927bf4"):
            self.assertIn(part, message)
        for words in (["--data", "nowhere"], []):
            message = self.bad(2, "reproduce", "bnn", *words, env=env)
            for part in ("bnn/wdbc.data", "nowhere", "dataset/17",
                         "a906fc5c0c27c1ff"):
                self.assertIn(part, message)
        self.assertEqual(os.listdir(self.folder), [])

    def parts(self):
        try:
            with open(self.path("out/data/bnn-parts.json"),
                      encoding="utf-8") as file:
                return json.load(file)["parts"]
        except (OSError, ValueError):
            return {}

    def run_some(self, more):
        """Until so many parts more are there, then Ctrl-C."""
        before = len(self.parts())
        process = self.start("reproduce", "bnn", "--quick", "--out", "out",
                             "--data", data_folder())
        harness.wait_until(lambda: len(self.parts()) >= before + more, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=harness.TIMEOUT)
        self.assertEqual((process.returncode, out), (130, ""), err)
        return self.parts()

    def test_an_interrupted_experiment_goes_on(self):
        if not data_folder():
            self.skipTest("the data sets are not here")
        first = self.run_some(2)
        second = self.run_some(1)
        self.assertGreaterEqual(len(first), 2)
        self.assertGreater(len(second), len(first))
        for name, numbers in first.items():
            self.assertEqual(second[name], numbers)
        self.assertFalse(os.path.exists(self.path("out/results.json")))


if __name__ == "__main__":
    harness.main()
