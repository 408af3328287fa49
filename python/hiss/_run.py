"""sample(): runs chains and returns what they drew."""
from __future__ import annotations

import os
import warnings

import numpy as np

from . import _arrays as arrays
from ._errors import StoppedError, check, new_error
from ._model import as_model
from ._native import ffi, lib
from ._progress import watched
from ._result import Result
from ._structs import new_settings
from .samplers import as_sampler

# As the command's: a pilot chooses, and the paper's setting for its example.
USUAL = "auto"
SAMPLES = 1000
SEED_MAX = 2**64 - 1
STEPS_MAX = 2**40


def _budgets(settings, samples, evals, time_limit, ess):
    if evals is not None:
        settings.evals = arrays.positive("evals", evals)
    if time_limit is not None:
        settings.time_limit = arrays.positive("time_limit", time_limit)
    if ess is not None:
        settings.ess = arrays.positive("ess", ess)
    if samples is not None:
        settings.samples = arrays.whole("samples", samples, 1, STEPS_MAX)
    elif not (evals is None and time_limit is None and ess is None):
        settings.samples = 0
    else:
        settings.samples = SAMPLES


def _start(settings, init, model):
    """Where chains begin; returns the array that C borrows."""
    if init is None or (isinstance(init, str) and init == "random"):
        return None
    if isinstance(init, str):
        if init != "best":
            raise ValueError(f"init is {init!r}, expected 'random', 'best' or "
                             f"an array")
        settings.init_best = 1
        return None
    states = arrays.numbers("init", init)
    shape = (settings.chains, model.dim)
    if states.shape not in (shape, shape[1:]):
        raise ValueError(f"init has shape {states.shape}, expected {shape} or "
                         f"{shape[1:]}")
    states = np.ascontiguousarray(np.broadcast_to(states, shape))
    settings.init = arrays.pointer("double", states)
    return states


def _files(settings, checkpoint, checkpoint_every, resume):
    """Returns the texts that C borrows."""
    settings.checkpoint_every = arrays.positive("checkpoint_every",
                                                checkpoint_every)
    kept = []
    for name, path in (("checkpoint", checkpoint), ("resume", resume)):
        if path is not None:
            word = ffi.new("char[]", arrays.path(name, path))
            setattr(settings, name, word)
            kept.append(word)
    if resume is not None:
        settings.checkpoint = ffi.NULL
    return kept


def sample(model, sampler=None, *, chains: int | None = None,
           samples: int | None = None, warmup: int | None = None,
           thin: int = 1, seed: int = 1, threads: int = 0,
           evals: float | None = None, time_limit: float | None = None,
           ess: float | None = None, init=None, save_warmup: bool = False,
           particles: bool = False, progress=None, checkpoint=None,
           checkpoint_every: float = 60.0, resume=None,
           device: str | None = None) -> Result:
    """Draws from a model.

    model: a Model, the spec of a built-in, a file name, a model of dimod,
        pgmpy, PyMC or hiss.train, or a networkx graph.
    sampler: a sampler object or its spec; if left out, "auto": a pilot looks
        for modes, tries what applies to the model and chooses (`resolved` of
        the result is what it chose, `pilot` what it compared).
    chains: independent chains; a chain does not depend on their number.  If
        left out, 16; 4 for functions, plug-ins and models of which 16 chains
        take much memory (``model.default_chains``).
    samples: kept draws per chain: 1000, or as many as `evals`, `time_limit`
        and `ess` allow if one of these is given.
    warmup: steps before the first draw; half of samples times thin.
    thin: steps per kept draw.
    seed: the same seed gives the same draws, bit for bit those of the
        command.
    threads: 0 is all processors; the draws do not depend on it.
    evals: ends the run after so many evaluations of all chains together.
    time_limit: ends it after so many seconds; such a run cannot be repeated
        by its seed alone.
    ess: ends it when the smallest effective sample size has reached this, or
        gives up, with a warning and ``info.ended == "ess"``, when after a
        million steps (times thin) it would take over 2^30 at the rate so far.
    init: "random", "best" (of many random states) or an array of values,
        (dim,) for all chains or (chains, dim).
    save_warmup: keep the draws of the warm-up, too: `warmup` of the result.
    particles: of smc: keep all replicas with their weights, too: `particles`
        of the result.
    progress: None shows a bar on a terminal and in a notebook, True anywhere,
        False nowhere; a function is called with a :class:`Progress` and ends
        the run by returning True.
    checkpoint: a file to keep the state of the run in, every
        `checkpoint_every` seconds; `resume` goes on from such a file, with
        everything else as in the first call.
    device: who makes the steps: "cpu" (as usual), "cuda" or "cuda:1" (a card),
        "auto" (a card if there is one that can); the draws are the same.
        `device` of the result says which.

    Ctrl-C ends the run and returns what was drawn, with a warning.
    """
    model = as_model(model)
    if sampler is None:
        sampler = USUAL
    sampler = as_sampler(sampler)
    settings = new_settings("hiss_settings")
    settings.chains = model.default_chains if chains is None else \
        arrays.whole("chains", chains, 1, 1000000)
    settings.thin = arrays.whole("thin", thin, 1, STEPS_MAX)
    settings.seed = arrays.whole("seed", seed, 0, SEED_MAX)
    settings.threads = arrays.whole("threads", threads, 0, 1024)
    settings.marginals = 1
    settings.save_warmup = bool(save_warmup)
    settings.particles = bool(particles)
    if warmup is not None:
        settings.warmup = arrays.whole("warmup", warmup, 0, STEPS_MAX)
    _budgets(settings, samples, evals, time_limit, ess)
    where = ffi.new("char[]", arrays.words("device", device or "cpu"))
    settings.device = where
    kept = (_start(settings, init, model), where,
            _files(settings, checkpoint, checkpoint_every, resume))
    result = _run(model, sampler, settings, progress)
    del kept
    return result


def _describe(result, model):
    """What `hiss diagnose FILE` and its like want to know of the model."""
    origin = model._origin
    if "word" not in origin:
        return
    error = new_error()
    for key, value in {**origin, "folder": os.getcwd()}.items():
        check(lib.hiss_result_put(result._c, key.encode(), os.fsencode(value),
                                  error), error)
    if "evidence" in origin:
        check(lib.hiss_result_add_input(
            result._c, os.fsencode(origin["evidence"]), error), error)


def run_with(model, sampler, settings, progress, what):
    """(Result, Watch) of a run; the result is None when it was stopped, or
    its budget was spent, before it began."""
    out, error = ffi.new("hiss_result **"), model._error()
    status = lib.HISS_OK

    def call():
        nonlocal status
        status = lib.hiss_sample(out, model._c, sampler._c, settings, error)

    try:
        watch = watched(call, settings, progress, what)
    except BaseException:
        lib.hiss_result_destroy(out[0])
        raise
    result = None if out[0] == ffi.NULL else Result(out[0], model)
    if status != lib.HISS_ESTOP:
        try:
            model._check(status, error)
        except Exception as fault:  # a framework's, around the interruption
            if watch.is_urgent:
                raise KeyboardInterrupt from fault
            raise
    return result, watch


def _run(model, sampler, settings, progress):
    result, watch = run_with(model, sampler, settings, progress, "sampling")
    if result is None or result.info.samples == 0:
        if watch.asked_to_stop:
            raise KeyboardInterrupt
        raise StoppedError("the run ended before its first draw: lower "
                           "warmup, or give it more evals or time")
    _describe(result, model)
    if watch.asked_to_stop:
        warnings.warn(f"interrupted after {result.info.samples} draws per "
                      f"chain, which are returned", RuntimeWarning,
                      stacklevel=3)
    if result.info.ended == "ess":
        warnings.warn(f"ess is out of reach and was given up after "
                      f"{result.info.samples} draws per chain: try another "
                      f"sampler", RuntimeWarning, stacklevel=3)
    if result.warning:
        warnings.warn(result.warning, RuntimeWarning, stacklevel=3)
    return result
