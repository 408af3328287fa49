"""Lists of models, samplers and formats; result files."""
from __future__ import annotations


from . import _arrays as arrays
from ._errors import check, new_error, take
from ._model import as_model, existing
from ._native import ffi, lib
from ._result import Result
from ._listing import Listing
from ._rows import rows
from .samplers import tables


def list_samplers() -> Listing:
    """Every sampler: name, summary and options."""
    return Listing(tables())


def list_models() -> Listing:
    """Every built-in model: name, summary and options."""
    out = Listing(rows(lib.hiss_model_info, "hiss_type_info"))
    for number, row in enumerate(out):
        row["options"] = rows(lib.hiss_model_option, "hiss_option_info",
                              number)
    return out


def list_formats() -> Listing:
    """Every file format of models: name, suffixes, options, ..."""
    out = Listing(rows(lib.hiss_format_info, "hiss_file_format"))
    for number, row in enumerate(out):
        row["suffixes"] = row["suffixes"].split()
        row["reads"], row["writes"] = bool(row["reads"]), bool(row["writes"])
        row["options"] = rows(lib.hiss_format_option, "hiss_option_info",
                              number)
    return out


def load(path, model=None) -> Result:
    """A result from a .nc or .csv that hiss wrote.

    `model` is what it was drawn from, for modes and exact answers.
    """
    existing(path)
    out, error = ffi.new("hiss_result **"), new_error()
    check(lib.hiss_result_read(out, arrays.path("path", path), error), error)
    return Result(out[0], None if model is None else as_model(model))


def convert(path, to, *, format: str | None = None,
            to_format: str | None = None, replace: bool = False) -> str | None:
    """Writes the model of a file in another format, and checks it.

    Returns what one should know of the new file, or None.
    """
    existing(path)
    note, error = ffi.new("char **"), new_error()
    check(lib.hiss_convert(
        arrays.path("path", path),
        ffi.NULL if format is None else arrays.words("format", format),
        arrays.path("to", to),
        ffi.NULL if to_format is None else arrays.words("to_format",
                                                        to_format),
        bool(replace), note, error), error)
    return take(note[0]) if note[0] != ffi.NULL else None
