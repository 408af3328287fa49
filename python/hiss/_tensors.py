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
from ._card import View
from ._model import Domain, Model
from ._native import ffi

WIDTH = 4096  # states in one call
LEGACY = 1  # stream 0, as DLPack calls it


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
        self.local = threading.local()  # free buffers of each thread

    def slope_shape(self, lanes):
        labels = self.domain.states[:1] if self.one_hot else []
        return (lanes, self.domain.dim, *labels)

    def evaluate(self, x, lanes, u, gradient):
        """A function may evaluate its own model: a call within a call has
        buffers of its own."""
        free = self.local.__dict__.setdefault("free", [])
        rooms = free.pop() if free else {}
        try:
            self.evaluate_in(rooms, x, lanes, u, gradient)
        finally:
            free.append(rooms)

    def padded_indices(self, rooms, x, lanes):
        """With copies of the first state up to a size that is compiled."""
        index = indices(self.domain, x, lanes)
        size = padded(lanes) if self.is_compiled else lanes
        if size == lanes:
            return index
        room = rooms.get("index")
        if room is None or len(room) < size:
            room = rooms["index"] = np.empty((size, self.domain.dim),
                                             np.int16)
        room[:lanes] = index
        room[lanes:size] = index[0]
        return room[:size]

    def states_on_card(self, states):
        """The states of a call as `view` has them, which is asked once for
        each place where they are."""
        shape = self.slope_shape(states.count)
        key = (int(ffi.cast("uintptr_t", states.x)), states.card, shape)
        if getattr(self.local, "key", None) != key:
            self.local.recorded = {}
            self.local.seen = self.view(View(*key))
            self.local.key = key
        return self.local.seen

    def put_on_card(self, states, u, gradient):
        """(address, bytes of an element) of U, and address of a gradient."""
        address, size = u
        if size == 8:
            states.own_u = ffi.cast("double *", address)
        else:
            states.own_u_float = ffi.cast("float *", address)
        if gradient is not None:
            states.own_gradient = ffi.cast("float *", gradient)


class _Torch(_Tensors):
    def __init__(self, torch, log_prob, domain, one_hot, device, dtype,
                 is_compiled):
        super().__init__(domain, one_hot, is_compiled)
        self.torch, self.function = torch, log_prob
        self.device, self.dtype = torch.device(device), dtype
        self.is_far = self.is_on_card = self.device.type == "cuda"
        self.is_captured = False
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

    def _room(self, rooms, name, shape, dtype, **where):
        """A tensor that is kept for the next call."""
        size = math.prod(shape)
        room = rooms.get(name)
        if room is None or len(room) < size or room.dtype != dtype:
            room = rooms[name] = self.torch.empty(size, dtype=dtype, **where)
        return room[:size].view(shape)

    def tensor(self, rooms, index):
        index = self.torch.from_numpy(index)
        if self.is_far:
            room = self._room(rooms, "states", index.shape, index.dtype,
                              pin_memory=True)
            index = room.copy_(index).to(self.device, non_blocking=True)
        elif self.device.type != "cpu":
            index = index.to(self.device)
        labels = () if self.labels is None else self.labels.shape
        x = self._room(rooms, "x", (*index.shape, *labels), self.dtype,
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

    def put(self, rooms, name, value, to):
        """A tensor to memory of C."""
        value = self.real(name, value.detach())
        if self.is_far:
            value = self._room(rooms, name, value.shape, value.dtype,
                               pin_memory=True).copy_(value)
        self.torch.from_numpy(to).copy_(value)

    @staticmethod
    def real(name, value):
        if value.is_complex():
            raise TypeError(f"{name} returned dtype {value.dtype}, expected "
                            f"real numbers")
        return value

    def tensor_of(self, value):
        """What the function returned, if it is a tensor of real numbers:
        torch's own words about gradients of others lead astray."""
        if not isinstance(value, self.torch.Tensor):
            raise TypeError(f"log_prob returned a {type(value).__name__}, "
                            f"expected a tensor")
        return self.real("log_prob", value)

    def slope_of(self, value, x):
        if not value.requires_grad:
            raise ValueError("log_prob returned a tensor without a gradient: "
                             "it is detached, or computed in inference_mode "
                             "or not by torch; from_function takes functions "
                             "without one")
        return self.torch.autograd.grad(value, x, self._ones(value))[0]

    def _ones(self, value):
        """Of its shape, kept: states are independent, so that a gradient of
        the sum is that of each, and nobody needs the sum itself."""
        ones = getattr(self.local, "ones", None)
        if ones is None or (ones.shape, ones.dtype, ones.device) != (
                value.shape, value.dtype, value.device):
            ones = self.local.ones = self.torch.ones_like(value,
                                                          requires_grad=False)
        return ones

    def evaluate_in(self, rooms, x, lanes, u, gradient):
        torch, slope = self.torch, None
        states = self.tensor(rooms, self.padded_indices(rooms, x, lanes))
        if gradient == ffi.NULL:
            with torch.no_grad():
                value = self.tensor_of(self.function(states))
        else:
            states.requires_grad_()
            with torch.enable_grad():
                value = self.tensor_of(self.function(states))
                slope = self.slope_of(value, states)
        check_shape("log_prob", value, (len(states),))
        self.put(rooms, "log_prob", value[:lanes], doubles(u, lanes))
        if slope is not None:
            shape = self.slope_shape(lanes)
            self.put(rooms, "the gradient", slope[:lanes],
                     floats(gradient, *shape))


    def view(self, view):
        if self.is_far and view.card != (
                self.torch.cuda.current_device() if self.device.index is None
                else self.device.index):
            raise ValueError(f"log_prob computes on {self.device}, and the "
                             f"chains are on cuda:{view.card}: give both the "
                             f"same device")
        return self.torch.from_dlpack(view)

    def evaluate_on_card(self, states):
        """On stream 0, where the library's own kernels are."""
        if self.is_far and self.torch.cuda.current_stream(
                self.device).cuda_stream != 0:
            with self.torch.cuda.stream(
                    self.torch.cuda.default_stream(self.device)):
                self._launch(states)
        else:
            self._launch(states)

    def _launch(self, states):
        x, is_wanted = self.states_on_card(states), states.gradient != ffi.NULL
        make = self._replay if self.is_captured else self._value_and_slope
        value, slope = make(x, is_wanted)
        self.local.kept = value, slope  # until the card has read them
        self.put_on_card(states, (value.data_ptr(), value.element_size()),
                         None if slope is None else slope.data_ptr())

    def _value_and_slope(self, x, is_wanted):
        """As they can be read by the library's kernels."""
        torch, slope = self.torch, None
        x = x.detach() if self.dtype == torch.float32 else x.to(self.dtype)
        with torch.set_grad_enabled(is_wanted):
            value = self.tensor_of(self.function(x.requires_grad_(is_wanted)))
            if is_wanted:
                slope = self.slope_of(value, x)
                slope = slope.to(torch.float32).contiguous()
        check_shape("log_prob", value, (len(x),))
        value = self.real("log_prob", value.detach())
        if value.device != x.device:
            raise ValueError(f"log_prob returned a tensor on {value.device}, "
                             f"expected one on {x.device}")
        if value.dtype != torch.float32:
            value = value.to(torch.float64)
        return value.contiguous(), slope

    def _replay(self, x, is_wanted):
        """The kernels of the function, recorded once for these states."""
        cuda, recorded = self.torch.cuda, self.local.recorded
        if is_wanted not in recorded:
            side, graph = cuda.Stream(self.device), cuda.CUDAGraph()
            side.wait_stream(cuda.current_stream(self.device))
            with cuda.stream(side):  # what is made at first is not recorded
                for _ in range(3):
                    self._value_and_slope(x, is_wanted)
            cuda.current_stream(self.device).wait_stream(side)
            with cuda.graph(graph):
                out = self._value_and_slope(x, is_wanted)
            recorded[is_wanted] = graph, out, getattr(self.local, "ones",
                                                      None)
        graph, out, _ = recorded[is_wanted]  # with what it reads
        graph.replay()
        return out


def from_torch(log_prob, dim: int, kind="binary", *, states=None, levels=None,
               device="cpu", dtype=None, compile: bool = False,
               capture: bool = False, width: int = WIDTH,
               name: str | None = None) -> Model:
    """A model from a PyTorch function, which also gives the gradient.

    log_prob takes a tensor (n, dim), or (n, dim, states) one-hot for labels,
    and returns n log-probabilities; it must be differentiable in its argument
    and treat states independently.  The tensor is that of the next call, too:
    copy what is to be kept.

    device, dtype: of that tensor.  With a card, ``sample(..., device="cuda")``
        has the chains there, too: x is then a view of their memory.
    capture: where the chains are on a card, too, the kernels of log_prob are
        recorded once (a CUDA graph) and launched again for every evaluation,
        which takes less of the processor than calling it.  It must do the same
        for all states: what Python does in it is done once, and new values of
        parameters are seen only where they are written into the same tensors.
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
    if capture and not made.is_far:
        raise ValueError(f"capture: log_prob computes on {made.device}, and "
                         f"only the kernels of a card can be recorded")
    if made.is_far and not torch.cuda.is_available():
        raise ValueError(f"device is {made.device}, and torch sees no card")
    made.is_captured = capture
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
            return both(tensor(index))

        def both(x):
            u, pull = jax.vjp(log_prob, x)
            return u, pull(jnp.ones_like(u))[0]

        self.jax = jax
        self.value = jax.jit(lambda index: log_prob(tensor(index)))
        self.pair = jax.jit(pair)
        self.value_there, self.pair_there = jax.jit(log_prob), jax.jit(both)
        self.is_on_card = jax.default_backend() in ("gpu", "cuda")

    def evaluate_in(self, rooms, x, lanes, u, gradient):
        index, slope = self.padded_indices(rooms, x, lanes), None
        if gradient == ffi.NULL:
            value = self.value(index)
        else:
            value, slope = self.pair(index)
        value = checked("log_prob", value, (len(index),))
        doubles(u, lanes)[:] = value[:lanes]
        if slope is not None:
            shape = self.slope_shape(lanes)
            floats(gradient, *shape)[:] = np.asarray(slope)[:lanes]


    def view(self, view):
        seen = self.jax.dlpack.from_dlpack(view)
        if seen.unsafe_buffer_pointer() != view.address:
            raise RuntimeError("JAX has copied the states: this version cannot "
                               "work on the library's memory; use device=None")
        return seen

    def evaluate_on_card(self, states):
        """On streams of JAX's own, which wait for stream 0 when they are given
        its states; it waits for them in turn."""
        is_wanted = states.gradient != ffi.NULL
        if states.card < 0:
            x = self.states_on_card(states)
        else:
            x = self.view(View(int(ffi.cast("uintptr_t", states.x)),
                               states.card, self.slope_shape(states.count),
                               states.join))
        value, slope = self.pair_there(x) if is_wanted else \
            (self.value_there(x), None)
        check_shape("log_prob", value, (states.count,))
        if value.dtype not in (np.float32, np.float64):
            if value.dtype.kind == "c":
                raise TypeError(f"log_prob returned dtype {value.dtype}, "
                                f"expected real numbers")
            value = value.astype(np.float32)
        self.local.kept = value, slope  # until the card has read them
        for part in (value, slope):
            if states.card < 0:
                self.jax.block_until_ready(part)
            elif part is not None:
                part.__dlpack__(stream=LEGACY)
        self.put_on_card(
            states, (value.unsafe_buffer_pointer(), value.dtype.itemsize),
            None if slope is None else slope.unsafe_buffer_pointer())


def from_jax(log_prob, dim: int, kind="binary", *, states=None, levels=None,
             width: int = WIDTH, name: str | None = None) -> Model:
    """A model from a JAX function, compiled, which also gives the gradient.

    log_prob takes an array (n, dim), or (n, dim, states) one-hot for labels,
    and returns n log-probabilities; it must be differentiable in its argument
    and treat states independently.  It is compiled for a few n.  Where JAX
    computes on a card, ``sample(..., device="cuda")`` has the chains there.

    width: as in :func:`from_torch`.
    """
    import jax  # type: ignore

    domain, one_hot = _domain_of(dim, kind, states, levels)
    return make(_Jax(jax, log_prob, domain, one_hot),
                name or name_of(log_prob), width)
