"""Runs the command for the tests of this folder.

The environment names the program (HISS) and the sources (HISS_SOURCE).

No outcome depends on how busy the machine is: what a test waits for is a file,
a line or processor time, never a moment, and what takes longer than TIMEOUT
hangs.
"""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

HISS = os.environ.get("HISS", "hiss")
SOURCE = os.environ.get("HISS_SOURCE", os.getcwd())
TIMEOUT = 600  # seconds; no call takes more than some on an idle machine


def environment(**changes):
    """The caller's, without what changes the output."""
    found = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    found.update(TERM="xterm", **changes)
    return found


def default_signals():
    """A shell that runs tests in the background ignores SIGINT for them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def wait_until(condition, process):
    """Until it holds; False if the process ended before it did."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        if process.poll() is not None:
            return bool(condition())
        if time.monotonic() > end:
            process.kill()
            raise TimeoutError(f"nothing happened for {TIMEOUT} s")
        time.sleep(0.002)
    return True


def seconds_used(process):
    """Processor time of a process, all its threads."""
    try:
        with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
            user, system = file.read().rpartition(")")[2].split()[11:13]
    except OSError:  # it has ended
        return 0.0
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def wait_for_work(process, seconds=0.5):
    """Until it has computed for so long that it is past its checks and its
    pilot, under a sanitizer as well; False if it ended before."""
    return wait_until(lambda: seconds_used(process) >= seconds, process)


class Case(unittest.TestCase):
    """A scratch folder that is the working directory of every run."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hiss-cli-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def start(self, *words, env=None, prepare=default_signals, **how):
        return subprocess.Popen(
            [HISS, *map(str, words)], cwd=self.folder, text=True,
            stdin=subprocess.DEVNULL, preexec_fn=prepare,
            env=environment(**(env or {})),
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how})

    def hiss(self, *words, **how):
        process = self.start(*words, **how)
        out, err = process.communicate(timeout=TIMEOUT)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def good(self, *words, **how):
        """A run that must succeed: its standard output."""
        done = self.hiss(*words, **how)
        self.assertEqual(done.returncode, 0, done)
        return done.stdout

    def good_json(self, *words, code=0):
        """A run that prints one JSON object and nothing else on stdout."""
        done = self.hiss(*words, "--json")
        self.assertEqual(done.returncode, code, done)
        return json.loads(done.stdout)

    def bad(self, code, *words, **how):
        """A call that must fail: its message, whose first line is whole."""
        done = self.hiss(*words, **how)
        self.assertEqual(done.returncode, code, done)
        self.assertEqual(done.stdout, "", done)
        self.assertTrue(done.stderr.startswith("hiss: "), done)
        self.assertGreater(len(done.stderr.splitlines()[0]), 10, done)
        return done.stderr


def rows_of(path):
    """(comments, column names, rows) of a result file."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    comments = [line for line in lines if line.startswith("#")]
    cells = [line.split(",") for line in lines if not line.startswith("#")]
    return comments, cells[0], cells[1:]


def main():
    unittest.main(verbosity=1)
