#!/usr/bin/env python3
"""Writes the C source of the extension: binding.py HEADER.i OUT.c

HEADER.i is <hiss/hiss.h> after the preprocessor, with empty system headers:
declarations alone, which is what cffi reads.  So the extension has every
function of the public headers, and no list of them is kept here.
"""
import sys

import cffi

# What C calls back; bodies are in hiss/_calls.py.
CALLBACKS = """
extern "Python" int hiss_python_progress(void *, const hiss_progress *);
extern "Python" int hiss_python_evaluate(const void *, const int16_t *, int,
                                         double *, float *);
extern "Python" int hiss_python_change(const void *, const int16_t *, int, int,
                                       double *);
extern "Python" int hiss_python_on_card(const void *, hiss_card_states *);
extern "Python" hiss_status hiss_python_kernel(void *, int64_t, int, uint32_t,
                                               const double *, double *,
                                               hiss_error *);
"""

# What C asks while Python waits, without Python: has the number been set?
POLL = """
static int hiss_python_poll(void *context)
{
    return *(volatile int *)context;
}
"""


def main(header, out):
    with open(header, encoding="utf-8") as file:
        declarations = file.read()
    builder = cffi.FFI()
    builder.cdef(declarations)
    builder.cdef(CALLBACKS)
    builder.cdef("int hiss_python_poll(void *);")
    builder.set_source("hiss._native", "#include <hiss/hiss.h>\n" + POLL)
    builder.emit_c_code(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
