"""Does a sampler keep the law of a model?"""
from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from . import _arrays as arrays
from ._errors import text
from ._kernel import Kernel
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
    change: float | None  # of the mean of that member, if it has one


@dataclass(frozen=True)
class Flow:
    """A state that gains or loses mass."""

    state: tuple[float, ...]
    p: float  # its probability by the law
    entered: float  # shares of the replicates, in `steps` steps
    left: float
    z: float
    steps: int

    def __str__(self):
        word = "gains" if self.z > 0 else "loses"
        state = " ".join(f"{x:g}" for x in self.state)
        return (f"({state}) {word} {abs(self.entered - self.left):.2g}: its "
                f"probability is {self.p:.4g}, z = {self.z:+.1f}")


@dataclass(frozen=True)
class Verdict:
    """What verify() found."""

    sampler: str | None
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
    detectable: float  # sd of U: a bias of this size is detected
    period: int  # of the sampler's cycle
    phases: int  # of it at which replicates began
    steps: int  # in a row, made by chains with common clocks
    chains: int
    clocks: int
    reason: str | None  # why it is broken or undecided
    flows: tuple[Flow, ...]  # states that gain or lose, the surest first
    kernel: str | None  # name of a function of your own
    calls: int  # of it
    singles: int  # states that it moved one at a time
    memory: bool  # what it keeps between calls breaks the law
    transitions_p_value: float | None  # against those of `sampler`
    transitions_gap: str | None  # where they differ most
    device: str | None  # that made the sampler's steps

    def __str__(self):
        what = f"kernel {self.kernel}" if self.kernel else self.sampler
        steps = "one step" if self.worst.steps == 1 else \
            f"{self.worst.steps} steps"
        lines = [f"{what}: the law is {self.verdict}, p = {self.p_value:.3g}" +
                 (f" by {self.worst.name}, {steps}"
                  if self.verdict == "broken" else "")]
        lines.append(f"{self.moved:.4f} of {self.replicates} states moved; "
                     f"a mean of U that is off by {self.detectable:.2g} sd "
                     f"would have been found")
        lines.append(f"reversible: p = {self.reversible_p_value:.3g}")
        if self.transitions_p_value is not None:
            lines.append(f"transitions of {self.sampler}: p = "
                         f"{self.transitions_p_value:.3g}, furthest apart "
                         f"{self.transitions_gap}")
        if self.reason:
            lines.append(f"why: {self.reason}")
        return "\n".join(lines + [f"    {flow}" for flow in self.flows[:8]])


def _tests(verdict):
    raw, out = struct("hiss_verify_test"), []
    while lib.hiss_verdict_test(verdict, len(out), raw):
        out.append(Test(text(raw.name), raw.statistic, raw.freedom,
                        raw.p_value, raw.steps, raw.members,
                        text(raw.worst),
                        None if isnan(raw.change) else raw.change))
    return tuple(out)


def _flows(verdict, dim):
    raw, out = struct("hiss_verify_flow"), []
    while lib.hiss_verdict_flow(verdict, len(out), raw):
        out.append(Flow(tuple(ffi.unpack(raw.values, dim)), raw.p, raw.entered, raw.left, raw.z,
                        raw.steps))
    return tuple(out)


def verify(model, sampler=None, *, kernel=None, framework: str = "numpy",
           replicates: int = 1000000, steps: int = 0, seed: int = 1,
           threads: int = 0, batch: int = 0, calls: int = 40000,
           device: str | None = None, progress=None) -> Verdict:
    """Draws states exactly, applies the sampler, compares the law.

    Once to each state; then `steps` times in a row (0: 4 to 64) to chains
    that share their random choices as the chains of a run do.  A p-value
    below 1e-4 says that the sampler does not keep the law of the model.
    `invariant` is true where the verdict is "kept"; it is "undecided" where
    too little moved to decide.

    kernel: a function of your own instead.  It takes states as an array (n,
        dim) of their values, and a numpy Generator (a second argument called
        `seed` gets a whole number, one called `key` a key of JAX; a function
        of one argument has random numbers of its own), and returns where they
        go, (n, dim).  Every row is a chain of its own.  It is called with
        `batch` states at most (0: a sixteenth of the replicates, and
        65536), and `calls` times with one.
        An exception that it raises is raised here.
    framework: "numpy", "torch" or "jax": what its states, and its generator,
        are.
    sampler: beside a kernel, the one that it claims to be: the transitions of
        one step are compared.
    device: who makes the sampler's steps, as in `sample`: the one that is
        certified.
    """
    model = as_model(model)
    if kernel is None and sampler is None:
        raise TypeError("verify() needs a sampler, or a kernel")
    sampler = None if sampler is None else as_sampler(sampler)
    if kernel is not None:
        kernel = Kernel(kernel, model.kinds, framework)
    settings = new_settings("hiss_verify_settings")
    settings.replicates = arrays.whole("replicates", replicates, 1, 2**40)
    settings.steps = arrays.whole("steps", steps, 0, 2**16)
    settings.seed = arrays.whole("seed", seed, 0, 2**64 - 1)
    settings.threads = arrays.whole("threads", threads, 0, 1024)
    settings.batch = arrays.whole("batch", batch, 0, 2**31)
    settings.calls = arrays.whole("calls", calls, 0, 10**8)
    where = ffi.new("char[]", arrays.words("device", device or "cpu"))
    settings.device = where
    verdict = _judged(model, sampler, kernel, settings, progress)
    return _read(verdict, model, sampler, kernel)


def _judged(model, sampler, kernel, settings, progress):
    out, error = ffi.new("hiss_verdict **"), model._error()
    status = lib.HISS_OK
    own, kept = (None, None) if kernel is None else kernel.as_c()

    def call():
        nonlocal status
        if own is None:
            status = lib.hiss_verify(out, model._c, sampler._c, settings,
                                     error)
        else:
            same = ffi.NULL if sampler is None else sampler._c
            status = lib.hiss_verify_kernel(out, model._c, own, same,
                                            settings, error)

    try:
        watch = watched(call, settings, progress, "verifying")
    except BaseException:
        lib.hiss_verdict_destroy(out[0])
        raise
    verdict = ffi.gc(out[0], lib.hiss_verdict_destroy)
    del kept
    if kernel is not None and kernel.fault is not None:
        raise kernel.fault
    if watch.asked_to_stop:
        raise KeyboardInterrupt
    model._check(status, error)
    return verdict


def _read(verdict, model, sampler, kernel):
    raw = struct("hiss_verify_result")
    lib.hiss_verdict_result(verdict, raw)
    tests = _tests(verdict)
    verdicts = {lib.HISS_BROKEN: "broken", lib.HISS_KEPT: "kept",
                lib.HISS_UNDECIDED: "undecided"}
    has_twin = kernel is not None and sampler is not None
    return Verdict(
        None if sampler is None else sampler.spec, raw.replicates, raw.states,
        raw.moved, raw.statistic, raw.p_value, bool(raw.is_invariant),
        bool(raw.claims_exact), bool(raw.claims_reversible),
        raw.reversible_p_value, text(raw.tuning), tests,
        verdicts[raw.verdict], tests[raw.worst], raw.bias, raw.bias_error,
        raw.detectable, raw.period, raw.phases, raw.steps, raw.chains,
        raw.clocks, text(lib.hiss_verdict_reason(verdict)),
        _flows(verdict, model.dim), None if kernel is None else kernel.name,
        raw.calls, raw.singles, bool(raw.has_memory),
        raw.twin_p_value if has_twin else None,
        text(raw.twin_gap) if has_twin else None, text(raw.device))
