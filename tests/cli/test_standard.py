"""The file "-": what comes from standard input and goes to standard output."""
import os
import pty
import subprocess

import harness

GRID = """MARKOV
3
2 2 2
2
2 0 1
2 1 2

4
 2.0 0.5 0.5 2.0
4
 1.0 3.0 3.0 1.0
"""


class Standard(harness.Case):
    def piped(self, given, *words, code=0):
        """(stdout, stderr), both as bytes, of a call that is given bytes."""
        scratch = self.path("tmp")
        os.makedirs(scratch, exist_ok=True)
        done = subprocess.run(
            [harness.HISS, *words], input=given, cwd=self.folder,
            env=harness.environment(TMPDIR=scratch), timeout=harness.TIMEOUT,
            capture_output=True, check=False)
        self.assertEqual(done.returncode, code, done)
        self.assertEqual(os.listdir(scratch), [])  # nothing stays behind
        return done.stdout, done.stderr

    def test_a_model(self):
        self.write("grid.uai", GRID)
        named = self.good("exact", "grid.uai").replace("grid.uai", "-")
        for words in ((), ("--format", "uai")):
            out, _ = self.piped(GRID.encode(), "exact", "-", *words)
            drop = lambda text: [line for line in text.splitlines()
                                 if not line.startswith("method")]
            self.assertEqual(drop(out.decode()), drop(named))

    def test_a_bad_model_is_named(self):
        _, err = self.piped(GRID.replace("0.5", "x", 1).encode(), "exact", "-",
                            "--format", "uai", code=2)
        self.assertRegex(err.decode(), r"^hiss: -:\d+:\d+: .*\n.*\n +\^")
        _, err = self.piped(b"", "exact", "-", code=2)
        self.assertIn(b"-:1:1: the file is empty", err)

    def test_evidence(self):
        self.write("grid.uai", GRID)
        self.write("e", "1 0 1\n")
        named = self.good("exact", "grid.uai", "--evidence", "e", "--mar", "-")
        out, _ = self.piped(b"1 0 1\n", "exact", "grid.uai", "--evidence", "-",
                            "--mar", "-")
        self.assertEqual(out.decode(), named)
        self.assertTrue(named.startswith("MAR\n3 2 0"), named)
        _, err = self.piped(b"1 0 1\n", "exact", "-", "--evidence", "-", code=2)
        self.assertIn(b"cannot both be", err)

    def test_draws_through_a_pipe(self):
        run = ("sample", "pairs(d=8)", "--sampler", "gibbs", "--samples", "20")
        self.good(*run, "-o", "x.csv")
        self.good(*run, "-o", "x.nc")
        for kind in ("csv", "nc"):
            draws, said = self.piped(b"", *run, "-o", "-", "--to", kind)
            self.assertIn(b"draws written to standard output", said)
            shown, _ = self.piped(draws, "summary", "-")
            named = self.good("summary", f"x.{kind}")
            drop = lambda text: [line for line in text.splitlines()
                                 if not line.startswith("run")]
            self.assertEqual(drop(shown.decode()), drop(named))
        for kind, head in (("json", b"{"), ("npz", b"PK")):
            draws, _ = self.piped(b"", *run, "-o", "-", "--to", kind)
            self.assertTrue(draws.startswith(head), draws[:40])
        page, _ = self.piped(self.bytes("x.csv"), "report", "-", "-o", "-")
        self.assertTrue(page.startswith(b"<!DOCTYPE html>"), page[:40])

    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_a_model_that_cannot_be_had_again(self):
        self.piped(GRID.encode(), "sample", "-", "--samples", "20", "-o",
                   "x.csv")
        done = self.hiss("diagnose", "x.csv")
        self.assertIn("it came from standard input; give it with --model",
                      done.stderr)
        self.write("grid.uai", GRID)
        self.good("summary", "x.csv", "--model", "grid.uai")
        err = self.bad(2, "sample", "-", "--checkpoint", "c")
        self.assertIn("a checkpoint needs the model again", err)

    def test_start_states(self):
        out, _ = self.piped(b"1 1 1 1\n", "sample", "bernoulli4", "--init",
                            "-", "--samples", "5", "-o", "-")
        self.assertIn(b"\nchain,draw,lp,x.1", out)
        self.bad(2, "sample", "-", "--init", "-")

    def test_other_outputs(self):
        out, _ = self.piped(b"", "optimize", "bernoulli4", "--evals", "1000",
                            "-o", "-")
        self.assertEqual(out.splitlines()[-1], b"0 0 0 0")
        out, _ = self.piped(b"", "verify", "bernoulli4", "--sampler", "gibbs",
                            "--replicates", "1000", "--pairs", "-", code=4)
        self.assertTrue(out.startswith(b"from,to,count\n"), out[:40])
        out, _ = self.piped(GRID.encode(), "convert", "-", "-", "--to", "uai")
        self.assertTrue(out.startswith(b"MARKOV\n3\n"), out[:40])

    def test_what_is_refused(self):
        for words, why in (
                (("-o", "-", "--json"), "both want standard output"),
                (("-o", "-", "--mar", "-"), "only once"),
                (("-o", "-", "--to", "stan"), "expected csv, nc, npz or json"),
                (("-o", "x.csv", "--to", "csv"), "-o -")):
            self.assertIn(why, self.bad(2, "sample", "bernoulli4", *words))
        self.assertIn("is empty", self.bad(2, "summary", "-"))

    def test_binary_does_not_go_to_a_terminal(self):
        leader, follower = pty.openpty()
        process = self.start("sample", "bernoulli4", "-o", "-", "--to", "nc",
                             stdout=follower)
        _, err = process.communicate(timeout=harness.TIMEOUT)
        os.close(follower)
        os.close(leader)
        self.assertEqual(process.returncode, 2)
        self.assertIn("standard output is a terminal", err)


if __name__ == "__main__":
    harness.main()
