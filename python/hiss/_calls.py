"""The functions that C calls back; they hold the GIL while they run.

An exception cannot cross C.  It is kept in the object behind the handle, the
call ends, and the caller raises the exception again.
"""
from __future__ import annotations

from ._native import ffi, lib


@ffi.def_extern(error=1)
def hiss_python_progress(context, progress):
    watch = ffi.from_handle(context)
    try:
        return 1 if watch.report(progress) else 0
    except BaseException as fault:  # raised again by the caller of C
        watch.fault = fault
        return 1


def _guarded(function, call, *args):
    code = function.faults.ending()  # other threads of the run need not call
    if code:
        return code
    try:
        call(*args)
        return 0
    except BaseException as fault:  # raised again by the caller of C
        return function.faults.keep(fault)


@ffi.def_extern(error=1)
def hiss_python_evaluate(context, x, lanes, u, gradient):
    function = ffi.from_handle(ffi.cast("void *", context))
    return _guarded(function, function.evaluate, x, lanes, u, gradient)


@ffi.def_extern(error=1)
def hiss_python_change(context, x, lanes, i, change):
    function = ffi.from_handle(ffi.cast("void *", context))
    return _guarded(function, function.evaluate_change, x, lanes, i, change)


@ffi.def_extern(error=1)
def hiss_python_on_card(context, states):
    function = ffi.from_handle(ffi.cast("void *", context))
    return _guarded(function, function.evaluate_on_card, states)


@ffi.def_extern(error=lib.HISS_EPLUGIN)
def hiss_python_kernel(context, n, dim, seed, start, end, error):
    kernel = ffi.from_handle(context)
    try:
        kernel.apply(n, dim, seed, start, end)
        return lib.HISS_OK
    except BaseException as fault:  # raised again by the caller of C
        kernel.fault = fault
        return lib.HISS_EPLUGIN
