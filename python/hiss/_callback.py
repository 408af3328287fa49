"""Models from the user's own functions: a vectorised log-probability.

The library asks for many states at once: one call per evaluation of 16
chains, or of all chains and replicas if the function says its width, and where
there is no gradient one call for many neighbors.
"""
from __future__ import annotations

import ctypes
import math
import weakref

import numpy as np

from . import _arrays as arrays
from ._faults import Faults
from ._model import Domain, Model, build
from ._native import ffi, lib
from ._structs import struct


WIDTH_MAX = 2**24
_alive = weakref.WeakKeyDictionary()  # what a struct of C points at


class Function:
    """What stands behind the context pointer of a callback model.

    C gives the states one after the other, as indices, and takes U and the
    gradient in the same order.
    """

    def __init__(self, domain, log_prob, with_gradient, dtype, change=None):
        self.domain = domain
        self.log_prob = log_prob
        self.with_gradient = with_gradient  # x -> (u, gradient), or None
        self.change = change  # x, i -> changes, or None
        self.is_on_card = False  # whether it has evaluate_on_card
        self.faults = Faults()
        self._dtype = dtype
        self._values = value_table(domain)

    def _states(self, index):
        """(n, dim) indices to what the user's function takes."""
        if self._values is not None:
            index = self._values[np.arange(self.domain.dim), index]
        return index.astype(self._dtype)

    def evaluate(self, x, lanes, u, gradient):
        """Fills the buffers of C; exceptions are kept by _calls.py."""
        states = self._states(indices(self.domain, x, lanes))
        if gradient == ffi.NULL:
            value, slope = self.log_prob(states), None
        else:
            value, slope = self.with_gradient(states)
        doubles(u, lanes)[:] = checked("log_prob", value, (lanes,))
        if slope is not None:
            shape = (lanes, self.domain.rows)
            floats(gradient, *shape)[:] = checked("the gradient", slope, shape)

    def evaluate_change(self, x, lanes, i, change):
        """Fills the changes of one coordinate."""
        states = self._states(indices(self.domain, x, lanes))
        shape = (lanes, self.domain.states[i])
        doubles(change, *shape)[:] = checked("change", self.change(states, i),
                                             shape)


def value_table(domain):
    """Values by [coordinate, index], or None where value = index."""
    if set(domain.kinds) <= {"binary", "categorical"}:
        return None
    out = np.zeros((domain.dim, max(domain.states)))
    for i in range(domain.dim):
        values = domain.values(i)
        out[i, :len(values)] = values
    return out


def _array(pointer, dtype, shape):
    """Memory of C as an array, without a copy."""
    size = math.prod(shape) * dtype().itemsize
    return np.frombuffer(ffi.buffer(pointer, size), dtype).reshape(shape)


def indices(domain, x, lanes):
    return _array(x, np.int16, (lanes, domain.dim))


def doubles(pointer, *shape):
    return _array(pointer, np.float64, shape)


def floats(pointer, *shape):
    return _array(pointer, np.float32, shape)


def checked(name, value, shape):
    """An array of real numbers of that shape."""
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} returned dtype {array.dtype}, expected "
                        f"real numbers")
    check_shape(name, array, shape)
    return array


def check_shape(name, array, shape):
    if tuple(array.shape) != shape:
        raise ValueError(f"{name} returned shape {tuple(array.shape)}, "
                         f"expected {shape}{_hint(tuple(array.shape), shape)}")


def _hint(found, shape):
    """What is often forgotten of numbers for each state."""
    if len(shape) == 1 and found == (*shape, 1):
        return ": take [:, 0] of it"
    if len(shape) == 1 and found == ():
        return ": it is called with all states at once, and returns a number " \
               "for each; jax.vmap and torch.vmap make such a function of one " \
               "for a single state"
    return ""


def make(function, name, width):
    """A model of a Function."""
    callback = _struct(function.domain, name, width)
    callback.evaluate = lib.hiss_python_evaluate
    callback.context = context = ffi.new_handle(function)
    callback.has_gradient = function.with_gradient is not None
    callback.by_state = 1
    if function.change is not None:
        callback.change = lib.hiss_python_change
    if function.is_on_card:
        callback.on_card = lib.hiss_python_on_card
    return build(lib.hiss_model_callback, callback, function=function,
                 context=context)


def _struct(domain, name, width):
    callback = struct("hiss_callback")
    word = ffi.new("char[]", arrays.words("name", name))
    callback.name = word
    callback.domain = there = domain.as_c()
    callback.width = arrays.whole("width", width, 0, WIDTH_MAX)
    _alive[callback] = (word, there)  # as long as the struct
    return callback


def _pair(value):
    if not isinstance(value, tuple) or len(value) != 2:
        raise TypeError(f"log_prob returned a {type(value).__name__}, "
                        f"expected a tuple: log-probabilities, gradient")
    return value


def name_of(function):
    return getattr(function, "__name__", type(function).__name__)


def from_function(log_prob, dim: int, kind="binary", *, states=None,
                  levels=None, gradient=None, change=None, dtype=None,
                  width: int = 0, name: str | None = None) -> Model:
    """A model from a vectorised log-probability.

    log_prob: takes states as an array (n, dim) of their values (labels count
        from 0) and returns n logarithms of unnormalized probabilities; -inf is
        an impossible state.  It is called with many states at once and, with
        more than 16 chains, from several threads: a function that keeps a
        state of its own wants ``threads=1``.
    dim, kind, states, levels: the coordinates.  kind is binary, spin, ordinal
        or categorical, or one of them for each coordinate; states is the
        number of values of ordinal and categorical ones, levels the values of
        ordinal ones.
    gradient: None: differences of log_prob are taken, which costs as many
        evaluations as there are neighbors.  True: log_prob returns a pair,
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
    width: 0: it is called for 16 chains at a time.  Else for all chains and
        replicas of a run at once, up to this number of states (but at least
        what 16 chains ask for), and by one thread: worth it where a call
        costs more than a state.  The draws are
        the same, bit for bit, if the number of states in a call does not
        change what is computed for each.

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
    function = Function(domain, value, both, dtype, change)
    return make(function, name or name_of(log_prob), width)


def _address(name, function):
    """Of a compiled function: of numba, ctypes or cffi, or a number."""
    address = getattr(function, "address", function)  # numba's cfunc
    if isinstance(address, ctypes._CFuncPtr):
        address = ctypes.cast(address, ctypes.c_void_p).value
    elif isinstance(address, ffi.CData):
        address = int(ffi.cast("uintptr_t", address))
    if isinstance(address, bool) or not isinstance(address, (int, np.integer)):
        raise TypeError(f"{name} is a {type(function).__name__}, expected the "
                        f"address of a compiled function, or one of numba, "
                        f"ctypes or cffi")
    if address <= 0:
        raise ValueError(f"{name} has address {address}, expected that of a "
                         f"compiled function")
    return int(address)


def from_cfunc(function, dim: int, kind="binary", *, states=None, levels=None,
               gradient: bool = False, change=None, context=0,
               by_state: bool = True, width: int = 0, on_card=None,
               name: str | None = None) -> Model:
    """A model from compiled code, which runs without the GIL.

    function: ``int f(const void *context, const int16_t *x, int n,
        double *u, float *gradient)`` as its address, a numba ``cfunc``, or a
        function pointer of ctypes or cffi.  It fills u with the logarithms of
        the unnormalized probabilities of n states and, if gradient is True and
        it is not NULL, their gradient; it returns 0.  States are indices of
        values: x[l * dim + i], gradient[l * rows + r], or with
        ``by_state=False`` side by side, x[i * n + l], gradient[r * n + l].
        It may be called by several threads at once.
    change: ``int f(const void *context, const int16_t *x, int n, int i,
        double *change)``, or None: as in :func:`from_function`.
    context: an address that it is given.
    on_card: ``int f(const void *context, hiss_card_states *states)``, or None:
        the same law for states in a card's memory, with its gradient
        (``hiss/arrays.h``); for runs with ``device="cuda"``.

    The function and what context points at must stay where they are as long as
    the model; an object that is given is kept alive by it.
    """
    domain = Domain(dim, kind, states, levels)
    callback = _struct(domain, name or name_of(function), width)
    callback.evaluate = ffi.cast(ffi.typeof(callback.evaluate),
                                 _address("function", function))
    if change is not None:
        callback.change = ffi.cast(ffi.typeof(callback.change),
                                   _address("change", change))
    if on_card is not None:
        callback.on_card = ffi.cast(ffi.typeof(callback.on_card),
                                    _address("on_card", on_card))
    if context:
        callback.context = ffi.cast("void *", _address("context", context))
    callback.has_gradient = gradient
    callback.by_state = by_state
    return build(lib.hiss_model_callback, callback,
                 context=(function, change, context, on_card))


