"""The best states of a model."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import _arrays as arrays
from ._errors import text
from ._model import as_model
from ._native import ffi, lib
from ._progress import watched
from ._result import ENDED
from ._structs import new_settings, struct
from ._table import Table
from .samplers import Sampler

TIME_USUAL = 10.0  # seconds, when there is no budget; as the command's


@dataclass(frozen=True)
class Optimum:
    """What optimize() found; `solutions` has the best states, best first."""

    state: np.ndarray
    objective: float  # in the convention of the model's file, else log p
    u: float  # the old name of log_p
    is_minimized: bool
    target_hit: bool | None  # None without a target
    seconds: float
    best_seconds: float
    evals: float
    restarts: int
    ended: str
    sampler: str
    solutions: Table
    rows: Table  # by length of restart: hits and time to target
    device: str  # "cpu", or the GPU that made the steps
    objective_name: str = "log p"

    @property
    def log_p(self) -> float:
        return self.u

    @property
    def is_minimised(self) -> bool:
        """The name of is_minimized before 0.3."""
        return self.is_minimized

    @property
    def sense(self) -> str:
        """Whether the better objective is the smaller, "min", or "max"."""
        return "min" if self.is_minimized else "max"

    def __repr__(self):
        hit = "" if self.target_hit is None else \
            f", target {'reached' if self.target_hit else 'not reached'}"
        return f"<hiss.Optimum: {self.objective_name} {self.objective:.10g} after " \
               f"{self.best_seconds:.3g} s{hit}>"


def _solutions(optimum, dim, scale, shift):
    state, u = np.zeros(dim), ffi.new("double *")
    hits, rows = ffi.new("int64_t *"), []
    while lib.hiss_optimum_solution(optimum, len(rows),
                                    arrays.pointer("double", state), u, hits):
        rows.append((u[0], hits[0], state.copy()))
    energies, counts, states = zip(*rows) if rows else ((), (), ())
    log_p = np.array(energies)
    return Table({"objective": scale * log_p + shift, "log_p": log_p,
                  "u": log_p, "hits": np.array(counts, int),
                  "state": list(states)})


def _rows(optimum):
    raw, rows = struct("hiss_search_row"), []
    names = ("is_bred", "sweeps", "restarts", "hits", "evals", "tts",
             "tts_low", "tts_high")
    while lib.hiss_optimum_row(optimum, len(rows), raw):
        rows.append([getattr(raw, name) for name in names])
    columns = zip(*rows) if rows else [()] * len(names)
    return Table({name: np.array(column)
                  for name, column in zip(names, columns)})


def _settings(sampler, target, time_limit, evals, restarts, seed, threads,
              top, device):
    """The settings and what they borrow."""
    settings = new_settings("hiss_optimize_settings")
    kept = []
    if sampler is not None:
        if not isinstance(sampler, (str, Sampler)):
            raise TypeError(f"sampler is a {type(sampler).__name__}, expected "
                            f"a Sampler or a spec")
        kept.append(ffi.new("char[]", arrays.words("sampler", str(sampler))))
        settings.sampler = kept[-1]
    if target is not None:
        kept.append(ffi.new("double *", arrays.number("target", target)))
        settings.target = kept[-1]
    if time_limit is not None:
        settings.time_limit = arrays.positive("time_limit", time_limit)
    if evals is not None:
        settings.evals = arrays.positive("evals", evals)
    if restarts is not None:
        settings.restarts = arrays.whole("restarts", restarts, 1, 2**30)
    if time_limit is None and evals is None and restarts is None:
        settings.time_limit = TIME_USUAL
    settings.seed = arrays.whole("seed", seed, 0, 2**64 - 1)
    settings.threads = arrays.whole("threads", threads, 0, 1024)
    settings.top = arrays.whole("top", top, 1, 100000)
    kept.append(ffi.new("char[]", arrays.words("device", device or "cpu")))
    settings.device = kept[-1]
    return settings, kept


def optimize(model, *, sampler=None, target: float | None = None,
             time_limit: float | None = None, evals: float | None = None,
             restarts: int | None = None, seed: int = 1, threads: int = 0,
             top: int = 10, device: str | None = None,
             progress=None) -> Optimum:
    """Searches for the states of largest log p, by annealing with restarts.

    sampler: the kernel that is cooled, or ``anneal(base=...,sweeps=...)``.
    target: an objective to reach, in the convention of the model's file.
    time_limit, evals, restarts: budgets; 10 seconds if there is none.  A
        search with evals or restarts alone can be repeated by its seed.
    top: distinct solutions to keep.
    device: who makes the steps, as in `sample`; gibbs and metropolis can be
        cooled on a card.

    Ctrl-C ends the search and returns what was found.
    """
    model = as_model(model)
    settings, kept = _settings(sampler, target, time_limit, evals, restarts,
                               seed, threads, top, device)
    out, error = ffi.new("hiss_optimum **"), model._error()
    status = lib.HISS_OK

    def call():
        nonlocal status
        status = lib.hiss_optimize(out, model._c, settings, error)

    try:
        watch = watched(call, settings, progress, "optimizing")
    except BaseException:
        lib.hiss_optimum_destroy(out[0])
        raise
    del kept
    optimum = ffi.gc(out[0], lib.hiss_optimum_destroy)
    model._check(status, error)
    solutions = _solutions(optimum, model.dim, *model.objective[1:])
    if not len(solutions):
        if watch.asked_to_stop:
            raise KeyboardInterrupt
        raise ValueError("the budget ended before a state was found")
    raw = struct("hiss_search_info")
    lib.hiss_optimum_info(optimum, raw)
    return Optimum(
        solutions["state"][0], raw.objective, raw.u, bool(raw.is_minimised),
        bool(raw.target_hit) if raw.has_target else None, raw.seconds,
        raw.best_seconds, raw.evals, raw.restarts, ENDED[raw.ended],
        text(raw.sampler) or "", solutions, _rows(optimum),
        text(raw.device) or "", model.objective_name)
