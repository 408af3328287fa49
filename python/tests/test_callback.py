"""Models from the user's own functions."""
import itertools
import threading

import numpy as np
import pytest
from conftest import distance, sample_quickly

import hiss

J = np.array([[0, .8, -.5], [.8, 0, .3], [-.5, .3, 0]])


def ising(x):
    return 0.5 * np.einsum("ni,ij,nj->n", x, J, x)


def test_the_law_is_the_functions():
    model = hiss.from_function(ising, 3, "spin")
    assert model.name == "ising" and set(model.kinds) == {"spin"}
    for sampler in ("gibbs", "dmala(alpha=0.5)", "hiss(eta=1)"):
        run = sample_quickly(model, sampler)
        assert distance(run, model, lambda x: ising(x[None])[0]) < 0.05
    assert hiss.exact(model).log_z == pytest.approx(
        hiss.exact(hiss.ising(J)).log_z, abs=1e-5)
    assert hiss.verify(model, "dmala(alpha=0.5)", replicates=5000).invariant


def test_a_gradient_gives_the_draws_of_differences():
    """The gradient of a quadratic form is its difference: same proposals."""
    whole = hiss.from_function(ising, 3, "spin", gradient=lambda x: x @ J)
    pair = hiss.from_function(lambda x: (ising(x), x @ J), 3, "spin",
                              gradient=True)
    none = hiss.from_function(ising, 3, "spin")
    runs = [sample_quickly(m, "dmala(alpha=0.4)", samples=50)
            for m in (whole, pair, none)]
    for run in runs[1:]:
        assert np.array_equal(run.draws, runs[0].draws)
    assert np.allclose(hiss.ising(J).log_prob(runs[0].draws[3]),
                       runs[0].lp[3], atol=1e-5)


def test_changes_of_single_coordinates():
    """They agree with differences, and are counted as cheap."""
    def change(x, i):
        other = np.array([-1.0, 1.0])
        return (other[None, :] - x[:, [i]]) * (x @ J[:, i])[:, None]

    plain = hiss.from_function(ising, 3, "spin")
    cheap = hiss.from_function(ising, 3, "spin", change=change)
    for sampler in ("gibbs", "dmala(alpha=0.4)"):
        runs = [sample_quickly(m, sampler, samples=50) for m in (plain, cheap)]
        assert np.array_equal(runs[0].draws, runs[1].draws)
        assert runs[0].info.energy_evals > 1.4 * runs[1].info.energy_evals
    with pytest.raises(TypeError, match="change"):
        hiss.from_function(ising, 3, "spin", change=3)
    wrong = hiss.from_function(ising, 3, "spin", change=lambda x, i: x)
    with pytest.raises(ValueError, match="change returned shape"):
        sample_quickly(wrong, "gibbs", samples=5)


def test_one_call_per_evaluation_of_a_tile():
    calls = []

    def both(x):
        calls.append(len(x))
        return ising(x), x @ J

    model = hiss.from_function(both, 3, "spin", gradient=True)
    hiss.sample(model, "dmala(alpha=0.4)", chains=16, samples=100,
                warmup=50)
    # 150 steps, where they start, and whether it is a function
    assert len(calls) <= 150 + 4 + 3
    assert set(calls) == {16}


def test_without_a_gradient_neighbors_share_a_call():
    calls = []

    def value(x):
        calls.append(len(x))
        return -0.1 * x.sum(1)

    model = hiss.from_function(value, 40)
    hiss.sample(model, "dmala(alpha=0.4)", chains=16, samples=20, warmup=10)
    assert max(calls) == 16 * 40
    assert len(calls) <= 2 * 30 + 6


def mixed(x):
    return 0.3 * x[:, 0] * x[:, 1] - 0.2 * (x[:, 2] - 1) ** 2 * x[:, 1] \
        + 0.5 * (x[:, 3] == 2) * x[:, 0] \
        + np.where((x[:, 0] == 1) & (x[:, 3] == 3), -np.inf, 0.0)


@pytest.mark.parametrize("sampler", ["gibbs", "dmala(alpha=0.6)",
                                     "gwg", "metropolis"])
def test_all_kinds_and_impossible_states(sampler):
    model = hiss.from_function(
        mixed, 4, ["binary", "spin", "ordinal", "categorical"],
        states=[2, 2, 3, 4], levels=[None, None, [0, 1, 3], None])
    assert np.array_equal(model.values(2), [0, 1, 3])
    run = sample_quickly(model, sampler, thin=2)
    assert distance(run, model, lambda x: mixed(x[None])[0]) < 0.05


def test_labels_are_whole_numbers():
    h = np.array([0.0, 1.0, 2.0])
    seen = []

    def value(x):
        seen.append(x.dtype)
        return h[x].sum(1)

    def slope(x):
        return np.tile(h, (len(x), 2))

    model = hiss.from_function(value, 2, "categorical", states=3,
                               gradient=slope)
    run = sample_quickly(model, "dmala(alpha=1)")
    assert set(seen) == {np.dtype(np.int64)}
    p = np.exp(h) / np.exp(h).sum()
    assert np.bincount(run.draws.ravel(), minlength=3) / run.draws.size == \
        pytest.approx(p, abs=0.02)


class Broken(Exception):
    pass


def test_an_exception_is_carried_through():
    def broken(x):
        raise Broken("at the first state")

    def later(x):
        later.calls += 1
        if later.calls > 20:
            raise Broken("in the middle")
        return np.zeros(len(x))

    later.calls = 0
    with pytest.raises(Broken, match="first state"):
        hiss.sample(hiss.from_function(broken, 3))
    with pytest.raises(Broken, match="middle"):
        hiss.sample(hiss.from_function(later, 3), "metropolis", chains=40)
    model = hiss.from_function(broken, 3)
    for call in (lambda: model.log_prob([0, 0, 0]),
                 lambda: hiss.exact(model),
                 lambda: hiss.verify(model, "gibbs", replicates=10),
                 lambda: hiss.optimize(model, restarts=1)):
        with pytest.raises(Broken):
            call()


@pytest.mark.parametrize("value,kind,words", [
    (lambda x: x, ValueError, r"log_prob returned shape \(16, 3\), expected "
                              r"\(16,\)"),
    (lambda x: 0.0, ValueError, r"log_prob returned shape \(\)"),
    (lambda x: x.sum(1) * 1j, TypeError, "log_prob returned dtype complex"),
    (lambda x: None, TypeError, "log_prob returned dtype object"),
    (lambda x: np.full(len(x), np.nan), hiss.NumericError, "NaN"),
    (lambda x: np.full(len(x), np.inf), hiss.NumericError, "infinity"),
    (lambda x: np.full(len(x), -np.inf), hiss.InfeasibleError, "feasible"),
])
def test_bad_values(value, kind, words):
    with pytest.raises(kind, match=words):
        hiss.sample(hiss.from_function(value, 3), "metropolis")


@pytest.mark.parametrize("sampler", ["auto", "dmala", "hiss", "gibbs",
                                     "pt(levels=auto)"])
def test_few_possible_states(sampler):
    """A pilot begins at the user's states where random ones are hopeless."""
    def assignment(x):
        x = x.reshape(len(x), 6, 6)
        rows = (x.sum(1) == 1).all(1) & (x.sum(2) == 1).all(1)
        return np.where(rows, 0.0, -np.inf)

    model = hiss.from_function(assignment, 36)
    run = hiss.sample(model, sampler, init=np.eye(6).ravel(), samples=20)
    assert np.isfinite(assignment(run.draws.reshape(-1, 36))).all()


def test_bad_gradients():
    def value(x):
        return np.zeros(len(x))

    with pytest.raises(ValueError, match=r"gradient returned shape \(16,\), "
                                         r"expected \(16, 3\)"):
        hiss.sample(hiss.from_function(value, 3, gradient=value), "dmala")
    with pytest.raises(TypeError, match="expected a tuple"):
        hiss.sample(hiss.from_function(value, 3, gradient=True), "dmala")
    with pytest.raises(TypeError, match="gradient is neither"):
        hiss.from_function(value, 3, gradient=3)


@pytest.mark.parametrize("arguments,words", [
    ({"dim": 0}, "dim is 0"), ({"kind": "real"}, "kind has 'real'"),
    ({"kind": ["spin"]}, "kind has 1 entries"),
    ({"kind": "categorical"}, "states is missing"),
    ({"kind": "ordinal", "levels": [1, np.nan]}, r"levels\[0\]\[1\] is nan"),
    ({"kind": "ordinal", "levels": [3, 1]}, "ascending"),
    ({"kind": "spin", "states": 3}, "spin has 2"),
])
def test_bad_coordinates(arguments, words):
    with pytest.raises(ValueError, match=words):
        hiss.from_function(ising, **{"dim": 3, **arguments})


def test_a_function_outlives_its_name():
    def make():
        scale = np.ones(3)
        return hiss.from_function(lambda x: x @ scale, 3)

    run = hiss.sample(make(), "metropolis", samples=20)
    assert len(run.modes()) == 1
    with pytest.raises(TypeError, match="expected a function"):
        hiss.from_function(3, 3)


def test_jax():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    model = hiss.from_jax(lambda x: 0.5 * jax.numpy.einsum(
        "ni,ij,nj->n", x, J.astype(np.float32), x), 3, "spin")
    run = sample_quickly(model, "dmala(alpha=2)", samples=1000)
    assert distance(run, model, lambda x: ising(x[None])[0]) < 0.05
    h = np.array([[0, 1, 2], [1, 0, 1]], np.float32)
    model = hiss.from_jax(lambda x: (x * h).sum((1, 2)), 2, "categorical",
                          states=3)
    assert model.log_prob([2, 0]) == pytest.approx(3)
    run = sample_quickly(model, "dmala(alpha=1)")
    for a, b in itertools.product(range(3), repeat=2):
        assert model.log_prob([a, b]) == pytest.approx(h[0, a] + h[1, b])
    p = np.exp(h) / np.exp(h).sum(1, keepdims=True)
    assert np.bincount(run.draws[..., 0].ravel(), minlength=3) \
        / len(run) == pytest.approx(p[0], abs=0.02)


def test_torch():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    coupling = torch.tensor(J, dtype=torch.float32)
    model = hiss.from_torch(lambda x: 0.5 * torch.einsum(
        "ni,ij,nj->n", x, coupling, x), 3, "spin")
    run = sample_quickly(model, "dmala(alpha=2)", samples=1000)
    assert distance(run, model, lambda x: ising(x[None])[0]) < 0.05
    h = torch.tensor([[0.0, 1, 2], [1, 0, 1]])
    model = hiss.from_torch(lambda x: (x * h).sum((1, 2)), 2, "categorical",
                            states=3)
    assert model.log_prob([2, 0]) == pytest.approx(3)
    sample_quickly(model, "dmala(alpha=1)", samples=20)


@pytest.mark.parametrize("sampler", ["gwg", "dmala(alpha=0.5)"])
def test_states_for_differences_are_counted(sampler):
    """Those of four chains, not of the sixteen lanes they run in."""
    made = 0

    def log_prob(x):
        nonlocal made
        made += len(x)
        return 0.3 * (x[:, :-1] * x[:, 1:]).sum(1)

    model = hiss.from_function(log_prob, 40, kind="spin")
    run = hiss.sample(model, sampler, samples=40, warmup=0, chains=4, seed=2)
    counted = run.info.energy_evals
    assert counted >= 4 * 40 * 40
    assert counted <= made <= 1.1 * counted
    more = hiss.sample(model, sampler, samples=40, warmup=0, chains=16, seed=2)
    assert np.array_equal(more.draws[:4], run.draws)


def test_levels_for_differences_of_few_chains():
    """Ordinal coordinates ask for two neighbors of each, in one call."""
    model = hiss.from_function(lambda x: -0.1 * (x ** 2).sum(1), 7,
                               kind="ordinal", levels=range(-3, 4))
    few, many = (hiss.sample(model, "gwg", samples=200, chains=chains, seed=3)
                 for chains in (3, 16))
    assert np.array_equal(many.draws[:3], few.draws)


def test_auto_takes_what_is_cheap_without_a_gradient():
    """A gradient of differences costs a sweep; of many levels it does not."""
    for kind, levels, base in (("spin", None, "gibbs"),
                               ("ordinal", range(12), "dmala")):
        model = hiss.from_function(lambda x: -0.05 * (x ** 2).sum(1), 12,
                                   kind=kind, levels=levels)
        run = hiss.sample(model, "auto", samples=20, seed=1)
        assert base in run.resolved


def test_runs_of_one_model_have_their_own_exceptions():
    """Two at a time: that of 40 chains fails, that of 20 does not notice."""
    both = threading.Barrier(2, timeout=60)
    calls = {20: 0, 40: 0}

    def log_prob(x):
        if len(x) in calls:
            calls[len(x)] += 1
            if calls[len(x)] == 3:
                both.wait()  # both are under way
            if len(x) == 40 and calls[40] > 3:
                raise Broken("of the 40")
        return ising(x)

    model = hiss.from_function(log_prob, 3, "spin", width=1000,
                               gradient=lambda x: x @ J)
    expected = hiss.from_function(ising, 3, "spin", width=1000,
                                  gradient=lambda x: x @ J)
    found = {}

    def run(chains):
        try:
            found[chains] = sample_quickly(model, "dmala(alpha=0.4)",
                                           chains=chains, samples=50)
        except BaseException as fault:
            found[chains] = fault

    threads = [threading.Thread(target=run, args=(n,)) for n in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert isinstance(found[40], Broken), found[40]
    assert np.array_equal(found[20].draws, sample_quickly(
        expected, "dmala(alpha=0.4)", chains=20, samples=50).draws)


def test_an_exception_is_raised_once():
    """Neither a later run nor another model sees it."""
    is_broken = True

    def log_prob(x):
        if is_broken:
            raise Broken
        return ising(x)

    model = hiss.from_function(log_prob, 3, "spin")
    other = hiss.from_function(ising, 3, "spin")
    with pytest.raises(Broken):
        sample_quickly(model, "gibbs", chains=64, samples=5)
    assert len(sample_quickly(other, "gibbs", samples=5))
    with pytest.raises(Broken):
        hiss.compare(model, ["gibbs", "metropolis"], evals=1e4)
    is_broken = False
    assert len(sample_quickly(model, "gibbs", samples=5))
    assert hiss.exact(model).states == 8
