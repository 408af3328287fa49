"""How often `hiss diagnose` is wrong, over runs on models with known truth.

usage: calibrate.py [--runs N] [--seed S] [--shard K/N] [--out FILE]
       calibrate.py --report FILE ...

A run takes a model (models.py), a sampler and a length at random, good and bad
ones alike.  It is *wrong* when a marginal, mean U or the share of a mode is off
by more than 4 of its stated errors and by more than 0.02, else *right*; it is
*trusted* when `hiss diagnose` exits with 0.  Its effective draws are those by
the known mean: batch means of U and of every indicator about what they should
be, so that chains that all miss a mode have few.

With the truth at hand no run may be trusted and wrong, without (--blind) 2 of
1000; and of the right ones with 400 effective draws, by a sampler that is
exact, 95 % must be trusted.  Tours are not searched for modes: without the
truth they are consistent at best, and are not among these.

Results are appended to FILE, a line of JSON each, and runs that are there are
not repeated: a run that was stopped goes on, and shards, which may run side by
side, each with a file of their own, are reported together.  The environment
names the program (HISS).  Exit 1 when a limit is not met.
"""
import argparse
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile

import models

HISS = os.environ.get("HISS", "hiss")
SIGMAS, OFF, EFFECTIVE, BATCHES = 4.0, 0.02, 400, 4
BLIND_MAX, TRUSTED_MIN = 2 / 1000, 0.95
LENGTHS = (None, None, 300, 100)  # None: the default, 1000

SAMPLERS = [
    "auto", "auto", "auto", "hiss", "dmala", "dmala(alpha=0.2)", "gwg", "acs",
    "gibbs", "metropolis", "blocks", "cluster", "sequence(gibbs,cluster)",
    "bridge", "sequence(gibbs,bridge)", "pt", "pt(base=gibbs,levels=auto)",
    "hiss(eta=4,sweeps=5)", "hiss(tune=jump,block=auto)", "dula",
    "mix(gibbs,gwg)",
]
TOUR_SAMPLERS = ["auto", "auto", "tour", "hiss", "pt", "mix(tour,hiss)",
                 "pt(base=tour,levels=auto)"]


def hiss(*words, codes=(0,)):
    done = subprocess.run([HISS, *map(str, words)], capture_output=True,
                          text=True, check=False)
    if done.returncode not in codes:
        raise RuntimeError(f"hiss {' '.join(map(str, words))}: "
                           f"exit {done.returncode}\n{done.stderr}")
    return done


def hiss_json(*words, codes=(0,)):
    return json.loads(hiss(*words, "--json", codes=codes).stdout)


def draws_of(path):
    """[chain][draw] = (U, state)"""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(l for l in file if not l.startswith("#")))
    lp, chain = rows[0].index("lp"), rows[0].index("chain")
    first = rows[0].index("x.1")
    out = {}
    for row in rows[1:]:
        out.setdefault(row[chain], []).append(
            (float(row[lp]), [float(v) for v in row[first:]]))
    return list(out.values())


def summary_of(path, exact):
    """What `hiss summary` states, with an indicator of every value of a
    coordinate that has more than two."""
    places = [(i, value) for i, m in enumerate(exact["marginals"])
              if len(m["values"]) > 2 for value in m["values"]]
    words = ["--observable", ";".join(f"x.{i + 1} == {value:g}"
                                      for i, value in places)]
    summary = hiss_json("summary", path, *(words if places else []))
    return summary, dict(zip(places, summary.get("observables") or []))


def stated(path, exact):
    """(what, estimate, stated error, truth) of all that a run says."""
    summary, indicators = summary_of(path, exact)
    energy = summary["energy"]
    out = [("U", energy["mean"], energy["mcse"], exact["mean_u"])]
    for i, m in enumerate(exact["marginals"]):
        if len(m["values"]) == 2:
            column, (low, high) = summary["coordinates"][i], m["values"]
            out.append((f"x.{i + 1}", (column["mean"] - low) / (high - low),
                        (column["mcse"] or 0) / (high - low),
                        m["probabilities"][1]))
        else:
            for value, p in zip(m["values"], m["probabilities"]):
                column = indicators[i, value]
                out.append((f"x.{i + 1}={value:g}", column["mean"],
                            column["mcse"], p))
    for mode in hiss_json("modes", path)["modes"]:
        if mode["exact"] is not None:
            out.append((mode["name"], mode["mass"],
                        mode["mcse"] if mode["mass"] else 0, mode["exact"]))
    return out


def effective(chains, exact):
    """The fewest effective draws by the known mean, of U and of indicators of
    values, by batch means."""
    def ess(column, mean, variance):
        batches = []
        for chain in column:
            size = len(chain) // BATCHES
            batches += [sum(chain[b * size:(b + 1) * size]) / size - mean
                        for b in range(BATCHES)]
        spread = sum(b * b for b in batches) / len(batches)
        return len(batches) * variance / spread if spread > 0 else math.inf

    lp = [[u for u, _ in chain] for chain in chains]
    count, mean = sum(map(len, lp)), exact["mean_u"]
    fewest = ess(lp, mean, sum((u - mean) ** 2 for c in lp for u in c) / count)
    for i, m in enumerate(exact["marginals"]):
        for value, p in list(zip(m["values"], m["probabilities"]))[1:]:
            if p * (1 - p) > 1e-3:
                hits = [[x[i] == value for _, x in chain] for chain in chains]
                fewest = min(fewest, ess(hits, p, p * (1 - p)))
    return min(fewest, count)


def verdict(path, *words):
    found = hiss_json("diagnose", path, *words, codes=(0, 1, 4))
    why = [f"{f['outcome']} {f['name']}: {f['text']}" for f in found["findings"]
           if f["outcome"] in ("failed", "doubt")]
    return found["trusted"], why


def one(n, seed, listed, exact, path):
    rng = random.Random(f"{seed} run {n}")
    family, name, spec = rng.choice(listed)
    sampler = rng.choice(TOUR_SAMPLERS if family == "tour" else SAMPLERS)
    length = rng.choice(LENGTHS)
    out = {"n": n, "family": family, "model": name, "sampler": sampler,
           "length": length or 1000}
    words = ["--samples", length] if length else []
    done = hiss("sample", spec, "--sampler", sampler, "--seed", n + 1,
                "--chains", 4, *words, "-o", path, "--force", "--quiet",
                codes=range(256))
    if done.returncode:
        return dict(out, refused=done.stderr.strip()[:200])
    if spec not in exact:
        exact[spec] = hiss_json("exact", spec, "--top", 0)
    chains = draws_of(path)
    said = stated(path, exact[spec])
    off = [(what, est, se or 0, truth) for what, est, se, truth in said
           if abs(est - truth) > OFF and abs(est - truth) > SIGMAS * (se or 0)]
    out["wrong"] = [f"{w}: {e:.4g} +- {s:.2g}, true {t:.4g}"
                    for w, e, s, t in off][:5]
    out["ess"] = round(effective(chains, exact[spec]), 1)
    out["exact"], out["why"] = verdict(path)
    out["blind"], out["why_blind"] = verdict(path, "--blind")
    return out


def run(arguments):
    shard, shards = map(int, arguments.shard.split("/"))
    done = {r["n"] for r in load([arguments.out])}
    exact = {}
    with tempfile.TemporaryDirectory() as folder:
        listed = models.families(arguments.seed, folder)
        path = os.path.join(folder, "x.csv")
        with open(arguments.out, "a", encoding="utf-8") as out:
            for n in range(shard - 1, arguments.runs, shards):
                if n not in done:
                    found = one(n, arguments.seed, listed, exact, path)
                    print(json.dumps(found), file=out, flush=True)


def load(paths):
    out = []
    for path in paths:
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                out += [json.loads(line) for line in file if line.strip()]
    return out


def is_exact(r):
    return r["sampler"] != "dula"


def table(runs, key):
    """Prints it; whether the limits are met."""
    groups = (
        (f"right, {EFFECTIVE} effective draws",
         lambda r: not r["wrong"] and r["ess"] >= EFFECTIVE and is_exact(r)),
        ("right, fewer, or a sampler that is not exact",
         lambda r: not r["wrong"] and not (r["ess"] >= EFFECTIVE and
                                           is_exact(r))),
        ("wrong", lambda r: bool(r["wrong"])))
    print(f"\n| {len(runs)} runs, "
          f"{'exact answers at hand' if key == 'exact' else '`--blind`'} "
          "| trusted | not trusted |\n|---|---|---|")
    for title, wanted in groups:
        chosen = [r for r in runs if wanted(r)]
        print(f"| {title} | {sum(r[key] for r in chosen)} | "
              f"{sum(not r[key] for r in chosen)} |")
    bad = sum(r[key] and bool(r["wrong"]) for r in runs)
    good = [r for r in runs if groups[0][1](r)]
    good = [r for r in good if key == "exact" or r["family"] != "tour"]
    share = sum(r[key] for r in good) / max(len(good), 1)
    print(f"\ntrusted and wrong: {bad} of {len(runs)}; right with {EFFECTIVE} "
          f"effective draws and trusted: {share:.1%}")
    return (bad <= (0 if key == "exact" else BLIND_MAX * len(runs)) and
            share >= TRUSTED_MIN)


def report(paths):
    every = sorted(load(paths), key=lambda r: r["n"])
    runs = [r for r in every if "refused" not in r]
    refused = len(every) - len(runs)
    for key, why in (("exact", "why"), ("blind", "why_blind")):
        for r in runs:
            is_odd = r[key] if r["wrong"] else (
                not r[key] and r["ess"] >= EFFECTIVE and is_exact(r))
            if is_odd:
                print(f"{key}: {'WRONG' if r['wrong'] else 'right'} run "
                      f"{r['n']}, {r['model']}, {r['sampler']} x "
                      f"{r['length']}: {'; '.join(r['wrong'] or r[why])[:230]}")
    print(f"\n{len({r['model'] for r in runs})} models, {len(runs)} runs; "
          f"{refused} more that the sampler refused")
    met = [table(runs, key) for key in ("exact", "blind")]
    return 0 if all(met) else 1


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--runs", type=int, default=2600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--out")
    parser.add_argument("--report", nargs="+")
    arguments = parser.parse_args()
    if arguments.report:
        return report(arguments.report)
    if arguments.out:
        run(arguments)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        arguments.out = os.path.join(folder, "runs")
        run(arguments)
        return report([arguments.out])


if __name__ == "__main__":
    sys.exit(main())
