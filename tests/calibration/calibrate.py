"""How often `hiss diagnose` is wrong, over runs on models with exact answers.

usage: calibrate.py [RUNS] [SEED]

Every run takes a model, a sampler and a length at random, good and bad ones
alike: built-in models with one mode and with many, and factor graphs in UAI's
format, some of them with zeros, which single-site moves may not get past.  It
is *right* when every marginal is within 5 Monte Carlo standard errors of the
exact one and no mode of mass > 0.05 was missed; it is *trusted* when `hiss
diagnose` exits with 0.  Of the trusted runs less than 2 % may be wrong.

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
LARGE = 0.05  # an error that makes a run useless

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
GRAPHS = 8  # factor graphs, beside these
SAMPLERS = [
    "auto", "auto", "gibbs", "metropolis", "gwg", "dmala(alpha=auto)", "dmala(alpha=0.2)",
    "hiss(eta=auto,steps=2,inner=dmala(alpha=auto))",
    "hiss(eta=4,sweeps=5,steps=2,inner=dmala(alpha=0.2))",
    "pt(base=gibbs)", "pt(base=dmala(alpha=auto))",
]
LENGTHS = [200, 500, 1000, 2000, 4000, 10000]


def table(rng, cells, kind):
    """Entries of a factor: smooth, rugged, or with zeros; never all zero."""
    if kind == "smooth":
        return [rng.uniform(0.5, 2) for _ in range(cells)]
    if kind == "rugged":
        return [math.exp(rng.gauss(0, 1.5)) for _ in range(cells)]
    entries = [rng.uniform(0.2, 1) if rng.random() < 0.7 else 0.0
               for _ in range(cells)]
    entries[rng.randrange(cells)] = 1.0
    return entries


def network(rng, path, kind):
    """A random network; one with zeros has every variable before those that
    depend on it, so that some state is possible."""
    n = rng.randint(6, 10)
    states = [rng.choice((2, 2, 3)) for _ in range(n)]
    scopes, tables = [], []
    for i in range(n):
        scope = rng.sample(range(i), min(i, rng.choice((1, 2)))) + [i]
        entries = []
        for _ in range(math.prod(states[j] for j in scope[:-1])):
            row = table(rng, states[i], kind)
            entries += [v / sum(row) for v in row]
        scopes.append(scope)
        tables.append(entries)
    with open(path, "w", encoding="utf-8") as file:
        print("MARKOV", n, *states, n, sep="\n", file=file)
        for scope in scopes:
            print(len(scope), *scope, file=file)
        for entries in tables:
            print(len(entries), *entries, sep="\n", file=file)
    return path


def graphs(seed, folder):
    rng = random.Random(seed)
    return [network(rng, os.path.join(folder, f"{kind}{n}.uai"), kind)
            for n in range(GRAPHS)
            for kind in [("smooth", "rugged", "zeros", "zeros")[n % 4]]]


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


def examine(path, exact):
    """What `hiss summary` says, and its columns x.I == V of the values of
    coordinates that have more than two: the order of labels means nothing, and
    neither does the autocorrelation time of their numbers."""
    places = [(i, value) for i, marginal in enumerate(exact["marginals"])
              if len(marginal["values"]) > 2 for value in marginal["values"]]
    words = ["--observable", ";".join(f"x.{i + 1} == {value:g}"
                                      for i, value in places)]
    summary = hiss_json("summary", path, *(words if places else []))
    return summary, dict(zip(places, summary.get("observables") or []))


def worst_marginal(path, exact, summary, labels):
    """Largest errors of a marginal: in standard errors, and as it is."""
    rows = draws_of(path)
    effective = summary["energy"]["ess_bulk"] or len(rows)
    worst = largest = 0.0
    for i, marginal in enumerate(exact["marginals"]):
        for value, p in zip(marginal["values"], marginal["probabilities"]):
            tau = labels.get((i, value), summary["coordinates"][i])["tau"]
            share = sum(row[i] == value for row in rows) / len(rows)
            error = 1 / effective
            if tau:
                error = max(error, math.sqrt(share * (1 - share) * tau /
                                             len(rows)))
            worst = max(worst, abs(share - p) / error)
            largest = max(largest, abs(share - p))
    return worst, largest


def fewest(summary, labels):
    """Effective draws of the worst column; 0 where something is stuck."""
    columns = [summary["energy"], *summary["coordinates"], *labels.values()]
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
    counts = {}  # (is blind, is right, has draws, is trusted, is close): runs
    odd = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.csv")
        models = MODELS + graphs(seed, folder)
        for n in range(runs):
            model, sampler = choose.choice(models), choose.choice(SAMPLERS)
            length, chains = choose.choice(LENGTHS), choose.choice((4, 4, 8))
            if model not in exact:
                exact[model] = hiss_json("exact", model)
            hiss("sample", model, "--sampler", sampler, "--samples", length,
                 "--chains", chains, "--seed", seed * 100000 + n, "-o", path,
                 "--force", "--quiet")
            summary, labels = examine(path, exact[model])
            sigmas, largest = worst_marginal(path, exact[model], summary,
                                             labels)
            missed = missed_mode(path)
            is_right = sigmas <= SIGMAS and missed <= MISSED
            has_draws = fewest(summary, labels) >= EFFECTIVE
            for blind in (False, True):
                words = ["--blind"] if blind else []
                done = hiss("diagnose", path, *words, codes=(0, 1))
                is_trusted = done.returncode == 0
                key = (blind, is_right, has_draws, is_trusted,
                       largest <= LARGE)
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
        def count(right=None, draws=None, trusted=None, close=None,
                  blind=blind):
            wanted = (blind, right, draws, trusted, close)
            return sum(n for key, n in counts.items()
                       if all(w is None or w == k
                              for w, k in zip(wanted, key)))
        trusted, wrong = count(trusted=True), count(False, trusted=True)
        right = count(True, True)
        share = count(True, True, True) / max(right, 1)
        print(f"\n{runs} runs, {'blind' if blind else 'with exact answers'}"
              f"\n{'':36}trusted  not trusted")
        for title, key in ((f"right, {EFFECTIVE} effective draws",
                            (True, True)),
                           ("right by the letter, fewer", (True, False)),
                           ("wrong", (False, None))):
            print(f"{title:36}{count(*key, True):7}{count(*key, False):13}")
        print(f"wrong among the trusted: {wrong} of {trusted} "
              f"({wrong / max(trusted, 1):.1%}); trusted among the right with "
              f"{EFFECTIVE} effective draws: {share:.1%}, among the right "
              f"without a marginal off by {LARGE}: "
              f"{count(True, trusted=True, close=True)} of "
              f"{count(True, close=True)}, among all that are right: "
              f"{count(True, trusted=True)} of {count(True)}")
        fails |= wrong >= WRONG_MAX * max(trusted, 1)
        fails |= share <= TRUSTED_MIN
    return 1 if fails else 0


if __name__ == "__main__":
    numbers = [int(a) for a in sys.argv[1:]]
    sys.exit(main(*(numbers + [200, 1][len(numbers):])))
