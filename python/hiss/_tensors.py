"""Models from functions of PyTorch and JAX, which also give the gradient.

States go in as they are in the library's memory, indices of 16 bits without a
copy, and become numbers or one-hot labels where the function computes: on a
card a transfer is as small as it can be.
"""
from __future__ import annotations

import math
import threading

import numpy as np

from ._callback import (Function, check_shape, checked, doubles, floats,
                        indices, make, name_of, value_table)
from ._model import Domain, Model
from ._native import ffi

WIDTH = 4096  # states in one call


def _domain_of(dim, kind, states, levels):
    """One-hot states want the same labels everywhere."""
    domain = Domain(dim, kind, states, levels)
    one_hot = "categorical" in domain.kinds
    if one_hot and (set(domain.kinds) != {"categorical"}
                    or len(set(domain.states)) > 1):
        raise ValueError("kind: categorical coordinates must be alone and "
                         "have the same number of states, for a one-hot array")
    return domain, one_hot


def padded(n: int) -> int:
    """States that a compiled function is called with for n: at most an eighth
    more, so that a few shapes are compiled and not one for every n."""
    step = 1 << max(n.bit_length() - 4, 0)
    return -(-n // step) * step


def _line(domain):
    """(scale, shift) of each coordinate if value = scale * index + shift."""
    values = [domain.values(i) for i in range(domain.dim)]
    scale = np.array([v[1] - v[0] if len(v) > 1 else 1.0 for v in values])
    shift = np.array([v[0] for v in values])
    is_line = all(np.array_equal(v, v[0] + scale[i] * np.arange(len(v)))
                  for i, v in enumerate(values))
    return (scale, shift) if is_line else None


class _Tensors(Function):
    """What both have in common: the shapes, and the padding."""

    def __init__(self, domain, one_hot, is_compiled):
        super().__init__(domain, None, True, np.float32)
        self.one_hot = one_hot
        self.is_compiled = is_compiled
        self.local = threading.local()  # buffers of each thread

    def slope_shape(self, lanes):
        labels = self.domain.states[:1] if self.one_hot else []
        return (lanes, self.domain.dim, *labels)

    def padded_indices(self, x, lanes):
        """With copies of the first state up to a size that is compiled."""
        index = indices(self.domain, x, lanes)
        size = padded(lanes) if self.is_compiled else lanes
        if size == lanes:
            return index
        room = getattr(self.local, "room", None)
        if room is None or len(room) < size:
            room = self.local.room = np.empty((size, self.domain.dim),
                                              np.int16)
        room[:lanes] = index
        room[lanes:size] = index[0]
        return room[:size]


class _Torch(_Tensors):
    def __init__(self, torch, log_prob, domain, one_hot, device, dtype,
                 is_compiled):
        super().__init__(domain, one_hot, is_compiled)
        self.torch, self.function = torch, log_prob
        self.device, self.dtype = torch.device(device), dtype
        self.is_far = self.device.type == "cuda"
        line = None if one_hot else _line(domain)
        self.labels = self.line = self.table = None
        if one_hot:
            self.labels = self._there(np.arange(domain.states[0]), torch.int16)
        elif line is None:
            self.table = self._there(value_table(domain), dtype)
            self.column = self._there(np.arange(domain.dim), torch.int64)
        elif (line[0] != 1).any() or (line[1] != 0).any():
            self.line = [self._there(part, dtype) for part in line]

    def _there(self, array, dtype):
        return self.torch.as_tensor(array, dtype=dtype, device=self.device)

    def _room(self, name, shape, dtype, **where):
        """A tensor that is kept for the next call."""
        size = math.prod(shape)
        room = getattr(self.local, name, None)
        if room is None or len(room) < size or room.dtype != dtype:
            room = self.torch.empty(size, dtype=dtype, **where)
            setattr(self.local, name, room)
        return room[:size].view(shape)

    def tensor(self, index):
        index = self.torch.from_numpy(index)
        if self.is_far:
            room = self._room("states", index.shape, index.dtype,
                              pin_memory=True)
            index = room.copy_(index).to(self.device, non_blocking=True)
        elif self.device.type != "cpu":
            index = index.to(self.device)
        labels = () if self.labels is None else self.labels.shape
        x = self._room("x", (*index.shape, *labels), self.dtype,
                       device=self.device)
        if self.labels is not None:
            x.copy_(index.unsqueeze(-1) == self.labels)
        elif self.table is not None:
            x.copy_(self.table[self.column, index.long()])
        else:
            x.copy_(index)
        if self.line is not None:
            x.mul_(self.line[0]).add_(self.line[1])
        return x.detach()

    def put(self, name, value, to):
        """A tensor to memory of C."""
        value = value.detach()
        if value.is_complex():
            raise TypeError(f"{name} returned dtype {value.dtype}, expected "
                            f"real numbers")
        if self.is_far:
            value = self._room(name, value.shape, value.dtype,
                               pin_memory=True).copy_(value)
        self.torch.from_numpy(to).copy_(value)

    def tensor_of(self, value):
        """What the function returned, if it is a tensor."""
        if not isinstance(value, self.torch.Tensor):
            raise TypeError(f"log_prob returned a {type(value).__name__}, "
                            f"expected a tensor")
        return value

    def evaluate(self, x, lanes, u, gradient):
        torch, slope = self.torch, None
        states = self.tensor(self.padded_indices(x, lanes))
        if gradient == ffi.NULL:
            with torch.no_grad():
                value = self.tensor_of(self.function(states))
        else:
            states.requires_grad_()
            with torch.enable_grad():
                value = self.tensor_of(self.function(states))
                slope, = torch.autograd.grad(value.sum(), states)
        check_shape("log_prob", value, (len(states),))
        self.put("log_prob", value[:lanes], doubles(u, lanes))
        if slope is not None:
            shape = self.slope_shape(lanes)
            self.put("the gradient", slope[:lanes], floats(gradient, *shape))


def from_torch(log_prob, dim: int, kind="binary", *, states=None, levels=None,
               device="cpu", dtype=None, compile: bool = False,
               width: int = WIDTH, name: str | None = None) -> Model:
    """A model from a PyTorch function, which also gives the gradient.

    log_prob takes a tensor (n, dim), or (n, dim, states) one-hot for labels,
    and returns n log-probabilities; it must be differentiable in its argument
    and treat states independently.  The tensor is that of the next call, too:
    copy what is to be kept.

    device, dtype: of that tensor.
    compile: ``torch.compile`` it; like one that is compiled already it is then
        called with few different n.
    width: states in one call, at most: all chains and replicas of a run are
        evaluated together.  0: 16 chains at a time, by several threads; their
        draws then do not depend on how many other chains there are.
    """
    import torch  # type: ignore

    domain, one_hot = _domain_of(dim, kind, states, levels)
    function = torch.compile(log_prob, dynamic=False) if compile else log_prob
    is_compiled = compile or hasattr(log_prob, "_torchdynamo_orig_callable") \
        or type(log_prob).__name__ == "OptimizedModule"
    made = _Torch(torch, function, domain, one_hot, device,
                  dtype or torch.float32, is_compiled)
    return make(made, name or name_of(log_prob), width)


class _Jax(_Tensors):
    def __init__(self, jax, log_prob, domain, one_hot):
        super().__init__(domain, one_hot, True)
        jnp = jax.numpy
        labels = np.arange(domain.states[0], dtype=np.int16)
        table = None if one_hot else value_table(domain)
        line = None if one_hot else _line(domain)
        column = np.arange(domain.dim)

        def tensor(index):
            if one_hot:
                return (index[:, :, None] == labels).astype(jnp.float32)
            if table is None:
                return index.astype(jnp.float32)
            if line is not None:
                return index.astype(jnp.float32) * jnp.float32(line[0]) \
                    + jnp.float32(line[1])
            return jnp.asarray(table, jnp.float32)[column, index]

        def pair(index):
            u, pull = jax.vjp(log_prob, tensor(index))
            return u, pull(jnp.ones_like(u))[0]

        self.value = jax.jit(lambda index: log_prob(tensor(index)))
        self.pair = jax.jit(pair)

    def evaluate(self, x, lanes, u, gradient):
        index, slope = self.padded_indices(x, lanes), None
        if gradient == ffi.NULL:
            value = self.value(index)
        else:
            value, slope = self.pair(index)
        value = checked("log_prob", value, (len(index),))
        doubles(u, lanes)[:] = value[:lanes]
        if slope is not None:
            shape = self.slope_shape(lanes)
            floats(gradient, *shape)[:] = np.asarray(slope)[:lanes]


def from_jax(log_prob, dim: int, kind="binary", *, states=None, levels=None,
             width: int = WIDTH, name: str | None = None) -> Model:
    """A model from a JAX function, compiled, which also gives the gradient.

    log_prob takes an array (n, dim), or (n, dim, states) one-hot for labels,
    and returns n log-probabilities; it must be differentiable in its argument
    and treat states independently.  It is compiled for a few n.

    width: as in :func:`from_torch`.
    """
    import jax  # type: ignore

    domain, one_hot = _domain_of(dim, kind, states, levels)
    return make(_Jax(jax, log_prob, domain, one_hot),
                name or name_of(log_prob), width)
