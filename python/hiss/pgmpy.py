"""Networks of pgmpy: their marginals given evidence.

    answer = hiss.pgmpy.query(network, evidence={"smoke": "yes"})
    answer["lung"]          # {"yes": 0.1, "no": 0.9}
    answer.method           # "elimination", or "sampling" with a diagnosis
"""
from __future__ import annotations

import inspect

import numpy as np

from ._bridge import need
from ._errors import InfeasibleError
from ._exact import exact
from ._model import Model, factors
from ._native import lib
from ._run import sample
from ._structs import struct

need("pgmpy")

__all__ = ["Marginals", "from_pgmpy", "query"]

OPTIONS = set(inspect.signature(sample).parameters) - {"model", "sampler"}
BUDGETS = {"samples", "thin", "evals", "time_limit", "ess"}
THIN = 32  # steps of a draw, all of which shares are counted over


class Marginals(dict):
    """{variable: {state: probability}}.

    method: "enumeration", "elimination" or "counting", which are exact, or
        "sampling".
    log_evidence: ln P(evidence) of a Bayesian network; None if sampled.
    run, diagnosis: of the draws, if it was sampled; a diagnosis is true in a
        condition if the draws can be trusted.
    """

    def __init__(self, marginals, method, log_evidence=None, run=None,
                 diagnosis=None):
        super().__init__(marginals)
        self.method, self.log_evidence = method, log_evidence
        self.run, self.diagnosis = run, diagnosis

    def factor(self, variable):
        """The marginal of a variable as a DiscreteFactor of pgmpy."""
        from pgmpy.factors.discrete import DiscreteFactor  # type: ignore
        states = self[variable]
        return DiscreteFactor([variable], [len(states)],
                              list(states.values()),
                              state_names={variable: list(states)})


def _factors(network):
    if hasattr(network, "get_cpds"):
        cpds = network.get_cpds()
        missing = set(network.nodes()) - {cpd.variable for cpd in cpds}
        if missing:
            raise ValueError(f"node {sorted(map(str, missing))[0]!r} has no "
                             f"CPD")
        tables = [cpd for cpd in cpds if hasattr(cpd, "to_factor")]
        if len(tables) < len(cpds):
            raise ValueError("the network has CPDs that are no tables, "
                             "expected discrete variables")
        return [cpd.to_factor() for cpd in tables]
    if hasattr(network, "get_factors"):
        return list(network.get_factors())
    raise TypeError(f"network is a {type(network).__name__}, expected a "
                    f"DiscreteBayesianNetwork, DiscreteMarkovNetwork, "
                    f"FactorGraph or JunctionTree of pgmpy")


class Parts:
    """The variables of a network, their states and its tables."""

    def __init__(self, network, virtual_evidence=()):
        found = [getattr(f, "to_factor", lambda f=f: f)()
                 for f in [*_factors(network), *virtual_evidence]]
        self.states: dict = {}
        for one in found:
            for name in one.variables:
                self.states.setdefault(name, list(one.state_names[name]))
        if not self.states:
            raise ValueError("network has no variables")
        self.place = {name: i for i, name in enumerate(self.states)}
        self.tables = [([self.place[name] for name in one.variables],
                        self._table(one)) for one in found]

    def _table(self, one):
        """Its values, with states in the order of the first factor."""
        values = np.asarray(one.values, dtype=float)
        for axis, name in enumerate(one.variables):
            theirs = list(one.state_names[name])
            if sorted(map(str, theirs)) != sorted(map(str,
                                                      self.states[name])):
                raise ValueError(f"variable {name!r} has states {theirs} in "
                                 f"one factor and {self.states[name]} in "
                                 f"another")
            order = [theirs.index(state) for state in self.states[name]]
            values = np.take(values, order, axis)
        return values

    def fixed(self, evidence):
        """{coordinate: value}."""
        if not isinstance(evidence, dict):
            raise TypeError(f"evidence is a {type(evidence).__name__}, "
                            f"expected a dict: variable to state")
        out = {}
        for name, state in evidence.items():
            if name not in self.place:
                raise ValueError(f"evidence has {name!r}, which is no "
                                 f"variable of the network")
            if state not in self.states[name]:
                raise ValueError(f"evidence has {state!r} for {name!r}, "
                                 f"expected one of {self.states[name]}")
            out[name] = self.states[name].index(state)
        return out

    def model(self, evidence):
        made = factors([len(states) for states in self.states.values()],
                       self.tables, log=False)
        made._labels = tuple(self.states)
        made._pass_names(list(self.states.values()))
        try:
            return made.fix(self.fixed(evidence))
        except InfeasibleError:
            words = ", ".join(f"{name!r}: {state!r}"
                              for name, state in evidence.items())
            raise InfeasibleError(f"evidence has probability 0: {{{words}}}") \
                from None


def _is_name(parts, variables):
    """Whether it is a variable itself: a text is no list of letters."""
    return isinstance(variables, str) or (
        not isinstance(variables, (list, set, dict)) and
        _is_hashable(variables) and variables in parts.place)


def _is_hashable(value):
    try:
        hash(value)
    except TypeError:
        return False
    return True


def from_pgmpy(network, evidence: dict | None = None) -> Model:
    """A Bayesian or Markov network of pgmpy as a model of hiss.

    Coordinates are labelled as the variables; values are the numbers of their
    states, from 0.  `evidence` is {variable: state}, as in pgmpy.
    """
    return Parts(network).model(evidence or {})


def query(network, variables=None, evidence: dict | None = None, *,
          virtual_evidence=(), exact_seconds: float = 60.0, sampler=None,
          **more) -> Marginals:
    """The marginal of each variable given evidence.

    variables: names, or a single one; all that have no evidence if left out.
    evidence: {variable: state}.
    virtual_evidence: factors or CPDs of single variables, as in pgmpy.
    exact_seconds: what exact answers may take; where elimination would take
        longer, or more memory than there is, draws answer.
    sampler, **more: of :func:`hiss.sample` then.  Shares are of all steps:
        with neither samples nor another budget there are 32 for each draw, so
        that they are usually within 0.005.
    """
    for name in more:
        if name not in OPTIONS:
            raise TypeError(f"query() has no argument {name!r}, and neither "
                            f"has hiss.sample")
    parts, evidence = Parts(network, virtual_evidence or ()), evidence or {}
    names = list(parts.states) if variables is None else \
        [variables] if _is_name(parts, variables) else list(variables)
    for name in names:
        if name not in parts.place:
            raise ValueError(f"variables has {name!r}, which is no variable "
                             f"of the network")
    model = parts.model(evidence)
    if variables is None:
        names = [name for name in names if name not in evidence]
    cost = struct("hiss_exact_cost")
    if lib.hiss_exact_estimate(model._c, 0, cost) and \
            cost.seconds <= exact_seconds:
        truth = exact(model)
        marginal, run, method = truth.marginal, None, truth.method
        log_z = truth.log_z
    else:
        if all(more.get(name) is None for name in BUDGETS):
            more["thin"] = THIN
        run = sample(model, sampler, **more)
        marginal, method, log_z = run.marginal, "sampling", None
    answers = {}
    for name in names:
        answers[name] = {evidence[name]: 1.0} if name in evidence else dict(
            zip(parts.states[name], marginal(parts.place[name]).tolist()))
    return Marginals(answers, method, log_z, run,
                     None if run is None else run.diagnose())
