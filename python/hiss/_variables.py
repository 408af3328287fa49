"""Coordinates as named arrays: what a run calls them, and what ArviZ sees."""
from __future__ import annotations

import numpy as np

from . import _arrays as arrays


class Variables:
    """Names, shapes, dimensions and coordinates of a model's variables."""

    def __init__(self, dim, shapes, dims=None, coords=None):
        self.shapes = {name: self._shape(name, shape)
                       for name, shape in shapes.items()}
        sizes = [int(np.prod(shape)) for shape in self.shapes.values()]
        if sum(sizes) != dim:
            raise ValueError(f"shapes has {sum(sizes)} entries in all, "
                             f"expected {dim}, the coordinates of the model")
        self._ends = np.cumsum(sizes)
        self.dims = {name: self._dims(name, dims or {})
                     for name in self.shapes}
        self.coords = {name: list(labels)
                       for name, labels in (coords or {}).items()}
        self._check(dims or {})

    @staticmethod
    def _shape(name, shape):
        if not isinstance(name, str):
            raise TypeError(f"shapes has the name {name!r}, expected a text")
        return tuple(arrays.whole(f"shapes[{name!r}]", n, 1)
                     for n in np.atleast_1d(np.asarray(shape, dtype=object)))

    def _dims(self, name, dims):
        given = dims.get(name)
        if given is None:
            return [f"{name}_dim_{k}"
                    for k in range(len(self.shapes[name]))]
        return [given] if isinstance(given, str) else list(given)

    def _check(self, dims):
        for name in dims:
            if name not in self.shapes:
                raise ValueError(f"dims has {name!r}, expected one of "
                                 f"{', '.join(self.shapes)}")
        length: dict = {}
        for name, shape in self.shapes.items():
            if len(self.dims[name]) != len(shape):
                raise ValueError(f"dims[{name!r}] has {len(self.dims[name])} "
                                 f"names, its shape is {shape}")
            for word, size in zip(self.dims[name], shape):
                if length.setdefault(word, size) != size:
                    raise ValueError(f"dimension {word!r} has length "
                                     f"{length[word]} and {size}")
        for word, labels in self.coords.items():
            if length.get(word) != len(labels):
                raise ValueError(
                    f"coords[{word!r}] has {len(labels)} entries, expected "
                    f"{length.get(word, 'a dimension of that name')}")

    def labels(self):
        """A name for every coordinate, as in w[0,3]."""
        return [f"{name}[{','.join(map(str, at))}]" if shape else name
                for name, shape in self.shapes.items()
                for at in np.ndindex(*shape)]

    def split(self, draws):
        """{name: array} of draws by (chain, draw, coordinate)."""
        parts = np.split(draws, self._ends[:-1], axis=2)
        return {name: part.reshape(*draws.shape[:2], *shape)
                for (name, shape), part in zip(self.shapes.items(), parts)}


def usual(dim, labels):
    """All coordinates as one array, x."""
    return Variables(dim, {"x": dim}, {"x": "coordinate"}, {
        "coordinate": range(1, dim + 1) if labels is None
        else map(str, labels)})
