"""Result files: whole or not there, and the checks before the run."""
import os
import re
import resource
import shutil
import signal
import subprocess
import unittest

import harness

RUN = ["sample", "bernoulli4", "--chains", 4, "--samples", 500, "--warmup", 0]


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
                         "hiss sample bernoulli4 --chains 4 --samples 500 "
                         "--warmup 0 --seed 5 -o 'it'\\''s.csv'")
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
        for name in ("x", ".csv", "x.csv.gz", "x.xyz", ""):
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

    def test_a_small_disk_has_what_fits(self):
        """Fewer draws of any format; where not even the headers of a .nc have
        room, a CSV file."""
        for kilobytes in (8, 20, 24, 40, 100):
            def limit():
                harness.default_signals()
                resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes << 10,) * 2)

            for suffix in ("csv", "nc", "npz"):
                name = f"{kilobytes}.{suffix}"
                done = self.hiss("sample", "ising(side=8,beta=0.3)",
                                 "--samples", 1500, "-o", name, prepare=limit,
                                 env={"TMPDIR": self.path("none")})
                self.assertEqual(done.returncode, 3, done)
                made = re.search(r"note: (\S+) has one of", done.stderr)[1]
                self.assertIn(made, os.listdir(self.folder))
                if made.endswith(("csv", "nc")):
                    self.good("summary", made)
                self.assertTrue(made == name or kilobytes <= 24, done)

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

    def test_names_that_are_too_long(self):
        """Said before the run; the longest that there can be is written."""
        words = ["sample", "bernoulli4", "--time-limit", "1h"]
        for name in ("n" * 252 + ".csv", "n" * 300 + ".nc"):
            self.assertIn("too long", self.bad(2, *words, "-o", name))
        self.assertIn("too long", self.bad(2, *words, "-o", "a.csv", "--mar",
                                           "n" * 252 + ".MAR"))
        self.assertIn("too long", self.bad(2, *words, "-o",
                                           "n" * 245 + ".stan"))
        self.assertIn("too long", self.bad(
            2, "optimize", "bernoulli4", "-o", "n" * 256))
        for name in ("n" * 251 + ".csv", "n" * 250 + ".html",
                     "n" * 240 + ".stan"):
            if name.endswith("html"):
                self.good("report", "n" * 251 + ".csv", "-o", name)
            else:
                self.good(*RUN, "-o", name)
        self.assertEqual(len(os.listdir(self.folder)), 6)

    def test_a_link_to_nowhere(self):
        os.symlink("nowhere", self.path("x.csv"))
        self.assertIn("link", self.bad(2, *RUN, "-o", "x.csv"))


class Beside(harness.Case):
    """Two runs, one name: nothing is lost, and the loser says so."""

    def late(self, *words, name, command="sample", keep=None):
        """A run during which the file appears."""
        more = ["--warmup", 10] if command == "sample" else []
        process = self.start(command, *words, *more, "--time-limit", "1h",
                             "--quiet")
        self.assertTrue(harness.wait_for_work(process))
        self.write(keep or name, "precious\n")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=harness.TIMEOUT)
        self.assertEqual(process.returncode, 3, err)
        self.assertIn("another program", err)
        with open(self.path(keep or name), encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious\n")
        return err

    def test_draws_go_beside(self):
        for name, beside in (("x.csv", "x.1.csv"), ("x.nc", "x.1.nc")):
            err = self.late("bernoulli4", "-o", name, name=name)
            self.assertIn(beside, err)
            self.good("summary", beside)
        err = self.late("bernoulli4", "-o", "y.stan", name="y.stan",
                        keep="y-1.csv")
        self.assertIn("y.1.stan", err)
        self.assertEqual(len(harness.rows_of(self.path("y.1-2.csv"))[2]),
                         len(harness.rows_of(self.path("y.1-4.csv"))[2]))
        self.write("z.1.csv", "precious, too")
        self.assertIn("z.2.csv", self.late("bernoulli4", "-o", "z.csv",
                                           name="z.csv"))
        self.good("summary", "z.2.csv")
        left = [n for n in os.listdir(self.folder) if "part" in n]
        self.assertEqual(left, [])

    def test_other_outputs_go_beside(self):
        err = self.late("bernoulli4", "--mar", "x.MAR", name="x.MAR")
        self.assertIn("x.1.MAR", err)
        err = self.late("ising(side=6,beta=0.3)", "-o", "x.sol", name="x.sol",
                        command="optimize")
        self.assertIn("x.1.sol", err)
        with open(self.path("x.1.sol"), encoding="utf-8") as file:
            self.assertIn("# seed: 1", file.read())

    def test_with_force_the_last_one_stays(self):
        process = self.start("sample", "bernoulli4", "-o", "x.csv", "--force",
                             "--time-limit", "1h", "--warmup", 10)
        self.assertTrue(harness.wait_for_work(process))
        self.write("x.csv", "not precious\n")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=harness.TIMEOUT)
        self.assertEqual(process.returncode, 130, err)
        self.good("summary", "x.csv")

    def pairs(self, name, *words):
        """Two at once: their exit codes and messages."""
        runs = [self.start(*words, "--seed", seed, "-o", name, "--quiet")
                for seed in (1, 2)]
        ended = [(run.communicate(timeout=harness.TIMEOUT), run.returncode)
                 for run in runs]
        return [code for _, code in ended], [said[1] for said, _ in ended]

    def test_twenty_pairs(self):
        for k in range(20):
            name = f"w{k}" + (".csv", ".nc", ".npz", ".json")[k % 4]
            codes, said = self.pairs(
                name, "sample", "ising(side=8,beta=0.3)", "--samples", 2000)
            # 2: it began after the other had ended
            self.assertEqual(codes.count(0), 1, said)
            self.assertIn(codes[1 - codes.index(0)], (2, 3), said)
            made = [n for n in os.listdir(self.folder)
                    if n.startswith(f"w{k}.")]
            self.assertEqual(len(made), 1 + codes.count(3), said)
            if name.endswith((".csv", ".nc")):
                seeds = {re.search(r"seed (\d)", self.good("summary", n))[1]
                         for n in made}
                self.assertEqual(len(seeds), len(made))

    def test_a_link_in_place_of_a_new_checkpoint(self):
        self.write("precious", "precious\n")
        os.symlink("precious", self.path("ck.new"))
        self.good("sample", "bernoulli4", "--samples", 200, "--checkpoint",
                  "ck", "--checkpoint-every", "0.001s", "-o", "x.csv")
        with open(self.path("precious"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious\n")


if __name__ == "__main__":
    harness.main()
