"""Ten thousand calls of each kind leave nothing behind.

Counted are the bytes that malloc has handed out, which are those of C, and the
blocks of Python's own allocator: a leak of one allocation per call is ten
thousand times as much as what is allowed.
"""
import ctypes
import gc
import sys

import numpy as np
import pytest

import hiss

CALLS = 10000
BYTES = 4 * CALLS  # malloc has no piece smaller than 24
BLOCKS = CALLS // 10


class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
        "uordblks", "fordblks", "keepcost")]


def in_use():
    """(bytes of malloc, blocks of Python)."""
    gc.collect()
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Mallinfo
    told = mallinfo()
    return told.uordblks + told.hblkhd, sys.getallocatedblocks()


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


def race():
    hiss.compare(MODEL, [SAMPLER, "metropolis"], samples=8, chains=1,
                 repetitions=2, threads=1, progress=False)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"),
                    reason="this C library has no mallinfo2")
@pytest.mark.parametrize("call,calls", [
    (draw, CALLS), (fail, CALLS), (call_back, CALLS), (build, CALLS),
    (ask, CALLS), (race, CALLS // 10)])
def test_nothing_is_left_behind(call, calls):
    for _ in range(calls // 10):
        call()
    before = in_use()
    for _ in range(calls):
        call()
    left = np.subtract(in_use(), before)
    print(f"{call.__name__}: {left[0]} bytes, {left[1]} blocks "
          f"after {calls} calls")
    assert left[0] < BYTES * calls // CALLS
    assert left[1] < BLOCKS
