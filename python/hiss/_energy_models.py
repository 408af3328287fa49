"""Models whose parameters are trained: U(x), its sufficient statistics, and
the way from independent coordinates to it.

    Ising      U = ½ s'Js + h's,                    s in {-1, +1}
    Boltzmann  U = ½ x'Wx + b'x,                    x in {0, 1}
    Potts      U = sum_{i<j} J_ij(x_i, x_j) + sum_i h_i(x_i)
    RBM        U = b'v + sum_j ln(1 + exp(c_j + (v'W)_j)),  v in {0, 1}

The gradient of the mean log-likelihood in a parameter is the mean of dU by it
over the data less its mean under the model.  Means of dU are what `moments`
returns: of pairs, of coordinates, of hidden units given the visible ones.  J
and W of the first three are symmetric, and J_ij and J_ji are one parameter.
"""
from __future__ import annotations

import numpy as np

from . import _arrays as arrays
from ._model import (STATES_MAX, Domain, Model, build, ising, ising_pairs,
                     qubo, qubo_entries, rbm_floats)
from ._moments import Moments, worth
from ._native import lib

SPARSE = 0.25  # couplings by rows below this share of all pairs
ROWS = 2**24  # numbers of a one-hot array at once


def softplus(a):
    """ln(1 + e^a) without overflow, in the precision of a."""
    out = np.abs(a)
    np.negative(out, out=out)
    np.exp(out, out=out)
    np.log1p(out, out=out)
    out += np.maximum(a, 0)
    return out


def sigmoid(a):
    """1 / (1 + e^-a); e^-a that overflows makes it 0."""
    with np.errstate(over="ignore"):
        out = np.negative(a)
        np.exp(out, out=out)
        out += 1
        np.reciprocal(out, out=out)
    return out


class EnergyModel:
    """What :class:`Ising`, :class:`Boltzmann`, :class:`Potts` and :class:`RBM`
    share: `params`, arrays by name, which training changes in place."""

    couplings: tuple = ()  # parameters that decay shrinks
    fields = ""  # the parameter that is linear in the coordinates
    sampler = "gibbs"  # what usually moves it

    def __init__(self, dim, **params):
        self.dim = dim
        self.params = params

    def __getattr__(self, name):
        params = self.__dict__.get("params", {})
        if name in params:
            return params[name]
        raise AttributeError(f"{type(self).__name__} has no {name!r}")

    def __setattr__(self, name, value):
        """model.W = W is model.W[:] = W: what is trained is that array."""
        params = self.__dict__.get("params", {})
        if name not in params:
            super().__setattr__(name, value)
        elif np.shape(value) != params[name].shape:
            raise ValueError(f"{name} has shape {np.shape(value)}, expected "
                             f"{params[name].shape}")
        else:
            params[name][...] = self._checked(name,
                                              arrays.numbers(name, value))

    def _checked(self, name, value):
        """What becomes of an array that is given as this parameter."""
        return value

    def __copy__(self):
        """With arrays of its own, since these are changed in place."""
        return self._with({name: value.copy()
                           for name, value in self.params.items()})

    def _with(self, params):
        out = type(self).__new__(type(self))
        out.__dict__.update(self.__dict__, params=params)
        return out

    def __repr__(self):
        sizes = ", ".join(f"{name} {value.shape}"
                          for name, value in self.params.items())
        return f"<hiss.train.{type(self).__name__}: {sizes}>"

    def __call__(self) -> Model:
        return self.model()

    def as_dict(self):
        """Arrays that make it again."""
        return dict(self.params)

    def between(self, base, beta):
        """The model at beta of the way from independent coordinates with
        these fields; what was checked once is not checked again."""
        out = self._with({name: value.dtype.type(beta) * value
                          for name, value in self.params.items()})
        fields = out.params[self.fields]
        fields += ((1 - beta) * base).astype(fields.dtype)
        return out

    def largest(self) -> float:
        """The largest parameter in size; raises where one is no number."""
        out = 0.0
        for name, value in self.params.items():
            size = max(float(value.max()), -float(value.min()))
            if not np.isfinite(size):
                raise ArithmeticError(
                    f"{name} has a number that is not finite: the training "
                    f"diverged; lower the rate")
            out = max(out, size)
        return out

    # --- of each kind ------------------------------------------------------

    def model(self) -> Model:
        """The model to sample, with the parameters as they are now."""
        raise NotImplementedError

    def _values(self):
        raise NotImplementedError

    def states(self, name, x):
        """An array (n, dim) of states, checked."""
        x = arrays.numbers(name, x)
        if x.ndim != 2 or x.shape[1] != self.dim or len(x) == 0:
            raise ValueError(f"{name} has shape {x.shape}, expected "
                             f"(n, {self.dim})")
        values = self._values()
        good = (x == values[0]) | (x == values[-1]) if len(values) == 2 else \
            (x == np.round(x)) & (x >= values[0]) & (x <= values[-1])
        if not good.all():
            row, column = np.argwhere(~good)[0]
            words = " or ".join(map(str, values)) if len(values) == 2 else \
                f"a whole number from {values[0]} to {values[-1]}"
            raise ValueError(f"{name}[{row}, {column}] is "
                             f"{x[row, column]:g}, expected {words}")
        return x.astype(self._dtype)

    _dtype = np.float32

    def field_mean(self, x, weights=None):
        """Means of the coordinates: of what the fields are linear in."""
        return np.average(x, axis=0, weights=weights)

    def random_states(self, rng, count):
        values = np.array(self._values())
        return values[rng.integers(0, len(values), (count, self.dim))] \
            .astype(self._dtype)


class _Pairs(EnergyModel):
    """½ x'Jx + h'x over numbers."""

    _names = ("J", "h")

    def _prepare(self, pair, field, mask):
        """pair: the number of coordinates, or couplings."""
        name, linear = self._names
        if np.ndim(pair) == 0:
            dim = arrays.whole("dim", pair, 1, 2**20)
            pair = np.zeros((dim, dim))
        pair = arrays.symmetric(name, pair, 4)
        dim = len(pair)
        self.couplings, self.fields = (name,), linear
        self.mask = ~np.eye(dim, dtype=bool)
        if mask is not None:
            self.mask &= as_mask(mask, dim)
        pair = self._checked(name, pair)
        field = np.zeros(dim) if field is None else \
            arrays.numbers(linear, field, (dim,)).copy()
        super().__init__(dim, **{name: pair, linear: field})
        self._low, self._high = np.nonzero(np.triu(self.mask))
        self._is_sparse = len(self._low) < SPARSE * dim * (dim - 1) / 2
        self._row, self._column = arrays.ints(self._low), \
            arrays.ints(self._high)

    def _checked(self, name, value):
        if name not in self.couplings:
            return value
        value = arrays.symmetric(name, value, 4).copy()
        np.fill_diagonal(value, 0.0)
        if value[~self.mask].any():
            raise ValueError(f"{name} has a coupling where mask has none")
        return value

    def as_dict(self):
        return {**self.params, "mask": self.mask}

    def square(self, g):
        """Squared norm of parameters; a pair counts once."""
        name, linear = self._names
        return 0.5 * float(np.vdot(g[name], g[name])) + \
            float(np.vdot(g[linear], g[linear]))

    def moments(self, x, weights=None, errors=False):
        name, linear = self._names
        w = np.full(len(x), 1 / len(x), np.float32) if weights is None \
            else (weights / weights.sum()).astype(np.float32)
        pair = ((x * w[:, None]).T @ x).astype(float)
        pair += pair.T
        pair *= 0.5 * self.mask
        mean = {name: pair, linear: (w @ x).astype(float)}
        variance = {key: self._variance(value)
                    for key, value in mean.items()} if errors else None
        if errors:
            variance[name] *= self.mask
        return Moments(mean, worth(weights, len(x)), self._square_of(mean),
                       self.square, variance)

    def centred(self, g, offset, _=None):
        name, linear = self._names
        outer = np.outer(offset, g[linear])
        pair = (g[name] - outer - outer.T) * self.mask
        return {name: pair, linear: g[linear] - pair @ offset}

    def parts(self, x, base=None):
        name, linear = self._names
        x = x.astype(float)
        pair = 0.5 * np.einsum("ij,ij->i", x @ self.params[name], x)
        return pair, x @ self.params[linear], \
            0.0 if base is None else x @ base

    @staticmethod
    def u_at(parts, beta):
        pair, field, base = parts
        return beta * (pair + field) + (1 - beta) * base

    def log_prob(self, x):
        """U of each row of x."""
        return self.u_at(self.parts(self.states("x", x)), 1.0)


class Ising(_Pairs):
    """Spins: U(s) = ½ s'Js + h's with s in {-1, +1}.

    J is a symmetric array, or the number of spins, and then 0; `mask` says
    which couplings there are (all).
    """

    def __init__(self, J, h=None, *, mask=None):
        self._prepare(J, h, mask)

    def _values(self):
        return -1, 1

    def model(self):
        if self._is_sparse:
            return ising_pairs(self.dim, self._row, self._column,
                               self.params["J"][self._low, self._high],
                               self.params["h"])
        return ising(self.params["J"], self.params["h"])

    @staticmethod
    def _variance(mean):
        return 1 - mean ** 2

    def _square_of(self, _):
        return len(self._low) + self.dim

    @staticmethod
    def independent(mean, count):
        """Fields of spins with these means of so many states; half a state
        more of either value keeps them finite."""
        return np.arctanh(mean * count / (count + 1))

    @staticmethod
    def base_log_z(base):
        return float(np.sum(np.logaddexp(base, -base)))

    def base_states(self, base, rng, count):
        up = rng.random((count, self.dim)) < sigmoid(2 * base)
        return np.where(up, 1, -1).astype(self._dtype)


class _ZeroOne:
    """Coordinates of 0 and 1."""

    def _values(self):
        return 0, 1

    @staticmethod
    def _variance(mean):
        return mean * (1 - mean)

    @staticmethod
    def independent(mean, count):
        """Fields of bits with these means, as those of spins."""
        mean = np.asarray(mean, dtype=float)
        return np.log((mean * count + 0.5) / ((1 - mean) * count + 0.5))

    def base_states(self, base, rng, count):
        return (rng.random((count, self.dim)) < sigmoid(base)) \
            .astype(self._dtype)


class Boltzmann(_ZeroOne, _Pairs):
    """A Boltzmann machine without hidden units: U(x) = ½ x'Wx + b'x, x in
    {0, 1}; W is symmetric, or the number of units; `mask` as of Ising."""

    _names = ("W", "b")

    def __init__(self, W, b=None, *, mask=None):
        self._prepare(W, b, mask)

    def model(self):
        W, b = self.params["W"], self.params["b"]
        if self._is_sparse:
            return qubo_entries(self.dim, self._row, self._column,
                                W[self._low, self._high], b)
        return qubo(np.triu(W), b)

    def _square_of(self, mean):  # of a 0 or 1 the square is itself
        return 0.5 * mean["W"].sum() + mean["b"].sum()

    @staticmethod
    def base_log_z(base):
        return float(softplus(base).sum())


class Potts(EnergyModel):
    """Labels 0 ... q-1: U(x) = sum_{i<j} J_ij(x_i, x_j) + sum_i h_i(x_i).

    J is (n, n, q, q) with J_ji(b, a) = J_ij(a, b), or n with `states` = q;
    h is (n, q); `mask` (n, n) says which pairs are coupled (all).
    """

    couplings, fields = ("J",), "h"
    _dtype = np.int16

    def __init__(self, J, h=None, states=None, *, mask=None):
        if np.ndim(J) == 0:
            if states is None:
                raise ValueError("states is missing: the number of labels")
            n = arrays.whole("J", J, 1, 2**16)
            q = arrays.whole("states", states, 2, STATES_MAX)
            J = np.zeros((n, n, q, q))
        J = arrays.numbers("J", J)
        if J.ndim != 4 or J.shape[0] != J.shape[1] or J.shape[2] != J.shape[3]:
            raise ValueError(f"J has shape {J.shape}, expected (n, n, q, q)")
        n, q = J.shape[0], J.shape[2]
        h = np.zeros((n, q)) if h is None else \
            arrays.numbers("h", h, (n, q)).copy()
        if states is not None and states != q:
            raise ValueError(f"states is {states}, but J has {q}")
        self.q = q
        self.mask = ~np.eye(n, dtype=bool)
        if mask is not None:
            self.mask &= as_mask(mask, n)
        super().__init__(n, J=self._checked("J", J), h=h)
        self._low, self._high = np.nonzero(np.triu(self.mask))
        self._domain = Domain(n, "categorical", q)
        count = len(self._low)
        self._sizes = arrays.ints([2] * count + [1] * n)
        self._scope = arrays.ints(np.concatenate(
            [np.stack([self._low, self._high], 1).ravel(), np.arange(n)]))

    def _checked(self, name, value):
        if name != "J":
            return value
        if not np.allclose(value, value.transpose(1, 0, 3, 2), atol=1e-9):
            raise ValueError("J is not symmetric: expected J[j, i] to be the "
                             "transpose of J[i, j]")
        value = value.copy()
        value[np.arange(len(value)), np.arange(len(value))] = 0.0
        if value[~self.mask].any():
            raise ValueError("J has a coupling where mask has none")
        return value

    def as_dict(self):
        return {**self.params, "mask": self.mask}

    def _values(self):
        return range(self.q)

    def model(self):
        J, h = self.params["J"], self.params["h"]
        tables = np.concatenate([J[self._low, self._high].ravel(), h.ravel()])
        domain = self._domain.as_c()
        return build(lib.hiss_model_factors, domain, len(self._sizes),
                     arrays.pointer("int", self._sizes),
                     arrays.pointer("int", self._scope),
                     arrays.pointer("double", tables), keep=(domain, tables))

    def square(self, g):
        return 0.5 * float(np.vdot(g["J"], g["J"])) + \
            float(np.vdot(g["h"], g["h"]))

    def _hot(self, x):
        """One-hot rows, (n, dim * q), some of x at a time."""
        size = max(1, ROWS // (self.dim * self.q))
        labels = np.arange(self.q, dtype=x.dtype)
        for at in range(0, len(x), size):
            part = slice(at, at + size)
            yield part, (x[part, :, None] == labels).reshape(
                -1, self.dim * self.q).astype(np.float32)

    def moments(self, x, weights=None, errors=False):
        n, q = self.dim, self.q
        w = np.full(len(x), 1 / len(x), np.float32) if weights is None \
            else (weights / weights.sum()).astype(np.float32)
        pair, single = np.zeros((n * q, n * q)), np.zeros(n * q)
        for part, hot in self._hot(x):
            pair += (hot * w[part, None]).T @ hot
            single += w[part] @ hot
        pair = 0.5 * (pair + pair.T)
        mean = {"J": self._as_pairs(pair), "h": single.reshape(n, q)}
        square = 0.5 * mean["J"].sum() + mean["h"].sum()
        variance = {key: value * (1 - value)
                    for key, value in mean.items()} if errors else None
        return Moments(mean, worth(weights, len(x)), square, self.square,
                       variance)

    def _as_pairs(self, matrix):
        n, q = self.dim, self.q
        return np.ascontiguousarray(
            matrix.reshape(n, q, n, q).transpose(0, 2, 1, 3)) \
            * self.mask[:, :, None, None]

    def _as_matrix(self, pairs):
        size = self.dim * self.q
        return pairs.transpose(0, 2, 1, 3).reshape(size, size)

    def centred(self, g, offset, _=None):
        offset, single = offset.ravel(), g["h"].ravel()
        outer = np.outer(offset, single)
        pair = self._as_pairs(self._as_matrix(g["J"]) - outer - outer.T)
        return {"J": pair, "h": (single - self._as_matrix(pair) @ offset)
                .reshape(self.dim, self.q)}

    def parts(self, x, base=None):
        matrix = self._as_matrix(self.params["J"]).astype(np.float32)
        h = self.params["h"].ravel()
        pair, field, other = np.zeros((3, len(x)))
        for part, hot in self._hot(x):
            pair[part] = 0.5 * np.einsum("ij,ij->i", hot @ matrix, hot,
                                         dtype=float)
            field[part] = hot @ h
            if base is not None:
                other[part] = hot @ base.ravel()
        return pair, field, other

    u_at = staticmethod(_Pairs.u_at)

    def log_prob(self, x):
        """U of each row of x."""
        return self.u_at(self.parts(self.states("x", x)), 1.0)

    def independent(self, mean, count):
        """Fields of labels with these shares, of sum 0."""
        out = np.log(mean * count + 1 / self.q)
        return out - out.mean(1, keepdims=True)

    @staticmethod
    def base_log_z(base):
        return float(np.logaddexp.reduce(base, axis=1).sum())

    def base_states(self, base, rng, count):
        noise = rng.gumbel(size=(count, self.dim, self.q))
        return np.argmax(base + noise, axis=2).astype(self._dtype)

    def field_mean(self, x, weights=None):
        return np.stack([np.average(x == label, axis=0, weights=weights)
                         for label in range(self.q)], axis=1)


class RBM(_ZeroOne, EnergyModel):
    """A restricted Boltzmann machine, its hidden units summed out.

    W is (visible, hidden), or give their numbers, RBM(784, 500), for weights
    of deviation `scale` from `seed`.  Parameters are single-precision numbers,
    as the library computes it.
    """

    couplings, fields, sampler = ("W",), "b", "hidden"

    def __init__(self, W, b=None, c=None, *, scale=0.01, seed=1):
        if np.ndim(W) == 0:
            visible = arrays.whole("visible", W, 1, 2**24)
            hidden = arrays.whole("hidden", b, 1, 2**24)
            b, rng = None, np.random.default_rng(seed)
            W = rng.normal(scale=arrays.positive("scale", scale),
                           size=(visible, hidden))
        W = arrays.numbers("W", W, (None, None)).astype(np.float32)
        dim, hidden = W.shape
        params = {"W": W}
        for name, value, size in (("b", b, dim), ("c", c, hidden)):
            params[name] = np.zeros(size, np.float32) if value is None else \
                arrays.numbers(name, value, (size,)).astype(np.float32)
        super().__init__(dim, **params)
        self.hidden = hidden

    def model(self):
        W, b, c = (np.ascontiguousarray(self.params[name], np.float32)
                   for name in "Wbc")
        if (W.shape, b.shape, c.shape) != ((self.dim, self.hidden),
                                           (self.dim,), (self.hidden,)):
            raise ValueError(f"W, b and c have shapes {W.shape}, {b.shape} "
                             f"and {c.shape}, expected those of "
                             f"{self.dim} x {self.hidden} units")
        return rbm_floats(W, b, c)

    def transposed(self) -> RBM:
        """Hidden units for visible ones: it has the same log Z."""
        return RBM(self.params["W"].T, self.params["c"], self.params["b"])

    @staticmethod
    def square(g):
        return float(sum(np.vdot(value, value) for value in g.values()))

    def _on(self, x):
        """Probabilities of hidden units given the visible ones."""
        a = x @ self.params["W"]
        a += self.params["c"]
        return sigmoid(a)

    def moments(self, x, weights=None, errors=False):
        h = self._on(x)
        w = np.full(len(x), 1 / len(x), np.float32) if weights is None \
            else (weights / weights.sum()).astype(np.float32)
        pair = x.T @ (h if weights is None else h * w[:, None])
        if weights is None:
            pair *= w[0]
        mean = {"W": pair, "b": w @ x, "c": w @ h}
        v2, h2 = x.sum(1), np.einsum("ij,ij->i", h, h)
        square = np.dot(w, v2 * h2 + v2 + h2)
        variance = None
        if errors:
            raw = {"W": x.T @ (h ** 2 * w[:, None]), "b": mean["b"],
                   "c": w @ h ** 2}
            variance = {key: np.maximum(raw[key] - mean[key] ** 2, 0)
                        for key in raw}
        return Moments(mean, worth(weights, len(x)), square, self.square,
                       variance)

    def centred(self, g, offset, hidden):
        offset, hidden = offset.astype(np.float32), hidden.astype(np.float32)
        pair = g["W"] - np.outer(offset, g["c"]) - np.outer(g["b"], hidden)
        return {"W": pair, "b": g["b"] - pair @ hidden,
                "c": g["c"] - offset @ pair}

    def parts(self, x, base=None):
        a = x @ self.params["W"] + self.params["c"]
        return a, (x @ self.params["b"]).astype(float), \
            0.0 if base is None else x @ base

    @staticmethod
    def u_at(parts, beta):
        a, field, base = parts
        units = softplus(a if beta == 1.0 else np.float32(beta) * a)
        return units.sum(1, dtype=float) + beta * field + (1 - beta) * base

    def log_prob(self, x):
        """U of each row of x."""
        return self.u_at(self.parts(self.states("x", x)), 1.0)

    def base_log_z(self, base):
        return float(softplus(base).sum() + self.hidden * np.log(2.0))


def as_mask(mask, dim):
    mask = np.asarray(mask)
    if mask.shape != (dim, dim):
        raise ValueError(f"mask has shape {mask.shape}, expected "
                         f"{(dim, dim)}")
    if mask.dtype != bool:
        raise TypeError(f"mask has dtype {mask.dtype}, expected bool")
    if (mask != mask.T).any():
        raise ValueError("mask is not symmetric")
    return mask


KINDS = {kind.__name__: kind for kind in (Ising, Boltzmann, Potts, RBM)}
