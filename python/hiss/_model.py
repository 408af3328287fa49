"""Models: what is sampled, U = ln of the unnormalized probability."""
from __future__ import annotations

import html
import builtins
import contextlib
import errno
import os
import tempfile

import numpy as np

from . import _arrays as arrays
from ._errors import check, new_error, take, text
from ._native import ffi, lib
from ._structs import struct
from ._variables import Variables, usual
from .samplers import write

KINDS = {"binary": lib.HISS_BINARY, "spin": lib.HISS_SPIN,
         "ordinal": lib.HISS_ORDINAL, "categorical": lib.HISS_CATEGORICAL}
STATES_MAX = 32767


NAMED_MAX = 65536  # coordinates whose labels go along with results


def _are_words(names):
    """Texts that differ, and that are no numbers and no part of a list."""
    texts = [name for name in names if isinstance(name, str)]
    return len(texts) == len(names) == len(set(texts)) and \
        not any(not name or name[0] in "+-.0123456789" or
                set(name) & set("=;\n\0") for name in texts)


class Model:
    """A distribution over a finite product space.

    Made by :func:`model`, :func:`open`, :func:`ising`, :func:`qubo`,
    :func:`potts`, :func:`rbm`, :func:`table`, :func:`factors`,
    :func:`bnn`, :func:`tsp`, :func:`from_function`, :func:`from_cfunc`,
    :func:`from_torch`, :func:`from_jax`, :func:`from_dimod` and :func:`from_networkx`.
    """

    def __init__(self, handle, labels=None, function=None, context=None):
        self._function = function  # of the user, or None
        self._context = context  # what C holds of it
        self._c = ffi.gc(handle, lib.hiss_model_destroy)
        self._labels = self._names() if labels is None else tuple(labels)
        self._variables = None  # what arrange() made of its coordinates
        self._origin = {}  # what a file of results says of its model
        self._hidden = ""  # a file that is gone, in its name

    def _names(self):
        """What its file calls the coordinates, or None."""
        if lib.hiss_model_coordinate_name(self._c, 0) == ffi.NULL:
            return None
        return tuple(text(lib.hiss_model_coordinate_name(self._c, i))
                     for i in range(lib.hiss_model_dim(self._c)))

    @property
    def name(self) -> str:
        name = text(lib.hiss_model_name(self._c)) or ""
        return name.replace(self._hidden, "array") if self._hidden else name

    @property
    def note(self) -> str | None:
        """Something that one should know of it, or None."""
        return text(lib.hiss_model_note(self._c))

    @property
    def reads_as(self) -> str | None:
        """What was read, with the sign of couplings in a formula, or None."""
        return text(lib.hiss_model_reads_as(self._c))

    @property
    def precision(self) -> str:
        """In which precision it is computed and why, in words."""
        return take(lib.hiss_model_precision(self._c)) or ""

    @property
    def objective(self) -> tuple[str | None, float, float]:
        """(name, scale, shift): the objective of the model's file, such as a
        cut or an energy, is scale * log p + shift; the name is None if it has
        none."""
        scale, shift = ffi.new("double *"), ffi.new("double *")
        name = text(lib.hiss_model_objective(self._c, scale, shift))
        return name, scale[0], shift[0]

    @property
    def objective_name(self) -> str:
        """The name of the objective, "log p" if the model has none."""
        return self.objective[0] or "log p"

    @property
    def sense(self) -> str:
        """Whether the better objective is the smaller, "min", or "max"."""
        return "min" if self.objective[1] < 0 else "max"

    @property
    def beta(self) -> float:
        """The inverse temperature that :meth:`temper` gave it, else 1."""
        return lib.hiss_model_beta(self._c)

    def temper(self, beta: float | None = None, *,
               temperature: float | None = None) -> Model:
        """Multiplies log p by beta, or by 1/temperature, in place; objectives
        stay what they are."""
        if (beta is None) == (temperature is None):
            raise TypeError("give beta or temperature, not both")
        factor = arrays.positive("beta", beta) if temperature is None else \
            1 / arrays.positive("temperature", temperature)
        error = self._error()
        self._check(lib.hiss_model_temper(self._c, factor, error), error)
        return self

    def _set_objective(self, name, scale, shift):
        error = new_error()
        check(lib.hiss_model_set_objective(self._c, name.encode(), scale,
                                           shift, error), error)

    def _describe(self, line):
        error = new_error()
        check(lib.hiss_model_describe(self._c, line.encode(), error), error)

    @property
    def dim(self) -> int:
        """The number of coordinates."""
        return lib.hiss_model_dim(self._c)

    @property
    def default_chains(self) -> int:
        """How many chains `sample` draws if it is not told."""
        return lib.hiss_default_chains(self._c)

    @property
    def labels(self) -> tuple | None:
        """Names of the coordinates (variables of a BQM, nodes), or None."""
        return self._labels

    def _coordinate(self, key) -> int:
        """Its number, given that or a label that is no number."""
        if self._labels is not None and not hasattr(key, "__index__"):
            if key not in self._labels:
                raise KeyError(f"{key!r}, expected a number or a label, such "
                               f"as {self._labels[0]!r}")
            return self._labels.index(key)
        return arrays.whole("coordinate", key, 0, self.dim - 1)

    def set_names(self, names, states=None) -> Model:
        """Names the coordinates, and with `states` (a list for each) their
        values, in place: for `fix`, tables, reports and result files."""
        names = [str(name) for name in names]
        if len(names) != self.dim:
            raise ValueError(f"names has {len(names)} entries, expected "
                             f"{self.dim}, one for each coordinate")
        words = [ffi.new("char[]", name.encode()) for name in names]
        given = ffi.NULL
        if states is not None:
            sizes = self.states
            if [len(one) for one in states] != list(sizes):
                raise ValueError("states must have a name for each value of "
                                 "each coordinate")
            values = [ffi.new("char[]", str(name).encode())
                      for one in states for name in one]
            given = ffi.new("const char *[]", values)
        error = new_error()
        check(lib.hiss_model_set_names(
            self._c, ffi.new("const char *[]", words), given, error), error)
        self._labels = tuple(names)
        return self

    def _pass_names(self, states=None):
        """Labels, and names of values, to C where they can stand in texts such
        as Rain=yes; numbers there mean numbers."""
        labels = self._labels or ()
        if not labels or self.dim > NAMED_MAX or not _are_words(labels):
            return self
        if states is not None and not all(map(_are_words, states)):
            states = None
        return self.set_names(labels, states)

    def arrange(self, shapes: dict, *, dims: dict | None = None,
                coords: dict | None = None) -> Model:
        """Names its coordinates, in place: variables of any shape, such as
        ``{"w": (3, 4), "b": 4}``, one after the other.

        ``run["w"]`` then has axes (chain, draw, 3, 4), and ArviZ has the
        variables with dimensions `dims`, ``{"w": ["in", "out"]}``, and labels
        along them, `coords`.
        """
        self._variables = Variables(self.dim, shapes, dims, coords)
        self._labels = tuple(self._variables.labels())
        return self._pass_names()

    @property
    def variables(self) -> Variables:
        """Names, shapes and dimensions of :meth:`arrange`, or of x."""
        return self._variables or usual(self.dim, self._labels)

    @property
    def kinds(self) -> list[str]:
        """Of each coordinate: binary, spin, ordinal, categorical or
        permutation."""
        return [text(lib.hiss_kind_name(lib.hiss_model_kind(self._c, i)))
                for i in range(self.dim)]

    @property
    def states(self) -> np.ndarray:
        """How many values each coordinate has."""
        return np.array([lib.hiss_model_states(self._c, i)
                         for i in range(self.dim)])

    def values(self, coordinate: int) -> np.ndarray:
        """The values of a coordinate, ascending."""
        i = arrays.whole("coordinate", coordinate, 0, self.dim - 1)
        return np.array([lib.hiss_model_value(self._c, i, k)
                         for k in range(lib.hiss_model_states(self._c, i))])

    def log_prob(self, x) -> np.ndarray | float:
        """log p (unnormalized) of a state, or of each row of an array."""
        states = arrays.numbers("x", x)
        if states.ndim not in (1, 2) or states.shape[-1] != self.dim:
            raise ValueError(f"x has shape {states.shape}, expected "
                             f"({self.dim},) or (n, {self.dim})")
        u = [self._energy(row) for row in states.reshape(-1, self.dim)]
        return u[0] if states.ndim == 1 else np.array(u)

    def _energy(self, state):
        error, u = self._error(), ffi.new("double *")
        status = lib.hiss_model_energy(
            self._c, arrays.pointer("double", state), u, error)
        self._check(status, error)
        return u[0]

    def fix(self, values: dict) -> Model:
        """Conditions the model, in place, on coordinates {number: value}.

        Numbers count from 0; a model with labels takes these instead.  A fixed
        coordinate keeps its place and has one value.
        """
        place = {} if self._labels is None else \
            {label: i for i, label in enumerate(self._labels)}
        words = []
        for key, value in values.items():
            i = place[key] if key in place else \
                arrays.whole("coordinate", key, 0, self.dim - 1)
            has_states = lib.hiss_model_state_name(self._c, i, 0) != ffi.NULL
            if isinstance(value, str) and has_states:
                words.append(f"{i + 1}={value}")
                continue
            value = arrays.number(f"values[{key!r}]", value)
            words.append(f"{i + 1}={value:.17g}")
        if words:
            error, line = self._error(), ",".join(words)
            self._check(lib.hiss_model_fix(self._c, line.encode(), error),
                        error)
            before = self._origin.get("fix")
            self._origin["fix"] = f"{before},{line}" if before else line
        return self

    def evidence(self, path) -> Model:
        """Conditions the model, in place, on a UAI evidence file."""
        error, name = self._error(), arrays.path("path", path)
        existing(path)
        self._check(lib.hiss_model_evidence(self._c, name, error),
                    error)
        self._origin["evidence"] = os.fsdecode(path)
        return self

    def _error(self):
        """The hiss_error of a call that evaluates it, for _check."""
        return new_error() if self._function is None \
            else self._function.faults.begin()

    def _check(self, status, error):
        """Raises an exception of the user's function, then one of C's."""
        if self._function is not None:
            self._function.faults.end(error)
        check(status, error)

    def __reduce__(self):
        raise TypeError(
            f"a {type(self).__name__} of hiss cannot be pickled: it is memory "
            f"of the library; make it again from its arrays, file or spec")

    def __len__(self):
        return self.dim

    def __repr__(self):
        kinds = sorted(set(self.kinds)) if self.dim <= 4096 else ["..."]
        return f"<hiss.Model {self.name!r}: {self.dim} coordinates, " \
               f"{', '.join(kinds)}>"

    def _repr_html_(self):
        kinds = sorted(set(self.kinds)) if self.dim <= 4096 else []
        beta = "" if self.beta == 1 else f", at beta {self.beta:g}"
        lines = [f"<b>hiss.Model</b> <code>{html.escape(self.name)}</code>",
                 f"{self.dim} {html.escape(' and '.join(kinds))} coordinates"
                 f"{beta}"]
        if self.objective[0]:
            lines.append(f"objective: {html.escape(self.objective_name)} "
                         f"({self.sense}imum wanted)")
        lines += [html.escape(text) for text in (self.reads_as, self.note)
                  if text]
        return f"<div>{'<br>'.join(lines)}</div>"


def build(creator, *arguments, keep=(), kind=Model, **more):
    """Calls a creator of the library; `keep` holds the arrays it reads."""
    out, error = ffi.new("hiss_model **"), new_error()
    check(creator(out, *arguments, error), error)
    del keep
    return kind(out[0], **more)


def as_model(value) -> Model:
    """What can stand where a model is expected."""
    if isinstance(value, Model):
        return value
    if isinstance(value, (str, os.PathLike)):
        return open(value)
    module = type(value).__module__.split(".")[0]
    if module == "dimod":
        from ._others import from_dimod
        return from_dimod(value)
    if module == "networkx":
        from ._others import from_networkx
        return from_networkx(value)
    if module == "pgmpy":
        from .pgmpy import from_pgmpy
        return from_pgmpy(value)
    if module == "pymc":
        from .pymc import from_pymc
        return from_pymc(value)
    if module == "hiss":
        from ._energy_models import EnergyModel
        if isinstance(value, EnergyModel):
            return value()
    raise TypeError(f"model is a {type(value).__name__}, expected a Model, "
                    f"the text of a built-in, a file name, a model of dimod, "
                    f"pgmpy, PyMC or hiss.train, or a networkx graph"
                    f"{_hint(value)}")


def _hint(value):
    """What a function may have been meant as."""
    return "; a function is a model by from_function, from_torch or " \
           "from_jax, and one of NumPyro by hiss.numpyro.from_numpyro" \
        if callable(value) else ""


# --- from texts and files --------------------------------------------------

def model(spec: str) -> Model:
    """A built-in model from its spec, such as ``"ising(side=8,beta=0.4)"``.

    :func:`list_models` has them all, with their options.
    """
    made = build(lib.hiss_model_create, arrays.words("spec", spec))
    made._origin["word"] = spec
    return made


def from_spec(name, options, kind=Model, hide=""):
    """A built-in model from its options; None is left out.

    hide: a file that is there for the call only.
    """
    words = [f"{key}={write(value)}" for key, value in options.items()
             if value is not None]
    spec = f"{name}({','.join(words)})"
    made = build(lib.hiss_model_create, arrays.words("spec", spec), kind=kind)
    made._hidden = hide
    if not hide:
        made._origin["word"] = spec
    return made


@contextlib.contextmanager
def scratch_file(suffix):
    """(file, path) of a text file that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="hiss") as folder:
        path = os.path.join(folder, f"array{suffix}")
        with builtins.open(path, "w", encoding="ascii") as file:
            yield file, path


def open(path, format: str | None = None, *, evidence=None,
         fix: dict | None = None) -> Model:
    """A model from a file, or from the spec of a built-in.

    The format is found from content and suffix, or is `format`, perhaps with
    options, as in ``"qubo(sense=max)"``; :func:`list_formats` has them all.
    `evidence` names a UAI evidence file, `fix` is as in :meth:`Model.fix`.
    """
    name, word = arrays.path("path", path), os.fsdecode(path)
    if _names_a_file(path, word, format):
        existing(word)
    made = build(lib.hiss_model_open, name,
                 ffi.NULL if format is None else arrays.words("format",
                                                              format))
    made._origin["word"] = word
    if format is not None:
        made._origin["model_format"] = format
    if evidence is not None:
        made.evidence(evidence)
    return made.fix(fix) if fix else made


def _names_a_file(path, word, format):
    """Whether a file is meant, for certain."""
    return format is not None or isinstance(path, os.PathLike) or \
        ("(" not in word and (os.sep in word or "." in word))


def existing(path) -> str:
    """The name of a file that is there."""
    word = os.fsdecode(arrays.path("path", path))
    if not os.path.exists(word):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), word)
    return word


# --- from arrays -----------------------------------------------------------

def field_of(name, value, dim):
    return None if value is None else arrays.numbers(name, value, (dim,))


def ising(J, h=None) -> Model:
    """Spins: U(s) = ½ s'Js + h's with s in {-1, +1}.

    J is a square array or scipy.sparse matrix, which is not densified, or a
    networkx graph (see :func:`from_networkx`).  U is ln p: for couplings of an
    energy E = -½ s'Js - h's at temperature T give J / T and h / T.
    """
    if type(J).__module__.split(".")[0] == "networkx":
        from ._others import from_networkx
        return from_networkx(J, field=h)
    if arrays.is_sparse(J):
        dim, low, high, value = arrays.pairs("J", J, 2)
        return ising_pairs(dim, low, high, value, field_of("h", h, dim))
    J = arrays.symmetric("J", J, 2)
    h = field_of("h", h, len(J))
    return build(lib.hiss_model_ising, len(J), arrays.pointer("double", J),
                 arrays.pointer("double", h), keep=(J, h))


def ising_pairs(dim, row, column, value, h, **more):
    row, column = arrays.ints(row), arrays.ints(column)
    return build(lib.hiss_model_ising_sparse, dim, len(value),
                 arrays.pointer("int", row), arrays.pointer("int", column),
                 arrays.pointer("double", value), arrays.pointer("double", h),
                 keep=(row, column, value, h), **more)


def qubo(Q, linear=None) -> Model:
    """Zeros and ones: U(x) = x'Qx + linear'x with x in {0, 1}.

    Q is a square array or scipy.sparse matrix, of which one triangle is
    enough.  U is ln p, so large U is likely: to minimize x'Qx give -β Q.
    """
    if not arrays.is_sparse(Q):
        Q = arrays.square("Q", Q)
        linear = field_of("linear", linear, len(Q))
        if linear is not None:
            Q = Q + np.diag(linear)
        return build(lib.hiss_model_qubo, len(Q),
                     arrays.pointer("double", Q), keep=Q)
    dim, row, column, value = arrays.triplets("Q", Q)
    return qubo_entries(dim, row, column, value,
                         field_of("linear", linear, dim))


def qubo_entries(dim, row, column, value, linear, **more):
    row, column = arrays.ints(row), arrays.ints(column)
    return build(lib.hiss_model_qubo_sparse, dim, len(value),
                 arrays.pointer("int", row), arrays.pointer("int", column),
                 arrays.pointer("double", value),
                 arrays.pointer("double", linear),
                 keep=(row, column, value, linear), **more)


def rbm(W, b=None, c=None) -> Model:
    """A restricted Boltzmann machine, its hidden units summed out.

    U(v) = b'v + sum_j ln(1 + exp(c_j + sum_i W_ij v_i)) with v in {0, 1};
    W is (visible, hidden).
    """
    W = arrays.numbers("W", W, (None, None))
    b, c = field_of("b", b, W.shape[0]), field_of("c", c, W.shape[1])
    return build(lib.hiss_model_rbm, W.shape[0], W.shape[1],
                 arrays.pointer("double", W), arrays.pointer("double", b),
                 arrays.pointer("double", c), keep=(W, b, c))


def rbm_floats(W, b, c):
    """The same of arrays of float32 that fit together, without a copy."""
    return build(lib.hiss_model_rbm_floats, W.shape[0], W.shape[1],
                 arrays.pointer("float", W), arrays.pointer("float", b),
                 arrays.pointer("float", c), keep=(W, b, c))


# --- over any domain -------------------------------------------------------

class Domain:
    """The kinds and values of all coordinates, as C wants them.

    kind: one word or one per coordinate; states: how many values, an int or
    one per coordinate; levels: the values of ordinal coordinates, one list for
    all or one per coordinate (None where it is not ordinal).
    """

    def __init__(self, dim, kind="binary", states=None, levels=None):
        self.dim = arrays.whole("dim", dim, 1, 2**31 - 1)
        self.kinds = self._spread("kind", kind)
        for word in set(self.kinds):
            if word not in KINDS:
                raise ValueError(f"kind has {word!r}, expected one of "
                                 f"{', '.join(KINDS)}")
        self.levels = self._levels(levels)
        self.states = self._states(states)
        self._arrays = (
            arrays.ints([KINDS[kind] for kind in self.kinds]),
            arrays.ints(self.states),
            np.concatenate([self.values(i) for i in range(self.dim)
                            if self.kinds[i] == "ordinal"]
                           or [np.zeros(0)]))

    def _spread(self, name, value):
        if isinstance(value, str) or not hasattr(value, "__len__"):
            return [value] * self.dim
        if len(value) != self.dim:
            raise ValueError(f"{name} has {len(value)} entries, expected "
                             f"{self.dim}")
        return list(value)

    def _levels(self, levels):
        if levels is None:
            return [None] * self.dim
        if all(np.ndim(entry) == 0 and entry is not None for entry in levels):
            levels = [levels if kind == "ordinal" else None
                      for kind in self.kinds]
        return [None if entry is None
                else arrays.numbers(f"levels[{i}]", entry, (None,))
                for i, entry in enumerate(self._spread("levels", levels))]

    def _states(self, states):
        out = []
        for i, count in enumerate(self._spread("states", states)):
            if self.levels[i] is not None:
                count = len(self.levels[i])
            if count is None and self.kinds[i] in ("binary", "spin"):
                count = 2
            if count is None:
                raise ValueError(f"states is missing: coordinate {i} is "
                                 f"{self.kinds[i]}")
            out.append(arrays.whole("states", count, 1, STATES_MAX))
        return out

    def values(self, i):
        """Of coordinate i, by index."""
        if self.kinds[i] == "spin":
            return np.array([-1.0, 1.0])
        if self.levels[i] is not None:
            return self.levels[i]
        return np.arange(self.states[i], dtype=float)

    @property
    def rows(self):
        """Rows of a gradient: one per number, one per label."""
        return sum(states if kind == "categorical" else 1
                   for kind, states in zip(self.kinds, self.states))

    def as_c(self):
        """As a hiss_domain, which borrows the arrays of this object."""
        kind, states, levels = self._arrays
        to = struct("hiss_domain")
        to.dim = self.dim
        to.kind = arrays.pointer("hiss_kind", kind)
        to.states = arrays.pointer("int", states)
        to.levels = arrays.pointer("double", levels) if len(levels) \
            else ffi.NULL
        return to


def _usual_kind(states):
    return ["binary" if count == 2 else "categorical" for count in states]


def _logarithm(name, values, log):
    """U of probabilities (or of U itself, with log): -inf is fine."""
    values = arrays.real(name, values)
    if not log:
        if not (values >= 0).all() or np.isinf(values).any():
            raise ValueError(f"{name} has a negative number, an infinity or "
                             f"NaN, expected probabilities")
        with np.errstate(divide="ignore"):
            return np.log(values)
    if not (values < np.inf).all():
        raise ValueError(f"{name} has NaN or +inf, expected logarithms of "
                         f"probabilities")
    return values


def table(p, kind=None, *, levels=None, log: bool = False) -> Model:
    """A law given state by state: p has one axis per coordinate.

    `kind` is one word or one per coordinate; two states are binary and more
    are categorical if it is left out.  p is normalized; with `log` it holds
    ln p, up to a constant, where -inf is an impossible state.
    """
    u = _logarithm("p", p, log)
    if u.ndim == 0 or u.size == 0:
        raise ValueError(f"p has shape {u.shape}, expected one axis per "
                         f"coordinate")
    if not np.isfinite(u).any():
        raise ValueError("p has no state of positive probability")
    if not log:
        u = u - np.log(np.sum(p, dtype=float))
    domain = Domain(u.ndim, kind or _usual_kind(u.shape), list(u.shape),
                    levels)
    if tuple(domain.states) != u.shape:
        raise ValueError(f"p has shape {u.shape}, but levels has "
                         f"{tuple(domain.states)} values")
    return build(lib.hiss_model_table, domain.as_c(),
                 arrays.pointer("double", u), keep=(domain, u))


def factors(states, factors, kind=None, *, levels=None,
            log: bool = True) -> Model:
    """A sum of tables over a few coordinates each: a graphical model.

    `states` has the number of values of each coordinate, and `factors` pairs
    (scope, table): coordinates, counted from 0, and an array with one axis for
    each of them.  Tables hold logarithms, -inf where impossible; with
    ``log=False`` they hold the potentials themselves.
    """
    states = [arrays.whole("states", count, 1, STATES_MAX)
              for count in states]
    domain = Domain(len(states), kind or _usual_kind(states), states, levels)
    sizes, scopes, tables = [], [], []
    for number, factor in enumerate(factors):
        name = f"factors[{number}]"
        try:
            scope, entries = factor
        except (TypeError, ValueError):
            raise TypeError(f"{name} is not a pair: scope, table") from None
        scope = [arrays.whole(f"{name}: scope", i, 0, domain.dim - 1)
                 for i in np.atleast_1d(np.asarray(scope, dtype=object))]
        u = _logarithm(name, entries, log)
        expected = tuple(states[i] for i in scope)
        if u.shape != expected:
            raise ValueError(f"{name} has shape {u.shape}, its scope "
                             f"{tuple(scope)} has {expected}")
        sizes.append(len(scope))
        scopes.extend(scope)
        tables.append(u.ravel())
    size, scope = arrays.ints(sizes), arrays.ints(scopes)
    entries = np.concatenate(tables or [np.zeros(0)])
    return build(lib.hiss_model_factors, domain.as_c(), len(size),
                 arrays.pointer("int", size), arrays.pointer("int", scope),
                 arrays.pointer("double", entries),
                 keep=(domain, size, scope, entries))


def potts(J, h=None, states: int | None = None) -> Model:
    """Labels 0 ... q-1: U(x) = sum_{i<j} J_ij(x_i, x_j) + sum_i h_i(x_i).

    J is (n, n), dense or scipy.sparse, for J_ij δ(x_i, x_j), or (n, n, q, q)
    for couplings of any shape, of which those with i < j count.  h is (n, q).
    `states` is q, and follows from h or a J of four axes.
    """
    if arrays.is_sparse(J) or np.ndim(J) == 2:
        if h is None and states is None:
            raise ValueError("states is missing: the number of labels")
        q = arrays.whole("states", np.shape(h)[-1] if states is None
                         else states, 2, STATES_MAX)
        dim, terms = _potts_terms(J, q)
    else:
        J = arrays.numbers("J", J)
        if J.ndim != 4 or J.shape[0] != J.shape[1] or J.shape[2] != J.shape[3]:
            raise ValueError(f"J has shape {J.shape}, expected (n, n) or "
                             f"(n, n, q, q)")
        dim, q = J.shape[0], J.shape[2]
        if states is not None and states != q:
            raise ValueError(f"states is {states}, but J has {q}")
        terms = [((i, j), J[i, j]) for i in range(dim)
                 for j in range(i + 1, dim) if J[i, j].any()]
    if h is not None:
        h = arrays.numbers("h", h, (dim, q))
        terms += [((i,), h[i]) for i in range(dim)]
    return factors([q] * dim, terms, "categorical")


def _potts_terms(J, q):
    if arrays.is_sparse(J):
        dim, low, high, value = arrays.pairs("J", J, 3)
    else:
        J = arrays.symmetric("J", J, 3)
        dim = len(J)
        low, high = np.nonzero(np.triu(J, 1))
        value = J[low, high]
    same = np.eye(q)
    return dim, [((i, j), v * same) for i, j, v in
                 zip(low.tolist(), high.tolist(), value) if i != j]
