"""compare(): a race of samplers at equal cost."""
from __future__ import annotations

import html
import itertools
import math

import numpy as np

from . import _arrays as arrays
from ._model import as_model
from ._race import Law, Racer, Settings, entrant, mean, run_racer
from ._table import Table

SURE = 0.05
SIGNS_MAX = 16  # repetitions up to which all signs are tried
WORDS = {"evals": "at equal cost, {:.4g} evaluations",
         "time": "at equal time, {:.3g} s",
         "samples": "at equal length, {} draws per chain"}
UNITS = {"evals": " per evaluation", "time": " per second", "samples": ""}


def paired_p(a, b) -> float:
    """How likely a mean of a - b as far from 0 is when both are alike.

    Each difference might then as well have the other sign: over all signs of
    up to 16 of them, by the normal law of more.
    """
    n = len(a)
    with np.errstate(invalid="ignore"):
        d = np.asarray(a, float) - np.asarray(b, float)
    if n <= SIGNS_MAX:
        signs = np.array(list(itertools.product((1.0, -1.0), repeat=n)))
        with np.errstate(invalid="ignore"):
            sums = np.abs((signs * d).sum(1))
            return float((sums >= abs(d.sum()) * (1 - 1e-12)).mean())
    centre, se = mean(d)
    if se > 0:
        return math.erfc(abs(centre) / se / math.sqrt(2))
    return float(centre == 0)


class Comparison:
    """What compare() found: a row of figures for each sampler and race.

    Rows have the keys of ``hiss compare --json``; what is not known is NaN.
    """

    def __init__(self, model, law: Law, race: Settings, racers: list[Racer]):
        self.model = model
        self._law, self._race, self._racers = law, race, racers
        self.rows = [self._row(racer) for racer in racers]

    # --- who wins ----------------------------------------------------------

    def _scores(self, racer):
        """The figure that decides, by repetition; less is better.

        Without exact answers a sampler that does not keep the law cannot win:
        it may move as much as it likes.
        """
        if self._law.is_known:
            return racer.error
        if not racer.is_exact:
            return np.full(self._race.repetitions, np.inf)
        price = {"evals": racer.evals, "time": racer.seconds}.get(
            racer.budget, 1.0)
        return np.where(np.isnan(racer.ess), np.inf, -racer.ess / price)

    def _ranking(self, budget):
        own = [racer for racer in self._racers if racer.budget == budget]
        return sorted(own, key=lambda racer: self._scores(racer).mean())

    def best(self, budget: str | None = None) -> str | None:
        """The sampler that wins, None where none can be recommended.

        budget: "evals", "time" or "samples"; the first that was given.
        """
        first = self._ranking(self._budget(budget))[0]
        won = np.isfinite(self._scores(first).mean())
        return first.word if won else None

    def _budget(self, budget):
        if budget is None:
            return next(iter(self._race.budgets))
        if budget not in self._race.budgets:
            raise ValueError(f"budget is {budget!r}, expected one of "
                             f"{', '.join(self._race.budgets)}")
        return budget

    def advice(self, budget: str | None = None) -> str:
        """Which sampler to use, and how sure that is."""
        budget = self._budget(budget)
        first, second = self._ranking(budget)[:2]
        what = "is nearest to the law" if self._law.is_known else \
            f"has the most effective draws{UNITS[budget]}"
        a, b = self._scores(first), self._scores(second)
        if not np.isfinite(a.mean()):
            return "no sampler can be recommended: what is exact did not " \
                   "move, and what moved is not exact"
        if not np.isfinite(b.mean()):
            return f"use {first.word}: it is the only one that is exact and " \
                   f"moves"
        p = paired_p(a, b)
        if p <= SURE:
            return f"use {first.word}: it {what}; that the next, " \
                   f"{second.word}, is as good has p = {p:.2g}"
        return f"{first.word} {what}, but {second.word} cannot be told from " \
               f"it (p = {p:.2g}): more repetitions or another cost might"

    # --- figures -----------------------------------------------------------

    def _row(self, racer):
        law, race = self._law, self._race
        row = {"sampler": racer.word, "exact": racer.is_exact,
               "budget": racer.budget, "evals": racer.evals,
               "seconds": racer.seconds, "repetitions": race.repetitions,
               "chains": race.chains, "draws": racer.draws,
               "thin": racer.thin}

        def put(key, values, scale=1.0):
            centre, se = mean(values)
            row[key], row[f"{key}_se"] = centre * scale, se * scale

        if law.metric:
            put(law.metric, racer.error)
        if law.has_states:
            with np.errstate(divide="ignore"):
                put("log_mae", np.log(2 * racer.error / law.states))
            put("coverage", racer.cover)
        put("ess", racer.ess)
        put("ess_per_eval", racer.ess, 1 / racer.evals)
        put("ess_per_second", racer.ess, 1 / racer.seconds)
        best = self._ranking(racer.budget)[0]
        row["best"] = racer is best
        row["p_value"] = math.nan if racer is best else \
            paired_p(self._scores(racer), self._scores(best))
        if law.metric:
            row["curve"] = [dict(zip(("evals", "mean", "se"), point))
                            for point in racer.curve]
        return row

    @property
    def table(self) -> Table:
        """All figures but the curves."""
        keys = [key for key in self.rows[0] if key != "curve"]
        return Table({key: [row[key] for row in self.rows] for key in keys})

    def to_pandas(self):
        """A pandas.DataFrame of the table."""
        return self.table.to_pandas()

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, number):
        return self.rows[number]

    def __iter__(self):
        return iter(self.rows)

    # --- for people --------------------------------------------------------

    def _tables(self):
        """(Table, advice) of each race."""
        keys = {"sampler": "sampler", "ess_per_eval": "ESS/eval",
                "ess_per_second": "ESS/s", "evals": "evals",
                "seconds": "seconds"}
        if self._law.metric:
            keys[self._law.metric] = "distance" if self._law.has_states \
                else "marginals"
        for budget, amount in self._race.budgets.items():
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


def _budgets(evals, time_limit, samples):
    out = {}
    if evals is not None:
        out["evals"] = arrays.positive("evals", evals)
    if time_limit is not None:
        out["time"] = arrays.positive("time_limit", time_limit)
    if samples is not None:
        out["samples"] = arrays.whole("samples", samples, 8, 10**12)
    if not out:
        raise ValueError("evals, time_limit or samples is missing: what the "
                         "samplers may spend")
    return out


def _entrants(samplers):
    if isinstance(samplers, str):
        samplers = [word for word in samplers.split(";") if word.strip()]
    try:
        samplers = list(samplers)
    except TypeError:
        raise TypeError(f"samplers is a {type(samplers).__name__}, expected "
                        f"two or more samplers") from None
    if len(samplers) < 2:
        raise ValueError("samplers: a race needs two or more")
    return samplers


def compare(model, samplers, *, evals: float | None = None,
            time_limit: float | None = None, samples: int | None = None,
            chains: int = 4, repetitions: int = 8, warmup: int | None = None,
            seed: int = 1, threads: int = 0, progress=None) -> Comparison:
    """Runs samplers at equal cost and compares what they drew.

    With exact answers, where they can be had within seconds, the figure that
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
    chains: of a repetition.
    repetitions: for the error bars; they begin with the same states for all
        samplers, so that differences are judged in pairs.
    warmup: steps before the first draw; usually a fifth of the cost, with
        `samples` half as many steps as are kept.
    """
    model = as_model(model)
    words = _entrants(samplers)
    race = Settings(
        arrays.whole("chains", chains, 1, 100000),
        arrays.whole("repetitions", repetitions, 2, 10000),
        _budgets(evals, time_limit, samples),
        -1 if warmup is None else arrays.whole("warmup", warmup, 0, 10**12),
        arrays.whole("seed", seed, 0, 2**64 - 1),
        arrays.whole("threads", threads, 0, 1024))
    racers = []
    for budget in race.budgets:
        for word in words:
            racers.append(entrant(word))
            racers[-1].budget = budget
    law = Law(model, race.threads)
    for racer in racers:
        run_racer(racer, model, law, race, progress)
    return Comparison(model, law, race, racers)
