"""Ground truth: log Z, marginals and the most probable states."""
from __future__ import annotations

import numpy as np

from . import _arrays as arrays
from ._errors import text
from ._model import as_model
from ._native import ffi, lib
from ._progress import interruptible
from ._structs import new_settings


class Exact:
    """Exact answers for a model."""

    def __init__(self, handle, model):
        self._c = ffi.gc(handle, lib.hiss_exact_destroy)
        self.model = model

    @property
    def log_z(self) -> float:
        """ln of the sum of exp(U) over all states."""
        return lib.hiss_exact_log_z(self._c)

    @property
    def states(self) -> float:
        return lib.hiss_exact_states(self._c)

    @property
    def max_log_p(self) -> float:
        """log p of the most probable state."""
        return lib.hiss_exact_max_u(self._c)

    @property
    def mean_log_p(self) -> float:
        return lib.hiss_exact_mean_u(self._c)

    max_u, mean_u = max_log_p, mean_log_p  # the old names

    @property
    def objective(self) -> dict:
        """{"best", "mean"} of the objective: log p where there is none."""
        _, scale, shift = self.model.objective
        return {"best": scale * self.max_log_p + shift,
                "mean": scale * self.mean_log_p + shift}

    @property
    def seconds(self) -> float:
        return lib.hiss_exact_seconds(self._c)

    @property
    def method(self) -> str:
        """"enumeration", "elimination", "counting", or "weighted draws" for
        estimates."""
        return text(lib.hiss_exact_method(self._c))

    @property
    def is_nearly(self) -> bool:
        """Whether these are estimates from weighted independent draws of a
        tensor network, not exact answers."""
        return bool(lib.hiss_exact_is_nearly(self._c))

    @property
    def draws(self) -> float:
        """How many such draws there are; 0 where answers are exact."""
        return lib.hiss_exact_draws(self._c)

    @property
    def effective(self) -> float:
        """How many independent draws of the model they are worth."""
        return lib.hiss_exact_effective(self._c)

    @property
    def log_z_se(self) -> float:
        """Standard error of log Z; 0 where it is exact."""
        return lib.hiss_exact_log_z_se(self._c)

    @property
    def mean_log_p_se(self) -> float:
        """Standard error of mean log p; 0 where it is exact."""
        return lib.hiss_exact_mean_u_se(self._c)

    mean_u_se = mean_log_p_se

    def marginal_se(self, coordinate) -> np.ndarray:
        """Standard errors of `marginal`; 0 where it is exact."""
        i = self.model._coordinate(coordinate)
        size = lib.hiss_model_states(self.model._c, i)
        data = lib.hiss_exact_marginal_se(self._c, i)
        if not data:
            return np.zeros(size)
        return np.frombuffer(ffi.buffer(data, 8 * size)).copy()

    @property
    def count(self) -> int | None:
        """How many states are possible; None unless all of them are equally
        probable, or where elimination was used."""
        digits = lib.hiss_exact_count(self._c)
        return int(text(digits)) if digits else None

    def marginal(self, coordinate) -> np.ndarray:
        """P(x_i = v) for each value v; of a coordinate by its number, or by a
        label that is a text."""
        i = self.model._coordinate(coordinate)
        size = lib.hiss_model_states(self.model._c, i)
        data = lib.hiss_exact_marginal(self._c, i)
        return np.frombuffer(ffi.buffer(data, 8 * size)).copy()

    def means(self) -> np.ndarray:
        """The mean of each coordinate (of labels: as numbers)."""
        return np.array([self.marginal(i) @ self.model.values(i)
                         for i in range(self.model.dim)])

    def top(self, most: int = 10) -> list[tuple[np.ndarray, float]]:
        """The most probable states and their probabilities."""
        out: list[tuple[np.ndarray, float]] = []
        p = ffi.new("double *")
        state = np.zeros(self.model.dim)
        while len(out) < most and lib.hiss_exact_top(
                self._c, len(out), arrays.pointer("double", state), p):
            out.append((state.copy(), p[0]))
        return out

    def __reduce__(self):
        raise TypeError("an Exact of hiss cannot be pickled: it is memory of "
                        "the library; pickle its numbers")

    def __repr__(self):
        return f"<hiss.Exact: log Z {self.log_z:.10g}, {self.states:g} " \
               f"states, by {self.method}>"


def solve(model, threads, nearly=False):
    """(hiss_exact, status, error) of C; Ctrl-C ends it."""
    settings = new_settings("hiss_exact_settings")
    settings.threads = threads
    settings.nearly = nearly
    settings.poll = ffi.addressof(lib, "hiss_python_poll")
    settings.context = stop = ffi.new("int *")
    out, error = ffi.new("hiss_exact **"), model._error()
    status = lib.HISS_OK

    def call():
        nonlocal status
        status = lib.hiss_exact_solve(out, model._c, settings, error)

    interruptible(call, stop)
    return out[0], status, error


def exact(model, threads: int = 0, *, nearly: bool = False) -> Exact:
    """Exact answers, by enumeration, elimination of coordinates or counting.

    Raises LimitError where there are too many states to enumerate and the
    model is not a sum of small tables, MemoryShortage where elimination or
    counting needs too much.  With ``nearly`` such a model of small tables gets
    estimates with errors instead, from weighted independent draws of a tensor
    network (``Exact.is_nearly``).  Ctrl-C ends it.
    """
    model = as_model(model)
    handle, status, error = solve(model, arrays.whole("threads", threads, 0,
                                                      1024), bool(nearly))
    model._check(status, error)
    return Exact(handle, model)
