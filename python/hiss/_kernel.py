"""Somebody's own transition, as the library calls it."""
from __future__ import annotations

import inspect

import numpy as np

from ._native import ffi, lib

FRAMEWORKS = ("numpy", "torch", "jax")


def _random(kernel):
    """What its second argument is to be: "seed", "key", "generator" or None,
    by its name; a function of one argument has random numbers of its own."""
    try:
        known = [p for p in inspect.signature(kernel).parameters.values()
                 if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        many = any(p.kind == p.VAR_POSITIONAL for p in
                   inspect.signature(kernel).parameters.values())
    except (TypeError, ValueError):  # of a compiled function
        return "generator"
    if len(known) < 2:
        return "generator" if many else None
    name = known[1].name
    if known[1].default is not inspect.Parameter.empty and \
            name not in ("seed", "key", "rng", "generator"):
        return None
    return name if name in ("seed", "key") else "generator"


class Kernel:
    """Between the library's call-back and a function of the user's."""

    def __init__(self, function, domain_kinds, framework):
        if not callable(function):
            raise TypeError(f"kernel is a {type(function).__name__}, expected "
                            f"a function of states (n, dim) and a generator")
        if framework not in FRAMEWORKS:
            raise ValueError(f"framework is {framework!r}, expected one of "
                             f"{', '.join(FRAMEWORKS)}")
        self.function = function
        self.framework = framework
        self.random = _random(function)
        self.labels = set(domain_kinds) <= {"categorical", "permutation"}
        self.fault = None
        self.name = getattr(function, "__name__", type(function).__name__)

    def _generator(self, seed):
        if self.random == "seed":
            return seed
        if self.framework == "torch":
            import torch  # type: ignore
            return torch.Generator().manual_seed(seed)
        if self.random == "key" or self.framework == "jax":
            import jax  # type: ignore
            return jax.random.PRNGKey(seed)
        return np.random.default_rng(seed)

    def _states(self, x):
        """Always a copy: the function may keep or change it."""
        x = x.astype(np.int64 if self.labels else
                     np.float64 if self.framework == "numpy" else np.float32)
        if self.framework == "torch":
            import torch  # type: ignore
            return torch.from_numpy(x)
        if self.framework == "jax":
            import jax.numpy as jnp  # type: ignore
            return jnp.asarray(x)
        return x

    def moved(self, x, seed):
        """Where the function puts states, as an array of their shape."""
        arguments = (self._states(x),)
        if self.random is not None:
            arguments += (self._generator(seed),)
        y = self.function(*arguments)
        for name in ("detach", "cpu"):  # of torch
            y = getattr(y, name)() if hasattr(y, name) else y
        y = np.asarray(y)
        if y.dtype.kind not in "biuf":
            raise TypeError(f"kernel {self.name} returned dtype {y.dtype}, "
                            f"expected numbers")
        if y.shape != x.shape:
            raise ValueError(f"kernel {self.name} returned shape {y.shape}, "
                             f"expected {x.shape}")
        return y

    def apply(self, n, dim, seed, start, end):
        """Fills the buffer of C; exceptions are kept by _calls.py."""
        x = np.frombuffer(ffi.buffer(start, 8 * n * dim)).reshape(n, dim)
        out = np.frombuffer(ffi.buffer(end, 8 * n * dim)).reshape(n, dim)
        out[:] = self.moved(x, seed)

    def as_c(self):
        """(hiss_kernel *, what must be kept as long)."""
        kernel = ffi.new("hiss_kernel *")
        kernel.size = ffi.sizeof("hiss_kernel")
        name = ffi.new("char[]", f"kernel {self.name}".encode())
        handle = ffi.new_handle(self)
        kernel.name = name
        kernel.apply = lib.hiss_python_kernel
        kernel.context = handle
        return kernel, (name, handle)
