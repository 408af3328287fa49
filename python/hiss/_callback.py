"""Models from the user's own Python: a vectorised log-probability.

The library asks for a whole tile of states at once: one call per evaluation
of 16 chains, and where there is no gradient one call for many neighbours.
"""
from __future__ import annotations

import numpy as np

from . import _arrays as arrays
from ._model import Domain, Model, build
from ._native import ffi, lib
from ._structs import struct


class Function:
    """What stands behind the context pointer of a callback model."""

    def __init__(self, domain, log_prob, with_gradient, one_hot, dtype,
                 change=None):
        self.domain = domain
        self.log_prob = log_prob
        self.with_gradient = with_gradient  # x -> (u, gradient), or None
        self.change = change  # x, i -> changes, or None
        self.fault = None
        self.calls = 0
        self._dtype = dtype
        self._values = self._table(domain)
        self._one_hot = one_hot

    @staticmethod
    def _table(domain):
        """Values by [coordinate, index], or None where value = index."""
        if set(domain.kinds) <= {"binary", "categorical"}:
            return None
        out = np.zeros((domain.dim, max(domain.states)))
        for i in range(domain.dim):
            values = domain.values(i)
            out[i, :len(values)] = values
        return out

    def _states(self, index):
        """(dim, lanes) indices to what the user's function takes."""
        if self._one_hot:
            labels = np.arange(self.domain.states[0], dtype=index.dtype)
            return (index.T[:, :, None] == labels).astype(self._dtype)
        if self._values is not None:
            index = np.take_along_axis(self._values, index.astype(np.intp), 1)
        return np.ascontiguousarray(index.T, dtype=self._dtype)

    def evaluate(self, x, lanes, u, gradient):
        """Fills the buffers of C; exceptions are kept by _calls.py."""
        domain = self.domain
        self.calls += 1
        index = np.frombuffer(ffi.buffer(x, 2 * domain.dim * lanes), np.int16)
        states = self._states(index.reshape(domain.dim, lanes))
        if gradient == ffi.NULL:
            value, slope = self.log_prob(states), None
        else:
            value, slope = self.with_gradient(states)
        out = np.frombuffer(ffi.buffer(u, 8 * lanes), np.float64)
        out[:] = self._checked("log_prob", value, (lanes,))
        if slope is None:
            return
        rows = domain.rows
        out = np.frombuffer(ffi.buffer(gradient, 4 * rows * lanes), np.float32)
        slope = self._checked("the gradient", slope, self._slope_shape(lanes))
        out.reshape(rows, lanes)[:] = slope.reshape(lanes, rows).T

    def evaluate_change(self, x, lanes, i, change):
        """Fills the changes of one coordinate."""
        domain = self.domain
        index = np.frombuffer(ffi.buffer(x, 2 * domain.dim * lanes), np.int16)
        states = self._states(index.reshape(domain.dim, lanes))
        values = domain.states[i]
        out = np.frombuffer(ffi.buffer(change, 8 * values * lanes), np.float64)
        out.reshape(values, lanes)[:] = self._checked(
            "change", self.change(states, i), (lanes, values)).T

    def _slope_shape(self, lanes):
        domain = self.domain
        if self._one_hot:
            return (lanes, domain.dim, domain.states[0])
        return (lanes, domain.rows)

    @staticmethod
    def _checked(name, value, shape):
        array = np.asarray(value)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"{name} returned dtype {array.dtype}, expected "
                            f"real numbers")
        if array.shape != shape:
            raise ValueError(f"{name} returned shape {array.shape}, expected "
                             f"{shape}")
        return array

    def raise_fault(self):
        fault, self.fault = self.fault, None
        if fault is not None:
            raise fault


def _make(function, name):
    callback = struct("hiss_callback")
    word = ffi.new("char[]", arrays.words("name", name))
    callback.name = word
    callback.domain = domain = function.domain.as_c()
    callback.evaluate = lib.hiss_python_evaluate
    callback.context = context = ffi.new_handle(function)
    callback.has_gradient = function.with_gradient is not None
    if function.change is not None:
        callback.change = lib.hiss_python_change
    return build(lib.hiss_model_callback, callback, keep=(word, domain),
                 function=function, context=context)


def _pair(value):
    if not isinstance(value, tuple) or len(value) != 2:
        raise TypeError(f"log_prob returned a {type(value).__name__}, "
                        f"expected a tuple: log-probabilities, gradient")
    return value


def _name_of(function):
    return getattr(function, "__name__", type(function).__name__)


def from_function(log_prob, dim: int, kind="binary", *, states=None,
                  levels=None, gradient=None, change=None, dtype=None,
                  name: str | None = None) -> Model:
    """A model from a vectorised log-probability.

    log_prob: takes states as an array (n, dim) of their values (labels count
        from 0) and returns n logarithms of unnormalised probabilities; -inf is
        an impossible state.  It is called with many states at once and, with
        more than 16 chains, from several threads: a function that keeps a
        state of its own wants ``threads=1``.
    dim, kind, states, levels: the coordinates.  kind is binary, spin, ordinal
        or categorical, or one of them for each coordinate; states is the
        number of values of ordinal and categorical ones, levels the values of
        ordinal ones.
    gradient: None: differences of log_prob are taken, which costs as many
        evaluations as there are neighbours.  True: log_prob returns a pair,
        also the gradient.  Else a function of its own, of the same states.  A
        gradient is (n, dim), dU/dx; with labels it is (n, rows), one column
        per number and one per label, of which only differences matter.  It
        steers proposals and need not be exact.
    change: None, or a function of the same states and of the number i of a
        coordinate, from 0, that returns (n, values of i): log_prob with
        coordinate i at its n-th value less log_prob.  Worth it where it costs
        about 1/dim of log_prob; ``gibbs`` and, without a gradient, differences
        then do, too.
    dtype: of the states; float64, or int64 if all are labels.

    An exception that it raises ends the run and is raised by the caller.
    """
    if not callable(log_prob):
        raise TypeError(f"log_prob is a {type(log_prob).__name__}, expected a "
                        f"function")
    domain = Domain(dim, kind, states, levels)
    if dtype is None:
        labels = set(domain.kinds) == {"categorical"}
        dtype = np.int64 if labels else np.float64
    value, both = log_prob, None
    if gradient is True:
        def both(x):
            return _pair(log_prob(x))

        def value(x):
            return both(x)[0]
    elif callable(gradient):
        def both(x):
            return log_prob(x), gradient(x)
    elif gradient is not None and gradient is not False:
        raise TypeError("gradient is neither None, True nor a function")
    if change is not None and not callable(change):
        raise TypeError(f"change is a {type(change).__name__}, expected a "
                        f"function")
    function = Function(domain, value, both, False, dtype, change)
    return _make(function, name or _name_of(log_prob))


def _framework_domain(dim, kind, states, levels):
    """One-hot states want the same labels everywhere."""
    domain = Domain(dim, kind, states, levels)
    one_hot = "categorical" in domain.kinds
    if one_hot and (set(domain.kinds) != {"categorical"}
                    or len(set(domain.states)) > 1):
        raise ValueError("kind: categorical coordinates must be alone and "
                         "have the same number of states, for a one-hot array")
    return domain, one_hot


def from_torch(log_prob, dim: int, kind="binary", *, states=None, levels=None,
               device="cpu", dtype=None, name: str | None = None) -> Model:
    """A model from a PyTorch function, which also gives the gradient.

    log_prob takes a tensor (n, dim), or (n, dim, states) one-hot for labels,
    and returns n log-probabilities; it must be differentiable in its argument
    and treat states independently.
    """
    import torch  # type: ignore

    domain, one_hot = _framework_domain(dim, kind, states, levels)
    dtype = dtype or torch.float32

    def value(x):
        with torch.no_grad():
            u = log_prob(torch.as_tensor(x, dtype=dtype, device=device))
        return u.detach().cpu().numpy()

    def both(x):
        x = torch.as_tensor(x, dtype=dtype, device=device).requires_grad_()
        with torch.enable_grad():
            u = log_prob(x)
            slope, = torch.autograd.grad(u.sum(), x)
        return u.detach().cpu().numpy(), slope.cpu().numpy()

    function = Function(domain, value, both, one_hot, np.float32)
    return _make(function, name or _name_of(log_prob))


def from_jax(log_prob, dim: int, kind="binary", *, states=None, levels=None,
             name: str | None = None) -> Model:
    """A model from a JAX function, compiled, which also gives the gradient.

    log_prob takes an array (n, dim), or (n, dim, states) one-hot for labels,
    and returns n log-probabilities; it must be differentiable in its argument
    and treat states independently.
    """
    import jax  # type: ignore
    import jax.numpy as jnp  # type: ignore

    domain, one_hot = _framework_domain(dim, kind, states, levels)

    def pair(x):
        u, pull = jax.vjp(log_prob, x)
        return u, pull(jnp.ones_like(u))[0]

    value, slope = jax.jit(log_prob), jax.jit(pair)

    def both(x):
        return tuple(np.asarray(part) for part in slope(x))

    function = Function(domain, lambda x: np.asarray(value(x)), both, one_hot,
                        np.float32)
    return _make(function, name or _name_of(log_prob))
