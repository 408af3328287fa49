"""Runs in which everything goes wrong that a seed draws.

usage: torture.py SEED [END]

One seed draws a model, a sampler, threads, ranks and faults: an allocation
that fails, a full disk, signals, clocks that jump.  A run with a checkpoint
suffers them, and so do its first resumptions; the last one has none, and maybe
other threads or ranks.  Whatever happened:

- each run ends with an exit code that it has for such a case, never by a crash
- its result is whole or absent, and no half of one is left beside it
- where the run was stopped, its draws are the first ones of the undisturbed run,
  on a full disk every second, fourth, ... of these
- in the end the draws are those of the undisturbed run, to the last bit

The seeds from SEED to END - 1 are tried; one that fails is printed with what
was done, and `torture.py SEED` repeats its choices.  The moment at which a
signal arrives depends on the machine.  The environment names the program
(HISS), the library that spoils allocations and clocks (HISS_SCARCE), and
mpirun (HISS_MPIRUN; without it there are no ranks).
"""
import json
import os
import random
import re
import resource
import signal
import sys
import time

import harness
import test_ranks

SCARCE = os.environ.get("HISS_SCARCE", "")
# Draws and other libraries: what a run of these allocates is the program's.
MODELS = (
    ("ising(side=6,beta=0.4407)", "gibbs"),
    ("ising(side=6,beta=0.4407)", "pt(base=dmala(alpha=auto),levels=4)"),
    ("ising(side=6,beta=0.4407)", "hiss(eta=auto,steps=2,inner=gwg)"),
    ("mixture(k=3,d=20,seed=3)", "auto(independent=no)"),
    ("potts(side=4,states=3,beta=0.6)", "mix(acs,gibbs)"),
    ("pairs(d=8)", "replicas(base=dmala(alpha=auto),count=3)"),
    ("model.cnf", "blocks"),
)
CLAUSES = "p cnf 8 5\n1 2 3 0\n-1 4 0\n-2 5 6 0\n3 -7 8 0\n-4 -8 0\n"
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL)
TURNS = 3        # disturbed runs before the last one, at most
ALLOCATIONS = 4000
QUESTIONS = 60   # for the time, before clocks jump
LATEST = 0.4     # seconds after which a signal comes
HEADER = 32      # bytes of the draws of a checkpoint that has none
ENDS = {0, 1, 2, 3, 4}


class Torture(harness.Case):
    seed = 0

    def setUp(self):
        super().setUp()
        self.random = random.Random(self.seed)
        self.done, self.stamp, self.thin = [], None, 1

    def draw_fault(self):
        """(environment, most bytes of a file, [(signal, seconds)])"""
        pick, env, size, signals = self.random, {}, None, []
        kinds = pick.sample(("memory", "disk", "signal", "clock"),
                            pick.choice((1, 1, 2)))
        if "memory" in kinds:
            env["SCARCE_AT"] = str(int(ALLOCATIONS ** pick.random()))
            if pick.random() < 0.5:
                env["SCARCE_ONCE"] = "yes"
        if "clock" in kinds:
            env["SCARCE_CLOCK"] = str(pick.randint(1, QUESTIONS))
        if "disk" in kinds:
            size = int(10 ** pick.uniform(1, 5))
        if "signal" in kinds:
            signals = sorted((pick.uniform(0, LATEST), pick.choice(SIGNALS))
                             for _ in range(pick.choice((1, 1, 2))))
        if env:
            env["LD_PRELOAD"] = SCARCE
        return env, size, signals

    def suffer(self, words, fault):
        """The run with its faults; it must end as a run may end."""
        env, size, signals = fault
        env = {**env, "TMPDIR": self.folder}

        def prepare():
            harness.default_signals()
            if size is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        process = self.start(*words, env=env, prepare=prepare)
        began = time.monotonic()
        for when, number in signals:
            time.sleep(max(0.0, began + when - time.monotonic()))
            process.send_signal(number)
        _, err = process.communicate(timeout=harness.TIMEOUT)
        self.done.append((words, env, size, signals, process.returncode, err))
        allowed = ENDS | {x for _, s in signals for x in (-s, 128 + s)}
        self.assertIn(process.returncode, allowed, self.done)
        if process.returncode in ENDS - {0}:
            self.assertIn("hiss: ", err, self.done)
        if process.returncode >= 0 and len(signals) < 2:
            self.assertFalse([name for name in os.listdir(self.folder)
                              if ".part" in name], self.done)
        for name in os.listdir(self.folder):
            if ".part" in name:
                os.remove(self.path(name))
        return process.returncode

    def rows(self, name):
        """Draws of each chain of a result, which the command can read."""
        self.good("summary", name)
        _, columns, rows = harness.rows_of(self.path(name))
        self.assertEqual(columns[:2], ["chain", "draw"])
        found = {}
        for row in rows:
            found.setdefault(row[0], []).append(row[2:])
        return found

    def has_something(self):
        """A new run replaces a result, and draws of a killed run for whose
        state the disk had no room, only with --force."""
        draws = self.path("ck.draws")
        return os.path.exists(self.path("x.csv")) or \
            os.path.exists(draws) and os.path.getsize(draws) > HEADER

    def thinning(self):
        """Of the draws that a result on a full disk keeps: one of so many.
        A later run may have left an earlier result alone."""
        found = os.stat(self.path("x.csv"))
        told = re.search(r"has one of (\d+) draws", str(self.done[-1][-1]))
        if self.stamp != (found.st_ino, found.st_mtime_ns):
            self.thin = int(told[1]) if told else 1
        self.stamp = found.st_ino, found.st_mtime_ns
        return self.thin

    def check_part(self, code, whole):
        """What a disturbed run left is all, or the first draws."""
        if not os.path.exists(self.path("x.csv")):
            self.assertNotEqual(code, 0, self.done)
            return
        part, thin = self.rows("x.csv"), self.thinning()
        self.assertEqual(part.keys(), whole.keys(), self.done)
        for chain, rows in part.items():
            self.assertEqual(rows, whole[chain][thin - 1::thin][:len(rows)],
                             self.done)
            if code == 0:
                self.assertEqual(len(rows), len(whole[chain]), self.done)

    def finish(self, words):
        """Without faults, on ranks or threads that the seed draws."""
        ranks = self.random.choice((1, 1, 1, 1, 2))
        words = [*words, "--threads", self.random.randint(1, 3)]
        if ranks == 1 or not test_ranks.MPIRUN:
            self.done.append((words, self.hiss(*words)))
        else:
            case = test_ranks.Ranks()
            case.folder = self.folder
            self.done.append((words, case.end(case.launch(ranks, *words))))
        self.assertEqual(self.done[-1][1].returncode, 0, self.done)

    def runTest(self):
        pick = self.random
        self.write("model.cnf", CLAUSES)
        model, sampler = pick.choice(MODELS)
        begin = ["sample", model, "--sampler", sampler, "--seed",
                 pick.randint(1, 1000), "--chains", pick.choice((2, 4, 17)),
                 "--samples", pick.randint(20, 200), "--warmup",
                 pick.randint(0, 50), "--thin", pick.choice((1, 40, 400)),
                 "--quiet"]
        self.good(*begin, "-o", "whole.csv", "--threads", 1)
        whole = self.rows("whole.csv")
        often = ["--checkpoint-every", pick.choice(("0.001s", "0.01s", "60s"))]
        begin += ["-o", "x.csv", "--checkpoint", "ck", *often]
        resume = ["sample", "--resume", "ck", "--quiet", "--force", *often]
        words = begin
        for _ in range(pick.randint(1, TURNS)):
            code = self.suffer([*words, "--threads", pick.randint(1, 3)],
                               self.draw_fault())
            self.check_part(code, whole)
            words = resume if os.path.exists(self.path("ck")) else \
                [*begin, "--force"] if self.has_something() else begin
        self.finish(words)
        self.check_part(0, whole)


def main():
    begin = int(sys.argv[1])
    end = int(sys.argv[2]) if len(sys.argv) > 2 else begin + 1
    failed = []
    for seed in range(begin, end):
        case = Torture()
        case.seed = seed
        result = harness.unittest.TestResult()
        case.run(result)
        for _, text in result.failures + result.errors:
            failed.append(seed)
            print(f"seed {seed}:\n{text}")
    print(json.dumps({"seeds": end - begin, "failed": failed}))
    sys.exit(len(failed) > 0)


if __name__ == "__main__":
    main()
