"""Discrete variables of PyMC: a step method beside NUTS, and whole models.

    with model:
        trace = pm.sample(step=hiss.pymc.HissStep([z]))

    trace = hiss.pymc.sample(model)      # all of whose variables are discrete
"""
from __future__ import annotations

import numpy as np

from ._bridge import need
from ._model import Model
from ._run import sample as _sample
from ._step import as_kernel
from ._terms import Conditional

pm = need("pymc")

import pytensor.tensor as pt  # type: ignore  # noqa: E402  comes with PyMC

try:
    from pytensor.graph.traversal import ancestors  # type: ignore
except ImportError:  # before 2.32
    from pytensor.graph.basic import ancestors  # type: ignore

from pymc.step_methods.compound import (BlockedStep,  # noqa: E402
                                        Competence, StepMethodState)
from pymc.util import (get_random_generator,  # noqa: E402
                       get_value_vars_from_user_vars)

__all__ = ["HissStep", "from_pymc", "sample"]

# Arguments of pm.sample, and what hiss.sample calls them.
THEIRS = {"draws": "samples", "tune": "warmup", "random_seed": "seed",
          "cores": "threads", "progressbar": "progress", "initvals": "init"}


def _fixed(model, graph, name):
    """The value of a parameter that no variable changes."""
    graph, = model.replace_rvs_by_values([graph])
    if set(ancestors([graph])) & set(model.value_vars):
        raise ValueError(f"the values that {name!r} may have depend on other "
                         f"variables: give the widest range with "
                         f"bounds={{{name!r}: (least, greatest)}}, where "
                         f"what cannot be has probability 0")
    return np.asarray(model.compile_fn(graph, inputs=[],
                                       point_fn=False)())


def _length(model, graph):
    """Of its last axis, at the point where PyMC begins."""
    length, = model.replace_rvs_by_values([graph.shape[-1]])
    return model.compile_fn(length, inputs=model.value_vars,
                            on_unused_input="ignore")(model.initial_point())


def _range(model, rv):
    """(least, greatest) value of a variable, of its shape or scalars."""
    name, node = rv.name, rv.owner
    parameters = getattr(node.op, "dist_params", lambda node: [])(node)
    kind = type(node.op).__name__.replace("RV", "")
    if kind == "Bernoulli":
        return 0, 1
    if kind == "Categorical":
        return 0, _length(model, parameters[0]) - 1
    if kind == "DiscreteUniform":
        return tuple(_fixed(model, p, name) for p in parameters[:2])
    if kind in ("Binomial", "BetaBinomial"):
        return 0, _fixed(model, parameters[0], name)
    raise ValueError(f"variable {name!r} is {kind}, whose values are not "
                     f"known to be finitely many: give them with "
                     f"bounds={{{name!r}: (least, greatest)}}, beyond which "
                     f"it must have probability 0")


def _model_of(model):
    """That of the context if it is None."""
    if model is not None and not isinstance(model, pm.Model):
        raise TypeError(f"model is a {type(model).__name__}, expected a "
                        f"pymc.Model")
    return pm.modelcontext(model)


def _variables(model, given):
    """Free discrete variables, as the values that stand for them."""
    if given is None:
        given = model.discrete_value_vars
    given = list(given) if isinstance(given, (list, tuple)) else [given]
    if not given:
        raise ValueError("the model has no free discrete variable, or vars is "
                         "empty")
    for var in given:
        name = getattr(var, "name", None)
        if name is None:
            raise TypeError(f"vars has {var!r}, expected variables of the "
                            f"model, such as model['z']")
        if var in model.observed_RVs:
            raise ValueError(f"variable {name!r} is observed: it has its data")
    values = get_value_vars_from_user_vars(given, model)
    for var in values:
        if var not in model.discrete_value_vars:
            raise ValueError(f"variable {model.values_to_rvs[var].name!r} is "
                             f"not discrete")
    return values


def _check_bounds(model, bounds):
    names = [rv.name for rv in model.free_RVs]
    for name, pair in (bounds or {}).items():
        if name not in names:
            raise ValueError(f"bounds has {name!r}, expected one of "
                             f"{', '.join(names)}")
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or \
                np.any(np.asarray(pair[0]) > pair[1]):
            raise ValueError(f"bounds has {pair!r} for {name!r}, expected "
                             f"(least, greatest)")


class Discrete:
    """Discrete variables of a model, as coordinates; and the terms of the
    log-density that they change, or if it is whole all of them, at a point
    for all the others."""

    def __init__(self, model, values, bounds=None, is_whole=False,
                 **compiled):
        self.model, self.values = model, values
        self.names = [value.name for value in values]
        self.start = model.initial_point()
        _check_bounds(model, bounds)
        self.low, self.states = [], []
        for value in values:
            rv = model.values_to_rvs[value]
            least, most = (bounds or {}).get(rv.name) or _range(model, rv)
            shape = np.shape(self.start[value.name])
            low = np.broadcast_to(least, shape).ravel().astype(np.int64)
            high = np.broadcast_to(most, shape).ravel().astype(np.int64)
            self.low.append(low)
            self.states.extend((high - low + 1).tolist())
        self._ends = np.cumsum([low.size for low in self.low])
        of_them = set(values)
        terms, rest = [], []
        for term in model.logp(sum=False):
            is_theirs = of_them & set(ancestors([term]))
            (terms if is_theirs else rest).append(term.ravel())
        total = pt.concatenate(terms) if len(terms) > 1 else terms[0]
        rest = sum(term.sum() for term in rest) if is_whole and rest \
            else pt.constant(0.0)
        self._others = [v for v in model.value_vars if v not in of_them
                        and v in set(ancestors([total, rest]))]
        self._call = model.compile_fn(
            total, inputs=[*values, *self._others], point_fn=False,
            on_unused_input="ignore", **compiled)
        self._call.trust_input = True
        # what no value changes is asked for once at a point
        self._rest = model.compile_fn(
            rest, inputs=self._others, point_fn=False,
            on_unused_input="ignore", **compiled) if is_whole else None
        self._types = [value.type for value in values]
        self.at(self.start)

    def at(self, point):
        """Gives the other variables these values."""
        self._given = [v.type.filter(point[v.name]) for v in self._others]
        self._fixed = [] if self._rest is None else \
            [float(self._rest(*self._given))]

    def read(self, point):
        """The state of the coordinates at a point, from 0."""
        return np.concatenate(
            [np.ravel(point[name]).astype(np.int64) - low
             for name, low in zip(self.names, self.low)])

    def write(self, x):
        """{name: values} of a state."""
        out = {}
        for name, kind, low, part in zip(self.names, self._types, self.low,
                                         np.split(x, self._ends[:-1])):
            shape = np.shape(self.start[name])
            out[name] = (part + low).reshape(shape).astype(kind.dtype)
        return out

    def evaluate(self, rows):
        """Terms, (states, terms)."""
        out = np.array([self._call(*self.write(x).values(), *self._given)
                        for x in rows])
        fixed = np.broadcast_to(self._fixed, (len(out), len(self._fixed)))
        return np.concatenate([out, fixed], axis=1) if len(out) else out

    def jittered(self, rng):
        """A point at which terms are not 0 or equal by accident."""
        point = {name: np.array(value, copy=True)
                 for name, value in self.start.items()}
        for value in self._others:
            if value.type.dtype.startswith("float"):
                point[value.name] = point[value.name] + rng.normal(
                    size=np.shape(point[value.name]))
        return point

    def conditional(self, sampler, steps, rng):
        """Of these variables given the others, its scopes found."""
        out = Conditional(self.evaluate, self.states, sampler, steps)
        out.learn(self.read(self.start)[None])
        for _ in range(2):
            self.at(self.jittered(rng))
            out.learn(out.random_states(rng, 1))
        self.at(self.start)
        return out


class HissStep(BlockedStep):
    """A step of a sampler of hiss for discrete variables of a PyMC model.

    vars: variables with finitely many values; all discrete ones if left out.
    sampler: one that no pilot tunes, such as "gibbs" or "hiss(eta=4)"; None:
        labels that are independent given the other variables are all drawn
        at once, exactly; others by elimination where that is quick, which is
        forward filtering and backward sampling on a chain; else by Gibbs.
    steps: of that sampler.
    bounds: {name: (least, greatest)} of variables whose values PyMC does not
        say.

    Which variables share a term of the log-density is found when the step is
    made, by changing them one at a time.  "accept" in the statistics is 1
    where this was found rightly, and the law is kept if not, as long as the
    sampler is reversible.
    """

    name = "hiss"
    stats_dtypes_shapes = {"accept": (np.float64, [])}
    _state_class = StepMethodState

    def __init__(self, vars=None, sampler=None, *, steps: int = 1,
                 bounds: dict | None = None, model=None, rng=None,
                 initial_point=None, compile_kwargs: dict | None = None,
                 blocked: bool = True):
        model = _model_of(model)
        self.vars = _variables(model, vars)
        self.blocked = blocked
        self.rng = get_random_generator(rng)
        if sampler is not None:
            sampler = as_kernel(sampler)
        self._discrete = Discrete(model, self.vars, bounds,
                                  **(compile_kwargs or {}))
        # A generator of its own: draws do not depend on what was probed.
        self._conditional = self._discrete.conditional(
            sampler, steps, np.random.default_rng(1))

    def step(self, point):
        """Moves the variables; the others stay."""
        discrete = self._discrete
        discrete.at(point)
        x, accept = self._conditional.step(discrete.read(point), self.rng)
        return {**point, **discrete.write(x)}, [{"accept": accept}]

    @staticmethod
    def competence(var, has_grad=None):
        """Never chosen by itself."""
        return Competence.INCOMPATIBLE


def from_pymc(model=None, *, given: dict | None = None,
              bounds: dict | None = None) -> Model:
    """A PyMC model of discrete variables as a model of hiss.

    given: {name: value} of the variables that are not free, in the space of
        PyMC's points (``model.initial_point()`` has their names); a model
        with continuous variables is conditioned on these.

    Coordinates have the names, shapes and values of the variables.
    """
    model, given = _model_of(model), given or {}
    values = [v for v in model.discrete_value_vars if v.name not in given]
    if not values:
        raise ValueError("the model has no free discrete variable")
    missing = [v.name for v in model.continuous_value_vars
               if v.name not in given]
    if missing:
        raise ValueError(f"variable {missing[0]!r} is continuous: give it a "
                         f"value, or sample with pm.sample("
                         f"step=hiss.pymc.HissStep(...)) beside NUTS")
    parts = Discrete(model, values, bounds, is_whole=True)
    parts.start = {**parts.start, **{name: np.asarray(value)
                                     for name, value in given.items()}}
    parts.at(parts.start)
    conditional = Conditional(parts.evaluate, parts.states,
                              low=np.concatenate(parts.low).tolist())
    rng = np.random.default_rng(1)
    conditional.learn(np.concatenate([parts.read(parts.start)[None],
                                      conditional.random_states(rng, 3)]))
    dims = {name: list(model.named_vars_to_dims[name])
            for name in parts.names if name in model.named_vars_to_dims}
    coords = {word: list(model.coords[word])
              for word in {word for words in dims.values() for word in words}
              if model.coords.get(word) is not None}
    return conditional.model().arrange(
        {name: np.shape(parts.start[name]) for name in parts.names},
        dims=dims, coords=coords)


def sample(model=None, sampler=None, *, bounds: dict | None = None, **more):
    """Draws all variables of a model that are discrete.

    model: of PyMC; that of the context if left out.
    sampler, **more: of :func:`hiss.sample`; without a sampler a pilot
        chooses one.

    Returns ArviZ's InferenceData (DataTree from 1.0 on), in which
    ``sample_stats`` has the log-probability up to a constant.
    """
    for name in set(more) & set(THEIRS):
        raise TypeError(f"{name} of pm.sample is called {THEIRS[name]} here, "
                        f"as in hiss.sample")
    made = from_pymc(model, bounds=bounds)
    return _sample(made, sampler, **more).to_arviz()
