"""What the modules for other packages share: hiss.pymc and its like."""
from __future__ import annotations

import importlib

MODULES = ("blackjax", "numpyro", "pgmpy", "pymc")


def need(package: str, name: str | None = None):
    """Another package, or an ImportError that says how to get it."""
    name = name or package
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as fault:
        if fault.name != package.split(".")[0]:
            raise  # something that the package needs itself
        raise ImportError(f"hiss.{name} works with {package}, which is not "
                          f"installed: pip install {package}",
                          name=package) from None
