"""Terms of a log-density that is a JAX function: for NumPyro and blackjax."""
from __future__ import annotations

import jax  # type: ignore
import jax.numpy as jnp  # type: ignore
import numpy as np

from ._errors import NumericError
from ._terms import LOOK, Conditional

LEAST, BATCH = 64, 256  # states at once: each size is compiled


class Terms:
    """terms(x, given): x has the numbers of values, from 0; returns an array
    whose sum is the log-density.  `given` is all that it depends on besides.
    """

    def __init__(self, terms, states, given, sampler=None, steps=1, low=None):
        def flat(x, given):
            out = jnp.ravel(jnp.asarray(terms(x, given)))
            return out.astype(jnp.result_type(out, float))

        self._rows = jax.vmap(flat, in_axes=(0, None))
        self._jitted = jax.jit(self._rows)
        self.given = given
        self.conditional = Conditional(self.evaluate, states, sampler, steps,
                                       low)

    def evaluate(self, rows):
        """Of numpy's arrays, at `given`; padded to one of three sizes."""
        parts = []
        for at in range(0, len(rows), BATCH):
            part = rows[at:at + BATCH]
            size = max(LEAST, 1 << (len(part) - 1).bit_length())
            padded = np.concatenate(
                [part, np.repeat(part[-1:], size - len(part), axis=0)])
            out = np.asarray(self._jitted(jnp.asarray(padded), self.given))
            parts.append(out[:len(part)])
        return np.concatenate(parts)

    def learn(self, givens, bases=1):
        """Finds scopes at several values of what is given."""
        rng, is_nan = np.random.default_rng(1), True
        for self.given in givens:
            first = self.conditional.random_states(rng, bases)
            self.conditional.learn(first)
            is_nan = is_nan & np.isnan(self.evaluate(first)).all(0)
        if np.any(is_nan):  # where it is compiled nobody could say so
            raise NumericError(f"term {np.argmax(is_nan)} of {len(is_nan)} of "
                               f"the log-density is NaN wherever it was "
                               f"inspected: {LOOK}")

    @property
    def is_tabulated(self):
        return self.conditional.layout is not None

    def step(self, key, x, given):
        """(state, acceptance probability) after x; may be traced."""
        layout = self.conditional.layout
        key, other = jax.random.split(key)
        every = jnp.concatenate([jnp.asarray(layout.rows), x[None]])
        terms = self._rows(every, given)
        terms, here = terms[:-1], terms[-1]
        if self.conditional.sampler is None and layout.is_product:
            y = jax.random.categorical(key, self._logits(layout, terms))
        else:
            y = self._by_library(key, terms, x)
        y = y.astype(x.dtype)
        there = self._rows(y[None], given)[0]
        accept = jnp.exp(jnp.minimum(
            0.0, self._excess(terms, y, there) - self._excess(terms, x, here)))
        accept = jnp.where(jnp.isnan(accept), 0.0, accept)
        return jnp.where(jax.random.uniform(other) < accept, y, x), accept

    @staticmethod
    def _logits(layout, terms):
        out = jnp.zeros((layout.dim, max(layout.states)), terms.dtype)
        for group in layout.groups:
            of = np.array([scope[0] for scope in group.scopes])
            segment = np.repeat(of, np.diff([*group.starts,
                                             len(group.terms)]))
            part = terms[group.first:group.first + group.size, group.terms]
            out = out.at[:, :group.size].add(jax.ops.segment_sum(
                part.T, segment, num_segments=layout.dim))
        beyond = np.arange(out.shape[1]) >= np.array(layout.states)[:, None]
        return jnp.where(beyond, -jnp.inf, out)

    def _by_library(self, key, terms, x):
        """One state at a time: the library is not in JAX."""
        conditional = self.conditional

        def move(seed, terms, x):
            layout = conditional.layout
            rng = np.random.default_rng(int(seed))
            y = conditional._move(
                layout.model(np.asarray(terms, dtype=float)),
                np.asarray(x, dtype=np.int64), rng)
            return y.astype(x.dtype)

        seed = jax.random.bits(key, dtype=jnp.uint32)
        return jax.pure_callback(
            move, jax.ShapeDtypeStruct(x.shape, x.dtype), seed, terms, x,
            vmap_method="sequential")

    def _excess(self, terms, x, here):
        layout = self.conditional.layout
        row = jnp.asarray(layout.offset) + jnp.sum(
            x[layout.at] * jnp.asarray(layout.stride), axis=1)
        told = terms[row, np.arange(len(layout.scopes))]
        near = jnp.abs(here - told) <= \
            64 * jnp.finfo(told.dtype).eps * jnp.abs(told)
        same = near & jnp.isfinite(told) | (here == told)
        return jnp.sum(jnp.where(same, 0.0, here - told))
