"""Result files: whole or not there, and the checks before the run."""
import os
import resource
import shutil
import subprocess
import unittest

import harness

RUN = ["sample", "bernoulli4", "--samples", 500, "--warmup", 0]


class Output(harness.Case):
    def test_the_file(self):
        self.good(*RUN, "--seed", 5, "-o", "it's.csv")
        comments, head, rows = harness.rows_of(self.path("it's.csv"))
        self.assertEqual(head, ["chain", "draw", "lp", "x.1", "x.2", "x.3",
                                "x.4"])
        self.assertEqual([(int(r[0]), int(r[1])) for r in rows],
                         [(c, d) for c in range(4) for d in range(500)])
        self.assertTrue(all(len(r) == 7 for r in rows))
        told = dict(c[2:].split(": ", 1) for c in comments)
        self.assertEqual(told["command"],
                         "hiss sample bernoulli4 --samples 500 --warmup 0 "
                         "--seed 5 -o 'it'\\''s.csv'")
        for key in ("hiss", "model", "sampler", "exact", "chains", "warmup"):
            self.assertIn(key, told)
        self.assertEqual((told["seed"], told["samples"]), ("5", "500"))

    def test_the_command_line_stays_one_line(self):
        self.write("a\nb", "0 0 0 0\n")
        self.good(*RUN, "--init", "a\nb", "-o", "x.csv")
        for line in harness.rows_of(self.path("x.csv"))[0]:
            self.assertRegex(line, r"^# \w+: ")

    def test_an_existing_file_is_kept(self):
        self.write("x.csv", "precious\n")
        self.assertIn("--force", self.bad(2, *RUN, "-o", "x.csv"))
        with open(self.path("x.csv"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious\n")
        self.good(*RUN, "-o", "x.csv", "--force")
        self.assertEqual(len(harness.rows_of(self.path("x.csv"))[2]), 2000)

    def test_suffixes(self):
        for name in ("x", ".csv", "x.csv.gz", "x.xyz", "-", ""):
            self.assertIn(".csv", self.bad(2, *RUN, "-o", name))
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_place_that_is_none(self):
        self.assertIn("no/such/dir", self.bad(3, *RUN, "-o",
                                              "no/such/dir/x.csv"))
        self.write("file", "")
        self.bad(3, *RUN, "-o", "file/x.csv")
        os.mkdir(self.path("d.csv"))
        self.bad(2, *RUN, "-o", "d.csv", "--force")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_place_that_is_locked(self):
        os.mkdir(self.path("locked"), 0o500)
        self.bad(3, *RUN, "-o", "locked/x.csv")

    def test_the_place_is_checked_before_the_work(self):
        self.bad(3, "sample", "bernoulli4", "--time-limit", "1h", "-o",
                 "no/such/dir/x.csv")
        self.bad(3, "sample", "bernoulli4", "--samples", "1e12", "-o",
                 "x.csv")

    def test_a_full_disk_leaves_nothing(self):
        def limit():
            harness.default_signals()
            resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

        done = self.hiss(*RUN, "-o", "x.csv", prepare=limit,
                         env={"TMPDIR": self.folder})
        self.assertEqual(done.returncode, 3, done)
        self.assertTrue(done.stderr.startswith("hiss: "), done)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_full_disk_loses_nothing(self):
        if not shutil.which("unshare"):
            self.skipTest("needs unshare")
        os.mkdir(self.path("small"))
        os.mkdir(self.path("roomy"))
        # more than the least that the check before the run asks for
        inside = ('mount -t tmpfs -o size=40k none small || exit 77; '
                  '"$0" "$@" -o small/x.csv; code=$?; '
                  'echo "left: $(ls -A small)" >&2; exit $code')
        done = subprocess.run(
            ["unshare", "-rm", "sh", "-c", inside, os.path.abspath(
                harness.HISS), *map(str, RUN)], cwd=self.folder,
            capture_output=True, text=True, check=False,
            env=harness.environment(TMPDIR=self.path("roomy")))
        if done.returncode in (1, 77):
            self.skipTest("may not mount here")
        self.assertEqual(done.returncode, 3, done)
        self.assertEqual(done.stderr.splitlines()[-1], "left: ")
        saved = os.listdir(self.path("roomy"))
        self.assertEqual(len(saved), 1, done)
        self.assertIn(saved[0], done.stderr)
        rows = harness.rows_of(self.path("roomy/" + saved[0]))[2]
        self.assertEqual(len(rows), 2000)

    def test_stdout_that_is_full(self):
        for words in (["list"], ["list", "--json"], ["--help"], RUN):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = self.hiss(*words, stdout=full)
            self.assertEqual(done.returncode, 3, done)
            self.assertIn("standard output", done.stderr)


if __name__ == "__main__":
    harness.main()
