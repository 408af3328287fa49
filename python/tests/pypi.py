"""Virtual environments with packages from PyPI, for tests that need them.

Every step has a limit, so that nothing waits for a network that is not there;
Skip says why something cannot be tried here.
"""
import os
import shutil
import subprocess
import sys

FETCH = 240  # seconds
MAKE = 900  # a virtual environment, which waits for nobody


class Skip(Exception):
    pass


def call(words, limit, **more):
    """Runs a program; its output is shown when it fails."""
    try:
        done = subprocess.run(words, timeout=limit, text=True,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, **more)
    except subprocess.TimeoutExpired:
        return f"not done after {limit} s"
    return "" if done.returncode == 0 else done.stdout or "failed"


def outside():
    """The environment without what points to the build tree."""
    return {key: value for key, value in os.environ.items()
            if not key.startswith("PYTHON")}


def environment(folder):
    """An interpreter in a virtual environment, made if it is not there."""
    python = folder / "bin" / "python"
    if not python.exists():
        shutil.rmtree(folder, ignore_errors=True)
        fault = call([sys.executable, "-m", "venv", folder], MAKE,
                     env=outside())
        if fault:
            shutil.rmtree(folder, ignore_errors=True)
            raise Skip(f"no virtual environment (Debian: python3-venv): "
                       f"{fault.strip().splitlines()[-1]}")
    return python


def pip(python, verb, *words):
    return [python, "-m", "pip", verb, "-q", "--disable-pip-version-check",
            "--no-input", "--timeout", "10", "--retries", "1", *words]


def fetch(python, packages, limit=FETCH, name="packages"):
    """Installs packages from PyPI, once; the name is that of the list."""
    stamp = python.parent.parent / f"{name}.txt"
    text = "\n".join(packages)
    if stamp.exists() and stamp.read_text(encoding="utf-8") == text:
        return
    fault = call(pip(python, "install", "--no-compile", "--prefer-binary",
                     *packages), limit,
                 env=outside())
    if fault:
        raise Skip(f"PyPI: {fault.strip().splitlines()[-1]}")
    stamp.write_text(text, encoding="utf-8")
