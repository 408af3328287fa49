"""States in a card's memory, which frameworks take as theirs without a copy.

DLPack's capsule is a block of memory with a struct and the shape behind it
(https://dmlc.github.io/dlpack/latest); who takes it frees the block with
free(), and the states stay the library's.
"""
from __future__ import annotations

import ctypes

from ._native import ffi

PROCESSOR, CUDA = 1, 2  # kinds of devices
FLOAT = 2
NAME = b"dltensor"  # of a capsule that nobody has taken yet


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("kind", ctypes.c_int32),
                ("number", ctypes.c_int32), ("dims", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p),
                ("strides", ctypes.c_void_p), ("offset", ctypes.c_uint64),
                ("context", ctypes.c_void_p), ("free", ctypes.c_void_p)]


_c = ctypes.CDLL(None)
_c.malloc.restype = ctypes.c_void_p
_c.malloc.argtypes = [ctypes.c_size_t]
_c.free.argtypes = [ctypes.c_void_p]
_new = ctypes.pythonapi.PyCapsule_New
_new.restype = ctypes.py_object
_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class View:
    """Floats at an address of a card, or with card -1 of this machine."""

    def __init__(self, address, card, shape, join=None):
        self.address, self.card, self.shape = address, card, shape
        self.join = join  # makes a stream wait for them

    def __dlpack_device__(self):
        return (PROCESSOR, 0) if self.card < 0 else (CUDA, self.card)

    def __dlpack__(self, *, stream=None, **more):
        """Without `join`, whoever reads them knows when they are there."""
        if self.join is not None:
            if stream is None:
                raise BufferError("the stream that is to wait is not named")
            self.join(ffi.cast("void *", stream))
        dims = len(self.shape)
        block = _c.malloc(ctypes.sizeof(_Tensor) + 8 * dims)
        if not block:
            raise MemoryError
        shape = (ctypes.c_int64 * dims).from_address(
            block + ctypes.sizeof(_Tensor))
        shape[:] = self.shape
        kind, number = self.__dlpack_device__()
        tensor = _Tensor.from_address(block)
        tensor.data, tensor.kind, tensor.number = self.address, kind, number
        tensor.dims, tensor.code, tensor.bits, tensor.lanes = dims, FLOAT, 32, 1
        tensor.shape, tensor.strides = ctypes.addressof(shape), None
        tensor.offset, tensor.context = 0, None
        tensor.free = ctypes.cast(_c.free, ctypes.c_void_p).value
        return _new(block, NAME, None)
