"""Does a sampler keep the law of a model?"""
from __future__ import annotations

from dataclasses import dataclass

from . import _arrays as arrays
from ._errors import new_error, text
from ._model import as_model
from ._native import ffi, lib
from ._progress import watched
from .samplers import as_sampler


@dataclass(frozen=True)
class Test:
    """One of the tests behind a verdict."""

    name: str
    statistic: float
    freedom: float
    p_value: float


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


def _tests(verdict):
    raw, out = ffi.new("hiss_verify_test *"), []
    while lib.hiss_verdict_test(verdict, len(out), raw):
        out.append(Test(text(raw.name), raw.statistic, raw.freedom,
                        raw.p_value))
    return tuple(out)


def verify(model, sampler, *, replicates: int = 1000000, seed: int = 1,
           threads: int = 0, progress=None) -> Verdict:
    """Draws states exactly, applies the sampler once, compares the law.

    A p-value below 1e-4 says that the sampler does not keep the law of the
    model; `moved` says whether there was anything to see.
    """
    model, sampler = as_model(model), as_sampler(sampler)
    settings = ffi.new("hiss_verify_settings *")
    lib.hiss_verify_settings_init(settings)
    settings.replicates = arrays.whole("replicates", replicates, 1, 2**40)
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
    raw = ffi.new("hiss_verify_result *")
    lib.hiss_verdict_result(verdict, raw)
    return Verdict(
        sampler.spec, raw.replicates, raw.states, raw.moved, raw.statistic,
        raw.p_value, bool(raw.is_invariant), bool(raw.claims_exact),
        bool(raw.claims_reversible), raw.reversible_p_value, text(raw.tuning),
        _tests(verdict))
