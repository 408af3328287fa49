"""ln Z of a model that is trained: exactly, or by annealing.

Chains begin with independent draws of coordinates without couplings, whose
ln Z is known, and go to the model in many small steps of beta [Neal 2001].
Each step adds what U changes by at the chain's state to the logarithm of its
weight, and moves the chain at the new beta.  The mean weight is Z / Z_0
without bias, whether or not the chains keep up; if they do not, weights
differ widely, which `error` and `ess` show.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import _arrays as arrays
from ._chains import Chains
from ._energy_models import RBM, EnergyModel
from ._exact import exact

ISLANDS = 8  # of witnesses
LOST = 1.0  # their ln Z differs so much
PILOT = 32  # chains that look for good betas


@dataclass(frozen=True)
class Estimate:
    """A number with its standard error."""

    value: float
    error: float
    ess: float = float("inf")  # what the weights of the chains are worth

    def __repr__(self):
        return f"{self.value:.6g} ± {self.error:.2g}"


def mean_weight(log_weight) -> Estimate:
    """ln of the mean of weights, by the delta method."""
    top = log_weight.max()
    w = np.exp(log_weight - top)
    count, mean = len(w), w.mean()
    ess = w.sum() ** 2 / (w ** 2).sum()
    error = w.std(ddof=1) / mean / np.sqrt(count) if count > 1 else np.inf
    return Estimate(float(top + np.log(mean)), float(error), float(ess))


class Witnesses:
    """Chains that follow ln Z along any path of models, training included.

    A chain that begins with the law of the first model, gains U_new - U_old at
    its state in the logarithm of its weight whenever the model changes, and
    moves by a sampler that keeps the new law, has a mean weight of
    Z_last / Z_first, however far behind the models it lags [Jarzynski 1997,
    Neal 2001] - if the path does not depend on it.  So these chains are apart
    from those of which gradients are made.  They live on islands: where the
    weights of an island have become uneven its chains are drawn anew by their
    weights, and as islands never meet, they are independent estimates.
    """

    UNEVEN = 0.5  # of its chains that an island is worth

    def __init__(self, model, base, count, seed, threads=0):
        rng = _random(seed, 2)
        self.chains = Chains(model.base_states(base, rng, count),
                             model.sampler, seed, threads)
        self.weight = np.zeros(count)  # ln, since chains were drawn anew
        self.before = np.full(ISLANDS, model.base_log_z(base))

    @classmethod
    def again(cls, model, threads, seed, moved, levels, weight, before):
        """From a file."""
        if levels.shape != (len(weight), 1, model.dim) or \
                before.shape != (ISLANDS,) or len(weight) % ISLANDS:
            raise ValueError("the chains that follow ln Z do not fit")
        self = cls.__new__(cls)
        self.chains = Chains(levels, model.sampler, seed, threads)
        self.chains.counts = moved
        self.weight, self.before = weight, before
        return self

    @property
    def islands(self):
        return self.weight.reshape(ISLANDS, -1)

    def states(self, model):
        return self.chains.states.astype(model._dtype)

    def move(self, model, steps=1):
        """model: as the library has it."""
        self._resample()
        self.chains.advance(model, steps)

    def _resample(self):
        """Draws the chains of uneven islands anew, systematically."""
        size = self.islands.shape[1]
        for island, log_weight in enumerate(self.islands):
            found = mean_weight(log_weight)
            if found.ess > self.UNEVEN * size:
                continue
            w = np.exp(log_weight - log_weight.max())
            upto = np.cumsum(w) / w.sum() * size
            start = _random(self.chains.seed, 3, self.chains.moved,
                            island).random()
            parent = np.searchsorted(upto, np.arange(size) + start)
            parent = np.minimum(parent, size - 1) + island * size
            own = slice(island * size, (island + 1) * size)
            self.chains.levels[own] = self.chains.levels[parent]
            self.before[island] += found.value
            log_weight[:] = 0.0

    def each(self):
        """ln Z by island."""
        return self.before + [mean_weight(w).value for w in self.islands]

    @property
    def spread(self):
        """Standard deviation of ln Z over the islands."""
        return float(self.each().std(ddof=1))

    def estimate(self) -> Estimate:
        """Of all islands.  Where ln Z differs by s between them, the mean of
        Z is that of few islands, and too low by up to s^2 / 2: the error
        counts this, too.  Beyond s = LOST nothing is known."""
        found, s = mean_weight(self.each()), self.spread
        error = np.hypot(s / ISLANDS ** 0.5, s * s / 2)
        return Estimate(found.value, float(error) if s < LOST else np.inf)


def _random(seed, *key):
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def as_energy_model(model) -> EnergyModel:
    if not isinstance(model, EnergyModel):
        raise TypeError(f"model is a {type(model).__name__}, expected an "
                        f"Ising, Boltzmann, Potts or RBM of hiss.train")
    return model


def as_base(model, base):
    """Fields of independent coordinates."""
    shape = model.params[model.fields].shape
    return np.zeros(shape) if base is None else \
        arrays.numbers("base", base, shape)


def schedule(betas):
    if np.ndim(betas) == 0:
        count = arrays.whole("betas", betas, 1, 2**30)
        return np.linspace(0.0, 1.0, count + 1)
    betas = arrays.numbers("betas", betas, (None,))
    if len(betas) < 2 or betas[0] != 0 or betas[-1] != 1 or \
            (np.diff(betas) <= 0).any():
        raise ValueError("betas does not rise from 0 to 1")
    return betas


def even_betas(model, *, base=None, betas: int = 1000, sampler=None,
               seed: int = 1, threads: int = 0) -> np.ndarray:
    """Betas from 0 to 1 that lie closer where dU/dbeta varies more.

    A pilot of a tenth as many steps with PILOT chains measures its standard
    deviation; between two betas there is the same part of its integral, the
    thermodynamic length, which makes the weights of annealing most even for
    their number.
    """
    model = as_energy_model(model)
    base, count = as_base(model, base), arrays.whole("betas", betas, 1, 2**30)
    coarse = np.linspace(0.0, 1.0, max(20, count // 10) + 1)
    walk = Chains(model.base_states(base, _random(seed, 4), PILOT),
                  sampler or model.sampler,
                  int(_random(seed, 5).integers(2**62)), threads)
    work = np.zeros(len(coarse) - 1)
    for k, (before, beta) in enumerate(zip(coarse[:-1], coarse[1:])):
        work[k] = change(model, base, walk, before, beta).std()
        if beta < 1:
            walk.advance(model.between(base, beta).model())
    length = np.append(0.0, np.cumsum(work + 0.1 * work.mean() + 1e-12))
    out = np.interp(np.linspace(0.0, length[-1], count + 1), length, coarse)
    out[0], out[-1] = 0.0, 1.0
    return out


def log_z(model, *, base=None, betas=1000, chains: int = 128, sampler=None,
          steps: int = 1, seed: int = 1, threads: int = 0) -> Estimate:
    """ln Z by annealed importance sampling, with its standard error.

    base: fields of the independent coordinates to begin with, 0; those of the
        data (:func:`independent`) are nearer to a trained model.
    betas: how many steps there are, of :func:`even_betas`, or the betas
        themselves, from 0 to 1.
    chains: of which each gives a weight.
    sampler, steps: what moves them at each beta.

    ``ess`` of the result is what the weights are worth: where it is a small
    part of `chains`, few of them count, and the error is not to be believed:
    take more betas.
    """
    model, base = as_energy_model(model), as_base(model, base)
    if np.ndim(betas) == 0:
        betas = even_betas(model, base=base, betas=betas, sampler=sampler,
                           seed=arrays.whole("seed", seed, 0),
                           threads=threads)
    betas = schedule(betas)
    count = arrays.whole("chains", chains, 2, 1000000)
    rng = _random(arrays.whole("seed", seed, 0), 2)
    walk = Chains(model.base_states(base, rng, count),
                  sampler or model.sampler, seed, threads)
    if walk.sampler.replicas > 1:
        raise ValueError(f"sampler is {walk.sampler}, with several states per "
                         f"chain, expected one that moves a single state")
    weight = np.zeros(count)
    for before, beta in zip(betas[:-1], betas[1:]):
        weight += change(model, base, walk, before, beta)
        if beta < 1:
            walk.advance(model.between(base, beta).model(), steps)
    found = mean_weight(weight)
    return Estimate(found.value + model.base_log_z(base), found.error,
                    found.ess)


def change(model, base, chains, before, beta):
    """Of U at the chains' states, from a beta to the next."""
    parts = model.parts(chains.states.astype(model._dtype), base)
    return model.u_at(parts, beta) - model.u_at(parts, before)


def anneal(model, base, betas, witnesses):
    """Takes witnesses from independent coordinates to the model."""
    for before, beta in zip(betas[:-1], betas[1:]):
        witnesses.weight += change(model, base, witnesses.chains, before,
                                   beta)
        if beta < 1:
            witnesses.move(model.between(base, beta).model())


def exact_log_z(model, threads: int = 0) -> float:
    """ln Z by enumeration or elimination; of a restricted Boltzmann machine,
    the side with fewer units is enumerated.  Raises LimitError where there
    are too many states."""
    model = as_energy_model(model)
    if isinstance(model, RBM) and model.hidden < model.dim:
        model = model.transposed()
    return exact(model.model(), threads).log_z


def independent(model, data, weights=None) -> np.ndarray:
    """The fields of a model without couplings that has the data's means: a
    good start of a training, and a good base of :func:`log_z`."""
    model = as_energy_model(model)
    data = model.states("data", data)
    mean = model.field_mean(data, weights)
    return model.independent(mean, len(data))
