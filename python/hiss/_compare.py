"""compare(): a race of samplers at equal cost, which the library runs."""
from __future__ import annotations

import html
import math

from . import _arrays as arrays
from ._errors import text
from ._model import as_model
from ._native import ffi, lib
from ._progress import watched
from ._structs import new_settings
from ._table import Rows, Table
from .samplers import Sampler

RACES = {"evals": lib.HISS_RACE_EVALS, "time": lib.HISS_RACE_TIME,
         "samples": lib.HISS_RACE_SAMPLES}
WORDS = {"evals": "at equal cost, {:.4g} evaluations",
         "time": "at equal time, {:.3g} s",
         "samples": "at equal length, {} draws per chain"}
UNITS = {"evals": " per evaluation", "time": " per second", "samples": ""}


class Comparison(Rows):
    """What compare() found: a row of figures for each sampler and race.

    Rows have the keys of ``hiss compare --json``; what is not known is NaN.
    """

    _hidden = ("curve",)

    def __init__(self, handle, model, budgets: dict[str, float]):
        self._c = ffi.gc(handle, lib.hiss_comparison_destroy)
        self.model = model
        self.budgets = budgets  # evals, time, samples: those that are given
        self.metric = text(lib.hiss_comparison_metric(self._c))
        self.rows = list(self._rows())

    # --- who wins ----------------------------------------------------------

    def _outcome(self, budget):
        if budget is None:
            budget = next(iter(self.budgets))
        if budget not in self.budgets:
            raise ValueError(f"budget is {budget!r}, expected one of "
                             f"{', '.join(self.budgets)}")
        return lib.hiss_comparison_outcome(self._c, RACES[budget]), budget

    def best(self, budget: str | None = None) -> str | None:
        """The sampler that wins, None where none can be recommended.

        budget: "evals", "time" or "samples"; the first that was given.
        """
        outcome, _ = self._outcome(budget)
        if outcome.verdict == lib.HISS_RACE_NONE:
            return None
        return text(outcome.best.sampler)

    def advice(self, budget: str | None = None) -> str:
        """Which sampler to use, and how sure that is."""
        outcome, budget = self._outcome(budget)
        best, other = (text(racer.sampler)
                       for racer in (outcome.best, outcome.next))
        what = "is nearest to the law" if self.metric else \
            f"has the most effective draws{UNITS[budget]}"
        if outcome.verdict == lib.HISS_RACE_NONE:
            return "no sampler can be recommended: what is exact did not " \
                   "move, and what moved is not exact"
        if outcome.verdict == lib.HISS_RACE_ALONE:
            return f"use {best}: it is the only one that is exact and moves"
        if outcome.verdict == lib.HISS_RACE_SURE:
            return f"use {best}: it {what}; that the next, {other}, is as " \
                   f"good has p = {outcome.p_value:.2g}"
        return f"{best} {what}, but {other} cannot be told from it " \
               f"(p = {outcome.p_value:.2g}): more repetitions or another " \
               f"cost might"

    # --- figures -----------------------------------------------------------

    def _rows(self):
        number = 0
        while racer := lib.hiss_comparison_racer(self._c, number):
            yield self._row(racer)
            number += 1

    def _row(self, racer):
        budgets = {race: name for name, race in RACES.items()}
        row = {"sampler": text(racer.sampler), "exact": bool(racer.is_exact),
               "budget": budgets[racer.race], "evals": racer.evals,
               "seconds": racer.seconds, "repetitions": racer.repetitions,
               "chains": racer.chains, "draws": racer.draws,
               "thin": racer.thin}

        def put(key, figure):
            row[key], row[f"{key}_se"] = figure.mean, figure.se

        if self.metric:
            put(self.metric, racer.distance)
        if self.metric == "tvd":
            put("log_mae", racer.log_mae)
            put("coverage", racer.coverage)
        put("ess", racer.ess)
        put("ess_per_eval", racer.ess_per_eval)
        put("ess_per_second", racer.ess_per_second)
        row["best"] = bool(racer.is_best)
        row["p_value"] = racer.p_value
        if self.metric:
            row["curve"] = [
                {"evals": point.evals, "mean": point.mean, "se": point.se}
                for point in racer.curve[0:racer.points]]
        return row

    # --- for people --------------------------------------------------------

    def _tables(self):
        """(Table, advice) of each race."""
        keys = {"sampler": "sampler", "ess_per_eval": "ESS/eval",
                "ess_per_second": "ESS/s", "evals": "evals",
                "seconds": "seconds"}
        if self.metric:
            keys[self.metric] = "distance" if self.metric == "tvd" \
                else "marginals"
        for budget, amount in self.budgets.items():
            rows = [row for row in self.rows if row["budget"] == budget]
            columns = {name: [_cell(row, key) for row in rows]
                       for key, name in keys.items()}
            yield Table(columns, WORDS[budget].format(amount)), \
                self.advice(budget)

    def __repr__(self):
        return "\n\n".join(f"{table!r}\n{advice}"
                           for table, advice in self._tables())

    def _repr_html_(self):
        return "".join(f"{table._repr_html_()}<p>{html.escape(advice)}</p>"
                       for table, advice in self._tables())

    def plot(self, axes=None):
        """Distance against evaluations, or ESS per evaluation."""
        from ._plot import plot_race
        return plot_race(self, axes)


def _cell(row, key):
    if key == "sampler":
        return row[key] + ("" if row["exact"] else " (not exact)")
    if f"{key}_se" not in row:
        return row[key]
    if math.isnan(row[key]):
        return "-"
    return f"{row[key]:.3g} ± {row[f'{key}_se']:.1g}"


def _budgets(settings, evals, time_limit, samples):
    """Puts them into the settings; those that are given, by name."""
    out: dict[str, float] = {}
    if evals is not None:
        out["evals"] = settings.evals = arrays.positive("evals", evals)
    if time_limit is not None:
        out["time"] = settings.time_limit = arrays.positive("time_limit",
                                                            time_limit)
    if samples is not None:
        out["samples"] = settings.samples = arrays.whole("samples", samples,
                                                         8, 10**12)
    if not out:
        raise ValueError("evals, time_limit or samples is missing: what the "
                         "samplers may spend")
    return out


def _words(samplers):
    """The specs, one by one, as C texts."""
    if isinstance(samplers, str):
        samplers = [word for word in samplers.split(";") if word.strip()]
    try:
        samplers = list(samplers)
    except TypeError:
        raise TypeError(f"samplers is a {type(samplers).__name__}, expected "
                        f"two or more samplers") from None
    if len(samplers) < 2:
        raise ValueError("samplers: a race needs two or more")
    for one in samplers:
        if not isinstance(one, (str, Sampler)):
            raise TypeError(f"sampler is a {type(one).__name__}, expected a "
                            f"Sampler or a spec")
    return [ffi.new("char[]", arrays.words("sampler", str(one).strip()))
            for one in samplers]


def compare(model, samplers, *, evals: float | None = None,
            time_limit: float | None = None, samples: int | None = None,
            chains: int | None = None, repetitions: int = 8,
            warmup: int | None = None, seed: int = 1, threads: int = 0,
            device: str | None = None, progress=None) -> Comparison:
    """Runs samplers at equal cost and compares what they drew.

    With exact answers, if they take only seconds, the figure that
    counts is the total variation distance from the law (up to 65536 states) or
    its mean over all marginals; else it is effective draws for the price, and
    a sampler that is not exact cannot win.  The same seed gives the figures of
    ``hiss compare``.

    samplers: two or more objects or specs; ``"10*gibbs"`` makes ten steps per
        draw.  A text may hold several, with ; between them.
    evals: evaluations of energy and gradient that a repetition may make.
    time_limit: seconds that a repetition may take.
    samples: draws per chain, whatever they cost.  Several of these three make
        several races.
    chains: of a repetition; if left out, as many as `sample` has.
    repetitions: for the error bars; they begin with the same states for all
        samplers, so that differences are judged in pairs.
    warmup: steps before the first draw; usually a fifth of the cost, less
        where `auto` knows it to be enough, with `samples` half as many steps
        as are kept.
    device: who makes the steps, as in `sample`.
    """
    model = as_model(model)
    words = _words(samplers)
    settings = new_settings("hiss_compare_settings")
    budgets = _budgets(settings, evals, time_limit, samples)
    if chains is not None:
        settings.chains = arrays.whole("chains", chains, 1, 100000)
    settings.repetitions = arrays.whole("repetitions", repetitions, 2, 10000)
    if warmup is not None:
        settings.warmup = arrays.whole("warmup", warmup, 0, 10**12)
    settings.seed = arrays.whole("seed", seed, 0, 2**64 - 1)
    settings.threads = arrays.whole("threads", threads, 0, 1024)
    where = ffi.new("char[]", arrays.words("device", device or "cpu"))
    settings.device = where
    out, error = ffi.new("hiss_comparison **"), model._error()
    status = lib.HISS_OK

    def call():
        nonlocal status
        status = lib.hiss_compare(out, model._c, ffi.new("char *[]", words),
                                  len(words), settings, error)

    try:
        watch = watched(call, settings, progress, "racing")
    except BaseException:
        lib.hiss_comparison_destroy(out[0])
        raise
    if watch.asked_to_stop:
        lib.hiss_comparison_destroy(out[0])
        raise KeyboardInterrupt
    model._check(status, error)
    return Comparison(out[0], model, budgets)
