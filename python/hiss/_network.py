"""bnn(): the posterior of a network of binary weights."""
from __future__ import annotations

import os

import numpy as np

from . import _arrays as arrays
from ._errors import check, new_error
from ._model import Model, existing, from_spec, scratch_file
from ._native import ffi, lib
from ._structs import struct

PARTS = {"fitted": lib.HISS_FITTED, "validation": lib.HISS_VALIDATION,
         "test": lib.HISS_TEST}
KNOWN = ("wdbc", "compas", "hiv", "blog")  # of the paper


class Network(Model):
    """A model whose draws are networks; made by :func:`bnn`.

    Its cases are in three parts: "fitted", which U is about, "validation" and
    "test", which it does not know.  They are shuffled: their order is that of
    :meth:`inputs` and :meth:`targets`, not that of the data.
    """

    @property
    def _sizes(self):
        raw = struct("hiss_network")
        lib.hiss_model_network(self._c, raw)
        return raw

    @property
    def hidden(self) -> int:
        """The number of hidden units."""
        return self._sizes.hidden

    def _part(self, part):
        if part not in PARTS:
            raise ValueError(f"part is {part!r}, expected one of "
                             f"{', '.join(PARTS)}")
        return PARTS[part], self._sizes.cases[PARTS[part]]

    def _copy(self, data, shape):
        size = 4 * int(np.prod(shape))
        if size == 0:
            return np.zeros(shape, np.float32)
        return np.frombuffer(ffi.buffer(ffi.cast("char *", data), size),
                             np.float32).reshape(shape).copy()

    def inputs(self, part: str = "test") -> np.ndarray:
        """Of the cases of a part, as the network sees them: (cases, inputs),
        without the bias."""
        number, cases = self._part(part)
        return self._copy(lib.hiss_network_inputs(self._c, number),
                          (cases, self._sizes.inputs + 1))[:, :-1]

    def targets(self, part: str = "test") -> np.ndarray:
        """What was to be predicted, (cases,), between 0 and 1."""
        number, cases = self._part(part)
        return self._copy(lib.hiss_network_targets(self._c, number), (cases,))

    def predict(self, draws, part: str = "test") -> np.ndarray:
        """What networks say of the cases of a part: f between 0 and 1.

        draws: states with any axes before the last, as ``run.draws``; the
        result has the same axes and (cases) as its last.
        """
        number, cases = self._part(part)
        states = np.asarray(draws)
        if states.ndim < 1 or states.shape[-1] != self.dim:
            raise ValueError(f"draws has shape {states.shape}, expected "
                             f"(..., {self.dim})")
        bits = np.ascontiguousarray(states, dtype=np.int8)
        if not np.array_equal(bits, states):
            raise ValueError("draws has a value other than 0 and 1")
        out = np.zeros((*states.shape[:-1], cases), np.float32)
        if out.size:
            error = new_error()
            check(lib.hiss_network_predict(
                self._c, number, arrays.pointer("int8_t", bits),
                bits.size // self.dim, arrays.pointer("float", out), error),
                error)
        return out


def _write_cases(file, inputs, targets):
    names = [f"x{i + 1}" for i in range(inputs.shape[1])]
    file.write(",".join([*names, "y"]) + "\n")
    for row, target in zip(inputs.tolist(), targets.tolist()):
        file.write(",".join(map(repr, [*row, target])) + "\n")


def bnn(data, target=None, *, hidden: int | None = None,
        energy: str | None = None, lambda_: float | None = None,
        inputs: str | None = None, test: float | None = None,
        validation: float | None = None, split_seed: int | None = None,
        scale: bool | None = None, folder=None) -> Network:
    """The posterior of a network with weights of -1 and +1.

    One hidden layer of tanh units, a logistic output f, and
    U = -scale sum_n (f_n - y_n)^2 - lambda (number of weights at +1); a weight
    is 2x - 1 of a bit x (docs/bnn.md).

    data: an array (cases, inputs) with `target` an array (cases,) of numbers
        between 0 and 1; or a CSV file with a header and `target` the name of a
        column; or "wdbc", "compas", "hiv" or "blog", from `folder`.
    hidden: hidden units, 100.
    energy: "sum" of the squared errors, or "mean100", 100 times their mean.
    lambda_: sparsity, nats that a weight of +1 costs.
    inputs: "standard" brings them to mean 0 and deviation 1, "raw" does not.
    test, validation: shares of the cases that are not fitted.
    split_seed: of the split, as numpy's RandomState.
    scale: map the range of the target to [0, 1].
    """
    options = {"hidden": hidden, "energy": energy, "lambda": lambda_,
               "inputs": inputs, "test": test, "validation": validation,
               "split_seed": split_seed, "scale": scale,
               "folder": None if folder is None else os.fsdecode(folder)}
    if isinstance(data, (str, os.PathLike)):
        if target is not None and not isinstance(target, str):
            raise TypeError(f"target is a {type(target).__name__}, expected "
                            f"the name of a column")
        word = data if data in KNOWN else existing(data)
        return from_spec("bnn", {"data": word, "target": target, **options},
                         kind=Network)
    cases = arrays.numbers("data", data, (None, None))
    if target is None:
        raise ValueError("target is missing: what is to be predicted")
    goal = arrays.numbers("target", target, (len(cases),))
    with scratch_file(".csv") as (file, path):
        _write_cases(file, cases, goal)
        file.close()
        return from_spec("bnn", {"data": path, "target": "y", **options},
                         kind=Network, hide=path)
