"""scan(): observables at many temperatures, from one run of tempering."""
from __future__ import annotations

import numpy as np

from . import _arrays as arrays
from ._model import as_model
from ._native import ffi, lib
from ._progress import watched
from ._result import Result
from ._run import SAMPLES, SEED_MAX, STEPS_MAX
from ._structs import new_settings
from ._table import Rows
from .samplers import as_sampler

USUAL = ("E", "C")


class Scan(Rows):
    """Observables against beta: ``scan["E"]``, ``scan.table``, ``scan.plot()``.

    `results` has the draws at each temperature, `rows` the figures.
    """

    def __init__(self, beta, results, words):
        self.beta = beta
        self.results = results
        tables = [result.observables(*words) for result in results]
        self.observables = list(tables[0]["name"])
        self.rows = []
        for at, table in zip(beta, tables):
            row = {"beta": float(at), "temperature": 1 / float(at)}
            for one in table:
                row[one["name"]] = float(one["mean"])
                row[f"{one['name']}_mcse"] = float(one["mcse"])
                row[f"{one['name']}_ess"] = float(one["ess_bulk"])
            self.rows.append(row)

    def __getitem__(self, key):
        if isinstance(key, str):
            return np.array([row[key] for row in self.rows])
        return self.rows[key]

    def plot(self, axes=None):
        """Every observable against beta, with its errors, by matplotlib."""
        from ._plot import plot_scan
        return plot_scan(self, axes)

    def __repr__(self):
        return repr(self.table)

    def _repr_html_(self):
        return self.table._repr_html_()


def scan(model, beta, *, sampler=None, observables=None,
         chains: int | None = None, samples: int = SAMPLES,
         warmup: int | None = None, thin: int = 1, seed: int = 1,
         threads: int = 0, progress=None) -> Scan:
    """Observables at many inverse temperatures, from one run.

    The run is parallel tempering that has every beta among its levels; a pilot
    adds what states need to pass between them.

    beta: numbers above 0, by which log p of the model is multiplied.
    sampler: the kernel of every replica, a sampler or its spec.
    observables: expressions, such as ``["E", "binder"]``; those of the model
        if left out.
    Everything else is as in `sample`.
    """
    model = as_model(model)
    beta = np.ascontiguousarray(arrays.numbers("beta", beta))
    if beta.ndim != 1 or not len(beta):
        raise ValueError(f"beta has shape {beta.shape}, expected one row")
    settings = new_settings("hiss_settings")
    settings.chains = model.default_chains if chains is None else \
        arrays.whole("chains", chains, 1, 100000)
    settings.samples = arrays.whole("samples", samples, 8, STEPS_MAX)
    settings.thin = arrays.whole("thin", thin, 1, STEPS_MAX)
    settings.seed = arrays.whole("seed", seed, 0, SEED_MAX)
    settings.threads = arrays.whole("threads", threads, 0, 1024)
    if warmup is not None:
        settings.warmup = arrays.whole("warmup", warmup, 0, STEPS_MAX)
    base = ffi.NULL if sampler is None else ffi.new(
        "char[]", str(as_sampler(sampler)).encode())
    out = ffi.new("hiss_result *[]", len(beta))
    error, status = model._error(), lib.HISS_OK

    def call():
        nonlocal status
        status = lib.hiss_scan(out, model._c, base,
                               arrays.pointer("double", beta), len(beta),
                               settings, error)

    try:
        watch = watched(call, settings, progress, "scanning")
    except BaseException:
        for one in out:
            lib.hiss_result_destroy(one)
        raise
    results = [Result(one, model) for one in out if one != ffi.NULL]
    if watch.asked_to_stop:
        raise KeyboardInterrupt
    model._check(status, error)
    words = observables or ()
    if isinstance(words, str):
        words = words.split(";")
    if not words and not len(results[0].observables()):
        words = USUAL
    return Scan(beta, results, words)
