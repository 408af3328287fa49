"""A large sparse model costs what it costs the command.

Wall time on a busy machine says little, so this runs only with HISS_SPEED=1.
"""
import json
import os
import time

import numpy as np
import pytest

import hiss

sparse = pytest.importorskip("scipy.sparse")
SPINS, DEGREE, RATIO = 10000, 6, 0.95


@pytest.mark.skipif(not os.environ.get("HISS_SPEED"),
                    reason="HISS_SPEED is not set")
def test_ten_thousand_spins(command, tmp_path, rng):
    i = np.repeat(np.arange(SPINS), DEGREE // 2)
    j = rng.integers(0, SPINS, len(i))
    keep = i != j
    J = sparse.coo_matrix((rng.normal(size=keep.sum()),
                           (i[keep], j[keep])), shape=(SPINS, SPINS)).tocsr()
    J = (J + J.T) / 2
    upper = sparse.triu(J, 1).tocoo()
    file = tmp_path / "glass.coo"
    with open(file, "w", encoding="ascii") as out:
        out.write("# vartype=SPIN\n")
        for a, b, w in zip(upper.row, upper.col, upper.data):
            out.write(f"{a} {b} {-w:.17g}\n")
    model = hiss.ising(J)
    ours, theirs = [], []
    for _ in range(3):
        started = time.perf_counter()
        run = hiss.sample(model, "gibbs", chains=16, samples=200, threads=1)
        ours.append(time.perf_counter() - started)
        told = json.loads(command(
            "sample", file, "--sampler", "gibbs", "--chains", 16, "--samples",
            200, "--threads", 1, "--json", "--quiet"))
        theirs.append(told["seconds"])
    print(f"Python {min(ours):.3f} s in all, {run.info.seconds:.3f} s in C; "
          f"the command {min(theirs):.3f} s of sampling")
    assert min(theirs) >= RATIO * min(ours)
