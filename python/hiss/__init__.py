"""Samples multimodal discrete distributions.

    >>> import hiss, numpy as np
    >>> run = hiss.sample(hiss.ising(J, h), sampler="pt(base=gibbs)")
    >>> run.draws.shape          # (chain, draw, coordinate)
    >>> run.diagnose()           # can the draws be trusted?

A model is U, the logarithm of an unnormalized probability, over a finite
product space; a sampler is a spec or an object, ``hiss.HiSS(eta=4)``.
"""
from __future__ import annotations

import importlib as _importlib
import os as _os

from . import _calls  # noqa: F401  C calls these back
from . import train as train
from ._arena import Arena, arena
from ._bridge import MODULES as _bridges
from ._callback import from_cfunc, from_function
from ._compare import Comparison, compare
from ._errors import (ArgumentError, FileError, FormatError, HissError,
                      InfeasibleError, InternalError, LimitError,
                      MemoryShortage, NumericError, PluginError, RefusedError,
                      StoppedError, UnsupportedError, text as _text)
from ._exact import Exact, exact
from ._files import (convert, list_formats, list_models, list_samplers, load)
from ._judge import adopt, diagnose
from ._model import (Model, factors, ising, model, potts, qubo, rbm, table)
from ._model import open as open
from ._native import lib as _lib
from ._network import Network, bnn
from ._optimize import Optimum, optimize
from ._others import from_dimod, from_networkx
from ._progress import Progress
from ._questions import (Communities, Selection, communities, regression, sbm,
                         select)
from ._result import (Diagnosis, Finding, NetworkWeights, Particles, Phases, Population, Result, RunInfo,
                      Tempering, Warmup)
from ._run import sample
from ._scan import Scan, scan
from ._step import step
from ._table import Table
from ._tensors import from_jax, from_torch
from ._tour import tsp
from ._verify import Verdict, verify
from .samplers import *  # noqa: F403  a class for each sampler
from .samplers import __all__ as _samplers

__version__: str = _text(_lib.hiss_version())
__all__ = [  # not `open`, which an import of * would put before Python's
    "Arena", "ArgumentError", "Communities", "Comparison", "Diagnosis", "Exact", "FileError",
    "Finding", "FormatError", "HissError", "InfeasibleError", "InternalError",
    "LimitError", "MemoryShortage", "Model", "Network", "NetworkWeights", "NumericError",
    "Optimum", "Particles", "Phases", "PluginError", "Population", "Progress", "RefusedError", "Result", "RunInfo",
    "Selection", "StoppedError", "Table", "Tempering", "UnsupportedError", "Verdict", "Warmup", "adopt",
    "arena", "bnn", "communities", "compare", "convert", "diagnose", "exact", "factors", "from_cfunc",
    "from_dimod", "from_function",
    "from_jax", "from_networkx", "from_torch", "isa", "ising", "list_formats",
    "list_models", "list_samplers", "load", "model", "optimize", "potts",
    "qubo", "rbm", "regression", "sample", "sbm", "scan", "Scan", "select", "step", "table", "train", "tsp", "verify",
]
__all__ += _samplers


def _check_isa() -> None:
    """Another instruction set than the one asked for is an error."""
    wish = _os.environ.get("HISS_ISA")
    if wish and wish != isa():
        raise ImportError(
            f"HISS_ISA={wish:.32}: expected base, avx2 or avx512, and one that "
            f"this processor has; unset it to let hiss choose ({isa()})")


def isa() -> str:
    """The instruction set of the inner loops: avx512, avx2 or base."""
    return _text(_lib.hiss_isa())


_check_isa()


def __getattr__(name):
    # dimod is imported only when it is asked for
    if name == "HissSampler":
        from ._dimod import HissSampler
        return HissSampler
    if name in _bridges:  # each imports a package of that name
        return _importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'hiss' has no attribute {name!r}")
