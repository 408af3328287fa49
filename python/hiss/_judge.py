"""Draws of other programs, judged."""
from __future__ import annotations

import os

import numpy as np

from . import _arrays as arrays
from ._diagnosis import Diagnosis
from ._model import as_model, existing
from ._native import ffi, lib
from ._result import Result

READS_MIN, CHAINS = 40, 4  # of a sample set, as for the command
ENERGIES = ("lp", "lp__", "log_prob", "energy")


def judge(what, model=None, *, kernel=None, counts=None, weights=None, lp=None,
          variables=None, **how):
    """Judges draws, or a kernel, of another program: `hiss judge`.

    judge(draws, model): as :func:`diagnose`, a :class:`Diagnosis`.
        counts, weights: of a list of states (state, coordinate) in no order,
        how often each came, or what it counts; weights w make
        (sum w)^2 / (sum w^2) draws.
    judge(model, kernel=function): as :func:`verify`, a :class:`Verdict`.
    """
    if kernel is not None:
        if model is not None:
            raise TypeError("judge() of a kernel takes one model")
        from ._verify import verify
        return verify(what, kernel=kernel, **how)
    if model is None:
        raise TypeError("judge() needs a model that the draws are of")
    if counts is not None or weights is not None:
        if counts is not None and weights is not None:
            raise TypeError("judge() takes counts or weights, not both")
        what, lp = _repeat(_array("draws", what), lp, counts, weights)
    return diagnose(what, model, lp=lp, variables=variables, **how)


def _repeat(states, lp, counts, weights):
    """As many draws of each state as it counts, in random order."""
    if states.ndim != 2:
        raise ValueError(f"draws has shape {states.shape}, expected (state, "
                         f"coordinate) with counts or weights")
    name, times = ("counts", counts) if weights is None else ("weights",
                                                              weights)
    times = _array(name, times).astype(float)
    if times.shape != (len(states),) or not (times >= 0).all() or \
            not 0 < times.sum() < np.inf:
        raise ValueError(f"{name} has shape {times.shape}, expected one number "
                         f"from 0 on for each of {len(states)} states")
    if counts is not None and (times != np.floor(times)).any():
        raise ValueError("counts has a number that is not whole")
    total = times.sum()
    draws = int(total if weights is None else
                max(1, total ** 2 / (times ** 2).sum()))
    rows = np.searchsorted(np.cumsum(times),
                           (np.arange(draws) + 0.5) * total / draws)
    rows = _shuffled(np.minimum(rows, len(states) - 1))
    return states[rows], None if lp is None else _array("lp", lp)[rows]


def _shuffled(rows):
    """Rows of draws that have no order, as chains."""
    rows = np.random.default_rng(1).permutation(rows)
    chains = CHAINS if len(rows) >= READS_MIN else 1
    return rows[:len(rows) // chains * chains].reshape(chains, -1)


def diagnose(draws, model, *, lp=None, variables=None, **how) -> Diagnosis:
    """Whether draws of any program can be trusted, or are wrong.

    draws: an array (draw, coordinate) or (chain, draw, coordinate) of the
        model's values, of numpy, torch or JAX; InferenceData of ArviZ, a
        Dataset of xarray or a dict of arrays (chain, draw, ...); a SampleSet
        of dimod, whose reads are taken as independent; the name of a file, or
        names, of a file for each chain: .nc, .csv (Stan's too), .npz, .npy,
        .json of dimod; or a result of hiss.
    model: what they claim to be drawn from.
    lp: what that program says of U, by (chain, draw), but for a constant.
    variables: names of those of a dict or of InferenceData, in the order of
        the model's coordinates.
    how: blind, probe, search, time_limit, ... of :meth:`Result.diagnose`.
    """
    model = as_model(model)
    if isinstance(draws, Result):
        return draws.diagnose(model=model, **how)
    return adopt(draws, model, lp=lp, variables=variables).diagnose(**how)


def adopt(draws, model, *, lp=None, variables=None) -> Result:
    """Draws of another program as a result: its modes, its summary, ...

    Arguments are those of :func:`diagnose`; U is computed by the model.
    """
    model = as_model(model)
    if _is_names(draws):
        return _from_files(draws, model)
    name = type(draws).__name__
    if hasattr(draws, "record") and hasattr(draws, "variables"):
        draws, lp = _from_sampleset(draws, model)
    elif hasattr(draws, "posterior") or hasattr(draws, "data_vars") or \
            isinstance(draws, dict):
        draws, lp = _from_variables(draws, lp, variables)
    return _adopt(_array("draws", draws), lp, model, name)


def _is_names(draws):
    if isinstance(draws, (str, os.PathLike)):
        return True
    return isinstance(draws, (list, tuple)) and bool(draws) and all(
        isinstance(one, (str, os.PathLike)) for one in draws)


def _array(name, value):
    for step in ("detach", "cpu"):  # of torch
        value = getattr(value, step)() if hasattr(value, step) else value
    value = np.asarray(value)
    if value.dtype.kind not in "biuf":
        raise TypeError(f"{name} has dtype {value.dtype}, expected numbers")
    return value


def _from_files(draws, model):
    names = [draws] if isinstance(draws, (str, os.PathLike)) else list(draws)
    words = [ffi.new("char[]", arrays.path("draws", existing(one)))
             for one in names]
    paths = ffi.new("char *[]", words)
    out, error = ffi.new("hiss_result **"), model._error()
    if len(names) == 1 and lib.hiss_result_read(out, paths[0],
                                                error) == lib.HISS_OK:
        return Result(out[0], model)
    model._check(lib.hiss_result_import(
        out, model._c, ffi.cast("const char *const *", paths), len(names),
        error), error)
    return Result(out[0], model)


def _from_sampleset(samples, model):
    """States and energies of all reads, in random order, by the model's
    variables."""
    record = samples.record
    order = list(samples.variables)
    labels = model.labels
    if labels is not None and set(map(str, labels)) == set(map(str, order)):
        place = {str(name): k for k, name in enumerate(order)}
        columns = [place[str(name)] for name in labels]
    else:
        columns = np.arange(len(order))
    times = np.asarray(record.num_occurrences, dtype=np.intp)
    rows = _shuffled(np.repeat(np.arange(len(times)), times))
    states = np.asarray(record.sample)[:, columns]
    return states[rows], np.asarray(record.energy, dtype=float)[rows]


def _from_variables(draws, lp, names):
    """All variables over chain and draw, side by side."""
    stats = getattr(draws, "sample_stats", None)
    group = getattr(draws, "posterior", draws)
    found = {str(name): np.asarray(group[name]) for name in
             (group.data_vars if hasattr(group, "data_vars") else group)}
    if names is not None:
        unknown = [name for name in names if name not in found]
        if unknown:
            raise ValueError(f"variables has {unknown[0]!r}, expected some of "
                             f"{', '.join(found)}")
        found = {name: found[name] for name in names}
    else:
        for name in ENERGIES:
            energy = found.pop(name, None)
            lp = energy if lp is None and energy is not None else lp
    if not found:
        raise ValueError("draws has no variables")
    if lp is None and stats is not None and "lp" in stats:
        lp = np.asarray(stats["lp"])
    for name, value in found.items():
        if value.ndim < 2:
            raise ValueError(f"variable {name!r} has shape {value.shape}, "
                             f"expected (chain, draw, ...)")
    return np.concatenate([value.reshape(*value.shape[:2], -1)
                           for value in found.values()], 2), lp


def _adopt(values, lp, model, name):
    if values.ndim == 2:
        values = values[None]
    if values.ndim != 3 or values.shape[2] != model.dim or 0 in values.shape:
        raise ValueError(
            f"draws has shape {values.shape}, expected (draw, {model.dim}) or "
            f"(chain, draw, {model.dim}), the coordinates of the model")
    values = np.ascontiguousarray(values, dtype=np.float64)
    raw = ffi.new("hiss_foreign_draws *")
    raw.size = ffi.sizeof("hiss_foreign_draws")
    word = ffi.new("char[]", name.encode())
    raw.name = word
    raw.chains, raw.samples = values.shape[:2]
    raw.draws = ffi.cast("const double *", ffi.from_buffer(values))
    if lp is not None:
        lp = np.ascontiguousarray(_array("lp", lp), dtype=np.float64)
        if lp.size != values.shape[0] * values.shape[1]:
            raise ValueError(f"lp has shape {lp.shape}, expected "
                             f"{values.shape[:2]}")
        raw.lp = ffi.cast("const double *", ffi.from_buffer(lp))
    out, error = ffi.new("hiss_result **"), model._error()
    model._check(lib.hiss_result_adopt(out, model._c, raw, error), error)
    del word
    return Result(out[0], model)
