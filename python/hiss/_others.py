"""Models of other packages: dimod's five kinds, graphs of networkx."""
from __future__ import annotations

import numpy as np

from . import _arrays as arrays
from ._model import (STATES_MAX, Model, factors, field_of, ising_pairs,
                     qubo_entries)

ENTRIES_MAX = 65536  # of the table of a constraint, or of a product


def from_dimod(model, beta: float = 1.0) -> Model:
    """A dimod model: log p = -beta E; its objective is E, offset included.

    A binary quadratic model (BQM) has its variables as labels, a discrete one
    (DQM) likewise, with a case as the value of a variable.  A constrained
    quadratic model (CQM) has binary, spin and bounded integer variables; its
    constraints are hard, or cost beta times their penalty where they are
    soft.  A group of binary variables of which one is 1 ("discrete") is one
    coordinate, labelled as the constraint; its value is the number of the one.
    A quadratic model (QM) has the same variables and no constraints; a
    binary polynomial has products of up to 16 variables.
    """
    beta = arrays.positive("beta", beta)
    if hasattr(model, "to_hubo"):
        states, terms, variables = polynomial_terms(model)
        spins = model.vartype.name == "SPIN"
        made = factors(states, _tables(terms, beta),
                       "spin" if spins else "binary")
        return _finished(made, "BinaryPolynomial", variables, beta,
                         model.get((), 0.0))
    if not hasattr(model, "to_numpy_vectors") and \
            callable(getattr(model, "vartype", None)) and \
            not hasattr(model, "constraints"):
        return Constrained(without_constraints(model)).model(beta)
    if hasattr(model, "num_cases"):
        states, terms, variables = discrete_terms(model)
        return _finished(factors(states, _tables(terms, beta)),
                         "DiscreteQuadraticModel", variables, beta,
                         getattr(model, "offset", 0.0))
    if hasattr(model, "constraints"):
        return Constrained(model).model(beta)
    try:
        linear, (row, column, value), offset, labels = model.to_numpy_vectors(
            return_labels=True)
        spins = model.vartype.name == "SPIN"
    except AttributeError:
        raise TypeError(f"model is a {type(model).__name__}, expected a "
                        f"BinaryQuadraticModel, DiscreteQuadraticModel, "
                        f"ConstrainedQuadraticModel, QuadraticModel or "
                        f"BinaryPolynomial of dimod") from None
    linear = -beta * arrays.numbers("the linear biases", linear)
    value = -beta * arrays.numbers("the quadratic biases", value)
    build_pairs = ising_pairs if spins else qubo_entries
    made = build_pairs(len(linear), row, column, value, linear, labels=labels)
    return _finished(made, f"BinaryQuadraticModel of {model.vartype.name}",
                     labels, beta, offset)


def _finished(model, kind, labels, beta, offset):
    """With its labels, its energy, and a line that says what it is."""
    model._labels = tuple(labels)
    model._pass_names()
    model._set_objective("energy", -1 / beta, float(offset))
    times = "" if beta == 1 else f"{beta:g} "
    model._describe(f"{model.dim} variables, read as dimod {kind}: log p = "
                    f"-{times}E, E = its energy (a bias J > 0 repels)")
    return model


def discrete_terms(dqm):
    """(numbers of cases, [(scope, E)], variables) of a DQM."""
    variables = list(dqm.variables)
    if not variables:
        raise ValueError("model has no variables")
    place = {v: i for i, v in enumerate(variables)}
    terms = [((i,), np.asarray(dqm.get_linear(v)))
             for i, v in enumerate(variables)]
    for v, neighbors in dqm.adj.items():
        for u in neighbors:
            if place[v] < place[u]:
                terms.append(((place[v], place[u]),
                              dqm.get_quadratic(v, u, array=True)))
    return [dqm.num_cases(v) for v in variables], terms, variables


def polynomial_terms(polynomial):
    """(numbers of states, [(scope, E)], variables) of a polynomial."""
    variables = sorted(polynomial.variables, key=str)
    if not variables:
        raise ValueError("model has no variables")
    place = {v: i for i, v in enumerate(variables)}
    values = np.array([-1.0, 1.0] if polynomial.vartype.name == "SPIN"
                      else [0.0, 1.0])
    terms = []
    for product, bias in polynomial.items():
        scope = sorted(place[v] for v in product)
        if 2 ** len(scope) > ENTRIES_MAX:
            raise ValueError(f"a product joins {len(scope)} variables, more "
                             f"than 16: dimod.make_quadratic(polynomial, ...) "
                             f"makes a BQM of it")
        if scope:
            table = np.array(float(bias))
            for _ in scope:
                table = np.multiply.outer(table, values)
            terms.append((tuple(scope), table))
    return [2] * len(variables), terms, variables


def without_constraints(model):
    """A quadratic model as a CQM."""
    import dimod  # type: ignore
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(model)
    return cqm


def _tables(terms, beta):
    """U = -beta E of each, where an impossible state stays one."""
    return [(scope, np.where(np.isinf(table), -np.inf, -beta * table))
            for scope, table in terms]


class Constrained:
    """A CQM over coordinates: each of its variables is a function of the
    state of one of them, the indicator of a label where it is of a group."""

    def __init__(self, cqm):
        self.cqm = cqm
        self.labels, self.levels, self.values = [], [], {}
        for name in sorted(cqm.discrete, key=str):
            self._add_group(name, list(cqm.constraints[name].lhs.variables))
        for v in cqm.variables:
            if v not in self.values:
                self._add_variable(v)
        if not self.labels:
            raise ValueError("model has no variables")

    def _add_group(self, name, members):
        for k, v in enumerate(members):
            self.values[v] = len(self.labels), np.eye(len(members))[k]
        self.labels.append(name)
        self.levels.append(np.arange(len(members)))

    def _add_variable(self, v):
        kind = self.cqm.vartype(v).name
        low, high = self.cqm.lower_bound(v), self.cqm.upper_bound(v)
        if kind == "REAL":
            raise ValueError(
                f"variable {v!r} is real: hiss samples discrete variables "
                f"only; make it an Integer of some unit, or fix it with "
                f"cqm.fix_variable")
        if high - low >= STATES_MAX:
            raise ValueError(
                f"variable {v!r} has values {low:.0f} to {high:.0f}, more "
                f"than {STATES_MAX}: give it bounds with "
                f"cqm.set_lower_bound and cqm.set_upper_bound")
        levels = np.array([-1, 1]) if kind == "SPIN" else \
            np.arange(np.ceil(low), np.floor(high) + 1)
        self.values[v] = len(self.labels), levels.astype(float)
        self.labels.append(v)
        self.levels.append(levels)

    def _terms(self, quadratic):
        """(scope, table) of each linear and quadratic term of it."""
        for v, bias in quadratic.linear.items():
            at, value = self.values[v]
            yield (at,), bias * value
        for (u, v), bias in quadratic.quadratic.items():
            (i, p), (j, q) = self.values[u], self.values[v]
            if i == j:
                yield (i,), bias * p * q
            else:
                yield (i, j), bias * np.outer(p, q)

    def _sum(self, name, terms, scope):
        """Their sum over all states of a scope."""
        shape = [len(self.levels[i]) for i in scope]
        if np.prod(shape, dtype=float) > ENTRIES_MAX:
            raise ValueError(
                f"constraint {name!r} joins {len(scope)} variables with "
                f"{np.prod(shape, dtype=float):.3g} states, more than "
                f"{ENTRIES_MAX}: bqm, invert = dimod.cqm_to_bqm(cqm) makes "
                f"penalties of constraints, and hiss samples the BQM")
        total = np.zeros(shape)
        for at, table in terms:
            order = sorted(range(len(at)), key=lambda k: scope.index(at[k]))
            axes = [1] * len(scope)
            for i in at:
                axes[scope.index(i)] = len(self.levels[i])
            total += np.transpose(table, order).reshape(axes)
        return total

    def _constraint(self, name):
        """(scope, E): 0 or inf, or the cost of a soft one."""
        comparison = self.cqm.constraints[name]
        lhs, sense = comparison.lhs, comparison.sense.value
        terms = list(self._terms(lhs))
        scope = sorted({i for at, _ in terms for i in at})
        over = self._sum(name, terms, scope) + lhs.offset - comparison.rhs
        over = {"<=": np.maximum(over, 0), ">=": np.maximum(-over, 0),
                "==": np.abs(over)}[sense]
        slack = 1e-9 * max(1.0, abs(comparison.rhs))  # of rounding
        over = np.where(over <= slack, 0.0, over)
        if not lhs.is_soft():
            return scope, np.where(over > 0, np.inf, 0.0)
        power = 2 if lhs.penalty() == "quadratic" else 1
        return scope, lhs.weight() * over ** power

    def terms(self):
        """[(scope, E)]: the objective, term by term, and the constraints."""
        total = {}
        for at, table in self._terms(self.cqm.objective):
            at, table = (at, table) if at == tuple(sorted(at)) else \
                (at[::-1], table.T)
            total[at] = total.get(at, 0) + table
        terms = list(total.items())
        for name in self.cqm.constraints:
            if name not in self.cqm.discrete:
                scope, table = self._constraint(name)
                if scope:
                    terms.append((tuple(scope), table))
                elif not np.isfinite(table):
                    raise ValueError(f"constraint {name!r} cannot hold")
        return terms

    def model(self, beta):
        kinds = ["categorical" if v in self.cqm.discrete else
                 {"SPIN": "spin", "BINARY": "binary", "INTEGER": "ordinal"}
                 [self.cqm.vartype(v).name] for v in self.labels]
        levels = [levels if kind == "ordinal" else None
                  for kind, levels in zip(kinds, self.levels)]
        made = factors([len(one) for one in self.levels],
                       _tables(self.terms(), beta), kinds,
                       levels=levels if "ordinal" in kinds else None)
        return _finished(made, "ConstrainedQuadraticModel", self.labels, beta,
                         self.cqm.objective.offset)

    def samples(self, draws):
        """(states, variables) of the CQM, from states of the model."""
        out = np.empty((len(draws), len(self.values)))
        for column, (i, values) in enumerate(self.values.values()):
            index = np.searchsorted(self.levels[i], draws[:, i])
            out[:, column] = values[index]
        return out, list(self.values)


def from_networkx(graph, weight: str = "weight", field=None) -> Model:
    """Spins on the nodes of an undirected graph.

    U = sum_edges w s_i s_j + sum_nodes h s_i; w is the edge's attribute
    `weight`, 1 where there is none.  `field` is the name of a node attribute
    (0 where there is none), or one number per node in their order, or None.
    """
    if not hasattr(graph, "is_directed"):
        raise TypeError(f"graph is a {type(graph).__name__}, expected a "
                        f"networkx graph")
    if graph.is_directed():
        raise ValueError("graph is directed, expected an undirected one")
    nodes = list(graph.nodes)
    if not nodes:
        raise ValueError("graph has no nodes")
    place = {node: i for i, node in enumerate(nodes)}
    edges = [(place[a], place[b], w) for a, b, w in
             graph.edges(data=weight, default=1.0)]
    row, column, value = zip(*edges) if edges else ((), (), ())
    value = arrays.numbers(f"the edges' {weight}", np.array(value, ndmin=1))
    if isinstance(field, str):
        field = [graph.nodes[node].get(field, 0.0) for node in nodes]
    return ising_pairs(len(nodes), row, column, value,
                        field_of("field", field, len(nodes)), labels=nodes)
