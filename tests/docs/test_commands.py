"""Runs what README.md and docs/ tell their readers to run.

    sh        one script; every line must end with 0
    console   `$ command`, then what it prints; `...` stands for anything
    python    all blocks of a page in one process; `>>>` as in doctest
    c         a program with main is compiled and run, anything else compiled

A line that ends in `# exit code 1` must end with that.  Spaces, line breaks,
times and numbers of threads are not compared.  extract.py has the marks of
what is not run, slow or shortened; `make test-slow` runs what is slow, and
`make test-gallery` the gallery: a page ends early, with a message, where its
packages cannot be installed or a script ends with exit code 77.

usage: test_commands.py [--write] [PAGE ...]    --write puts into the pages
                                                what commands print now, and
                                                figures into docs/gallery
"""
import collections
import difflib
import functools
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import extract
import renew

HISS = os.path.abspath(os.environ.get("HISS", "build/release/hiss"))
BUILD = os.path.dirname(HISS)
PYTHON = os.environ.get("HISS_PYTHON", sys.executable)
SLOW = os.environ.get("HISS_TEST_SLOW") == "yes"
GALLERY = os.environ.get("HISS_TEST_GALLERY") == "yes"
LIMIT = 3600 if SLOW or GALLERY else 300
SKIPPED = 77  # exit code of a script that lacks something
SHOWN = ("text", "json", "csv", "ini", "yaml", "r", "cmake", "make")
NUMBER = r"\d[\d.,]*(?:e[+-]?\d+)?"

PKG_CONFIG = """Name: hiss
Description: in the build tree
Version: 0
Cflags: -I{root}/include
Libs: -L{build} -lhiss -Wl,-rpath,{build}
"""

# A page's Python, block after block; the line says where a fault is.
PRELUDE = """
import doctest, sys
space = {"__name__": "__main__"}
def block(name, text):
    if ">>>" not in text:
        return exec(compile(text, name, "exec"), space)
    test = doctest.DocTestParser().get_doctest(text, space, name, name, 0)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    runner = doctest.DocTestRunner(optionflags=flags)
    runner.run(test, clear_globs=False)
    space.update(test.globs)
    if runner.failures:
        sys.exit(1)
"""


class Wrong(Exception):
    pass


class Missing(Exception):
    """The rest of a page cannot run here."""


@functools.lru_cache(maxsize=None)
def has_module(name):
    env = dict(os.environ, PYTHONPATH=os.path.join(BUILD, "python"))
    return subprocess.run([PYTHON, "-B", "-c", f"import {name}"], env=env,
                          stderr=subprocess.DEVNULL).returncode == 0


class Page:
    """A scratch folder in which the blocks of a page run one by one."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.name = str(path.relative_to(extract.ROOT))
        self.text = path.read_text(encoding="utf-8")
        self.python = []   # (where, text) of the blocks so far
        self.missing = []  # files of the repository that are not there
        self.fill()
        package = os.path.join(folder, ".package")
        os.mkdir(package)
        with open(os.path.join(package, "hiss.pc"), "w") as file:
            file.write(PKG_CONFIG.format(root=extract.ROOT, build=BUILD))
        self.env = dict(
            os.environ, PATH=BUILD + os.pathsep + os.environ["PATH"],
            PYTHONPATH=os.path.join(BUILD, "python"), PYTHONDONTWRITEBYTECODE="1",
            PKG_CONFIG_PATH=package, MPLBACKEND="Agg", LC_ALL="C.UTF-8",
            TERM="dumb", COLUMNS="80", HISS=HISS, PIP_REQUIRE_VIRTUALENV="1")
        self.env.pop("HISS_DATA", None)

    def fill(self):
        if "the repository" in extract.page_marks(self.text, "in"):
            for entry in extract.ROOT.iterdir():
                if entry.name not in (".git", "build"):
                    os.symlink(entry, os.path.join(self.folder, entry.name))
            os.mkdir(os.path.join(self.folder, "build"))
            os.symlink(BUILD, os.path.join(self.folder, "build", "release"))
        for value in extract.page_marks(self.text, "file"):
            if " = " not in value:
                continue  # of another test, docs/extending.md
            name, source = value.split(" = ")
            if not (extract.ROOT / source).exists():
                self.missing.append(source)
                continue
            target = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(extract.ROOT / source, target)

    def run(self, command, where):
        """Exit code and all output of a command; it may not wait for input."""
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=self.env, text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=LIMIT, errors="replace")
        except subprocess.TimeoutExpired:
            raise Wrong(f"{where}: not done after {LIMIT} s") from None
        return done.returncode, done.stdout


def shorten(text, options):
    """The same commands with other values of some options."""
    for option, value in re.findall(r"(--[\w-]+) (\S+)", options):
        text = re.sub(rf"{option}[ =]\S+", f"{option} {value}", text)
    return text


def expected_code(line):
    found = re.search(r"# exit code (\d+)", line)
    return int(found[1]) if found else 0


def run_sh(page, block, where):
    lines = []
    outputs = " ".join(re.findall(r" -o (\S+)", block.text))
    for line in block.text.splitlines():
        if "afresh" in block.marks and re.match(r"\w", line):
            lines.append(f"rm -f {outputs}")
        code = expected_code(line)
        lines.append(line if not code else
                     f"if {line.split('#')[0]}; then false; else "
                     f"[ $? -eq {code} ]; fi")
    code, output = page.run(["bash", "-e", "-c", "\n".join(lines)], where)
    if code and "gallery" in block.marks and "pip install" in block.text:
        raise Missing(f"{page.name}: failed: {block.text.strip()}")
    if code:
        raise Wrong(f"{where}: exit code {code}\n{block.text}{output}")
    return len(re.findall(r"^(?:if )?(?!rm )[a-z./]\S* ", "\n".join(lines), re.M))


def sessions(text):
    """[command, lines that it printed] of a console block."""
    found = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1][0] += "\n" + line[2:]
        elif found:
            found[-1][1].append(line)
    return found


def plain(text):
    """What is compared: no layout, no times, no threads."""
    text = re.sub(rf"{NUMBER} (s|ms|min)\b", "T s", text)
    text = re.sub(r"\bthreads \d+", "threads N", text)
    text = re.sub(rf"{NUMBER} (draws|steps|evaluations) per second",
                  "N per second", text)
    return " ".join(text.split())


def agrees(shown, printed):
    parts = [re.escape(part) for part in plain(shown).split("...")]
    return re.fullmatch(".*".join(parts).replace(r"\ .*", " ?.*")
                        .replace(r".*\ ", ".* ?"), plain(printed)) is not None


def run_console(page, block, where):
    entries = sessions(block.text)
    wrong, anew = [], []
    for command, shown in entries:
        code, output = page.run(["bash", "-c", command], where)
        if code == SKIPPED and "gallery" in block.marks:
            raise Missing(f"{page.name}: {output.strip()}")
        if code != expected_code(command):
            raise Wrong(f"{where}: exit code {code}\n$ {command}\n{output}")
        anew.append("$ " + command.replace("\n", "\n> "))
        if not shown or agrees("\n".join(shown), output):
            anew += shown
            continue
        lines = renew.shown_anew(shown, output)
        if "--write" in sys.argv and lines:
            anew += lines
            print(f"{where}: written anew")
            continue
        difference = difflib.unified_diff(shown, output.splitlines(), "shown",
                                          "printed", lineterm="", n=1)
        wrong.append(f"$ {command}\n" + "\n".join(difference))
    if "--write" in sys.argv:
        text = page.path.read_text(encoding="utf-8")
        page.path.write_text(text.replace(block.text, "\n".join(anew) + "\n"),
                             encoding="utf-8")
    if wrong:
        raise Wrong(f"{where}: prints something else\n" + "\n".join(wrong))
    return len(entries)


def run_python(page, block, where):
    """Only remembered: all blocks of a page run in one process, at its end."""
    page.python.append((where, block.text))
    return 0


def finish_python(page):
    if not page.python:
        return 0
    calls = "".join(f"block({w!r}, {t!r})\n" for w, t in page.python)
    code, output = page.run([PYTHON, "-c", PRELUDE + calls], page.name)
    if code:
        raise Wrong(f"{page.name}: exit code {code}\n{output}")
    return len(page.python)


def run_c(page, block, where):
    source = os.path.join(page.folder, "block.c")
    has_main = "int main(" in block.text
    with open(source, "w") as file:
        file.write(block.text if has_main else "#include <hiss/hiss.h>\n"
                   "void fragment(void);\nvoid fragment(void) {\n"
                   f"{block.text}}}\n")
    command = (f"cc -Wall -Werror=implicit {source} "
               "$(pkg-config --cflags --libs hiss) -o block && ./block")
    if not has_main:
        command = f"cc -fsyntax-only {source} $(pkg-config --cflags hiss)"
    code, output = page.run(["bash", "-c", command], where)
    if code:
        raise Wrong(f"{where}: exit code {code}\n{output}")
    return 1


RUNNERS = {"sh": run_sh, "console": run_console, "python": run_python,
           "c": run_c}


def why_not(page, block):
    """The reason for which a block is left out, or None."""
    if "not run" in block.marks:
        return block.marks["not run"]
    if "slow" in block.marks and not SLOW:
        return "slow"
    if "gallery" in block.marks and not GALLERY:
        return "make test-gallery"
    if " = " not in block.marks.get("file", " = "):
        return "the test `extending` has it"
    names = block.marks.get("needs", "").split()
    names += ["hiss"] if block.language == "python" else []
    missing = [f"module {name}" for name in names if not has_module(name)]
    data = block.marks.get("data")
    if data and not (extract.ROOT / data).exists():
        missing.append(data)
    missing += page.missing
    return f"no {', '.join(missing)} here" if missing else None


def run_page(path, left_out):
    """The number of commands that ran, and what went wrong."""
    count, wrong = 0, []
    with tempfile.TemporaryDirectory(prefix="hiss-docs-") as folder:
        page = Page(path, folder)
        everywhere = {
            name: value[0] for name in ("shortened", "afresh", "slow") if
            (value := extract.page_marks(page.text, f"{name} everywhere"))}
        for block in extract.blocks(page.name, page.text):
            where = f"{block.page}:{block.line}"
            if block.language in SHOWN:
                continue
            if block.language not in RUNNERS:
                wrong.append(f"{where}: a block must say what it is: "
                             f"{', '.join([*RUNNERS, *SHOWN])}")
                continue
            reason = why_not(page, block)
            if reason:
                left_out[reason] += 1
                continue
            block.marks = {**everywhere, **block.marks}
            block.text = shorten(block.text, block.marks.get("shortened", ""))
            try:
                count += RUNNERS[block.language](page, block, where)
            except Missing as why:
                left_out[str(why)] += 1
                break
            except Wrong as fault:
                wrong.append(str(fault))
        if "--write" in sys.argv:
            for figure in glob.glob(f"{folder}/build/gallery/*.svg"):
                shutil.copy(figure, extract.ROOT / "docs" / "gallery")
        try:
            count += finish_python(page)
        except Wrong as fault:
            wrong.append(str(fault))
    return count, wrong


def misplaced(path):
    """Commands that are in no block that would be run."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(extract.ROOT)
    for number, line in enumerate(extract.without_blocks(text), 1):
        if extract.INDENTED.match(line):
            yield f"{name}:{number}: a command in an indented block"
    for block in extract.blocks(str(name), text):
        if block.language in SHOWN and re.search(r"^(\$ )?hiss \w", block.text,
                                                 re.M):
            yield f"{name}:{block.line}: a command in a block that is not run"


def unknown_options(path, known):
    """Options that prose mentions and the command does not have."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(extract.ROOT)
    prose = "\n".join(extract.without_blocks(text))
    for code in re.findall(r"`(hiss [a-z][^`]*)`", prose):
        words = code.split()
        if words[1] not in known:
            yield f"{name}: `{code}`: there is no such command"
            continue
        for option in re.findall(r"(?<=\s)--[a-z-]+", code):
            if option not in known[words[1]]:
                yield f"{name}: `{code}`: there is no {option}"


def options_of_commands():
    """{command: its options}, by the program's own help."""
    def ask(*words):
        return subprocess.run([HISS, *words, "--help"], capture_output=True,
                              text=True, check=True).stdout
    names = re.findall(r"^  (\w+)  ", ask(), re.M)
    return {n: set(re.findall(r"(--[a-z-]+)", ask(n))) if n != "help" else set()
            for n in names}


def main():
    wanted = [word for word in sys.argv[1:] if not word.startswith("--")]
    known = options_of_commands()
    left_out, wrong, count = collections.Counter(), [], 0
    for path in extract.pages():
        if wanted and not any(str(path).endswith(word) for word in wanted):
            continue
        began = time.monotonic()
        wrong += misplaced(path)
        wrong += unknown_options(path, known)
        ran, faults = run_page(path, left_out)
        count += ran
        wrong += faults
        if ran:
            print(f"{path.relative_to(extract.ROOT)}: {ran} in "
                  f"{time.monotonic() - began:.1f} s", flush=True)
    print(f"{count} commands ran; blocks left out: {sum(left_out.values())}")
    for reason, number in sorted(left_out.items()):
        print(f"  {number:3} {reason}")
    if wrong:
        sys.exit("\n\n".join([*wrong, f"{len(wrong)} faults"]))


if __name__ == "__main__":
    main()
