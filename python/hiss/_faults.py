"""Exceptions of a user's function, each raised again by the call it ended.

An exception cannot cross C: a code takes its place, which C repeats in the
message of the call that failed.  Some calls go on without what failed and
succeed (a race has other samplers); they have the exceptions that were raised
while they were alone with the model.  So of two runs of one model at the same
time none is given the other's.
"""
from __future__ import annotations

import itertools
import re
import threading
import weakref

from ._errors import new_error, text

CODE = re.compile(r"its function failed with code (\d+)")
MOST = 64  # exceptions that are kept


class Faults:
    """Of one model."""

    def __init__(self):
        self._lock = threading.Lock()
        self._calls = weakref.WeakSet()  # hiss_errors of those under way
        self._kept = {}  # code: (weak reference to its only call, exception)
        self._codes = itertools.count(1)

    def begin(self):
        """The hiss_error of a call that may evaluate the model."""
        error = new_error()
        with self._lock:
            if not len(self._calls):
                self._kept.clear()  # nobody is left to raise it
            self._calls.add(error)
        return error

    def _of(self, call):
        """Codes of what was raised while there was this call alone."""
        return [code for code, (owner, _) in self._kept.items()
                if owner is not None and owner() is call]

    def ending(self):
        """The code of what has ended the only call under way, or 0."""
        if not self._kept:  # as nearly always
            return 0
        with self._lock:
            calls = list(self._calls)
            codes = self._of(calls[0]) if len(calls) == 1 else []
            return codes[0] if codes else 0

    def keep(self, fault):
        """The code to return to C."""
        with self._lock:
            calls = list(self._calls)
            owner = weakref.ref(calls[0]) if len(calls) == 1 else None
            code = next(self._codes)
            self._kept[code] = owner, fault
            if len(self._kept) > MOST:
                del self._kept[next(iter(self._kept))]
            return code

    def end(self, error):
        """Raises what this call is to raise."""
        with self._lock:
            self._calls.discard(error)
            named = CODE.search(text(error.message) or "")
            codes = [int(named[1])] if named else []
            faults = [self._kept.pop(code, (None, None))[1]
                      for code in [*codes, *self._of(error)]]
        fault = next((one for one in faults if one is not None), None)
        if fault is not None:
            raise fault
