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
    assert hiss.sample(bqm, "gibbs", samples=10).draws.shape == (4, 10, 6)


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_the_dimod_sampler(dimod, rng, vartype):
    bqm = random_bqm(dimod, rng, vartype)
    sampler = hiss.HissSampler()
    dimod.testing.assert_sampler_api(sampler)
    found = sampler.sample(bqm, num_reads=20, num_sweeps=100, seed=1)
    dimod.testing.assert_response_energies(found, bqm)
    assert len(found) == 20
    assert found.first.energy == pytest.approx(
        dimod.ExactSolver().sample(bqm).first.energy)
    few = sampler.sample(bqm, num_reads=5, num_sweeps=100, seed=1)
    assert np.array_equal(few.record.sample, found.record.sample[:5])
    assert found.info["seed"] == 1


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


def test_without_dimod(monkeypatch):
    import sys
    monkeypatch.setitem(sys.modules, "dimod", None)
    monkeypatch.delitem(sys.modules, "hiss._dimod", raising=False)
    with pytest.raises(ImportError):
        hiss.HissSampler
    with pytest.raises(AttributeError):
        hiss.nonsense
