"""Runs of ten seconds and more, killed at random moments and resumed.

usage: kill.py [KILLS] [SEED]

For every kind of sampler, runs are killed with SIGKILL, in their warm-up and
after it, some of them twice, and go on from their checkpoints.  Draws,
marginals, counts, acceptance and tuning must be those of the run that nobody
killed, to the last bit.  KILLS (20) is over all kinds; exit 1 when one of them
is not so.

The environment names the program (HISS).
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

HISS = os.environ.get("HISS", "hiss")
SECONDS = 10.0  # of an uninterrupted run, at least
LATEST = 0.8    # of that: when a run is killed
KINDS = (
    ("ising(side=24,beta=0.4407)", "pt(base=dmala(alpha=auto),levels=4)"),
    ("ising(side=24,beta=0.4407)", "hiss(eta=auto,steps=2,inner=gwg)"),
    ("ising(side=24,beta=0.4407)", "acs"),
    ("ising(side=24,beta=0.4407)", "mix(acs,gibbs)"),
    ("mixture(k=4,d=40,seed=3)", "auto"),
    ("graph.txt", "auto"),
)
SAME = ("samples", "warmup", "thin", "evals", "accept", "tuning", "levels",
        "tempering", "resolved", "pilot", "ended")


def graph(path):
    """A random graph with weights, in the format of MaxCut files."""
    rng = random.Random(5)
    edges = [(i, j, rng.choice((-1, 1))) for i in range(1, 61)
             for j in range(i + 1, 61) if rng.random() < 0.1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"60 {len(edges)}\n")
        file.writelines(f"{i} {j} {w}\n" for i, j, w in edges)


def result(stem):
    """All that must be the same: draws, marginals and what was counted."""
    with open(stem + ".csv", encoding="utf-8") as file:
        lines = file.read().splitlines()
    with open(stem + ".MAR", encoding="utf-8") as file:
        marginals = file.read()
    mark = "# manifest: "
    told = json.loads(next(l for l in lines if l.startswith(mark))[len(mark):])
    return ([l for l in lines if not l.startswith("#")], marginals,
            {key: told.get(key) for key in SAME})


def hiss(*words):
    subprocess.run([HISS, *map(str, words), "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)


def whole_run(model, sampler, stem):
    """(words, seconds) of a run that takes long enough."""
    thin = 8
    while True:
        words = ["sample", model, "--sampler", sampler, "--chains", 18,
                 "--samples", 200, "--warmup", 150 * thin, "--thin", thin]
        start = time.time()
        hiss(*words, "-o", stem + ".csv", "--mar", stem + ".MAR", "--force")
        took = time.time() - start
        if took >= SECONDS:
            return words, took
        thin = int(thin * min(16, max(1.3, 1.2 * SECONDS / took)))


def killed(words, after):
    """Starts a run and kills it; False when it was over before."""
    process = subprocess.Popen([HISS, *map(str, words), "--quiet"],
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
    return process.returncode == -signal.SIGKILL


def kill_and_resume(words, took, stem, rng):
    """Moments of the kills, or None when the run was over before."""
    check = stem + ".ck"
    moment = rng.uniform(0, LATEST) * took
    moments = [moment]
    if not killed([*words, "-o", stem + ".csv", "--mar", stem + ".MAR",
                   "--checkpoint", check, "--checkpoint-every", "0.2s"],
                  moment):
        return None
    if not os.path.exists(check):  # before the first one: nothing to resume
        hiss(*words, "-o", stem + ".csv", "--mar", stem + ".MAR")
        return moments
    if rng.random() < 0.5:
        moments.append(rng.uniform(0, took - moment))
        if not killed(["sample", "--resume", check], moments[-1]):
            moments.pop()
    if not os.path.exists(stem + ".MAR"):
        hiss("sample", "--resume", check, "--force")
    return moments


def main(kills, seed):
    rng = random.Random(seed)
    bad = done = 0
    with tempfile.TemporaryDirectory(prefix="hiss-kill-") as folder:
        os.chdir(folder)
        graph("graph.txt")
        for number, (model, sampler) in enumerate(KINDS):
            words, took = whole_run(model, sampler, "whole")
            whole = result("whole")
            share = (number + 1) * kills // len(KINDS)
            late = 0
            while done < share and late < 20:
                stem = f"part{done}{'x' * late}"
                moments = kill_and_resume(words, took, stem, rng)
                if moments is None:  # the machine was busier before
                    late += 1
                    took /= 2
                    continue
                done += 1
                is_same = result(stem) == whole
                bad += not is_same
                print(f"{sampler} on {model}, {took:.1f} s, killed after "
                      f"{', '.join(f'{m:.2f}' for m in moments)} s: "
                      f"{'the same' if is_same else 'DIFFERENT'}", flush=True)
    print(f"{done - bad} of {done} resumed bit for bit")
    return 1 if bad or done < kills else 0


if __name__ == "__main__":
    numbers = [int(a) for a in sys.argv[1:]]
    sys.exit(main(*(numbers + [20, 1][len(numbers):])))
