"""A kernel for blackjax: a sampler of hiss on a log-density of JAX.

    kernel = hiss.blackjax.kernel(log_density, states=5, position=x)
    state = kernel.init(x)
    state, info = kernel.step(key, state)
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._bridge import need
from ._step import as_kernel

blackjax = need("blackjax")

import jax  # type: ignore  # noqa: E402  comes with blackjax
import jax.numpy as jnp  # type: ignore  # noqa: E402
from jax.flatten_util import ravel_pytree  # type: ignore  # noqa: E402

from ._jax import Terms  # noqa: E402

__all__ = ["HissInfo", "HissState", "kernel"]


class HissState(NamedTuple):
    """Of a chain."""

    position: Any  # an array, or a tree of arrays, of whole numbers from 0
    logdensity: Any


class HissInfo(NamedTuple):
    """Of a step."""

    acceptance_rate: Any  # 1 where it was found rightly what depends on what
    is_moved: Any


def kernel(logdensity_fn, states, position, *given, sampler=None,
           steps: int = 1):
    """(init, step), a ``blackjax.SamplingAlgorithm`` for discrete variables.

    logdensity_fn: of a position and of what is given; a number, or an array
        of terms whose sum it is: terms of few coordinates each are drawn from
        much faster, and within JAX.
    states: the number of values of each variable, 0 ... states - 1: an int,
        or of the shape of the position.
    position: one of them; no matter which.
    *given: other arguments of logdensity_fn, perhaps values of variables that
        another kernel moves; ``step(key, state, *given)`` takes what they are
        then.
    sampler: one that no pilot tunes, such as "gibbs" or "hiss(eta=4)"; None:
        independent coordinates are drawn at once, others by elimination where
        that is quick, else by Gibbs.
    steps: of that sampler.
    """
    if sampler is not None:
        sampler = as_kernel(sampler)
    flat, unravel = ravel_pytree(position)
    counts = jax.tree.map(
        lambda leaf, count: np.broadcast_to(count, np.shape(leaf)).ravel(),
        position, states if jax.tree.structure(states) ==
        jax.tree.structure(position) else
        jax.tree.map(lambda leaf: states, position))
    counts = np.concatenate([np.ravel(leaf) for leaf in
                             jax.tree.leaves(counts)]).astype(int).tolist()

    def density(x, given):
        return logdensity_fn(unravel(x.astype(flat.dtype)), *given)

    terms = Terms(density, counts, given, sampler, steps)
    terms.learn([given], bases=4)

    def init(position, rng_key=None):
        return HissState(position, jnp.sum(logdensity_fn(position, *given)))

    def step(rng_key, state, *now):
        now = now or given
        x = ravel_pytree(state.position)[0].astype(int)
        if terms.is_tabulated:
            y, accept = terms.step(rng_key, x, now)
        else:
            y, accept = _outside(terms, rng_key, x, now)
        position = unravel(y.astype(flat.dtype))
        return (HissState(position, jnp.sum(logdensity_fn(position, *now))),
                HissInfo(accept, jnp.any(x != y)))

    return blackjax.SamplingAlgorithm(init, step)


def _outside(terms, key, x, given):
    """A log-density of all coordinates at once is a function for the library,
    which calls JAX; this cannot be a part of a compiled function."""
    if isinstance(x, jax.core.Tracer) or isinstance(key, jax.core.Tracer):
        raise ValueError("the log-density joins too many coordinates for "
                         "tables of their values: return an array of terms "
                         "of few coordinates each, or do not compile the step "
                         "(no jax.jit, no lax.scan)")
    terms.given = given
    seed = int(jax.random.bits(key, dtype=jnp.uint32))
    y, accept = terms.conditional.step(np.asarray(x),
                                       np.random.default_rng(seed))
    return jnp.asarray(y), jnp.asarray(accept)
