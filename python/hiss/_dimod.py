"""A sampler for dimod: drops into workflows of D-Wave's samplers."""
from __future__ import annotations

import secrets
import time

import dimod
import numpy as np
from dimod.core.initialized import Initialized

from . import _arrays as arrays
from ._model import from_dimod
from ._run import sample as draw
from .samplers import as_sampler

LEVELS = 16


def default_beta_range(bqm):
    """(hot, cold): the largest field flips half of the time when it is hot,
    the smallest gap once in a hundred tries when it is cold.

    A gap is bounded by the smallest bias that is not 0; a field by the sum of
    the biases around a variable.  A flip of a spin changes twice its field.
    """
    scale = 2.0 if bqm.vartype is dimod.SPIN else 1.0
    linear, (row, column, value), *_ = bqm.to_numpy_vectors()
    field = np.abs(linear)
    np.add.at(field, row, np.abs(value))
    np.add.at(field, column, np.abs(value))
    biases = np.abs(np.concatenate([linear, value]))
    biases = biases[biases > 0]
    if len(biases) == 0:
        return 1.0, 1.0
    hot = np.log(2) / (scale * field.max())
    cold = np.log(100) / (scale * biases.min())
    return float(hot), float(max(hot, cold))


class HissSampler(dimod.Sampler, Initialized):
    """Samples binary quadratic models by hiss.

    With `beta` the states follow the Boltzmann law exp(-beta E); without it
    the coldest level of `beta_range` is sampled, so that energies are low.
    Either way chains are tempered, unless `sampler` says otherwise.
    """

    @property
    def parameters(self) -> dict:
        """Names of the arguments of sample()."""
        return {name: [] for name in (
            "num_reads", "num_sweeps", "beta", "beta_range", "sampler",
            "seed", "threads", "initial_states", "initial_states_generator")}

    @property
    def properties(self) -> dict:
        return {}

    def sample(self, bqm, *, num_reads: int | None = None,
               num_sweeps: int = 1000, beta: float | None = None,
               beta_range=None, sampler=None, seed: int | None = None,
               threads: int = 0, initial_states=None,
               initial_states_generator="random",
               **kwargs) -> dimod.SampleSet:
        """One state from each of `num_reads` independent chains.

        num_sweeps: steps of a chain; its last state is returned.
        beta: samples exp(-beta E).
        beta_range: (hot, cold) where beta is not given.
        sampler: a hiss sampler or spec, for U = -beta E.
        seed: the same seed gives the same states; one is drawn if left out.
        initial_states, initial_states_generator: as in dimod.
        """
        self.remove_unknown_kwargs(**kwargs)
        if beta is not None and beta_range is not None:
            raise ValueError("beta and beta_range exclude each other")
        seed = secrets.randbits(32) if seed is None else seed
        sweeps = arrays.whole("num_sweeps", num_sweeps, 1)
        start = self.parse_initial_states(
            bqm, num_reads=num_reads, initial_states=initial_states,
            initial_states_generator=initial_states_generator, seed=seed)
        if not bqm.num_variables:
            return dimod.SampleSet.from_samples_bqm(
                [{}] * start.num_reads, bqm)
        hot, cold = self._betas(bqm, beta, beta_range)
        sampler = as_sampler(sampler or self._usual(hot, cold))
        model = from_dimod(bqm, cold)
        began = time.perf_counter()
        run = draw(model, sampler, chains=start.num_reads, samples=1,
                   warmup=sweeps - 1, seed=seed, threads=threads,
                   init=self._states(start, model), progress=False)
        took = time.perf_counter() - began
        return dimod.SampleSet.from_samples_bqm(
            (run.draws[:, 0, :], list(model.labels or ())), bqm,
            info={"beta": cold, "beta_range": (hot, cold), "seed": seed,
                  "sampler": run.sampler,
                  "timing": {"sampling_ns": int(1e9 * took)}})

    @staticmethod
    def _betas(bqm, beta, beta_range):
        hot, cold = default_beta_range(bqm) if beta_range is None \
            else beta_range
        hot = arrays.positive("beta_range", hot)
        cold = arrays.positive("beta_range", cold)
        if cold < hot:
            raise ValueError(f"beta_range is ({hot}, {cold}), expected the "
                             f"hot end first, which is the smaller beta")
        if beta is not None:
            cold = arrays.positive("beta", beta)
            hot = min(hot, cold)
        return hot, cold

    @staticmethod
    def _usual(hot, cold):
        ratio = max(cold / hot, 1.0)
        return f"pt(base=gibbs,levels={LEVELS if ratio > 1 else 1}," \
               f"max_temperature={ratio!r})"

    @staticmethod
    def _states(start, model):
        given = start.initial_states
        place = {label: i for i, label in enumerate(given.variables)}
        return np.asarray(given.record.sample)[
            :, [place[label] for label in model.labels]]
