"""step(): moves given states by a sampler, for loops that are not ours."""
from __future__ import annotations

import re

import numpy as np

from . import _arrays as arrays
from ._model import as_model
from ._run import SEED_MAX, STEPS_MAX, sample
from .samplers import Sampler, as_sampler

# What these would learn of the model in a pilot is lost after the call.
LEARNS = re.compile(r"(?<!max_temperature=)\bauto\b|\bbridge\b|tune=yes")


def as_kernel(sampler) -> Sampler:
    """A sampler whose every step keeps the law, from any state."""
    sampler = as_sampler(sampler)
    if not sampler.is_exact:
        raise ValueError(f"sampler is {sampler}, which is not exact")
    if sampler.replicas > 1:
        raise ValueError(f"sampler is {sampler}, with {sampler.replicas} "
                         f"states per chain, expected one that moves a single "
                         f"state, such as gibbs")
    found = LEARNS.search(sampler.spec)
    if found:
        raise ValueError(f"sampler is {sampler}, which a pilot tunes "
                         f"({found[0]} in {sampler.spec}): give the numbers "
                         f"instead, as in dmala(alpha=0.2)")
    return sampler


def step(model, state, sampler="gibbs", steps: int = 1, *, seed: int = 1,
         threads: int = 1) -> np.ndarray:
    """States after so many steps of a sampler, begun at given ones.

    state: values, (dim,) or (chains, dim); the result has the same shape.
    sampler: one that moves a single state and that no pilot tunes:
        "gibbs", "dmala(alpha=0.2)", "hiss(eta=4,inner=gibbs)".
    seed: to be another one in every call.

    States that follow the law of the model follow it afterwards, too, so that
    a step is a part of any Gibbs sampler whose model changes between calls
    (``hiss.pymc``, ``hiss.numpyro`` and ``hiss.blackjax`` are such ones).
    """
    model, sampler = as_model(model), as_kernel(sampler)
    states = arrays.numbers("state", state)
    if states.ndim not in (1, 2) or states.shape[-1] != model.dim:
        raise ValueError(f"state has shape {states.shape}, expected "
                         f"({model.dim},) or (chains, {model.dim})")
    rows = states.reshape(-1, model.dim)
    run = sample(model, sampler, chains=len(rows), samples=1, warmup=0,
                 thin=arrays.whole("steps", steps, 1, STEPS_MAX), init=rows,
                 seed=arrays.whole("seed", seed, 0, SEED_MAX),
                 threads=threads, progress=False)
    return run.draws[:, 0].reshape(states.shape).copy()
