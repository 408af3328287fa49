"""A log-density that is a sum of many terms, as tables of a few coordinates.

A model of PyMC or NumPyro is a sum of terms, an element of an array each:
the prior of a label, the likelihood of an observation.  Few of the discrete
coordinates change a term; those that do are its scope, found by changing them
one at a time.  Coordinates that share no term have the same color, so that a
state in which all of a color have value v shows many terms at once: with
labels that are independent given the rest, as many evaluations as a label has
values give the whole conditional law.

A scope that was found too small spoils no law: what a table says of a term is
compared with the term itself, at the state before and the one after, and a
Metropolis step makes up for the difference, which is 0 where scopes are right.
"""
from __future__ import annotations

import math

import numpy as np

from . import _arrays as arrays
from ._callback import from_function
from ._errors import LimitError, NumericError
from ._model import STATES_MAX, Domain, build
from ._native import lib
from ._run import STEPS_MAX
from ._step import step
from ._structs import struct

ROWS_MAX = 2**14  # states that are evaluated for the tables
ENTRIES_MAX = 2**26  # terms of all of them
PROBED = 2**22  # terms evaluated at once in the search for scopes
USUAL = "gibbs(scan=random)"  # which is reversible
ELIMINATED = 0.02  # seconds that an independent draw may take


# --- scopes ----------------------------------------------------------------

def _neighbors(base, states):
    """(coordinates, rows): every state that differs from base in one."""
    where = np.repeat(np.arange(len(states)), np.asarray(states) - 1)
    rows = np.tile(base, (len(where), 1))
    at = 0
    for i, count in enumerate(states):
        rows[at:at + count - 1, i] = np.delete(np.arange(count), base[i])
        at += count - 1
    return where, rows


def _same(a, b):
    """But for the rounding of what computes many states at once."""
    with np.errstate(invalid="ignore"):
        near = np.abs(a - b) <= 64 * np.finfo(a.dtype).eps * np.abs(b)
    return near & np.isfinite(b) | (a == b) | np.isnan(a) & np.isnan(b)


def find_scopes(evaluate, states, bases, known=None):
    """For each term the coordinates that change it, near any of the bases.

    evaluate: states (n, dim), as numbers of values from 0, to terms (n, m).
    known: scopes that are to be widened.
    """
    found = None if known is None else [set(scope) for scope in known]
    for base in bases:
        here = evaluate(base[None])[0]
        if found is None:
            found = [set() for _ in here]
        where, rows = _neighbors(base, states)
        size = max(1, PROBED // max(1, len(here)))  # memory is bounded
        for at in range(0, len(rows), size):
            there = evaluate(rows[at:at + size])
            for row, term in zip(*np.nonzero(~_same(there, here))):
                found[term].add(int(where[at + row]))
    return [tuple(sorted(scope)) for scope in found or []]


def _colors(dim, scopes):
    """A color for each coordinate; those of a scope differ."""
    near = [set() for _ in range(dim)]
    for scope in set(scopes):
        for i in scope:
            near[i].update(scope)
    color = [-1] * dim
    for i in sorted(range(dim), key=lambda i: -len(near[i])):
        taken = {color[j] for j in near[i]}
        color[i] = next(c for c in range(dim) if c not in taken)
    return np.array(color)


def domain_of(states, low):
    """(kinds, levels) of coordinates with values from low on."""
    kinds = ["ordinal" if first else "binary" if count == 2 else "categorical"
             for count, first in zip(states, low)]
    levels = [np.arange(first, first + count, dtype=float) if first else None
              for count, first in zip(states, low)]
    return kinds, levels if any(low) else None


# --- tables ----------------------------------------------------------------

class Group:
    """Terms whose scopes have the same colors: they share their rows."""

    def __init__(self, shape, first, states, terms, scopes):
        self.first, self.size = first, math.prod(shape)
        order = sorted(range(len(terms)), key=lambda k: scopes[k])
        self.terms = np.array(terms)[order]
        sorted_scopes = [scopes[k] for k in order]
        self.starts = [k for k, scope in enumerate(sorted_scopes)
                       if k == 0 or scope != sorted_scopes[k - 1]]
        self.scopes = [sorted_scopes[k] for k in self.starts]
        values = np.indices(shape).reshape(len(shape), -1)
        self.exists = np.array([
            (values < np.array([states[i] for i in scope])[:, None]).all(0)
            for scope in self.scopes])

    def tables(self, terms):
        """(scopes, size): the sum of the terms of each scope."""
        part = terms[self.first:self.first + self.size, self.terms]
        return np.add.reduceat(part, self.starts, axis=1).T


class Layout:
    """Where the values of all terms are found: in the rows of an array."""

    def __init__(self, states, scopes, low=None):
        self.states, self.dim = list(states), len(states)
        self.scopes = list(scopes)
        self.is_product = all(len(scope) < 2 for scope in scopes)
        color = _colors(self.dim, scopes)
        self._color = color
        most = [max([self.states[i] for i in np.flatnonzero(color == c)])
                for c in range(color.max() + 1)]
        by_colors: dict = {}
        for term, scope in enumerate(scopes):
            if scope:
                scope = tuple(sorted(scope, key=lambda i: color[i]))
                by_colors.setdefault(tuple(color[list(scope)]), []).append(
                    (term, scope))
        self._check(by_colors, most)
        self._place(by_colors, most)
        kinds, levels = domain_of(self.states, low or [0] * self.dim)
        self._domain = Domain(self.dim, kinds, self.states, levels)
        inside = [scope for group in self.groups for scope in group.scopes]
        self._sizes = arrays.ints([len(scope) for scope in inside])
        self._inside = arrays.ints([i for scope in inside for i in scope])

    def _check(self, by_colors, most):
        rows = sum(math.prod(most[c] for c in colors)
                   for colors in by_colors)
        if rows > ROWS_MAX or rows * len(self.scopes) > ENTRIES_MAX:
            widest = max(map(len, self.scopes))
            raise LimitError(
                f"a term joins {widest} discrete coordinates: the tables "
                f"would take {rows:.3g} evaluations, more than {ROWS_MAX} or "
                f"{ENTRIES_MAX} terms")

    def _place(self, by_colors, most):
        width = max([1, *map(len, by_colors)])
        count = len(self.scopes)
        self.at = np.zeros((count, width), np.int64)
        self.stride = np.zeros((count, width), np.int64)
        self.offset = np.zeros(count, np.int64)
        self.groups, rows = [], [np.zeros((0, self.dim), np.int64)]
        first = 0
        for colors, members in by_colors.items():
            shape = tuple(most[c] for c in colors)
            terms, scopes = zip(*members)
            self.groups.append(Group(shape, first, self.states, terms,
                                     scopes))
            terms = list(terms)
            self.at[terms, :len(shape)] = scopes
            self.stride[terms, :len(shape)] = [
                math.prod(shape[k + 1:]) for k in range(len(shape))]
            self.offset[terms] = first
            rows.append(self._rows(colors, shape))
            first += len(rows[-1])
        if first == 0:  # no term depends on anything
            rows.append(np.zeros((1, self.dim), np.int64))
        self.rows = np.concatenate(rows)

    def _rows(self, colors, shape):
        """States in which all coordinates of a color have the same value."""
        values = np.indices(shape).reshape(len(shape), -1).T
        rows = np.zeros((len(values), self.dim), np.int64)
        last = np.array(self.states) - 1
        for k, c in enumerate(colors):
            of = self._color == c
            rows[:, of] = np.minimum(values[:, k:k + 1], last[of])
        return rows

    def row_of(self, x):
        """For each term the row that has it at the state x."""
        return self.offset + (x[self.at] * self.stride).sum(1)

    def logits(self, terms):
        """(dim, values) of independent coordinates, -inf beyond a value."""
        out = np.zeros((self.dim, max(self.states)))
        for group in self.groups:
            of = [scope[0] for scope in group.scopes]
            out[of, :group.size] = group.tables(terms)
        out[np.arange(out.shape[1]) >= np.array(self.states)[:, None]] = \
            -np.inf
        return out

    def model(self, terms, is_whole=False):
        """The model of the tables; a whole one has the terms that nothing
        changes, too, for the sake of ln Z."""
        entries = np.concatenate(
            [group.tables(terms)[group.exists] for group in self.groups]
            or [np.zeros(0)], dtype=np.float64)
        sizes = self._sizes
        if is_whole:
            fixed = [k for k, scope in enumerate(self.scopes) if not scope]
            entries = np.append(entries, terms[0, fixed].sum())
            sizes = arrays.ints([*sizes, 0])
        domain = self._domain.as_c()
        return build(lib.hiss_model_factors, domain, len(sizes),
                     arrays.pointer("int", sizes),
                     arrays.pointer("int", self._inside),
                     arrays.pointer("double", entries),
                     keep=(domain, entries))

    def excess(self, terms, x, here):
        """The log-density at x, whose terms are `here`, less what the tables
        say of it: a constant where scopes are right."""
        told = terms[self.row_of(x), np.arange(len(here))]
        with np.errstate(invalid="ignore"):
            return float(np.sum(np.where(_same(here, told), 0.0,
                                         here - told)))


LOOK = "look for NaN and infinities in the data and in what is given"


def check_terms(terms, scopes):
    """Of some states.  NaN would win every comparison that draws a label; a
    term that is -inf whatever the labels are leaves nothing to draw from."""
    bad = np.isnan(terms).any(0)
    if bad.any():
        raise NumericError(f"term {np.argmax(bad)} of {len(bad)} of the "
                           f"log-density is NaN for a value of the discrete "
                           f"variables: {LOOK}")
    fixed = [k for k, scope in enumerate(scopes) if not scope]
    if len(terms) and not np.isfinite(terms[0, fixed]).all():
        k = fixed[int(np.argmin(np.isfinite(terms[0, fixed])))]
        raise NumericError(f"term {k} of {len(scopes)} of the log-density is "
                           f"{terms[0, k]} whatever the discrete variables "
                           f"are: {LOOK}")


def draw_product(logits, rng):
    """A value for each row of unnormalized log-probabilities."""
    if (logits.max(1) == -np.inf).any():
        raise NumericError(f"every value of discrete coordinate "
                           f"{np.argmin(logits.max(1))} has probability 0 "
                           f"given the other variables: {LOOK}")
    noise = rng.gumbel(size=logits.shape)
    return np.argmax(logits + noise, axis=1)


# --- steps -----------------------------------------------------------------

class Conditional:
    """Moves discrete coordinates whose log-density changes between steps.

    evaluate: as of find_scopes, at what the other variables are now.
    states: the number of values of each coordinate.
    sampler: a kernel of hiss, or None: independent coordinates are drawn at
        once, others by elimination where that is quick and else by Gibbs.
    low: the least value of each; states have its number, 0.
    """

    WIDENINGS = 20  # times that scopes may be widened

    def __init__(self, evaluate, states, sampler=None, steps=1, low=None):
        for count in states:
            arrays.whole("states", count, 1, STATES_MAX)
        self.evaluate, self.states = evaluate, list(states)
        self.low = [0] * len(self.states) if low is None else list(low)
        self.sampler = sampler
        self.steps = arrays.whole("steps", steps, 1, STEPS_MAX)
        self.layout = None  # or that of the tables
        self._scopes = self._usual = None
        self._widenings = 0

    def learn(self, bases):
        """Finds the scopes near these states, besides those that are known."""
        self._scopes = find_scopes(self.evaluate, self.states, bases,
                                   self._scopes)
        self._usual = None
        try:
            self.layout = Layout(self.states, self._scopes, self.low)
        except LimitError:
            self.layout = None

    def random_states(self, rng, count):
        return rng.integers(0, self.states, size=(count, len(self.states)))

    def model(self):
        """What is sampled: tables, or a function where they are too large."""
        if self.layout is not None:
            terms = self.evaluate(self.layout.rows)
            check_terms(terms, self.layout.scopes)
            return self.layout.model(terms, is_whole=True)
        kinds, levels = domain_of(self.states, self.low)
        return from_function(
            lambda x: self.evaluate(x - self.low).sum(1), len(self.states),
            kinds, states=self.states, levels=levels, dtype=np.int64,
            name="terms")

    def step(self, x, rng):
        """(state, acceptance probability) after x."""
        layout = self.layout
        if layout is None:
            return self._move(self.model(), x, rng), 1.0
        terms = self.evaluate(np.concatenate([layout.rows, x[None]]))
        check_terms(terms, layout.scopes)
        terms, here = terms[:-1], terms[-1]
        y = self._propose(terms, x, rng)
        if (x == y).all():
            return x, 1.0
        before = layout.excess(terms, x, here)
        after = layout.excess(terms, y, self.evaluate(y[None])[0])
        if before == after == 0.0:
            return y, 1.0
        if self._widenings < self.WIDENINGS:
            self._widenings += 1
            self.learn([x, y])
        accept = math.exp(min(0.0, after - before)) \
            if after > -math.inf else 0.0
        return (y, accept) if rng.random() < accept else (x, accept)

    def _propose(self, terms, x, rng):
        layout = self.layout
        if self.sampler is None and layout.is_product:
            return draw_product(layout.logits(terms), rng)
        return self._move(layout.model(terms), x, rng)

    def _move(self, model, x, rng):
        if self.sampler is None and self._usual is None:
            self._usual = usual_sampler(model) if self.layout else USUAL
        y = step(model, x + self.low, self.sampler or self._usual, self.steps,
                 seed=int(rng.integers(2**62)))
        return y.astype(np.int64) - self.low


def usual_sampler(model):
    """Independent draws where they are quick; both are reversible."""
    cost = struct("hiss_exact_cost")
    can = lib.hiss_exact_estimate(model._c, 1, cost)
    return "independent" if can and cost.seconds < ELIMINATED \
        else USUAL
