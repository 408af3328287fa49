"""`hiss verify --kernel`: programs of any language, and all their faults."""
import json
import os
import shutil
import stat
import subprocess
import sys
import time
import unittest

import harness

MODEL = "ising(side=3,beta=0.4)"
FEW = ["--replicates", "20000", "--calls", "200"]
# Heat bath of one site of ising(side=3), and wrong ones, without numpy.
WORK = r"""
import math, random, struct, sys
MODE = sys.argv[1]
TEXT = len(sys.argv) > 2
out = sys.stdout if TEXT else sys.stdout.buffer
inp = sys.stdin if TEXT else sys.stdin.buffer
calls = 0
while True:
    line = inp.readline()
    if not line:
        break
    n, d, seed = map(int, line.split())
    calls += 1
    random.seed(seed)
    answer = []
    for _ in range(n):
        x = [float(v) for v in inp.readline().split()] if TEXT else \
            list(struct.unpack("<9d", inp.read(72)))
        i = random.randrange(9)
        r, c = i // 3 * 3, i % 3
        f = x[r + (c + 1) % 3] + x[r + (c + 2) % 3] + x[(i + 3) % 9] \
            + x[(i + 6) % 9]
        up = random.random() < 1 / (1 + math.exp(-0.8 * f))
        if MODE == "wrong" or MODE == "late" and calls > 300:
            up = random.random() < 1 / (1 + math.exp(-0.9 * f))
        if MODE != "stuck" or x != [-1, -1, -1, -1, -1, 1, 1, 1, -1]:
            x[i] = 1.0 if up else -1.0
        if MODE == "range" and calls == 2:
            x[3] = 2.0
        if MODE == "nan" and calls == 2:
            x[3] = math.nan
        answer.append(" ".join("%g" % v for v in x) + "\n" if TEXT
                      else struct.pack("<9d", *x))
    if MODE == "die" and calls == 2:
        sys.exit(5)
    if MODE == "half" and calls == 2:
        answer = answer[:len(answer) // 2]
    if MODE == "much" and calls == 2:
        answer.append(answer[-1])
    if MODE == "last" and n == 1:
        answer.append(answer[-1][:1])
    if MODE == "hang" and calls == 2:
        import time
        time.sleep(1000)
    if MODE == "short" and TEXT:
        answer[4] = "1 1 1\n"
    if MODE == "words" and TEXT:
        answer[4] = "1 1 one 1 1 1 1 1 1\n"
    out.write(("" if TEXT else b"").join(answer))
    out.flush()
"""


class Kernel(harness.Case):
    def setUp(self):
        super().setUp()
        self.write("work.py", WORK)

    def verify(self, mode, *more, model=MODEL):
        command = f"'{sys.executable}' -B work.py {mode}"
        return self.hiss("verify", model, "--kernel", command, *FEW,
                             "--kernel-time", "20s", *more)

    def test_a_right_one(self):
        for more in ([], ["--kernel-format", "text"]):
            mode = "right text" if more else "right"
            done = self.verify(mode, "--json", *more)
            self.assertEqual(done.returncode, 0, done.stderr)
            told = json.loads(done.stdout)
            self.assertEqual(told["verdict"], "kept")
            self.assertEqual(told["flows"], [])
            self.assertIsNone(told["reason"])
            self.assertGreater(told["calls"], 200)
            self.assertGreater(told["singles"], 1)

    def test_a_wrong_one(self):
        done = self.verify("wrong")
        self.assertEqual(done.returncode, 1, done.stderr)
        for words in ("NOT KEPT", "mass goes to states of higher U", "gains",
                      "-1 -1 -1 -1 -1 -1 -1 -1 -1"):
            self.assertIn(words, done.stdout)

    def test_a_rare_state_that_is_never_left(self):
        """Its probability is 9.5e-5, so of 20000 replicates two begin
        there: what enters it must add up over the steps."""
        for seed in (1, 2, 3):
            done = self.verify("stuck", "--seed", seed)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("by rare states", done.stdout)

    def test_one_that_goes_wrong(self):
        """Exact for 300 calls, wrong for all others."""
        for seed in (1, 2, 3):
            done = self.hiss("verify", MODEL, "--kernel",
                             f"'{sys.executable}' -B work.py late",
                             "--replicates", "100000", "--calls", "2000",
                             "--steps", "4", "--seed", str(seed), "--json")
            told = json.loads(done.stdout)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(told["verdict"], "broken")
            self.assertRegex(told["reason"], "right at first, wrong after "
                             "[0-9]+ calls: adaptation that never stops, or "
                             "a state that is kept between calls")
            self.assertNotIn("settles", told["reason"])
            self.assertTrue(told["memory"])
            late = [t["p_value"] for t in told["tests"]
                    if t["name"].startswith("late ")]
            self.assertLess(min(late), 1e-6)

    def test_beside_a_sampler(self):
        done = self.verify("right", "--sampler", "metropolis(updates=1)",
                           "--json")
        told = json.loads(done.stdout)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(told["verdict"], "kept")
        self.assertLess(told["transitions"]["p_value"], 1e-4)
        self.assertIn("from (", told["transitions"]["gap"])

    def test_faults(self):
        """Each is one line, in a few seconds, with exit code 2 or 3."""
        text = ["--kernel-format", "text"]
        for mode, more, words in [
                ("range", [], "gave 2 for x.4 of state 1"),
                ("nan", [], "gave nan for x.4"),
                ("die", [], "ended with exit code 5 after 0 of"),
                ("half", ["--kernel-time", "0.4s"], "no answer in 0.4 s"),
                ("hang", ["--kernel-time", "0.4s"], "no answer in 0.4 s"),
                ("much", [], "more than"),
                ("last", [], "more than|gave"),
                ("much text", text, "more than"),
                ("short text", text, "is not 9 numbers"),
                ("words text", text, "\"1 1 one 1.*is not 9 numbers"),
                ("half text", [*text, "--kernel-time", "0.4s"], "no answer"),
                ("range text", text, "gave 2 for x.4")]:
            done = self.verify(mode, *more)
            self.assertIn(done.returncode, (2, 3), mode)
            self.assertEqual(done.stdout, "", mode)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertRegex(done.stderr, words)

    def test_programs_that_are_none(self):
        for command, words in [
                ("exit 3", "exit code 3"), ("exit 255", "with exit code 255"),
                ("no-such-program", "code 127"),
                ("kill -9 $$", "signal 9"),
                ("sh -c 'kill -11 $$'; exit $?", "signal 11 .exit code 139"),
                ("cat", "more than|gave"),
                ("exec cat >/dev/null", "closed its output"),
                ("exec sleep 100", "no answer in 0.4 s"),
                ("yes", "bytes"), ("cat /dev/zero", "bytes|gave 0"),
                ("exec </dev/null; sleep 100", "no answer in 0.4 s"),
                ("exec >/dev/null; sleep 100", "closed its output"),
                ("head -c 100", "after"), ("", "exit code 0")]:
            began = time.monotonic()
            done = self.hiss("verify", MODEL, "--kernel", command, *FEW,
                                 "--kernel-time", "0.4s")
            self.assertIn(done.returncode, (2, 3), command)
            self.assertRegex(done.stderr.splitlines()[-1], words)
            self.assertLess(time.monotonic() - began, 60)

    def test_usage(self):
        self.assertIn("--kernel COMMAND", self.bad(2, "verify", MODEL))
        self.assertIn("expected binary or text",
                      self.bad(2, "verify", MODEL, "--kernel", "cat",
                               "--kernel-format", "hex"))

    def test_nothing_is_left_running(self):
        mark = f"sleep 1000.{os.getpid()}"
        self.hiss("verify", MODEL, "--kernel", f"{mark} & {mark}", *FEW,
                      "--kernel-time", "0.4s")
        left = subprocess.run(["ps", "-eo", "args"], text=True,
                              capture_output=True, check=False).stdout
        self.assertNotIn(mark + "\n", left)

    def test_the_example_in_python(self):
        program = os.path.join(harness.SOURCE, "examples", "kernel.py")
        for python in (sys.executable, "/usr/bin/python3"):
            if subprocess.run([python, "-c", "import numpy"], check=False,
                              stderr=subprocess.DEVNULL).returncode == 0:
                break
        else:
            self.skipTest("needs numpy")
        done = self.hiss("verify", MODEL, "--kernel",
                         f"'{python}' '{program}'", "--sampler",
                         "metropolis(updates=1)", "--replicates", "50000",
                         "--calls", "500")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless(shutil.which("cc"), "needs cc")
    def test_the_example_in_c(self):
        program = os.path.join(self.folder, "kernel")
        subprocess.run(["cc", "-O2", "-o", program, os.path.join(
            harness.SOURCE, "examples", "kernel.c"), "-lm"], check=True)
        self.assertTrue(os.stat(program).st_mode & stat.S_IXUSR)
        done = self.hiss("verify", MODEL, "--kernel", "./kernel",
                             "--sampler", "metropolis(updates=1)",
                             "--replicates", "200000", "--calls", "2000")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("transitions: as those of metropolis", done.stdout)


if __name__ == "__main__":
    harness.main()
