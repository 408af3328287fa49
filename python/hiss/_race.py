"""One sampler of a race: repetitions at a fixed cost, and what came of them.

One run has repetitions x chains chains, of which each block of `chains` is a
repetition.  The definitions, and the figures of a seed, are those of
`hiss compare`.
"""
from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

import numpy as np

from . import _arrays as arrays
from ._errors import StoppedError, check, new_error
from ._exact import solve
from ._native import ffi, lib
from ._run import run_with
from ._structs import new_settings, struct
from .samplers import Sampler, as_sampler

POINTS = 8  # of a curve: shares 1/128 ... 1 of the draws
DRAWS_MAX = 65536  # kept per chain, then thinned
THIN_MAX = 10**9
STATES_MAX = 65536  # up to so many, all are compared with the law
# hiss_exact_quick: no answer, and no failure
TOO_LARGE = (lib.HISS_ESTOP, lib.HISS_ELIMIT, lib.HISS_ENOMEM)
COLUMNS_MIN, COLUMNS_MAX = 8, 64
VALUES_MAX = 2e7  # in columns whose ESS is computed
DRAWS_MIN = 8


@dataclass
class Settings:
    """What is the same for all samplers of a race."""

    chains: int
    repetitions: int
    budgets: dict[str, float]  # evals, time, samples: those that are given
    warmup: int  # -1: the usual one
    seed: int
    threads: int


@dataclass
class Racer:
    word: str  # as it was given
    sampler: Sampler
    thin: int  # steps per draw
    budget: str = ""
    is_exact: bool = False
    evals: float = math.nan  # of a repetition
    seconds: float = math.nan
    draws: int = 0  # kept per chain
    # by repetition; NaN where the law is not known
    error: np.ndarray = field(default_factory=lambda: np.zeros(0))
    cover: np.ndarray = field(default_factory=lambda: np.zeros(0))
    ess: np.ndarray = field(default_factory=lambda: np.zeros(0))
    # evaluations, mean error and its standard error, [POINTS] each
    curve: list[tuple[float, float, float]] = field(default_factory=list)


def entrant(value) -> Racer:
    """Behind a sampler, a spec, or as in ``"10*gibbs"`` a spec and the steps
    per draw."""
    word, thin = str(value), 1
    if isinstance(value, str):
        found = re.match(r"\s*([0-9]+)[ \t]*\*[ \t]*(.*)", value, re.DOTALL)
        if found:
            thin = arrays.whole("samplers: steps per draw", int(found[1]), 1,
                                THIN_MAX)
            value = found[2]
        word = word.strip()
    return Racer(word, as_sampler(value), thin)


class Law:
    """How far draws are from a law that is known exactly.

    The probability of a state that was drawn is exp(U - log Z), and the states
    that were not drawn have the rest of the mass:
        TVD = 1/2 [ sum_seen |f - p| + 1 - sum_seen p ].
    """

    def __init__(self, model, threads):
        found, status, error = solve(model, threads, is_quick=True)
        if status not in TOO_LARGE:
            model._check(status, error)
        self.is_known = found != ffi.NULL
        self._c = ffi.gc(found, lib.hiss_exact_destroy)
        counts = model.states.astype(float)
        if set(model.kinds) == {"permutation"}:
            counts = np.arange(1.0, model.dim + 1)
        self.states = float(np.prod(counts))
        self.has_states = self.is_known and self.states <= STATES_MAX
        self.model = model

    @property
    def metric(self) -> str | None:
        if not self.is_known:
            return None
        return "tvd" if self.has_states else "marginal_error"

    def measure(self, run, chains, shares):
        """(error, cover) by [share, repetition]; a share is a number of
        draws per chain."""
        blocks = range(0, run.info.chains, chains)
        error = np.full((len(shares), len(blocks)), np.nan)
        cover = np.full_like(error, np.nan)
        if not self.is_known:
            return error, cover
        if self.has_states:
            log_z = lib.hiss_exact_log_z(self._c)
            for r, first in enumerate(blocks):
                which = _numbered(run.draws[first:first + chains])
                lp = run.lp[first:first + chains]
                for k, n in enumerate(shares):
                    if n > 0:
                        error[k, r], seen = _state_distance(
                            which[:, :n], lp[:, :n], log_z)
                        cover[k, r] = seen / self.states
            return error, cover
        for k, n in enumerate(shares):
            if n > 0:
                error[k] = self._marginals(run, chains, n)
        return error, cover

    def _marginals(self, run, chains, n):
        """The mean over coordinates of the total variation, by repetition."""
        info = run.info
        apart = np.zeros(info.chains // chains)
        for i in range(info.dim):
            column = run.draws[:, :n, i].astype(float).reshape(len(apart), -1)
            p = lib.hiss_exact_marginal(self._c, i)
            for s in range(lib.hiss_result_states(run._c, i)):
                value = lib.hiss_result_value(run._c, i, s)
                apart += np.abs((column == value).mean(1) - p[s])
        return 0.5 * apart / info.dim


def _numbered(draws):
    """Equal states as equal numbers, by (chain, draw)."""
    rows = np.ascontiguousarray(draws).reshape(-1, draws.shape[2])
    names = rows.view(f"V{rows.dtype.itemsize * rows.shape[1]}").ravel()
    return np.unique(names, return_inverse=True)[1].reshape(draws.shape[:2])


def _state_distance(which, lp, log_z):
    _, first, count = np.unique(which, return_index=True, return_counts=True)
    p = np.exp(lp.ravel()[first] - log_z)
    apart = np.abs(count / which.size - p).sum()
    return 0.5 * (apart + abs(1 - p.sum())), len(first)


def _column_ess(values):
    """Infinite when it is constant, 0 when it is stuck."""
    column, error = struct("hiss_column"), new_error()
    chains, samples = values.shape
    check(lib.hiss_describe(arrays.pointer("double", values), chains, samples,
                            column, error), error)
    if column.state == lib.HISS_VARIES:
        return column.ess_bulk
    return math.inf if column.state == lib.HISS_CONSTANT else 0.0


def smallest_ess(run, chains):
    """Of U and evenly spaced coordinates, by repetition; NaN where nothing
    moved and nothing had to."""
    info = run.info
    most = VALUES_MAX / (info.chains * info.samples)
    most = int(min(max(most, COLUMNS_MIN), COLUMNS_MAX))
    count = min(info.dim, most)
    ess = np.full(info.chains // chains, np.inf)
    for n in range(-1, count):
        values = run.lp if n < 0 else run.draws[..., n * info.dim // count]
        values = np.ascontiguousarray(values, dtype=float)
        for r in range(len(ess)):
            block = values[r * chains:(r + 1) * chains]
            ess[r] = min(ess[r], _column_ess(block))
    ess[np.isinf(ess)] = np.nan
    return ess


def _settings(racer, race):
    settings = new_settings("hiss_settings")
    settings.chains = race.chains * race.repetitions
    settings.samples = 0
    settings.samples_most = DRAWS_MAX
    settings.thin = racer.thin
    settings.warmup = race.warmup
    settings.seed = race.seed
    settings.threads = race.threads
    amount = race.budgets[racer.budget]
    if racer.budget == "samples":
        settings.samples = int(amount)
    elif racer.budget == "time":
        settings.time_limit = amount * race.repetitions
    else:
        settings.evals = amount * race.repetitions
    return settings


def run_racer(racer, model, law, race, progress) -> None:
    """Runs it and fills it in; a race that is stopped has no outcome."""
    run, watch = run_with(model, racer.sampler, _settings(racer, race),
                          progress, "racing")
    if watch.asked_to_stop:
        raise KeyboardInterrupt
    info = None if run is None else run.info
    if info is not None and info.ended == "stopped":
        raise StoppedError("stopped by progress: the race is not over")
    if info is None or info.samples < DRAWS_MIN:
        raise ValueError(
            f"{racer.word}: {info.samples if info else 0} draws per chain are "
            f"too few: raise evals, time_limit or samples, or lower chains")
    racer.is_exact = info.is_exact
    racer.evals = (info.energy_evals + info.gradient_evals) / race.repetitions
    racer.seconds = info.seconds / race.repetitions
    racer.draws = info.samples
    racer.ess = smallest_ess(run, race.chains)
    shares = [info.samples >> (POINTS - 1 - k) for k in range(POINTS)]
    error, cover = law.measure(run, race.chains, shares)
    racer.error, racer.cover = error[-1], cover[-1]
    whole = info.warmup + info.samples * info.thin
    racer.curve = [
        (racer.evals * (info.warmup + n * info.thin) / whole, *mean(part))
        for n, part in zip(shares, error)]


def mean(values):
    """The mean and its standard error."""
    return float(np.mean(values)), \
        float(np.std(values, ddof=1) / math.sqrt(len(values)))
