"""A kernel for blackjax: a sampler of hiss on a log-density of JAX.

    kernel = hiss.blackjax.kernel(log_density, states=5, position=x)
    state = kernel.init(x)
    state, info = kernel.step(key, state)
"""
from __future__ import annotations

import operator
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
    if not callable(logdensity_fn):
        raise TypeError(f"logdensity_fn is a {type(logdensity_fn).__name__}, "
                        f"expected a function")
    flat, unravel = ravel_pytree(position)
    counts = _counts(states, position)
    _check("position", position, flat, counts)

    def density(x, given):
        return logdensity_fn(unravel(x.astype(flat.dtype)), *given)

    terms = Terms(density, counts, given, sampler, steps)
    terms.learn([given], bases=4)

    def init(position, rng_key=None):
        _check("position", position, flat, counts)
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


def _counts(states, position):
    """The number of values of each coordinate of a flat position."""
    if jax.tree.structure(states) != jax.tree.structure(position):
        states = jax.tree.map(lambda leaf: states, position)
    out = []
    for leaf, count in zip(jax.tree.leaves(position), jax.tree.leaves(states)):
        try:
            out.append(np.broadcast_to(count, np.shape(leaf)).ravel())
        except ValueError:
            raise ValueError(f"states has shape {np.shape(count)}, expected a "
                             f"number or {np.shape(leaf)}, as position has"
                             ) from None
    counts = [operator.index(count) for count in np.concatenate(out)]
    if counts and min(counts) < 1:
        raise ValueError(f"states has {min(counts)}, expected at least 1 value "
                         f"of each variable")
    return counts


def _check(name, position, like, counts):
    """Whether values are known, as they are unless JAX is compiling."""
    x = ravel_pytree(position)[0]
    if x.shape != like.shape:
        raise ValueError(f"{name} has {x.size} coordinates, expected "
                         f"{like.size}")
    if not (jnp.issubdtype(x.dtype, jnp.integer) or x.dtype == bool):
        raise TypeError(f"{name} has dtype {x.dtype}, expected whole numbers")
    if isinstance(x, jax.core.Tracer):
        return
    bad = (np.asarray(x) < 0) | (np.asarray(x) >= np.array(counts))
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(f"{name} has {x[i]} at coordinate {i}, expected 0 to "
                         f"{counts[i] - 1}")


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
