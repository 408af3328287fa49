"""Questions of a field: which variables matter, how a graph divides."""
from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from typing import Any

from . import _arrays as arrays
from ._arena import _program
from ._errors import ArgumentError, HissError, in_python, text
from ._model import Model, existing, from_spec
from ._native import lib


class Answer(dict[str, Any]):
    """What a command printed as JSON; its keys are attributes as well.

    `verdict` is "proved" where all states were enumerated, else that of the
    draws; `findings` says why.
    """

    def __init__(self, found: dict[str, Any], words: str):
        super().__init__(found)
        self._words = words

    def __getattr__(self, key: str) -> Any:
        try:
            return self[key]
        except KeyError:
            raise AttributeError(f"the answer has no {key!r}; it has "
                                 f"{', '.join(self)}") from None

    def __repr__(self) -> str:
        return f"<{self._words}, verdict: {self['verdict']}>"


class Selection(Answer):
    """The answer of :func:`select`: `variables` with their inclusion, and the
    most probable `models`."""

    @property
    def inclusion(self) -> dict[str, float]:
        """Inclusion probabilities by name, the largest first."""
        return {one["name"]: one["inclusion"] for one in self["variables"]}


class Communities(Answer):
    """The answer of :func:`communities`: `partitions`, `group_counts`, and
    `co_membership`, a square list of probabilities in the order of `nodes`."""

    @property
    def groups(self) -> list[list[str]]:
        """The groups of the most probable partition, by the nodes' names."""
        return self["partitions"][0]["groups"]


def _named(model: Model) -> Model:
    names = [text(lib.hiss_model_coordinate_name(model._c, i))
             for i in range(model.dim)]
    model._labels = tuple(names)
    return model


@contextlib.contextmanager
def _scratch(suffix):
    """(file, path) of a text file in UTF-8 that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="hiss") as folder:
        path = os.path.join(folder, f"data{suffix}")
        with open(path, "w", encoding="utf-8") as file:
            yield file, path


@contextlib.contextmanager
def _table(data):
    """The file of a table: its path, or a data frame written to one."""
    if not hasattr(data, "to_csv"):
        yield existing(data)
        return
    with _scratch(".csv") as (file, path):
        data.to_csv(file, index=False)
        file.close()
        yield path


@contextlib.contextmanager
def _graph(graph):
    """The file of a graph: its path, or a networkx graph written to one."""
    if not hasattr(graph, "adjacency"):
        yield existing(graph)
        return
    with _scratch(".gml") as (file, path):
        number = {node: i for i, node in enumerate(graph)}
        file.write("graph [\n")
        for node, i in number.items():
            name = str(node).replace("&", "&amp;").replace('"', "&quot;")
            file.write(f'  node [ id {i} label "{name}" ]\n')
        for a, b in graph.edges():
            file.write(f"  edge [ source {number[a]} target {number[b]} ]\n")
        file.write("]\n")
        file.close()
        yield path


def regression(data, formula: str, *, family: str | None = None,
               prior: str | None = None,
               g: float | None = None, slab: float | None = None,
               models: str | None = None, size: float | None = None,
               most: int | None = None) -> Model:
    """Which columns are in the linear model of another.

    data: a CSV file, or a pandas data frame.
    formula: as in R, such as "y ~ ." or "y ~ a + b + a:b".
    family: "linear", or "logistic" for a column of 0 and 1.
    prior: "g", "bic" or "spikeslab", with `g` (usually the rows) and `slab`.
    models: "betabinomial", "binomial" or "uniform", with `size` variables
        expected before the data.
    most: variables in a model at most.

    A state has 1 for each column in the model; coefficients are integrated
    out (docs/regression.md).
    """
    options = {"formula": formula, "family": family, "prior": prior, "g": g, "slab": slab,
               "models": models, "size": size, "most": most}
    with _table(data) as path:
        return _named(from_spec("regression", {"file": path, **options},
                                hide=path if path is not data else ""))


def sbm(graph, *, groups: int | None = None, corrected: bool | None = None,
        most: int | None = None) -> Model:
    """The stochastic block model: which group each node of a graph is in.

    graph: a GML, GraphML or edge list file, or a networkx graph.
    groups: how many; usually as many as the graph supports, up to `most`.
    corrected: degree-corrected.

    Names of groups mean nothing (docs/communities.md).
    """
    options = {"groups": groups, "corrected": corrected, "most": most}
    with _graph(graph) as path:
        return _named(from_spec("sbm", {"file": path, **options},
                                hide=path if path is not graph else ""))


def _ask(words, options):
    words = [_program(), *words, "--json", "--quiet"]
    for key, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + key)
        if value is not True:
            words.append(str(value))
    process = subprocess.run(words, text=True, check=False,
                             stdin=subprocess.DEVNULL, capture_output=True)
    if process.returncode:
        kind = ArgumentError if process.returncode == 2 else HissError
        raise kind(in_python((process.stderr or
                              f"exit code {process.returncode}")
                             .strip().removeprefix("hiss: ")))
    return json.loads(process.stdout)


def select(data, formula: str, *, family: str | None = None,
           prior: str | None = None,
           g: float | None = None, slab: float | None = None,
           models: str | None = None, size: float | None = None,
           most: int | None = None, sampler=None, chains: int | None = None,
           samples: int | None = None, warmup: int | None = None,
           top: int | None = None, figure=None, seed: int = 1,
           threads: int = 0) -> Selection:
    """Which variables matter: inclusion probabilities and the best models.

    data, formula and the priors are those of :func:`regression`; few
    variables are enumerated, many are sampled and the draws judged.
    figure: an SVG file to draw the answer to; one that is there is replaced.
    """
    options = {"family": family, "prior": prior, "g": g, "slab": slab,
               "models": models, "size": size, "most": most}
    options.update(_common(sampler, chains, samples, warmup, top, figure, seed,
                           threads))
    with _table(data) as path:
        found = _ask(["select", path, formula], options)
    return Selection(found, f"{len(found['variables'])} variables")


def communities(graph, *, groups: int | None = None, corrected: bool = False,
                most: int | None = None, sampler=None,
                chains: int | None = None, samples: int | None = None,
                warmup: int | None = None, top: int | None = None, figure=None,
                seed: int = 1, threads: int = 0) -> Communities:
    """How a graph divides into groups, up to the names of the groups.

    graph, groups, corrected and most are those of :func:`sbm`.
    figure: an SVG file to draw the answer to; one that is there is replaced.
    """
    options = {"groups": groups, "corrected": bool(corrected), "most": most}
    options.update(_common(sampler, chains, samples, warmup, top, figure, seed,
                           threads))
    with _graph(graph) as path:
        found = _ask(["communities", path], options)
    return Communities(found, f"{len(found['nodes'])} nodes")


def _common(sampler, chains, samples, warmup, top, figure, seed, threads):
    return {"sampler": sampler, "chains": chains, "samples": samples,
            "warmup": warmup, "top": top,
            "figure": None if figure is None else
            os.fspath(arrays.path("figure", figure)),
            "force": figure is not None,
            "seed": arrays.whole("seed", seed, 0),
            "threads": arrays.whole("threads", threads, 0, 1024)}
