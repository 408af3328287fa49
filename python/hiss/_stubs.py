"""Writes samplers.pyi from the tables of the library:

    python -m hiss._stubs > python/hiss/samplers.pyi
"""
from __future__ import annotations

import textwrap

from .samplers import _document, _is_list, class_name, tables

HEAD = '''\
# Made by `python -m hiss._stubs` from the tables of the library.
from collections.abc import Sequence as _Sequence
from typing import Any, Literal, Union

_Sampler = Union["Sampler", str]

class Sampler:
    def __init__(self, spec: str) -> None: ...
    @property
    def spec(self) -> str: ...
    @property
    def is_exact(self) -> bool: ...
    @property
    def is_reversible(self) -> bool: ...
    @property
    def replicas(self) -> int: ...
    def explain(self) -> str: ...

def as_sampler(value: _Sampler) -> Sampler: ...
def tables() -> list[dict[str, Any]]: ...
def class_name(name: str) -> str: ...
def _document(row: dict[str, Any]) -> str: ...
def _is_list(option: dict[str, Any]) -> bool: ...
def write(value: object) -> str: ...
'''
TYPES = {
    "real": "float", "real|auto": 'float | Literal["auto"]',
    "integer": "int", "seed": "int", "yes|no": "bool", "text": "str",
    "list of reals": "_Sequence[float]", "sampler": "_Sampler",
    "samplers": "_Sampler",
}


def _hint(option):
    if option["type"] == "choice":
        words = ", ".join(f'"{word}"' for word in option["range"].split("|"))
        return f"Literal[{words}]"
    return TYPES.get(option["type"], "Any")


def _parameters(row):
    out = ["self"]
    for option in sorted(row["options"], key=lambda o: not _is_list(o)):
        if _is_list(option):
            out.append(f"*{option['name']}: {_hint(option)}")
        elif option["standard"] is None:
            out.append(f"{option['name']}: {_hint(option)}")
        else:
            out.append(f"{option['name']}: {_hint(option)} | None = None")
    return out


def _class(row):
    lines = [f"class {class_name(row['name'])}(Sampler):"]
    document = _document(row).replace("\\", "\\\\")
    lines.append(textwrap.indent(f'"""{document}\n"""', "    "))
    lines.append("    def __init__(")
    lines += [f"        {word}," for word in _parameters(row)]
    lines.append("    ) -> None: ...")
    return "\n".join(lines)


def stub() -> str:
    rows = tables()
    names = ["Sampler", *sorted(class_name(row["name"]) for row in rows)]
    everything = "__all__ = [\n" + "".join(f'    "{name}",\n'
                                           for name in names) + "]\n"
    return "\n".join([HEAD, everything,
                      "\n\n".join(_class(row) for row in rows), ""])


if __name__ == "__main__":
    print(stub(), end="")
