"""Structs of the library, each with its size: hiss.h says why they have it."""
from __future__ import annotations

from ._native import ffi, lib


def struct(kind: str):
    """One that is all zero."""
    out = ffi.new(f"{kind} *")
    out.size = ffi.sizeof(kind)
    return out


def structs(kind: str, count: int):
    """So many in a row."""
    out = ffi.new(f"{kind}[]", max(1, count))
    for n in range(count):
        out[n].size = ffi.sizeof(kind)
    return out


def new_settings(kind: str):
    """One with the library's defaults."""
    out = ffi.new(f"{kind} *")
    getattr(lib, f"{kind}_defaults")(out, ffi.sizeof(kind))
    return out
