"""tsp(): tours of cities."""
from __future__ import annotations

import os

import numpy as np

from . import _arrays as arrays
from ._model import Model, existing, from_spec, scratch_file

CITIES_MIN = 3


def _write_places(file, places):
    file.write("EDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n")
    for city, (x, y) in enumerate(places.tolist()):
        file.write(f"{city + 1} {x!r} {y!r}\n")


def _write_distances(file, distances):
    file.write("EDGE_WEIGHT_TYPE : EXPLICIT\n"
               "EDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n")
    for row in distances.tolist():
        file.write(" ".join(map(repr, row)) + "\n")


def _distances(value):
    out = arrays.symmetric("cities", value, 3)
    if (out < 0).any():
        raise ValueError("cities has a negative distance")
    out = out.copy()
    np.fill_diagonal(out, 0.0)
    return out


def tsp(cities, *, rounded: bool | None = None,
        temperature: float | None = None, form: str | None = None) -> Model:
    """Closed tours: U(x) = -length(x) / temperature.

    cities: coordinates (n, 2), a symmetric array (n, n) of distances, or a
        TSPLIB file.
    rounded: distances as TSPLIB rounds them, not real ones.
    temperature: 1.
    form: "permutation", where a state is the cities in their order, numbered
        from 1; or "onehot", a categorical coordinate per position with
        U = -infinity unless every city comes once.

    The kernels `tour` and `hiss`, and mixtures and tempering of them, move
    permutations (docs/tours.md).
    """
    options = {"rounded": rounded, "temperature": temperature, "form": form}
    if isinstance(cities, (str, os.PathLike)):
        return from_spec("tsp", {"file": existing(cities), **options})
    array = arrays.numbers("cities", cities)
    n = len(array) if array.ndim else 0
    if array.shape not in ((n, 2), (n, n)) or n < CITIES_MIN:
        raise ValueError(f"cities has shape {array.shape}, expected (n, 2) "
                         f"or (n, n) with at least {CITIES_MIN} cities")
    with scratch_file(".tsp") as (file, path):
        file.write(f"TYPE : TSP\nDIMENSION : {n}\n")
        if array.shape[1] == 2:
            _write_places(file, array)
        else:
            _write_distances(file, _distances(array))
        file.write("EOF\n")
        file.close()
        return from_spec("tsp", {"file": path, **options}, hide=path)
