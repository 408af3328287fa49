"""A sampler for dimod: drops into workflows of D-Wave's samplers."""
from __future__ import annotations

import secrets
import time

import dimod
import numpy as np
from dimod.core.initialized import Initialized

from . import _arrays as arrays
from ._optimize import optimize
from ._others import (Constrained, discrete_terms, from_dimod,
                      polynomial_terms, without_constraints)
from ._run import sample as draw
from .samplers import as_sampler

LEVELS = 16
LEAST_READS = 16  # that many restarts cost what one does
TOP_MAX = 100000  # of optimize


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


def table_beta_range(dim, terms):
    """The same of a sum of tables (scope, E): a field is bounded by the spread
    of the tables around a variable, a gap by steps between their entries."""
    field, gap = np.zeros(dim), np.inf
    for scope, table in terms:
        table = np.where(np.isfinite(table), table, np.nan)  # hard constraints
        steps = np.abs(np.concatenate([
            np.diff(table, axis=axis).ravel() for axis in range(table.ndim)]))
        steps = steps[steps > 1e-9 * np.nanmax(np.abs(table), initial=0)]
        if len(steps):
            field[list(scope)] += np.nanmax(table) - np.nanmin(table)
            gap = min(gap, steps.min())
    if np.isinf(gap):
        return 1.0, 1.0
    hot = np.log(2) / field.max()
    return float(hot), float(max(hot, np.log(100) / gap))


def _labelled(info, label):
    return info if label is None else {**info, "problem_label": label}


# What other models are sampled by.
OTHERS = {"ConstrainedQuadraticModel": "sample_cqm",
          "DiscreteQuadraticModel": "sample_dqm",
          "QuadraticModel": "sample_qm", "BinaryPolynomial": "sample_poly"}


def _check_kind(bqm):
    kind = type(bqm).__name__
    if kind in OTHERS:
        raise TypeError(f"bqm is a {kind}, which {OTHERS[kind]} takes")
    if not hasattr(bqm, "num_variables"):
        raise TypeError(f"bqm is a {kind}, expected a BinaryQuadraticModel; "
                        f"sample_ising and sample_qubo take dicts")


class HissSampler(dimod.Sampler, dimod.PolySampler, Initialized):
    """Samples binary, discrete and constrained quadratic models, and binary
    polynomials, by hiss.

    Without `beta` it looks for the states of lowest energy, as `optimize`
    does, and returns the best distinct ones that it found.  With `beta` it
    returns draws from the Boltzmann law exp(-beta E) by tempered chains.
    """

    @property
    def parameters(self) -> dict:
        """Names of the arguments of sample()."""
        return {name: [] for name in (
            "num_reads", "num_sweeps", "beta", "beta_range", "sampler",
            "seed", "threads", "label", "initial_states",
            "initial_states_generator")}

    @property
    def properties(self) -> dict:
        return {}

    def sample(self, bqm, *, num_reads: int | None = None,
               num_sweeps: int = 1000, beta: float | None = None,
               beta_range=None, sampler=None, seed: int | None = None,
               threads: int = 0, label: str | None = None,
               initial_states=None, initial_states_generator="random",
               **kwargs) -> dimod.SampleSet:
        """States of low energy, or with `beta` draws.

        num_reads: without beta the search makes num_reads times num_sweeps
            sweeps (of 16 reads at least) and returns at most so many states,
            the best first; their num_occurrences says how many restarts ended
            there.  With beta, independent chains, each of which returns its
            last state.
        num_sweeps: steps of a chain.
        beta: samples exp(-beta E).
        beta_range, sampler, initial_states: chains that are tempered from hot
            to cold, a hiss sampler or spec, states to begin with: each asks
            for chains, too, whose beta is then the cold end of the range.
        seed: the same seed gives the same states; one is drawn if left out.
        label: kept as "problem_label" in the info of the sample set.
        initial_states, initial_states_generator: as in dimod.
        """
        self.remove_unknown_kwargs(**kwargs)
        _check_kind(bqm)
        seed = secrets.randbits(32) if seed is None else seed
        start = self.parse_initial_states(
            bqm, num_reads=num_reads, initial_states=initial_states,
            initial_states_generator=initial_states_generator, seed=seed)
        if not bqm.num_variables:
            return dimod.SampleSet.from_samples_bqm(
                [{}] * start.num_reads, bqm, info=_labelled({}, label))
        betas = self._betas(default_beta_range(bqm), beta, beta_range)
        model = from_dimod(bqm, betas[1])
        if self._searches(beta, beta_range, sampler) and \
                initial_states is None and \
                initial_states_generator == "random":
            states, counts, info = self._search(
                model, start.num_reads, num_sweeps, seed, threads, label)
        else:
            states, counts, info = self._draw(
                model, betas, start.num_reads, num_sweeps, sampler, seed,
                threads, label, init=self._states(start, model))
        return dimod.SampleSet.from_samples_bqm(
            (states, list(model.labels or ())), bqm, info=info,
            num_occurrences=counts)

    def sample_dqm(self, dqm, *, num_reads: int = 1, num_sweeps: int = 1000,
                   beta: float | None = None, beta_range=None, sampler=None,
                   seed: int | None = None, threads: int = 0,
                   label: str | None = None, **kwargs) -> dimod.SampleSet:
        """States of a discrete quadratic model; arguments as in sample()."""
        self.remove_unknown_kwargs(**kwargs)
        states, terms, labels = discrete_terms(dqm)
        betas = self._betas(table_beta_range(len(states), terms), beta,
                            beta_range)
        found, counts, info = self._find(
            from_dimod(dqm, betas[1]), betas, beta, beta_range, num_reads,
            num_sweeps, sampler, seed, threads, label)
        return dimod.SampleSet.from_samples(
            (found, labels), energy=dqm.energies((found, labels)),
            vartype="DISCRETE", info=info, num_occurrences=counts)

    def sample_cqm(self, cqm, *, num_reads: int = 1, num_sweeps: int = 1000,
                   beta: float | None = None, beta_range=None, sampler=None,
                   seed: int | None = None, threads: int = 0,
                   label: str | None = None, **kwargs) -> dimod.SampleSet:
        """States of a constrained quadratic model; arguments as in sample().

        Hard constraints hold in every state; hiss.from_dimod says which
        models can be read.
        """
        self.remove_unknown_kwargs(**kwargs)
        reader = Constrained(cqm)
        betas = self._betas(
            table_beta_range(len(reader.labels), reader.terms()), beta,
            beta_range)
        found, counts, info = self._find(
            reader.model(betas[1]), betas, beta, beta_range, num_reads,
            num_sweeps, sampler, seed, threads, label)
        return dimod.SampleSet.from_samples_cqm(
            reader.samples(found), cqm, info=info, num_occurrences=counts)

    def sample_qm(self, qm, **more) -> dimod.SampleSet:
        """States of a quadratic model of binary, spin and bounded integer
        variables; arguments as in sample_cqm()."""
        return self.sample_cqm(without_constraints(qm), **more)

    def sample_poly(self, polynomial, *, num_reads: int = 1,
                    num_sweeps: int = 1000, beta: float | None = None,
                    beta_range=None, sampler=None, seed: int | None = None,
                    threads: int = 0, label: str | None = None,
                    **kwargs) -> dimod.SampleSet:
        """States of a binary polynomial; arguments as in sample()."""
        self.remove_unknown_kwargs(**kwargs)
        states, terms, labels = polynomial_terms(polynomial)
        betas = self._betas(table_beta_range(len(states), terms), beta,
                            beta_range)
        found, counts, info = self._find(
            from_dimod(polynomial, betas[1]), betas, beta, beta_range,
            num_reads, num_sweeps, sampler, seed, threads, label)
        return dimod.SampleSet.from_samples(
            (found, labels), energy=polynomial.energies((found, labels)),
            vartype=polynomial.vartype, info=info, num_occurrences=counts)

    @staticmethod
    def _searches(beta, beta_range, sampler):
        """Whether no argument asks for chains."""
        return beta is None and beta_range is None and sampler is None

    def _find(self, model, betas, beta, beta_range, reads, sweeps, sampler,
              seed, threads, label):
        """States, how often each, and what the info says."""
        if self._searches(beta, beta_range, sampler):
            return self._search(model, reads, sweeps, seed, threads, label)
        return self._draw(model, betas, reads, sweeps, sampler, seed, threads,
                          label)

    @staticmethod
    def _search(model, reads, sweeps, seed, threads, label):
        """The best distinct states of so many sweeps of annealing."""
        seed = secrets.randbits(32) if seed is None else seed
        reads = arrays.whole("num_reads", reads, 1)
        sweeps = arrays.whole("num_sweeps", sweeps, 1)
        began = time.perf_counter()
        best = optimize(model, evals=float(max(reads, LEAST_READS) * sweeps),
                        seed=seed, threads=threads, top=min(reads, TOP_MAX),
                        progress=False)
        took = time.perf_counter() - began
        found = np.array(list(best.solutions["state"]))
        found = found.astype(np.int8 if np.abs(found).max() < 128 else int)
        return found, np.maximum(best.solutions["hits"], 1), _labelled(
            {"seed": seed, "sampler": best.sampler, "sweeps": best.evals,
             "restarts": best.restarts,
             "timing": {"sampling_ns": int(1e9 * took)}}, label)

    def _draw(self, model, betas, reads, sweeps, sampler, seed, threads,
              label, init="random"):
        """The last states of `reads` chains, and what the info says."""
        hot, cold = betas
        seed = secrets.randbits(32) if seed is None else seed
        sweeps = arrays.whole("num_sweeps", sweeps, 1)
        sampler = as_sampler(sampler or self._usual(hot, cold))
        began = time.perf_counter()
        run = draw(model, sampler, chains=arrays.whole("num_reads", reads, 1),
                   samples=1, warmup=sweeps - 1, seed=seed, threads=threads,
                   init=init, progress=False)
        took = time.perf_counter() - began
        return run.draws[:, 0, :], np.ones(reads, int), _labelled(
            {"beta": cold, "beta_range": (hot, cold), "seed": seed,
             "sampler": run.sampler,
             "timing": {"sampling_ns": int(1e9 * took)}}, label)

    @staticmethod
    def _betas(usual, beta, beta_range):
        if beta is not None and beta_range is not None:
            raise ValueError("beta and beta_range exclude each other")
        hot, cold = usual if beta_range is None else beta_range
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
