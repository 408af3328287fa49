"""Runs the `hiss` command that came with the package.

Beside the package, not in it: the package would load numpy first."""
import importlib.util
import os
import sys


def main():
    package = importlib.util.find_spec("hiss").submodule_search_locations[0]
    os.execv(os.path.join(package, "bin", "hiss"), sys.argv)
