"""dimod and networkx, where they are installed."""
import numpy as np
import pytest

import hiss


def test_networkx():
    networkx = pytest.importorskip("networkx",
                                   reason="networkx is not installed")
    graph = networkx.Graph()
    graph.add_edge("a", "b", weight=0.5)
    graph.add_edge("b", "c")
    graph.nodes["c"]["bias"] = 2.0
    model = hiss.from_networkx(graph, field="bias")
    assert model.labels == ("a", "b", "c")
    assert model.log_prob([1, -1, 1]) == pytest.approx(-0.5 - 1 + 2)
    assert hiss.ising(graph).log_prob([1, 1, 1]) == pytest.approx(1.5)
    assert hiss.ising(graph, [1, 0, 0]).log_prob([1, 1, 1]) == \
        pytest.approx(2.5)
    run = hiss.sample(graph, "gibbs", samples=20)
    assert list(run.summary()["name"]) == ["a", "b", "c"]
    model.fix({"b": -1})
    assert list(model.states) == [2, 1, 2]
    with pytest.raises(ValueError, match="graph is directed"):
        hiss.from_networkx(networkx.DiGraph([(0, 1)]))
    with pytest.raises(TypeError, match="graph is a int"):
        hiss.from_networkx(3)
    with pytest.raises(ValueError, match="no nodes"):
        hiss.from_networkx(networkx.Graph())


@pytest.fixture
def dimod():
    return pytest.importorskip("dimod", reason="dimod is not installed")


def random_bqm(dimod, rng, vartype):
    names = [f"v{i}" for i in range(6)]
    bqm = dimod.BinaryQuadraticModel(vartype)
    for name in names:
        bqm.add_linear(name, rng.normal())
    for i in range(6):
        for j in range(i):
            bqm.add_quadratic(names[i], names[j], rng.normal())
    bqm.offset = 3.0
    return bqm


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_a_bqm_is_a_model(dimod, rng, vartype):
    bqm = random_bqm(dimod, rng, vartype)
    model = hiss.from_dimod(bqm, beta=0.7)
    assert model.labels == tuple(bqm.variables)
    states = np.array([model.values(0)[rng.integers(0, 2, 6)]
                       for _ in range(8)])
    energies = bqm.energies((states, list(model.labels)))
    assert np.allclose(model.log_prob(states), -0.7 * (energies - 3.0),
                       atol=1e-5)
    assert hiss.sample(bqm, "gibbs", samples=10).draws.shape == (16, 10, 6)


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_the_dimod_sampler(dimod, rng, vartype):
    bqm = random_bqm(dimod, rng, vartype)
    sampler = hiss.HissSampler()
    dimod.testing.assert_sampler_api(sampler)
    found = sampler.sample(bqm, num_reads=20, num_sweeps=100, seed=1)
    dimod.testing.assert_response_energies(found, bqm)
    assert 1 <= len(found) <= 20
    assert len(np.unique(found.record.sample, axis=0)) == len(found)
    exact = dimod.ExactSolver().sample(bqm).first
    assert found.first.energy == pytest.approx(exact.energy)
    assert found.info["seed"] == 1
    again = sampler.sample(bqm, num_reads=20, num_sweeps=100, seed=1)
    assert np.array_equal(again.record.sample, found.record.sample)
    drawn = sampler.sample(bqm, num_reads=20, num_sweeps=100, beta=5.0, seed=1)
    assert len(drawn) == 20
    few = sampler.sample(bqm, num_reads=5, num_sweeps=100, beta=5.0, seed=1)
    assert np.array_equal(few.record.sample, drawn.record.sample[:5])


def test_the_dimod_sampler_finds_an_assignment(dimod):
    """12 x 12, rows and columns as penalties: one site at a time gets stuck."""
    n, cost = 12, np.random.default_rng(4).integers(1, 100, (12, 12)) / 10
    bqm = dimod.BinaryQuadraticModel("BINARY")
    for i in range(n):
        for j in range(n):
            bqm.add_linear((i, j), cost[i, j])
        for line in ([(i, j) for j in range(n)], [(j, i) for j in range(n)]):
            bqm.add_linear_equality_constraint(
                [(v, 1) for v in line], 1.5 * cost.max(), -1)
    best = hiss.HissSampler().sample(bqm, num_reads=100, seed=1).first
    places = [v for v, x in best.sample.items() if x]
    assert sorted(i for i, _ in places) == list(range(n))
    assert sorted(j for _, j in places) == list(range(n))
    assert best.energy == pytest.approx(sum(cost[v] for v in places))


def test_it_samples_the_boltzmann_law(dimod):
    bqm = dimod.BinaryQuadraticModel({"a": 0.5}, {("a", "b"): 1.0}, 0.0,
                                     "SPIN")
    found = hiss.HissSampler().sample(bqm, num_reads=1500, num_sweeps=30,
                                      beta=0.8, seed=2)
    exact = dimod.ExactSolver().sample(bqm)
    p = np.exp(-0.8 * exact.record.energy)
    p /= p.sum()
    counts = {tuple(sorted(datum.sample.items())): datum.num_occurrences
              for datum in found.aggregate().data()}
    for datum, expected in zip(exact.data(sorted_by=None), p):
        share = counts.get(tuple(sorted(datum.sample.items())), 0) / 1500
        assert share == pytest.approx(expected, abs=0.05)


def test_dimod_conveniences(dimod):
    sampler = hiss.HissSampler()
    assert sampler.sample_ising({"a": 1}, {("a", "b"): -1}, num_reads=2,
                                seed=1).first.energy == -2
    assert sampler.sample_qubo({("a", "b"): -1}, num_reads=3,
                               seed=1).first.energy == -1
    assert len(sampler.sample(dimod.BQM("SPIN"), num_reads=3)) == 3
    given = sampler.sample_ising({"a": 0, "b": 0}, {}, initial_states={
        "a": 1, "b": -1}, num_sweeps=1, sampler="dmala(alpha=0.0001)")
    assert dict(given.first.sample) == {"a": 1, "b": -1}
    with pytest.raises(ValueError, match="exclude each other"):
        sampler.sample_ising({"a": 1}, {}, beta=1, beta_range=(1, 2))
    with pytest.raises(ValueError, match="beta_range"):
        sampler.sample_ising({"a": 1}, {}, beta_range=(3, 2))
    with pytest.warns(dimod.exceptions.SamplerUnknownArgWarning):
        sampler.sample_ising({"a": 1}, {}, chain_strength=2)


@pytest.fixture
def dqm(dimod, rng):
    dqm = dimod.DiscreteQuadraticModel()
    for label, cases in (("a", 3), ("<b>", 2), (("c", 1), 4)):
        dqm.add_variable(cases, label=label)
        dqm.set_linear(label, rng.normal(size=cases))
    for u, v in (("a", ("c", 1)), ("<b>", "a")):
        dqm.set_quadratic(u, v, {
            (i, j): rng.normal() for i in range(dqm.num_cases(u))
            for j in range(dqm.num_cases(v))})
    dqm.offset = 2.0
    return dqm


def test_a_dqm_is_a_model(dqm):
    model = hiss.from_dimod(dqm, beta=0.7)
    assert model.labels == ("a", "<b>", ("c", 1))
    states = np.array(list(np.ndindex(3, 2, 4)))
    energies = dqm.energies((states, list(model.labels)))
    assert np.allclose(model.log_prob(states), -0.7 * (energies - 2.0),
                       atol=1e-5)
    run = hiss.sample(dqm, "gibbs", samples=10)
    assert run.draws.shape == (16, 10, 3)


def test_sampling_a_dqm(dimod, dqm):
    found = hiss.HissSampler().sample_dqm(dqm, num_reads=10, num_sweeps=100,
                                          seed=1, label="three")
    best = dimod.ExactDQMSolver().sample_dqm(dqm).first
    assert found.first.energy == pytest.approx(best.energy)
    assert found.vartype is dimod.ExtendedVartype.DISCRETE
    assert found.info["problem_label"] == "three"
    with pytest.raises(ValueError, match="no variables"):
        hiss.from_dimod(dimod.DiscreteQuadraticModel())


@pytest.fixture
def cqm(dimod):
    x = [dimod.Binary(f"x{i}") for i in range(4)]
    s, n = dimod.Spin("s"), dimod.Integer("n", lower_bound=1, upper_bound=5)
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.set_objective(x[0] - 2 * x[1] * n + 0.5 * n * n + s * n - x[2]
                      + 0.3 * x[0] * x[2] + 1)
    cqm.add_discrete(["x0", "x1", "x2"], label="pick")
    cqm.add_constraint(n + 2 * x[3] <= 4, label="cap")
    cqm.add_constraint(n * x[1] >= 1, label="soft", weight=1.5,
                       penalty="linear")
    return cqm


def law_of_the_cqm(cqm, beta):
    """{(pick, n, s, x3): U}, by dimod's own energies."""
    out = {}
    for pick in range(3):
        for n, s, x3 in ((n, s, x3) for n in range(1, 6) for s in (-1, 1)
                         for x3 in (0, 1) if n + 2 * x3 <= 4):
            state = {f"x{i}": int(i == pick) for i in range(3)}
            energy = cqm.objective.energy({**state, "n": n, "s": s, "x3": x3})
            soft = 1.5 * max(0, 1 - n * state["x1"])
            out[pick, n, s, x3] = -beta * (energy - 1 + soft)
    return out


def test_a_cqm_is_a_model(cqm):
    model = hiss.from_dimod(cqm, beta=0.5)
    assert model.labels == ("pick", "n", "s", "x3")
    assert model.kinds == ["categorical", "ordinal", "spin", "binary"]
    law = law_of_the_cqm(cqm, 0.5)
    for state, u in law.items():
        assert model.log_prob(np.array(state)) == pytest.approx(u, abs=1e-5)
    assert hiss.exact(model).log_z == pytest.approx(
        np.logaddexp.reduce(list(law.values())), abs=1e-5)


def test_sampling_a_cqm(dimod, cqm):
    found = hiss.HissSampler().sample_cqm(cqm, num_reads=20, num_sweeps=100,
                                          seed=1, label="four")
    assert found.record.is_feasible.all()
    best = dimod.ExactCQMSolver().sample_cqm(cqm).filter(
        lambda row: row.is_feasible).first
    assert found.first.energy == pytest.approx(best.energy)
    assert found.info["problem_label"] == "four"


def test_what_a_cqm_may_not_have(dimod):
    cqm = dimod.ConstrainedQuadraticModel()
    with pytest.raises(ValueError, match="no variables"):
        hiss.from_dimod(cqm)
    cqm.add_variable("REAL", "r")
    with pytest.raises(ValueError, match="'r' is real: .* Integer"):
        hiss.from_dimod(cqm)
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.add_variable("INTEGER", "i")
    with pytest.raises(ValueError, match="'i' has values .* bounds"):
        hiss.from_dimod(cqm)
    cqm = dimod.ConstrainedQuadraticModel()
    cqm.add_constraint(sum(dimod.Binary(i) for i in range(20)) == 10,
                       label="half")
    with pytest.raises(ValueError, match="'half' joins 20 .*cqm_to_bqm"):
        hiss.from_dimod(cqm)


def test_a_label_is_kept(dimod):
    sampler = hiss.HissSampler()
    assert sampler.sample_ising({"a": 1}, {}, label="one").info[
        "problem_label"] == "one"
    assert "problem_label" not in sampler.sample_ising({"a": 1}, {}).info
    assert sampler.sample(dimod.BQM("SPIN"), label="none").info == {
        "problem_label": "none"}


def test_without_dimod(monkeypatch):
    import sys
    monkeypatch.setitem(sys.modules, "dimod", None)
    monkeypatch.delitem(sys.modules, "hiss._dimod", raising=False)
    with pytest.raises(ImportError):
        hiss.HissSampler
    with pytest.raises(AttributeError):
        hiss.nonsense


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_a_binary_polynomial(dimod, vartype):
    """Products of three variables; its best state is found."""
    poly = dimod.BinaryPolynomial(
        {"abc": 1.5, "bcd": -1.0, "a": 0.5, "de": 2.0, "": 3.0}, vartype)
    model = hiss.from_dimod(poly, beta=0.5)
    assert model.labels == tuple("abcde")
    assert set(model.kinds) == {vartype.lower()}
    found = hiss.HissSampler().sample_poly(poly, num_reads=10, num_sweeps=200,
                                           seed=1)
    best = dimod.ExactPolySolver().sample_poly(poly).first
    assert found.first.energy == pytest.approx(best.energy)
    states = found.record.sample[:, [list(found.variables).index(v)
                                     for v in "abcde"]]
    assert np.allclose(model.log_prob(states.astype(float)),
                       -0.5 * (found.record.energy - 3.0), atol=1e-5)
    assert hiss.HissSampler().sample_hubo({("a", "b"): -1.0}, seed=1,
                                          num_sweeps=50).first.energy == -1
    wide = dimod.BinaryPolynomial({tuple(range(17)): 1.0}, vartype)
    with pytest.raises(ValueError, match="a product joins 17 variables"):
        hiss.from_dimod(wide)


def test_a_quadratic_model(dimod):
    """Integers without constraints."""
    i = dimod.Integer("i", upper_bound=9)
    qm = i * i - 7 * i + 2 * dimod.Binary("b") * i + 0.5 * dimod.Spin("s")
    model = hiss.from_dimod(qm)
    assert dict(zip(model.labels, model.kinds)) == {
        "i": "ordinal", "b": "binary", "s": "spin"}
    found = hiss.HissSampler().sample_qm(qm, num_reads=5, num_sweeps=200,
                                         seed=1)
    assert found.first.energy == pytest.approx(-12.5)
    assert found.first.sample["i"] in (3, 4)
