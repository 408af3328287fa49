"""arena(): a race of samplers on targets whose answers are known, which the
command `hiss` runs."""
from __future__ import annotations

import contextlib
import html
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import warnings

import numpy as np

from . import _arrays as arrays
from ._errors import ArgumentError, HissError, InternalError, in_python, text
from ._native import lib
from ._serve import Served
from ._table import Rows, Table

RACES = ("both", "evals", "seconds")
SHOWN = {"target": "target", "contestant": "contestant", "race": "race",
         "ess": "ESS", "discs_ess": "DISCS' ESS",
         "marginal_error": "marginals", "mode_error": "modes",
         "state": "draws are", "diagnose": "diagnose"}


class Arena(Rows):
    """What arena() found: a row for each target, contestant and race.

    Rows have the keys of ``hiss arena --json``; numbers that are not known are
    NaN.
    """

    def __init__(self, found, page):
        self.rows = [_row(row) for row in found["rows"]]
        self.targets = {one["name"]: one for one in found["targets"]}
        self.command = found["command"]
        self.page = page  # HTML, to be read in a browser

    def best(self, target: str, race: str = "evals") -> str | None:
        """Who has the most effective draws of those that are not wrong."""
        if target not in self.targets:
            raise ValueError(f"target is {target!r}, expected one of "
                             f"{', '.join(self.targets)}")
        if race not in RACES[1:]:
            raise ValueError(f"race is {race!r}, expected evals or seconds")
        return self.targets[target][f"best_{race}"]

    def _short(self):
        return Table({name: ["-" if row[key] is None else row[key]
                             for row in self.rows]
                      for key, name in SHOWN.items()})

    def __repr__(self):
        return repr(self._short())

    def _repr_html_(self):
        return self._short()._repr_html_()


def _row(row):
    """With NaN for figures that are not known."""
    figures = {key.removesuffix("_se") for key in row if key.endswith("_se")}
    return {key: float("nan") if value is None and
            key.removesuffix("_se") in figures else value
            for key, value in row.items()}


def _program():
    """The command of this version: in the wheel, in the build tree, or on the
    path."""
    package = os.path.dirname(os.path.abspath(__file__))
    places = [os.path.join(package, "bin", "hiss"),
              os.path.join(package, os.pardir, os.pardir, "hiss"),
              shutil.which("hiss") or ""]
    version = text(lib.hiss_version())
    for program in places:
        if not os.path.isfile(program) or not os.access(program, os.X_OK):
            continue
        said = subprocess.run([program, "--version"], text=True, check=False,
                              capture_output=True).stdout.split()
        if version in said:
            return program
    raise HissError(f"there is no command `hiss` of version {version} on the "
                    f"path, which runs the arena")


def _names(name, value):
    """"a,b" of a text or of several."""
    words = [value] if isinstance(value, str) else list(value)
    for word in words:
        arrays.words(name, word)
    return ",".join(words)


def _check_name(argument, name):
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
        raise ValueError(f"{argument} has {name!r}, expected a name of letters, "
                         f"digits, '_', '.' and '-'")


def _draws_words(draws, folder):
    """--draws of files, and of arrays that are written for it."""
    words = []
    for name, files in draws.items():
        _check_name("draws", name)
        if not isinstance(files, dict):
            raise TypeError(f"draws[{name!r}] is a {type(files).__name__}, "
                            f"expected a dict {{target: file or array}}")
        for target, file in files.items():
            if not isinstance(file, (str, os.PathLike)):
                path = os.path.join(folder, f"{len(words)}.npy")
                np.save(path, arrays.real("draws", file))
                file = path
            words += ["--draws", f"{name}={os.fspath(file)}@{target}"]
    return words


def _arrays_of(words, folder):
    """{file: (name, "array")} of those that were written into the folder."""
    found = {}
    for word in words:
        name, _, file = word.partition("=")
        path = file.rpartition("@")[0]
        if path and os.path.dirname(path) == folder:
            found[path] = (name, "array")
    return found


def _contestant_words(contestants, evals, served):
    words, evals = [], evals or {}
    for name in evals:
        if name not in contestants:
            raise ValueError(f"evals has {name!r}, expected names of "
                             f"contestants")
    for name, one in contestants.items():
        _check_name("contestants", name)
        cost = arrays.positive("evals", evals.get(name, 1.0))
        command = one if isinstance(one, str) else served.command(name)
        words += ["--contestant", f"{name}(evals={cost:g})={command}"]
    return words


def _call(only, call, contestants, draws):
    """A call of arena(), with dots for what only Python has."""
    words = [repr(only)] if only else []
    words += [f"{key}={value!r}" for key, value in call.items()
              if value not in (None, False)]
    for key, names in (("contestants", contestants), ("draws", draws)):
        if names:
            words.append(f"{key}={{" + ", ".join(
                f"{name!r}: ..." for name in names) + "}")
    return f"hiss.arena({', '.join(words)})"


def _calls(found, only, call, temporary):
    """What to read for texts that speak of functions and arrays by the paths of
    a folder that is gone by then; the longest first."""
    calls = {found["command"]: _call(
        only, call, [name for name, kind in temporary.values()
                     if kind == "function"],
        dict.fromkeys(name for name, kind in temporary.values()
                      if kind == "array"))}
    for row in found["rows"]:
        for path, (name, kind) in temporary.items():
            if path in row["command"]:
                calls[row["command"]] = _call(
                    f"{row['target']},{name}", call,
                    [name] if kind == "function" else (),
                    [name] if kind == "array" else ())
    calls.update((path, f"{kind} {name}")
                 for path, (name, kind) in temporary.items())
    return calls


def _rename(found, where, calls):
    """The results with these texts, and the page; files are mended as well."""
    texts = {"": json.dumps(found)}
    for name in ("arena.html", "arena.csv", "arena.json"):
        with open(os.path.join(where, name), encoding="utf-8",
                  newline="") as file:
            texts[name] = file.read()
    for name in texts:
        for old, new in calls.items():
            for written in (_in_json, _in_html, _in_csv):
                texts[name] = texts[name].replace(written(old), written(new))
        if name:
            with open(os.path.join(where, name), "w", encoding="utf-8",
                      newline="") as file:
                file.write(texts[name])
    return json.loads(texts[""]), texts["arena.html"]


def _in_json(words):
    return json.dumps(words)[1:-1]


def _in_html(words):
    return html.escape(words, quote=False).replace('"', "&quot;")


def _in_csv(words):
    return words.replace('"', '""')


def _run(words, served, is_quiet):
    """What the command printed and its exit code."""
    process = subprocess.Popen(words, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE if is_quiet else None)
    if served:
        served.on_fault = process.terminate
    try:
        out, complaint = process.communicate()
    except BaseException:  # Ctrl-C: what is finished is kept
        process.send_signal(signal.SIGINT)
        process.communicate()  # it still prints what is finished
        raise
    if served and served.fault is not None:
        raise served.fault
    if process.returncode not in (0, 1):
        kind = {2: ArgumentError, 3: HissError}.get(process.returncode,
                                                    InternalError)
        raise kind(in_python((complaint or f"exit code {process.returncode}")
                             .strip().removeprefix("hiss: ")))
    if process.returncode == 1:
        warnings.warn((complaint or "somebody had no draws").strip(),
                      stacklevel=3)
    return json.loads(out)


def arena(only=None, *, quick: bool = False, contestants: dict | None = None,
          evals: dict | None = None, draws: dict | None = None,
          framework: str = "numpy", seeds: int | None = None,
          race: str = "both", time: float | None = None, out=None,
          threads: int = 0, replace: bool = False,
          progress: bool = False) -> Arena:
    """A race of samplers on targets whose answers are known.

    Every sampler of the library, and contestants of your own, at equal
    evaluations and equal seconds: effective draws by known means, errors,
    whether the draws are wrong (docs/arena.md).

    only: names of targets, groups of targets and contestants; usually all.
    quick: fewer targets, fewer evaluations: minutes instead of an hour.
    contestants: functions by name, as `kernel` of :func:`verify`, or commands.
        A function with an argument called `target` is told the target's name,
        one with an argument called `model` the file or spec of its model.
    evals: what a call costs per state, by name; usually 1 evaluation.
    draws: of other programs, ``{name: {target: file or array}}``.
    framework: of the functions: "numpy", "torch" or "jax".
    seeds: runs of each cell, for the error bars.
    race: "evals", "seconds" or "both".
    time: seconds of a run at equal seconds.
    out: folder of the results; cells that are there are not run again, but
        for those of functions.
    threads: runs at a time; 0: as many as there are processors, but 1 with
        functions, which would wait for each other.
    """
    contestants, draws = contestants or {}, draws or {}
    if race not in RACES:
        raise ValueError(f"race is {race!r}, expected one of "
                         f"{', '.join(RACES)}")
    functions = {name: one for name, one in contestants.items()
                 if not isinstance(one, str)}
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="hiss-"))
        served = None
        if functions:
            served = Served(folder, functions, framework)
            stack.callback(served.close)
        where = os.path.abspath(os.fspath(out)) if out is not None else \
            os.path.join(folder, "out")
        words = [_program(), "arena", "--json", "--out", where, "--race", race,
                 "--threads", str(arrays.whole("threads", threads, 0, 1024) or
                                  (1 if functions else 0))]
        words += ["--only", _names("only", only)] if only else []
        words += ["--seeds", str(arrays.whole("seeds", seeds, 1, 64))] \
            if seeds is not None else []
        words += ["--time", f"{arrays.positive('time', time)}s"] \
            if time is not None else []
        words += [word for word, is_set in
                  (("--quick", quick), ("--force", replace),
                   ("--quiet", not progress)) if is_set]
        words += _contestant_words(contestants, evals, served)
        words += _draws_words(draws, folder)
        temporary = {served.command(name): (name, "function")
                     for name in functions}
        temporary.update(_arrays_of(words, folder))
        found = _run(words, served, not progress)
        if not temporary:
            with open(os.path.join(where, "arena.html"),
                      encoding="utf-8") as file:
                return Arena(found, file.read())
        call = {"quick": quick, "race": race, "seeds": seeds, "time": time}
        return Arena(*_rename(found, where, _calls(
            found, _names("only", only) if only else None, call, temporary)))
