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


@ffi.def_extern(error=1)
def hiss_python_evaluate(context, x, lanes, u, gradient):
    function = ffi.from_handle(ffi.cast("void *", context))
    if function.fault is not None:
        return 1  # the run is ending
    try:
        function.evaluate(x, lanes, u, gradient)
        return 0
    except BaseException as fault:  # raised again by the caller of C
        function.fault = function.fault or fault
        return 1


@ffi.def_extern(error=1)
def hiss_python_change(context, x, lanes, i, change):
    function = ffi.from_handle(ffi.cast("void *", context))
    if function.fault is not None:
        return 1  # the run is ending
    try:
        function.evaluate_change(x, lanes, i, change)
        return 0
    except BaseException as fault:  # raised again by the caller of C
        function.fault = function.fault or fault
        return 1


@ffi.def_extern(error=lib.HISS_EPLUGIN)
def hiss_python_kernel(context, n, dim, seed, start, end, error):
    kernel = ffi.from_handle(context)
    try:
        kernel.apply(n, dim, seed, start, end)
        return lib.HISS_OK
    except BaseException as fault:  # raised again by the caller of C
        kernel.fault = fault
        return lib.HISS_EPLUGIN
