"""What can go wrong, as exceptions of the classes that Python knows."""
from __future__ import annotations

import re

from ._native import ffi, lib


class HissError(Exception):
    """Base of all errors of the library itself."""


class ArgumentError(HissError, ValueError):
    """An argument, option or specification is wrong."""


class FormatError(HissError, ValueError):
    """A file is malformed; the message has its name, line and column."""


class FileError(HissError, OSError):
    """A file could not be read or written."""


class MemoryShortage(HissError, MemoryError):
    """There is not enough memory."""


class UnsupportedError(HissError, ValueError):
    """This combination is not supported."""


class PluginError(HissError, RuntimeError):
    """A plug-in failed."""


class NumericError(HissError, ArithmeticError):
    """A model returned NaN or +infinity."""


class InfeasibleError(HissError, ValueError):
    """No state of positive probability was found."""


class LimitError(HissError, ValueError):
    """The problem is larger than the method allows."""


class RefusedError(HissError, PermissionError):
    """A file asks for what only the user may ask for: code, other files."""


class StoppedError(HissError, RuntimeError):
    """The run was stopped before there was a result."""


class InternalError(HissError, RuntimeError):
    """A fault of hiss itself."""


_CLASSES = {
    lib.HISS_ENOMEM: MemoryShortage,
    lib.HISS_EARG: ArgumentError,
    lib.HISS_EPARSE: FormatError,
    lib.HISS_EIO: FileError,
    lib.HISS_EUNSUP: UnsupportedError,
    lib.HISS_EPLUGIN: PluginError,
    lib.HISS_ENUMERIC: NumericError,
    lib.HISS_EINFEASIBLE: InfeasibleError,
    lib.HISS_ELIMIT: LimitError,
    lib.HISS_ESTOP: StoppedError,
    lib.HISS_EREFUSED: RefusedError,
}


def check(status, error):
    """Raises what a failed call left in its hiss_error."""
    if status == lib.HISS_OK:
        return
    message = text(error.message) or text(lib.hiss_status_text(status))
    raise _CLASSES.get(status, InternalError)(in_python(message))


# Options of the command that Python calls otherwise.
_ARGUMENTS = {"force": "replace=True", "to": "to_format=",
              "allow-plugin": "plugins="}


def in_python(message):
    """A message of the library, which speaks of the command, for Python."""
    message = re.sub(r"`hiss list (models|samplers|formats)`",
                     r"`hiss.list_\1()`", message)
    # what Python has no function for stays a command
    message = re.sub(r"(?<!`)\bhiss arena --list\b", "`hiss arena --list`",
                     message)
    return re.sub(
        r"(?<![\w-])(?<!hiss arena )--([a-z]+(?:-[a-z]+)*)\b",
        lambda found: _ARGUMENTS.get(
            found[1], found[1].replace("-", "_") + "="), message)


def new_error():
    return ffi.new("hiss_error *")


def text(pointer):
    """A C text as str; None for NULL."""
    if pointer == ffi.NULL:
        return None
    return ffi.string(pointer).decode("utf-8", "replace")


def take(pointer):
    """The same for a text that the caller must free."""
    try:
        return text(pointer)
    finally:
        lib.hiss_free(pointer)
