"""Networks of binary weights and tours, from arrays and from files."""
import pathlib

import numpy as np
import pytest

import hiss

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data"


@pytest.fixture
def cases(rng):
    x = rng.normal(size=(40, 3))
    return x, (x[:, 0] + 0.3 * x[:, 1] > 0).astype(float)


def outputs(state, x, hidden):
    """f of one network, from docs/bnn.md."""
    weights = 2.0 * np.asarray(state) - 1
    inputs = x.shape[1]
    v = weights[:inputs * hidden].reshape(inputs, hidden)
    c, w = weights[inputs * hidden:-1].reshape(2, hidden)
    return 1 / (1 + np.exp(-(weights[-1] + np.tanh(c + x @ v) @ w)))


def test_a_network_from_arrays(rng, cases):
    x, y = cases
    model = hiss.bnn(x, y, hidden=4, inputs="raw", lambda_=0.25)
    assert model.dim == (3 + 2) * 4 + 1 and model.hidden == 4
    assert "array" in model.name and "/" not in model.name
    state = rng.integers(0, 2, model.dim)
    f = outputs(state, x, 4)
    u = -((f - y) ** 2).sum() - 0.25 * state.sum()
    assert model.log_prob(state) == pytest.approx(u, abs=1e-4)
    x, y = model.inputs("fitted"), model.targets("fitted")  # shuffled
    assert model.predict(state, "fitted") == pytest.approx(
        outputs(state, x, 4), abs=1e-5)
    run = hiss.sample(model, "dmala(alpha=auto)", samples=50, progress=False)
    said = model.predict(run.draws, "fitted")
    assert said.shape == (16, 50, 40)
    assert ((said.mean((0, 1)) - y) ** 2).mean() < y.var()


def test_parts_of_a_network(cases):
    x, y = cases
    model = hiss.bnn(x, y, hidden=2, test=0.25, validation=0.1)
    sizes = {part: len(model.targets(part))
             for part in ("fitted", "validation", "test")}
    assert sizes["test"] == 10 and sum(sizes.values()) == 40
    assert model.inputs("fitted").shape == (sizes["fitted"], 3)
    assert np.allclose(model.inputs("fitted").mean(0), 0, atol=1e-5)
    assert np.allclose(model.inputs("fitted").std(0, ddof=1), 1, atol=1e-5)
    first = np.random.RandomState(42).permutation(40)[:10]
    assert np.array_equal(model.targets("test"), y[first])


def test_a_network_from_a_file(command, tmp_path):
    file = DATA / "bnn" / "tiny.csv"
    model = hiss.bnn(file, "y", hidden=3)
    spec = f"bnn(data={file},target=y,hidden=3)"
    assert isinstance(model, hiss.Network)
    ours = hiss.sample(model, "gibbs", samples=20)
    command("sample", spec, "--sampler", "gibbs", "--samples", 20, "-o",
            tmp_path / "x.csv", "--quiet")
    assert np.array_equal(ours.draws, hiss.load(tmp_path / "x.csv").draws)


def test_bad_networks(cases):
    x, y = cases
    for call, kind, words in [
            (lambda: hiss.bnn(x), ValueError, "target is missing"),
            (lambda: hiss.bnn(x, y[:3]), ValueError, "target has shape"),
            (lambda: hiss.bnn(x[0], y), ValueError, "data has shape"),
            (lambda: hiss.bnn(x * np.nan, y), ValueError, r"data\[0, 0\]"),
            (lambda: hiss.bnn(x, y + 1), ValueError, "array.csv.*0.*1|target"),
            (lambda: hiss.bnn(x, y, hidden=0), ValueError, "hidden"),
            (lambda: hiss.bnn("a.csv", y), TypeError, "target is a ndarray"),
            (lambda: hiss.bnn("there/is/none.csv", "y"), OSError, "none.csv"),
    ]:
        with pytest.raises(kind, match=words):
            call()
    model = hiss.bnn(x, y, hidden=2)
    with pytest.raises(ValueError, match="part is 'all'"):
        model.targets("all")
    with pytest.raises(ValueError, match="draws has shape"):
        model.predict(np.zeros(3))
    with pytest.raises(ValueError, match="other than 0 and 1"):
        model.predict(np.full(model.dim, 0.5))
    with pytest.raises(ValueError, match="other than 0 and 1"):
        model.predict(np.full(model.dim, 3), "fitted")


def length(places, tour):
    at = places[np.asarray(tour, int) - 1]
    return np.hypot(*(at - np.roll(at, 1, 0)).T).sum()


def test_tours_from_arrays(rng):
    places = rng.random((6, 2))
    apart = np.hypot(*(places[:, None] - places[None]).T)
    for model in (hiss.tsp(places), hiss.tsp(apart)):
        assert set(model.kinds) == {"permutation"}
        tour = rng.permutation(6) + 1
        assert model.log_prob(tour) == pytest.approx(-length(places, tour),
                                                     rel=1e-5)
    cold = hiss.tsp(places, temperature=0.1)
    run = hiss.sample(cold, "tour", samples=200, progress=False)
    assert (np.sort(run.draws, 2) == np.arange(1, 7)).all()
    assert np.allclose(run.lp[0, :5], [
        -10 * length(places, tour) for tour in run.draws[0, :5]], rtol=1e-5)
    best = hiss.optimize(cold, restarts=4)
    assert best.objective == pytest.approx(
        -0.1 * hiss.exact(cold).max_u, rel=1e-5)
    found = hiss.compare(cold, ["tour", "hiss(steps=0)"], samples=200,
                         repetitions=3)
    assert found[0]["tvd"] < 0.5


def test_tours_from_a_file(command, tmp_path):
    file = DATA / "tsp" / "five.tsp"
    ours = hiss.sample(hiss.tsp(file, rounded=True), "tour", samples=20)
    command("sample", f"tsp({file},rounded=yes)", "--sampler", "tour",
            "--samples", 20, "-o", tmp_path / "x.csv", "--quiet")
    assert np.array_equal(ours.draws, hiss.load(tmp_path / "x.csv").draws)
    assert set(hiss.tsp(file, form="onehot").kinds) == {"categorical"}


def test_bad_tours(rng):
    places = rng.random((5, 2))
    for call, kind, words in [
            (lambda: hiss.tsp(places[:2]), ValueError, "at least 3 cities"),
            (lambda: hiss.tsp(rng.random((4, 3))), ValueError,
             "cities has shape"),
            (lambda: hiss.tsp(places * np.inf), ValueError,
             r"cities\[0, 0\]"),
            (lambda: hiss.tsp(-np.ones((4, 4))), ValueError, "negative"),
            (lambda: hiss.tsp(places, temperature=-1), ValueError,
             "temperature"),
            (lambda: hiss.tsp(places, form="knots"), ValueError, "form"),
            (lambda: hiss.tsp(None), TypeError, "cities has dtype object"),
            (lambda: hiss.tsp("there/is/no.tsp"), OSError, "no.tsp"),
    ]:
        with pytest.raises(kind, match=words):
            call()
    with pytest.warns(UserWarning, match="cities is not symmetric") as caught:
        hiss.tsp(rng.random((4, 4)))
    assert caught[0].filename == __file__
    with pytest.raises(ValueError, match="permutation|tour"):
        hiss.sample(hiss.tsp(places), "dmala(alpha=1)")
