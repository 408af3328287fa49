"""Chains that persist while their model changes."""
from __future__ import annotations

import numpy as np

from . import _arrays as arrays
from ._errors import StoppedError
from ._native import lib
from ._run import SEED_MAX, STEPS_MAX, run_with
from ._step import LEARNS
from ._structs import new_settings
from .samplers import Sampler, as_sampler


def as_persistent(sampler) -> Sampler:
    """A sampler that keeps the law and learns nothing from a model."""
    sampler = as_sampler(sampler)
    if not sampler.is_exact:
        raise ValueError(f"sampler is {sampler}, which is not exact")
    found = LEARNS.search(sampler.spec)
    if found:
        raise ValueError(f"sampler is {sampler}, which a pilot tunes to one "
                         f"model ({found[0]} in {sampler.spec}): give the "
                         f"numbers instead, as in dmala(alpha=0.2) or "
                         f"pt(base=gibbs,levels=8)")
    return sampler


class Chains:
    """States of all chains, with all levels of each, moved by a sampler.

    states: (chains, dim), with which every level begins, or (chains, levels,
        dim).
    seed: of all that follows; `moved` counts the calls of `advance`, each of
        which has random numbers of its own, and `made` their steps.
    """

    def __init__(self, states, sampler, seed=1, threads=0):
        self.sampler = as_persistent(sampler)
        self.seed = arrays.whole("seed", seed, 0, SEED_MAX)
        self.threads = arrays.whole("threads", threads, 0, 1024)
        self.moved = self.made = 0
        states = np.asarray(states, dtype=float)
        if states.ndim == 2:
            states = np.repeat(states[:, None], self.sampler.replicas, axis=1)
        if states.ndim != 3 or states.shape[1] != self.sampler.replicas:
            raise ValueError(f"states has shape {states.shape}, expected "
                             f"(chains, {self.sampler.replicas}, dim)")
        self._states = np.ascontiguousarray(states)

    def __len__(self):
        return len(self._states)

    @property
    def states(self) -> np.ndarray:
        """Where the chains stand, (chains, dim)."""
        return self._states[:, 0]

    @property
    def levels(self) -> np.ndarray:
        """Where all their levels stand, (chains, levels, dim)."""
        return self._states

    @property
    def counts(self) -> list[int]:
        """What the next steps depend on besides the states."""
        return [self.moved, self.made]

    @counts.setter
    def counts(self, values):
        self.moved, self.made = values

    def _seed_now(self):
        words = np.random.SeedSequence(self.seed, spawn_key=(self.moved,))
        return int(words.generate_state(1, np.uint64)[0])

    def run(self, model, steps, samples=1):
        """A Result of so many draws, `steps` apart; the chains move on."""
        settings = new_settings("hiss_settings")
        settings.chains, settings.samples = len(self), samples
        settings.warmup = 0
        settings.thin = arrays.whole("steps", steps, 1, STEPS_MAX)
        settings.seed, settings.threads = self._seed_now(), self.threads
        settings.init = arrays.pointer("double", self._states)
        settings.by_level, settings.steps_before = 1, self.made
        result, watch = run_with(model, self.sampler, settings, False,
                                 "sampling")
        if watch.asked_to_stop:
            raise KeyboardInterrupt  # the chains are where they were
        if result is None or result.info.samples < samples:
            raise StoppedError("the chains were stopped")
        after = np.empty_like(self._states)
        lib.hiss_result_levels(result._c, arrays.pointer("double", after))
        self._states = after
        self.moved, self.made = self.moved + 1, self.made + samples * steps
        return result

    def advance(self, model, steps=1):
        """So many steps of every chain; returns the states."""
        self.run(model, steps)
        return self.states
