"""How often `hiss diagnose` is wrong, over runs on models with exact answers.

usage: calibrate.py [RUNS] [SEED]

Every run takes a model, a sampler and a length at random, good and bad ones
alike.  It is *right* when every marginal is within 5 Monte Carlo standard
errors of the exact one and no mode of mass > 0.05 was missed; it is *trusted*
when `hiss diagnose` exits with 0.  Of the trusted runs less than 2 % may be
wrong.

Chains that never mix have errors so large that everything is within 5 of them;
such a run is right by the letter and says nothing.  So of the right runs those
count that have at least 100 effective draws of the energy and of every
coordinate: of these more than 90 % must be trusted.  Both are measured with
exact answers, which diagnose uses where it can have them, and without
(--blind), as it is for models that are too large for them.

The environment names the program (HISS).  Exit 1 when a limit is not met.
"""
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile

HISS = os.environ.get("HISS", "hiss")
SIGMAS, MISSED, EFFECTIVE = 5.0, 0.05, 100
WRONG_MAX, TRUSTED_MIN = 0.02, 0.90

MODELS = [
    "bernoulli4",
    "ising(side=3,beta=0.3)",
    "ising(side=4,beta=0.2)",
    "ising(side=4,beta=0.4)",
    "ising(side=4,beta=0.6)",
    "ising(side=3,beta=0.8,field=0.05)",
    "pairs(d=8)",
    "pairs(d=12,coupling=3)",
    "potts(side=3,states=3,beta=0.5)",
    "potts(side=3,states=3,beta=1.2)",
    "ladder(d=5,levels=4,beta=0.3)",
    "ladder(d=6,levels=5,beta=1)",
    "mixture(k=3,d=10,seed=1)",
    "mixture(k=4,d=12,seed=5)",
]
SAMPLERS = [
    "gibbs", "metropolis", "gwg", "dmala(alpha=auto)", "dmala(alpha=0.2)",
    "hiss(eta=auto,steps=2,inner=dmala(alpha=auto))",
    "hiss(eta=4,sweeps=5,steps=2,inner=dmala(alpha=0.2))",
    "pt(base=gibbs)", "pt(base=dmala(alpha=auto))",
]
LENGTHS = [200, 500, 1000, 2000, 4000]


def hiss(*words, codes=(0,)):
    done = subprocess.run([HISS, *map(str, words)], capture_output=True,
                          text=True, check=False)
    if done.returncode not in codes:
        raise SystemExit(f"hiss {' '.join(map(str, words))}: "
                         f"exit {done.returncode}\n{done.stderr}")
    return done


def hiss_json(*words, codes=(0,)):
    return json.loads(hiss(*words, "--json", codes=codes).stdout)


def draws_of(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(l for l in file if not l.startswith("#")))
    return [[float(v) for v in row[3:]] for row in rows[1:]]


def worst_marginal(path, exact, summary):
    """Largest error of a marginal, in standard errors."""
    rows = draws_of(path)
    effective = summary["energy"]["ess_bulk"] or len(rows)
    worst = 0.0
    for i, marginal in enumerate(exact["marginals"]):
        tau = summary["coordinates"][i]["tau"]
        for value, p in zip(marginal["values"], marginal["probabilities"]):
            share = sum(row[i] == value for row in rows) / len(rows)
            error = 1 / effective
            if tau:
                error = max(error, math.sqrt(share * (1 - share) * tau /
                                             len(rows)))
            worst = max(worst, abs(share - p) / error)
    return worst


def fewest(summary):
    """Effective draws of the worst column; 0 where something is stuck."""
    columns = [summary["energy"], *summary["coordinates"]]
    if any(c["state"] == "stuck" for c in columns):
        return 0
    return min((c["ess_bulk"] for c in columns if c["ess_bulk"] is not None),
               default=0)


def missed_mode(path):
    modes = hiss_json("modes", path)["modes"]
    return max([m["exact"] or 0 for m in modes if m["mass"] == 0],
               default=0.0)


def main(runs, seed):
    choose = random.Random(seed)
    exact = {}
    counts = {}  # (is blind, is right, has draws, is trusted): runs
    odd = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.csv")
        for n in range(runs):
            model, sampler = choose.choice(MODELS), choose.choice(SAMPLERS)
            length, chains = choose.choice(LENGTHS), choose.choice((4, 4, 8))
            if model not in exact:
                exact[model] = hiss_json("exact", model)
            hiss("sample", model, "--sampler", sampler, "--samples", length,
                 "--chains", chains, "--seed", seed * 100000 + n, "-o", path,
                 "--force", "--quiet")
            summary = hiss_json("summary", path)
            sigmas = worst_marginal(path, exact[model], summary)
            missed = missed_mode(path)
            is_right = sigmas <= SIGMAS and missed <= MISSED
            has_draws = fewest(summary) >= EFFECTIVE
            for blind in (False, True):
                words = ["--blind"] if blind else []
                done = hiss("diagnose", path, *words, codes=(0, 1))
                is_trusted = done.returncode == 0
                key = (blind, is_right, has_draws, is_trusted)
                counts[key] = counts.get(key, 0) + 1
                if (is_right and has_draws and not is_trusted) or (
                        is_trusted and not is_right):
                    why = [l for l in done.stdout.splitlines()
                           if l.startswith(("failed", "doubt"))]
                    odd.append(f"{'blind' if blind else 'exact'} "
                               f"{'right' if is_right else 'WRONG'} "
                               f"{model} {sampler} {chains} x {length} seed "
                               f"{seed * 100000 + n}: {sigmas:.1f} sigma, "
                               f"missed {missed:.3f}; {'; '.join(why)[:150]}")
    print("\n".join(odd))
    return report(counts, runs)


def report(counts, runs):
    fails = False
    for blind in (False, True):
        def count(right=None, draws=None, trusted=None, blind=blind):
            wanted = (blind, right, draws, trusted)
            return sum(n for key, n in counts.items()
                       if all(w is None or w == k
                              for w, k in zip(wanted, key)))
        trusted, wrong = count(trusted=True), count(False, trusted=True)
        right = count(True, True)
        share = count(True, True, True) / max(right, 1)
        print(f"{'blind' if blind else 'with exact answers'}: {runs} runs, "
              f"{count(True)} right, {right} of them with {EFFECTIVE} "
              f"effective draws; {trusted} trusted, {wrong} of them wrong "
              f"({wrong / max(trusted, 1):.1%}); of the {right} "
              f"{share:.1%} trusted, of all {count(True)} right ones "
              f"{count(True, trusted=True) / max(count(True), 1):.1%}")
        fails |= wrong >= WRONG_MAX * max(trusted, 1)
        fails |= share <= TRUSTED_MIN
    return 1 if fails else 0


if __name__ == "__main__":
    numbers = [int(a) for a in sys.argv[1:]]
    sys.exit(main(*(numbers + [200, 1][len(numbers):])))
