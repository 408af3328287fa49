"""Samplers as objects: a class for each, made from the library's tables.

``hiss.HiSS(eta=4, inner=hiss.DMALA(alpha=0.2))`` is the sampler of the spec
``hiss(eta=4,inner=dmala(alpha=0.2))``; both may stand wherever a sampler is
expected.  The classes, their options and docstrings follow from the tables of
the library, so they are always its own.
"""
from __future__ import annotations

import inspect
import re

from . import _arrays as arrays
from ._errors import check, new_error, take, text
from ._native import ffi, lib
from ._rows import rows

# Where the name of a class is not just the capitalised name.
_NAMES = {"hiss": "HiSS", "network": "TensorNetwork"}
_SHORT = {"dmala", "dula", "gwg", "acs", "pt", "sa", "icm", "pas", "pafs", "dlmc", "edlp", "sw", "tgs", "mtm", "ab"}
# Options that were renamed; the old names work until 0.3.
_OLDER = {"pieces": "components", "parts": "houdayer", "leg": "path", "colours": "colors"}
_WORD = re.compile(r"[^\s\"'\[\](),=\x00-\x20\x7f]+\Z")


class Sampler:
    """How to sample, from a spec such as ``"pt(base=dmala(alpha=0.4))"``."""

    def __init__(self, spec: str):
        given = arrays.words("spec", spec)
        out, error = ffi.new("hiss_sampler **"), new_error()
        check(lib.hiss_sampler_create(out, given, error), error)
        self._c = ffi.gc(out[0], lib.hiss_sampler_destroy)
        self._given = spec

    @property
    def spec(self) -> str:
        """The spec with every default written out."""
        return text(lib.hiss_sampler_spec(self._c))

    @property
    def is_exact(self) -> bool:
        """Whether it keeps the law of the model."""
        return bool(lib.hiss_sampler_is_exact(self._c))

    @property
    def is_reversible(self) -> bool:
        """Whether it has detailed balance."""
        return bool(lib.hiss_sampler_is_reversible(self._c))

    @property
    def replicas(self) -> int:
        """States of a chain: more than 1 with tempering or `replicas`."""
        return lib.hiss_sampler_replicas(self._c)

    def explain(self) -> str:
        """The tree in words, one kernel per line."""
        return take(lib.hiss_sampler_explain(self._c)) or ""

    def __reduce__(self):
        return Sampler, (self._given,)

    def __str__(self):
        return self._given

    def __repr__(self):
        return f"hiss.Sampler({self._given!r})"

    def __eq__(self, other):
        return isinstance(other, Sampler) and self.spec == other.spec

    def __hash__(self):
        return hash(self.spec)


def as_sampler(value) -> Sampler:
    if isinstance(value, Sampler):
        return value
    if isinstance(value, str):
        return Sampler(value)
    raise TypeError(f"sampler is a {type(value).__name__}, expected a Sampler "
                    f"or its spec")


def tables():
    """Every sampler: name, summary and options."""
    out = rows(lib.hiss_sampler_info, "hiss_type_info")
    for number, row in enumerate(out):
        row["options"] = rows(lib.hiss_sampler_option, "hiss_option_info",
                              number)
    return out


def class_name(name):
    if name in _NAMES:
        return _NAMES[name]
    return name.upper() if name in _SHORT else \
        "".join(part.capitalize() for part in re.split("[-_]", name))


def write(value) -> str:
    """A Python value as it stands in a spec."""
    if isinstance(value, Sampler):
        return str(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        if _WORD.match(value) or _is_spec(value):
            return value
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}"'
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist") and \
            getattr(value, "ndim", 0):
        return "[" + ",".join(write(entry) for entry in value) + "]"
    if hasattr(value, "item"):  # a number of numpy
        value = value.item()
    if isinstance(value, (int, float)):
        return repr(value)
    raise TypeError(f"{value!r} cannot stand in a spec")


def _is_spec(value):
    return re.match(r"[A-Za-z_][\w-]*\(.*\)\Z", value, re.S) is not None


def _document(row):
    lines = [f"{row['summary'][:1].upper()}{row['summary'][1:]}."]
    if row["options"]:
        lines.append("")
    for option in row["options"]:
        about = [option["type"]]
        if option["range"]:
            about.append(option["range"])
        if option["standard"]:
            about.append(f"usually {option['standard']}")
        lines.append(f"{option['name']}: {option['help']} "
                     f"({'; '.join(about)})")
    return "\n".join(lines)


def _is_list(option):
    return option["type"] == "samplers"


def _signature(row):
    many = inspect.Parameter.VAR_POSITIONAL
    both = inspect.Parameter.POSITIONAL_OR_KEYWORD
    alone = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("self", both)]
    has_children = any(_is_list(option) for option in row["options"])
    for option in row["options"]:
        if _is_list(option):
            parameters.append(inspect.Parameter(option["name"], many))
            continue
        default = inspect.Parameter.empty if option["standard"] is None \
            else None
        parameters.append(inspect.Parameter(
            option["name"], alone if has_children else both, default=default))
    return inspect.Signature(parameters)


def _make_class(row):
    signature = _signature(row)
    named = class_name(row["name"])

    def __init__(self, *args, **kwargs):
        kwargs = {_OLDER.get(name, name): value
                  for name, value in kwargs.items()}
        try:
            bound = signature.bind(self, *args, **kwargs)
        except TypeError as fault:
            raise TypeError(f"{named}: {fault}") from None
        words, shown = [], []
        for name, value in list(bound.arguments.items())[1:]:
            kind = signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                words += [write(entry) for entry in value]
                shown += [_show(entry) for entry in value]
            elif value is not None:
                words.append(f"{name}={write(value)}")
                shown.append(f"{name}={_show(value)}")
        inner = f"({','.join(words)})" if words else ""
        Sampler.__init__(self, row["name"] + inner)
        self._shown = f"hiss.{named}({', '.join(shown)})"

    def __repr__(self):
        return self._shown

    __init__.__signature__ = signature
    return type(named, (Sampler,), {
        "__doc__": _document(row), "__init__": __init__,
        "__repr__": __repr__, "__module__": "hiss",
    })


def _show(value):
    return repr(value)


_TABLES = tables()
_CLASSES = {class_name(row["name"]): _make_class(row) for row in _TABLES}
globals().update(_CLASSES)
Strands = _CLASSES["Replicas"]  # until 0.3
__all__ = ["Sampler", *sorted(_CLASSES)]
