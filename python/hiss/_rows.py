"""What the library's enumerating functions return, as lists of dicts."""
from __future__ import annotations

from typing import Any

from ._errors import text
from ._native import ffi
from ._structs import struct


def rows(function, kind: str, *numbers: int) -> list[dict[str, Any]]:
    """All structs of a function that takes their number and returns 0 past
    the last; texts are str."""
    out = struct(kind)
    found: list[dict[str, Any]] = []
    while function(*numbers, len(found), out):
        found.append({name: _field(getattr(out, name))
                      for name, _ in ffi.typeof(out).item.fields
                      if name != "size"})
    return found


def _field(value):
    return text(value) if isinstance(value, ffi.CData) else value
