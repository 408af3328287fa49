"""Whether the chains of a training can be trusted.

The model is held fixed and the chains go on for some draws: do they agree with
each other (R-hat), do they move (ESS), are the data's means theirs, and are
they where the data are?  The last is the coverage of [Naeem et al. 2020]: the
share of data that have a chain's state at least as near as their own fifth
neighbor.  Chains that all sit in one of ten modes cover a tenth.
"""
from __future__ import annotations

import math

import numpy as np

from ._diagnosis import Diagnosis, Finding

RHAT, ESS = 1.05, 100
NEIGHBOR = 5  # whose distance is the reach of a datum
MOST = 512  # data and states that are compared
LEAST = 0.7  # of the coverage that draws like the data would have
MEANS = 5.0  # standard errors


class TrainingDiagnosis(Diagnosis):
    """Findings of :meth:`Training.check`."""

    def __init__(self, findings):
        good = all(f.outcome != "failed" for f in findings)
        super().__init__("trusted" if good else "not trusted",
                         f"the chains {'can' if good else 'cannot'} be trusted",
                         findings)


def coverage(data, states) -> float:
    """The share of data within whose reach a state is."""
    data, states = np.asarray(data), np.asarray(states)
    apart = _distances(data, data)
    np.fill_diagonal(apart, data.shape[1] + 1)  # not its own neighbor
    rank = min(NEIGHBOR, len(data) - 1) - 1
    reach = np.partition(apart, rank, axis=1)[:, rank]
    return float((_distances(data, states).min(1) <= reach).mean())


def _distances(a, b):
    """Coordinates in which rows differ."""
    out = np.empty((len(a), len(b)), np.int64)
    for row, x in enumerate(a):
        out[row] = (x != b).sum(1)
    return out


def usual_coverage(data, states):
    """Of so many states if they had the law of the data: a datum is missed
    when all of its nearest points, data and states together, are data."""
    k = min(NEIGHBOR, data - 1)
    missed = math.prod((data - 1 - i) / (data - 1 + states - i)
                       for i in range(k))
    return 1 - missed


def _finding(name, is_good, value, limit, text, remedy):
    return Finding(name, "passed" if is_good else "failed", float(value),
                   float(limit), text, None if is_good else remedy)


def _some(rng, rows, most):
    if len(rows) <= most:
        return rows
    return rows[np.sort(rng.choice(len(rows), most, replace=False))]


def _agreement(result):
    energy = result.energy()
    rhat, ess = energy["rhat"], energy["ess_bulk"]
    is_good = not rhat > RHAT and not math.isnan(rhat)
    yield _finding("agreement", is_good, rhat, RHAT,
                   f"R-hat of U is {rhat:.3f}",
                   "chains stand in different places: use a sampler that "
                   "crosses between modes (pt, hiss) or more steps")
    yield _finding("movement", ess >= ESS, ess, ESS,
                   f"ESS of U is {ess:.0f} of {result.info.chains} chains "
                   f"with {result.info.samples} draws",
                   "more steps between gradients, or a sampler that moves "
                   "faster")


def _means(run, result):
    """Standardised differences of the coordinates' means."""
    model = run.model
    draws = result.draws.astype(model._dtype)
    chains = np.stack([model.field_mean(part) for part in draws])
    error = chains.std(0, ddof=1) / math.sqrt(len(chains))
    gap = np.abs(chains.mean(0) - run._mean)
    worst = gap.max()
    z = gap / np.maximum(error, 1e-12)
    # a gap that cannot be told from 0, or that nobody would mind
    matters = np.where(gap > 0.01, z, 0.0)
    yield _finding("means", matters.max() <= MEANS, matters.max(), MEANS,
                   f"means of coordinates differ from the data's by "
                   f"{worst:.3g} at most, {z[gap == worst].max():.1f} "
                   f"standard errors",
                   "the training has not arrived: more steps of it, or a "
                   "higher rate")


def _places(run, result, seed):
    rng = np.random.default_rng(seed)
    states = _some(rng, result.draws[:, -1].astype(run.model._dtype), MOST)
    data = _some(rng, run.data, len(states))
    if len(data) < 4 * NEIGHBOR:
        yield Finding("coverage", "skipped", math.nan, math.nan,
                      f"{len(data)} data or chains are too few", None)
        return
    found = coverage(data, states)
    usual = usual_coverage(len(data), len(states))
    yield _finding("coverage", found >= LEAST * usual, found, LEAST * usual,
                   f"{100 * found:.0f} % of the data have a chain near them, "
                   f"{100 * usual:.0f} % would if chains were like the data",
                   "chains sit in some of the modes, or the model is far from "
                   "the data: a sampler that crosses between modes, more "
                   "chains, more training")


def _slope(run):
    found = run.gradient()
    yield Finding("gradient", "passed", found.norm, math.nan,
                  f"norm {found.norm:.3g}, of which chance alone would give "
                  f"{found.noise:.3g}", None)


def check(run, samples, seed=1) -> TrainingDiagnosis:
    """Moves the chains of a training on, with its model as it is."""
    result = run.chains.run(run.model.model(), run.steps, samples)
    findings = [*_agreement(result), *_means(run, result),
                *_places(run, result, seed), *_slope(run)]
    return TrainingDiagnosis(findings)
