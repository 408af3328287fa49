"""Every network that pgmpy ships, by hiss and by pyAgrum."""
import glob
import gzip
import importlib.util
import json
import os
import sys

from common import OUT, Figure, claim, cpu, hiss, skip

LIMIT, MEMORY = 60, 6 << 30  # processor seconds, bytes: of each network
PYAGRUM = f"""
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
resource.setrlimit(resource.RLIMIT_CPU, ({LIMIT}, {LIMIT}))
import pyagrum
net = pyagrum.loadBN(sys.argv[1])
answer = pyagrum.LazyPropagation(net)
answer.setNumberOfThreads(1)
answer.makeInference()
print(json.dumps({{n: answer.posterior(n).tolist() for n in net.names()}}))
"""


def by_pyagrum(path):
    """(marginals or None, processor seconds, why it has none)."""
    done, spent = cpu(sys.executable, "-c", PYAGRUM, path)
    if done.returncode == 0:
        return json.loads(done.stdout), spent, ""
    if "bad_alloc" in done.stderr or "MemoryError" in done.stderr:
        return None, spent, f"no answer in {MEMORY >> 30} GiB"
    if done.returncode < 0:
        return None, spent, f"no answer in {LIMIT} s"
    return None, spent, "the file is refused"


def compare(path):
    name = os.path.basename(path)[:-len(".bif.gz")]
    plain = OUT / f"{name}.bif"
    with gzip.open(path) as packed:
        plain.write_bytes(packed.read())
    ours, spent = hiss("exact", path, "--top", 0)
    theirs, theirs_spent, why = by_pyagrum(str(plain))
    gap = None if theirs is None else max(
        abs(a - b) for m in ours["marginals"]
        for a, b in zip(m["probabilities"], theirs[m["name"]]))
    print(f"{name:11} {ours['dim']:9} {abs(ours['log_z']):9.6f} {spent:8.2f} s "
          + (f"{theirs_spent:8.2f} s    {gap:.0e}" if theirs else f"  {why}"),
          flush=True)
    return name, ours, spent, theirs_spent, gap


def draw(rows):
    rows = sorted(rows, key=lambda row: row[2])
    figure = Figure("All marginals of 24 Bayes nets", (-0.5, len(rows) - 0.5),
                    (0.005, 100), "", "processor seconds, one thread", "y",
                    xticks=[row[0] for row in rows], height=370, below=85)
    for number, part in enumerate((2, 3)):
        figure.points(*zip(*((k, max(row[part], 0.005))
                             for k, row in enumerate(rows)
                             if part == 2 or row[4] is not None)), number)
    figure.legend("hiss", "pyAgrum, if it answers")
    figure.save("bayes.svg")


def main():
    home = importlib.util.find_spec("pgmpy")
    if not home or not importlib.util.find_spec("pyagrum"):
        skip("pgmpy or pyagrum is not installed")
    files = sorted(glob.glob(os.path.join(os.path.dirname(home.origin),
                                          "**", "*.bif.gz"), recursive=True))
    print("network     variables     log Z       hiss     pyAgrum  difference")
    rows = [compare(path) for path in files]
    draw(rows)
    claim(len(rows) == 24 and all(abs(r[1]["log_z"]) < 1e-5 for r in rows),
          "24 of 24 networks have log Z = 0 to 1e-5")
    claim(all(r[4] is None or r[4] < 1e-6 for r in rows),
          "marginals equal pyAgrum's to 1e-6 wherever it answers")
    claim(all(r[2] < 15 for r in rows), "hiss needs at most 15 s for each")


if __name__ == "__main__":
    main()
