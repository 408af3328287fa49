"""Does a sampler keep the law of a model?"""
from __future__ import annotations

from dataclasses import dataclass

from . import _arrays as arrays
from ._errors import new_error, text
from ._model import as_model
from ._native import ffi, lib
from ._progress import watched
from ._structs import new_settings, struct
from .samplers import as_sampler


@dataclass(frozen=True)
class Test:
    """One of the tests behind a verdict, or the worst of a family."""

    name: str
    statistic: float  # a chi-square, or a z where freedom is 0
    freedom: float
    p_value: float  # of the worst member, times their number
    steps: int  # in a row, between before and after
    members: int
    worst: str  # which member, "x.3 = 1"; "" for a test by itself


@dataclass(frozen=True)
class Verdict:
    """What verify() found."""

    sampler: str
    replicates: int
    states: float
    moved: float  # share of the replicates that left their state
    statistic: float
    p_value: float
    invariant: bool
    claims_exact: bool
    claims_reversible: bool
    reversible_p_value: float
    tuning: str | None
    tests: tuple[Test, ...]
    verdict: str  # "kept", "broken" or "undecided"
    worst: Test  # the test with the smallest p-value
    bias: float  # of the mean of U by one step, in its sd
    bias_error: float
    detectable: float  # sd of U: a sampler that settles so far off is found
    period: int  # of the sampler's cycle
    phases: int  # of it at which replicates began
    steps: int  # in a row, made by chains with common clocks
    chains: int
    clocks: int


def _tests(verdict):
    raw, out = struct("hiss_verify_test"), []
    while lib.hiss_verdict_test(verdict, len(out), raw):
        out.append(Test(text(raw.name), raw.statistic, raw.freedom,
                        raw.p_value, raw.steps, raw.members,
                        text(raw.worst)))
    return tuple(out)


def verify(model, sampler, *, replicates: int = 1000000, steps: int = 0,
           seed: int = 1, threads: int = 0, progress=None) -> Verdict:
    """Draws states exactly, applies the sampler, compares the law.

    Once to each state; then `steps` times in a row (0: 4 to 64) to chains
    that share their random choices as the chains of a run do.  A p-value
    below 1e-4 says that the sampler does not keep the law of the model.
    `invariant` is true where the verdict is "kept"; it is "undecided" where
    too little moved to decide.
    """
    model, sampler = as_model(model), as_sampler(sampler)
    settings = new_settings("hiss_verify_settings")
    settings.replicates = arrays.whole("replicates", replicates, 1, 2**40)
    settings.steps = arrays.whole("steps", steps, 0, 2**16)
    settings.seed = arrays.whole("seed", seed, 0, 2**64 - 1)
    settings.threads = arrays.whole("threads", threads, 0, 1024)
    out, error = ffi.new("hiss_verdict **"), new_error()
    status = lib.HISS_OK

    def call():
        nonlocal status
        status = lib.hiss_verify(out, model._c, sampler._c, settings, error)

    try:
        watch = watched(call, settings, progress, "verifying")
    except BaseException:
        lib.hiss_verdict_destroy(out[0])
        raise
    verdict = ffi.gc(out[0], lib.hiss_verdict_destroy)
    if watch.asked_to_stop:
        raise KeyboardInterrupt
    model._check(status, error)
    raw = struct("hiss_verify_result")
    lib.hiss_verdict_result(verdict, raw)
    tests = _tests(verdict)
    verdicts = {lib.HISS_BROKEN: "broken", lib.HISS_KEPT: "kept",
                lib.HISS_UNDECIDED: "undecided"}
    return Verdict(
        sampler.spec, raw.replicates, raw.states, raw.moved, raw.statistic,
        raw.p_value, bool(raw.is_invariant), bool(raw.claims_exact),
        bool(raw.claims_reversible), raw.reversible_p_value, text(raw.tuning),
        tests, verdicts[raw.verdict], tests[raw.worst], raw.bias,
        raw.bias_error, raw.detectable, raw.period, raw.phases, raw.steps,
        raw.chains, raw.clocks)
