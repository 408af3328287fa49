"""What stands on a terminal, wide and narrow, and what goes into a pipe."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

import harness

LONG = ["sample", "bernoulli4", "--sampler", "gibbs", "--warmup", 10]


def on_terminal(words, columns, folder):
    """(exit code, text) of a run whose every stream is a terminal."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ,
                struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([harness.HISS, *map(str, words)], cwd=folder,
                               stdin=slave, stdout=slave, stderr=slave,
                               env=harness.environment())
    os.close(slave)
    text, end = b"", time.monotonic() + harness.TIMEOUT
    while time.monotonic() < end:
        if select.select([master], [], [], 0.2)[0]:
            try:
                piece = os.read(master, 65536)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            text += piece
    os.close(master)
    return process.wait(timeout=harness.TIMEOUT), text.decode()


class Terminal(harness.Case):
    def test_help_fits(self):
        for columns in (1, 40, 60, 80, 200):
            for words in (["--help"], ["sample", "--help"],
                          ["help", "verify"], ["list", "--help"]):
                text = self.good(*words, env={"COLUMNS": str(columns)})
                head = text.split("\nExamples:")[0]
                self.assertLessEqual(max(map(len, head.splitlines())),
                                     max(columns, 60), words)
                self.assertNotIn("\033", text)

    def test_help_has_every_way_in(self):
        text = self.good("help", "sample")
        self.assertEqual(text, self.good("sample", "--help"))
        self.assertEqual(text, self.good("sample", "-h", "--chains", "x"))
        self.assertEqual(self.good("help"), self.good("--help"))

    def test_version(self):
        self.assertRegex(self.good("--version"), r"^hiss \d+\.\d+\.\d+")
        self.assertEqual(self.good("--version"), self.good("-V"))

    def test_tables_fit(self):
        for columns in (40, 60, 80):
            code, text = on_terminal(
                ["sample", "ising(side=8,beta=0.2)", "--samples", 50, "--full"],
                columns, self.folder)
            self.assertEqual(code, 0, text)
            rows = re.findall(r"^(?:x\.|coordinate|log p|mode | +\d+ ).*$",
                              text.replace("\r", ""), re.M)
            self.assertGreater(len(rows), 30)
            self.assertLessEqual(max(map(len, rows)), columns, text)
            self.assertTrue(all("R-hat" in row for row in rows
                                if row.startswith("coordinate")))

    def test_the_summary_fits_a_screen(self):
        for words in (("bernoulli4",), ("ising(side=16,beta=0.4)",),
                      ("potts(side=4,states=4,beta=0.9)",),
                      ("mixture(k=4,d=80,seed=3)", "-o", "draws.nc"),
                      ("pairs(d=64)", "--sampler", "gibbs")):
            text = self.good("sample", *words, "--samples", 200, "--quiet")
            lines = text.rstrip("\n").split("\n")
            self.assertLessEqual(len(lines), 24, text)
            self.assertLessEqual(max(map(len, lines)), 80, text)

    def test_a_pipe_gets_everything(self):
        text = self.good("sample", "ising(side=8,beta=0.2)", "--samples", 50,
                         "--full", env={"COLUMNS": "40"})
        self.assertRegex(text, r"[+-]{64}\n")
        self.assertIn("state", text)
        self.assertNotIn("\033", text)
        self.assertNotIn(" \n", text)

    def test_the_bar(self):
        for columns in (20, 40, 120):
            for limit in (1.2, 5, 20, 80):  # until it is shown often enough
                code, text = on_terminal([*LONG, "--time-limit", limit,
                                          "--json"], columns, self.folder)
                self.assertEqual(code, 0, text)
                bars = re.findall(r"\r\033\[K([^\r\n]*\d%[^\r\n]*)", text)
                if len(bars) > 2:
                    break
            self.assertGreater(len(bars), 2, text)
            self.assertLess(max(map(len, bars)), columns)
            if columns == 120:
                self.assertIn("left", bars[-1])
                self.assertIn("evals/s", bars[-1])
                self.assertIn("[#", bars[-1])
                self.assertRegex(bars[-1], r"log p -\S+  ESS \S+  R-hat ")

    def test_quiet(self):
        code, text = on_terminal([*LONG, "--time-limit", 1, "--json",
                                  "--quiet"], 80, self.folder)
        self.assertEqual(code, 0, text)
        self.assertTrue(text.startswith("{"), text)

    def test_a_pipe_gets_no_bar(self):
        done = self.hiss(*LONG, "--time-limit", 1)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)


if __name__ == "__main__":
    harness.main()
