"""Ten thousand calls of each kind leave nothing behind."""
import gc
import resource

import numpy as np
import pytest

import hiss

CALLS = 10000
ALLOWED = 3 << 20  # bytes in CALLS calls: less than one word per call leaks


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


J = np.ones((5, 5)) - np.eye(5)
MODEL = hiss.ising(J)
FUNCTION = hiss.from_function(lambda x: x.sum(1), 3)
SAMPLER = hiss.Gibbs()
RUN = hiss.sample("bernoulli4", samples=4)


def draw():
    run = hiss.sample(MODEL, SAMPLER, chains=1, samples=2, warmup=0,
                      threads=1, progress=False)
    return run.draws, run.lp, run.acceptance


def fail():
    with pytest.raises(ValueError):
        hiss.ising(J * np.nan)
    with pytest.raises(ValueError):
        hiss.Sampler("dmla")


def call_back():
    hiss.sample(FUNCTION, "metropolis", chains=1, samples=1, warmup=0,
                threads=1, progress=False)


def build():
    hiss.ising(J, np.ones(5))
    hiss.qubo(J)
    hiss.factors([2, 2], [((0, 1), np.zeros((2, 2)))])
    hiss.from_function(len, 3)
    hiss.HiSS(eta=4, inner=hiss.DMALA(alpha=0.2))


def ask():
    RUN.manifest
    RUN.energy()
    RUN.best()
    RUN.marginal(0)


@pytest.mark.parametrize("call", [draw, fail, call_back, build, ask])
def test_nothing_is_left_behind(call):
    for _ in range(CALLS // 10):
        call()
    gc.collect()
    before = resident()
    for _ in range(CALLS):
        call()
    gc.collect()
    assert resident() - before < ALLOWED
