"""A large sparse model costs what it costs the command.

Processor time of the draws alone: what a short run costs is taken off a long
one, so that start-up and reading the file do not count for either.  A busy
machine still disturbs it, so this runs only with HISS_SPEED=1.
"""
import os
import resource
import time

import numpy as np
import pytest

import hiss

sparse = pytest.importorskip("scipy.sparse")
SPINS, DEGREE, RATIO = 10000, 6, 0.95
SHORT, LONG, TRIES = 100, 1600, 5


def spent_by_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.fixture
def glass(rng, tmp_path):
    """Couplings, and the same model as a file."""
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
    return J, file


@pytest.mark.skipif(not os.environ.get("HISS_SPEED"),
                    reason="HISS_SPEED is not set")
@pytest.mark.parametrize("sampler", ["gibbs", "dmala(alpha=0.4)"])
def test_ten_thousand_spins(command, glass, sampler):
    J, file = glass
    model = hiss.ising(J)

    def ours(steps):
        began = time.process_time()
        hiss.sample(model, sampler, chains=16, samples=10, thin=steps // 10,
                    warmup=0, threads=1, progress=False)
        return time.process_time() - began

    def theirs(steps):
        began = spent_by_children()
        command("sample", file, "--sampler", sampler, "--chains", 16,
                "--samples", 10, "--thin", steps // 10, "--warmup", 0,
                "--threads", 1, "--json", "--quiet")
        return spent_by_children() - began

    pairs = [(ours(LONG) - ours(SHORT), theirs(LONG) - theirs(SHORT))
             for _ in range(TRIES)]
    mine, other = (min(times) for times in zip(*pairs))
    print(f"\n{sampler}: Python {mine:.3f} s, the command {other:.3f} s, "
          f"speed {other / mine:.3f}; pairs "
          + " ".join(f"{b / a:.3f}" for a, b in pairs))
    assert other >= RATIO * mine
