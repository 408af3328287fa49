"""Arguments as arrays: every message names the argument."""
from __future__ import annotations

import operator
import os
import warnings

import numpy as np

from ._native import ffi

SYMMETRIC = 1e-9  # relative to the largest entry


def numbers(name, value, shape=None):
    """A C-contiguous float64 array of finite numbers.

    shape has an int or None (any length) for each axis.
    """
    array = real(name, value)
    if shape is not None and not _fits(array.shape, shape):
        raise ValueError(f"{name} has shape {array.shape}, expected "
                         f"{_shape_text(shape)}")
    check_finite(name, array)
    return array


def real(name, value):
    """A C-contiguous float64 array of any real numbers."""
    if np.ma.is_masked(value):
        raise ValueError(f"{name} has masked entries, expected numbers "
                         f"everywhere")
    try:
        array = np.asarray(value)
    except (TypeError, ValueError) as fault:
        raise TypeError(f"{name} is not an array of numbers: {fault}") \
            from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} has dtype {array.dtype}, expected real "
                        f"numbers")
    return np.asarray(array, dtype=np.float64, order="C")


def check_finite(name, array):
    bad = ~np.isfinite(array)
    if bad.any():
        at = tuple(int(k) for k in np.argwhere(bad)[0])
        where = ", ".join(map(str, at))
        raise ValueError(f"{name}[{where}] is {array[at]}, expected a finite "
                         f"number")


def _fits(shape, expected):
    return len(shape) == len(expected) and all(
        want is None or have == want for have, want in zip(shape, expected))


def _shape_text(shape):
    letters = iter("nmkl")
    inner = ", ".join(next(letters) if size is None else str(size)
                      for size in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


def square(name, value):
    array = real(name, value)
    _check_square(name, array.shape)
    check_finite(name, array)
    return array


def _check_square(name, shape):
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"{name} has shape {tuple(shape)}, expected a square "
                         f"matrix")
    if shape[0] == 0:
        raise ValueError(f"{name} is empty, expected at least one coordinate")


def warn_asymmetric(name, level):
    warnings.warn(f"{name} is not symmetric: ({name} + {name}.T) / 2 is used, "
                  f"so a coupling on only one side of the diagonal "
                  f"counts half", UserWarning, stacklevel=level + 1)


def symmetric(name, value, level):
    """A dense symmetric matrix; level: frames up to the user's call."""
    array = square(name, value)
    limit = SYMMETRIC * np.abs(array).max()
    if np.abs(array - array.T).max() > limit:
        warn_asymmetric(name, level + 1)
    return array / 2 + array.T / 2


def is_sparse(value):
    """A scipy.sparse matrix or array, without importing scipy."""
    return hasattr(value, "tocoo") and hasattr(value, "nnz")


def triplets(name, value):
    """(dim, rows, columns, values) of a sparse matrix, without densifying."""
    _check_square(name, value.shape)
    coo = value.tocoo()
    values = real(f"{name}.data", coo.data)
    bad = ~np.isfinite(values)
    if bad.any():
        at = int(np.flatnonzero(bad)[0])
        raise ValueError(f"{name}[{coo.row[at]}, {coo.col[at]}] is "
                         f"{values[at]}, expected a finite number")
    return (value.shape[0], np.asarray(coo.row, np.int64),
            np.asarray(coo.col, np.int64), values)


def pairs(name, value, level):
    """(dim, i, j, coupling) with i <= j, each once, of a symmetric matrix.

    The coupling is that of ½ s'Js: the mean of both sides, half the diagonal.
    """
    dim, row, column, data = triplets(name, value)
    low, high = np.minimum(row, column), np.maximum(row, column)
    key, place = np.unique(low * dim + high, return_inverse=True)
    place = place.reshape(-1)

    def total(side):
        return np.bincount(place[side], data[side], len(key))

    above, below = total(row < column), total(row > column)
    if len(key) and np.abs(above - below).max() > \
            SYMMETRIC * np.abs(data).max():
        warn_asymmetric(name, level + 1)
    coupling = (above + below + total(row == column)) / 2
    return dim, key // dim, key % dim, coupling


def ints(array):
    return np.ascontiguousarray(array, dtype=np.intc)


def pointer(kind, array):
    """An array's data for C; NULL for None.  The caller keeps the array."""
    if array is None:
        return ffi.NULL
    return ffi.cast(f"{kind} *", array.ctypes.data)


def whole(name, value, least=None, most=None):
    """An int within bounds."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, expected a whole number") \
            from None
    if (least is not None and number < least) or \
            (most is not None and number > most):
        bounds = f"at least {least}" if most is None else \
            f"{least} to {most}"
        raise ValueError(f"{name} is {number}, expected {bounds}")
    return number


def number(name, value):
    """A float that is not NaN."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {value!r}, expected a number") from None
    if number != number:
        raise ValueError(f"{name} is nan, expected a number")
    return number


def words(name, value):
    """A text as C wants it."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a {type(value).__name__}, expected a text")
    return _whole_text(name, value, value.encode())


def path(name, value):
    """The name of a file as C wants it."""
    try:
        return _whole_text(name, value, os.fsencode(value))
    except TypeError:
        raise TypeError(f"{name} is a {type(value).__name__}, expected a file "
                        f"name") from None


def _whole_text(name, value, encoded):
    if b"\0" in encoded:  # C would see what is before it
        raise ValueError(f"{name} is {value!r}, which has a NUL character")
    return encoded


def positive(name, value):
    """A float > 0."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {value!r}, expected a number") from None
    if not 0 < number < float("inf"):
        raise ValueError(f"{name} is {number}, expected a positive number")
    return number
