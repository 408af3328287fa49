"""How far a long call is: a bar on a terminal, a bar in a notebook, or a
function of the user; and Ctrl-C, which ends a run and keeps what was drawn.
"""
from __future__ import annotations

import html
import shutil
import signal
import sys
import threading
import time
from typing import NamedTuple

from ._native import ffi, lib

EVERY = 0.1  # seconds between two updates of a bar


class Progress(NamedTuple):
    """What a progress function is given."""

    fraction: float  # 0 .. 1 of the whole run
    seconds: float
    evaluations: float  # energy and gradient, all chains
    draws: int  # kept so far per chain
    is_warmup: bool
    best: float  # the best U so far; of optimize() only
    log_p: float = float("nan")  # of sample(), of the draws so far: the mean,
    ess: float = float("nan")  # the smallest ESS of log p and some coordinates
    rhat: float = float("nan")  # and their largest R-hat; nan: not known yet


class Watch:
    """Between a long call and its progress display."""

    def __init__(self, show):
        self.show = show
        self.fault = None
        self.asked_to_stop = False
        self.is_urgent = False  # it was asked for twice

    def report(self, raw):
        """True: stop.  Called by C between rounds, in the calling thread."""
        now = Progress(raw.fraction, raw.seconds, raw.evaluations, raw.draws,
                       bool(raw.is_warmup), raw.best, raw.log_p,
                       raw.ess, raw.rhat)
        if self.show is not None and self.show(now):
            return True
        return self.asked_to_stop


class Interruption:
    """Ctrl-C becomes a wish while a call runs; a second one ends it at once.

    Only the main thread gets signals, and a handler of the user's own stays
    in charge once the call has ended.
    """

    def __init__(self, watch):
        self.watch = watch
        self.before = None

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            before = signal.getsignal(signal.SIGINT)
            if callable(before):
                signal.signal(signal.SIGINT, self._heard)
                self.before = before
        return self

    def _heard(self, number, frame):
        if self.watch.asked_to_stop:
            self.watch.is_urgent = True
            self.before(number, frame)
        self.watch.asked_to_stop = True

    def __exit__(self, *fault):
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)


def _clock(seconds):
    seconds = int(seconds + 0.5)
    if seconds < 60:
        return f"{seconds}s"
    if seconds < 3600:
        return f"{seconds // 60}m{seconds % 60:02d}s"
    return f"{seconds // 3600}h{seconds // 60 % 60:02d}m"


def _words(what, p):
    part = f"{what}, warm-up" if p.is_warmup else what
    left = ""
    if 0.01 < p.fraction < 1 and p.seconds > 0.5:
        left = f", {_clock(p.seconds * (1 - p.fraction) / p.fraction)} left"
    return f"{part} {100 * p.fraction:3.0f}% {_clock(p.seconds)}{left}"


class Bar:
    """Base of the bars: updates now and then; very short calls show nothing."""

    def __init__(self, what):
        self.what = what
        self.last = time.monotonic()
        self.is_shown = False

    def __call__(self, p):
        now = time.monotonic()
        if now - self.last >= EVERY:
            self.last = now
            self.is_shown = True
            self.draw(p)
        return False

    def draw(self, p):
        raise NotImplementedError

    def close(self):
        pass


class TerminalBar(Bar):
    def draw(self, p):
        words = _words(self.what, p)
        room = shutil.get_terminal_size().columns - len(words) - 4
        width = max(0, min(room, 30))
        full = int(width * p.fraction)
        bar = f"[{'#' * full}{'.' * (width - full)}] " if width >= 5 else ""
        sys.stderr.write(f"\r{bar}{words}\x1b[K")
        sys.stderr.flush()

    def close(self):
        if self.is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class NotebookBar(Bar):
    def __init__(self, what):
        super().__init__(what)
        self.display = None

    def draw(self, p):
        from IPython.display import HTML, display
        shown = HTML(f"<progress max='1' value='{p.fraction:.4f}' "
                     f"style='width:16em'></progress> "
                     f"<code>{html.escape(_words(self.what, p))}</code>")
        if self.display is None:
            self.display = display(shown, display_id=True)
        else:
            self.display.update(shown)

    def close(self):
        if self.display is not None:
            from IPython.display import HTML
            self.display.update(HTML(""))


def _in_notebook():
    """Whether a kernel, and not a terminal, shows what is printed."""
    shell = sys.modules.get("IPython")
    get = getattr(shell, "get_ipython", lambda: None)
    return type(get()).__name__ == "ZMQInteractiveShell"


def choose(progress, what):
    """A function to call, or None: progress is None, a bool or callable."""
    if callable(progress):
        return progress
    if progress is False:
        return None
    if progress is not None and progress is not True:
        raise TypeError(f"progress is {progress!r}, expected None, a bool or "
                        f"a function")
    if _in_notebook():
        return NotebookBar(what)
    if progress or (sys.stderr is not None and sys.stderr.isatty()):
        return TerminalBar(what)
    return None


def interruptible(call, stop):
    """Makes a long call that does not report its progress, in a thread of
    its own: this one, if it is the main one, receives Ctrl-C meanwhile.

    stop: an `int *` that ends the call when it is not 0.
    """
    if threading.current_thread() is not threading.main_thread():
        call()
        return
    faults, done = [], threading.Event()

    def run():
        try:
            call()
        except BaseException as fault:  # raised again below
            faults.append(fault)
        finally:
            done.set()

    threading.Thread(target=run, name="hiss").start()
    try:
        done.wait()
    except BaseException:
        # Not Thread.join: one that was interrupted takes the thread for ended
        # (bpo-45274), and Python would leave while the library works.
        stop[0] = 1
        while not done.is_set():
            try:
                done.wait()
            except KeyboardInterrupt:
                pass
        raise
    if faults:
        raise faults[0]


def watched(call, settings, progress, what):
    """Makes a long call under the eyes of a Watch, which is returned."""
    show = choose(progress, what)
    watch = Watch(show)
    settings.progress = lib.hiss_python_progress
    settings.context = context = ffi.new_handle(watch)
    try:
        with Interruption(watch):
            call()
    finally:
        del context
        if isinstance(show, Bar):
            show.close()
    if watch.fault is not None:
        raise watch.fault
    return watch
