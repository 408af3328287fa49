"""hiss.train: gradients, likelihoods and chains against enumeration.

Seeds are fixed, so nothing fails by chance; limits are those of 1e-4 or less.
"""
import copy
import itertools
import warnings

import numpy as np
import pytest

import hiss
from hiss import train

PT = "pt(base=gibbs,ladder=[1,2,4])"


def symmetric(rng, n, scale):
    J = rng.normal(scale=scale, size=(n, n))
    J = (J + J.T) / np.sqrt(2)
    np.fill_diagonal(J, 0)
    return J


def make(kind, seed=3, size=1.0):
    """A small model with couplings of that size."""
    rng = np.random.default_rng(seed)
    if kind == "ising":
        return train.Ising(symmetric(rng, 6, 0.3 * size),
                           rng.normal(scale=0.3, size=6))
    if kind == "sparse":  # a ring
        mask = np.roll(np.eye(9, dtype=bool), 1, axis=1)
        mask |= mask.T
        return train.Ising(symmetric(rng, 9, 0.5 * size) * mask,
                           rng.normal(scale=0.3, size=9), mask=mask)
    if kind == "boltzmann":
        return train.Boltzmann(symmetric(rng, 6, 0.7 * size),
                               rng.normal(scale=0.3, size=6))
    if kind == "potts":
        J = rng.normal(scale=0.7 * size, size=(4, 4, 3, 3))
        J = (J + J.transpose(1, 0, 3, 2)) / np.sqrt(2)
        J[np.arange(4), np.arange(4)] = 0
        return train.Potts(J, rng.normal(scale=0.3, size=(4, 3)))
    return train.RBM(rng.normal(scale=size, size=(6, 4)),
                     rng.normal(scale=0.3, size=6),
                     rng.normal(scale=0.3, size=4))


KINDS = ["ising", "sparse", "boltzmann", "potts", "rbm"]


def all_states(model):
    return np.array(list(itertools.product(model._values(),
                                           repeat=model.dim)))


def law(model):
    """(states, probabilities, ln Z), by U of the library."""
    x = all_states(model)
    u = model.model().log_prob(x)
    z = u.max() + np.log(np.exp(u - u.max()).sum())
    return x, np.exp(u - z), z


def slopes(model, x):
    """dU by each parameter at each state, by differences of U."""
    out = {}
    for name, value in model.params.items():
        columns = np.zeros((len(x), *value.shape))
        for at in np.ndindex(value.shape):
            pair = at[:2] if name in model.couplings and \
                not isinstance(model, train.RBM) else None
            if pair and (pair[0] == pair[1] or not model.mask[pair]):
                continue
            u = []
            for step in (-1.0, 1.0):
                params = {key: array.astype(float)
                          for key, array in model.params.items()}
                params[name][at] += step
                if pair:  # J_ij and J_ji are one
                    params[name][(at[1], at[0], *at[:1:-1])] = \
                        params[name][at]
                u.append(type(model)(**params).log_prob(x))
            columns[(slice(None), *at)] = (u[1] - u[0]) / 2
        out[name] = columns
    return out


@pytest.mark.parametrize("kind", ["ising", "sparse", "boltzmann", "potts"])
def test_moments_are_slopes_of_u(kind):
    """U is linear in these parameters, so that differences are exact."""
    model = make(kind)
    x = all_states(model)[::7]
    means = model.moments(model.states("x", x)).mean
    for name, slope in slopes(model, x).items():
        assert np.allclose(means[name], slope.mean(0), atol=1e-5), name


@pytest.mark.parametrize("sampler", [None, PT])
@pytest.mark.parametrize("kind", KINDS)
def test_gradient_is_that_of_enumeration(kind, sampler):
    model = make(kind)
    x, p, _ = law(model)
    data = x[np.random.default_rng(1).integers(0, len(x), 50)]
    run = train.Training(model, data, sampler, chains=2048, track=0)
    run.chains.advance(model.model(), 60)
    found = run.gradient()
    given = model.moments(model.states("x", data)).mean
    truth = model.moments(model.states("x", x), p).mean
    square = 0.0
    for name in model.params:
        exact = given[name] - truth[name]
        error = found.errors[name]
        known = error > 1e-6
        assert np.allclose(found.values[name][~known], exact[~known],
                           atol=1e-5)
        z = (found.values[name] - exact)[known] / error[known]
        assert np.abs(z).max() < 4.5, name
        assert 0.2 < (z ** 2).mean() < 3, name
        square += (exact ** 2)[known].mean() / (error ** 2)[known].mean()
    assert square > 200  # a wrong factor is seen
    assert np.sqrt(model.square({name: found.errors[name]
                                 for name in model.params})) == \
        pytest.approx(found.noise, rel=1e-3)


@pytest.mark.parametrize("size", [1.0, 2000.0])
def test_a_restricted_machine_is_that_of_its_arrays(size):
    """Made of floats as they are; in double where weights are large."""
    rng = np.random.default_rng(8)
    x = rng.integers(0, 2, (20, 7))
    W, b, c = (rng.normal(size=shape).astype(np.float32)
               for shape in ((7, 9), 7, 9))
    W *= np.float32(size)
    model = train.RBM(W, b, c)
    plain = hiss.rbm(W, b, c)
    assert (model().log_prob(x) == plain.log_prob(x)).all()
    assert model().precision == plain.precision
    assert ("double" in plain.precision) == (size > 1)
    assert (hiss.exact(model).means() == hiss.exact(plain).means()).all()
    model.W = 2 * W  # in place
    assert (model.params["W"] == 2 * W).all() and "W" not in vars(model)
    model.W /= 2
    assert (model().log_prob(x) == plain.log_prob(x)).all()
    with pytest.raises(ValueError, match="W has shape .3,., expected .7, 9."):
        model.W = np.ones(3)
    model.params["W"] = np.asfortranarray(W.astype(float))
    assert (model().log_prob(x) == plain.log_prob(x)).all()
    model.params["W"] = W[:, :-1]
    with pytest.raises(ValueError, match="shapes"):
        model()
    model.params["W"] = np.full_like(W, np.nan)
    with pytest.raises(ValueError, match="nan"):
        model()


def test_gradient_of_a_restricted_machine_by_differences():
    """Of the exact likelihood, in some weights."""
    model = make("rbm")
    x, p, _ = law(model)
    data, states = x[[3, 5, 60]], x
    given = model.moments(model.states("x", data)).mean
    truth = model.moments(model.states("x", states), p).mean
    for name, at in (("W", (2, 1)), ("b", (3,)), ("c", (2,))):
        likelihood = []
        for step in (-0.02, 0.02):
            params = {key: value.copy() for key, value
                      in model.params.items()}
            params[name][at] += step
            moved = train.RBM(**params)
            likelihood.append(moved.log_prob(data).mean()
                              - train.exact_log_z(moved))
        slope = (likelihood[1] - likelihood[0]) / 0.04
        assert given[name][at] - truth[name][at] == \
            pytest.approx(slope, abs=2e-3)


# --- training --------------------------------------------------------------

@pytest.mark.parametrize("kind, options", [
    ("ising", {}), ("ising", {"centre": True}), ("sparse", {}),
    ("boltzmann", {"optimizer": train.Adam(0.05)}),
    ("potts", {"sampler": PT, "optimizer": train.Adam(0.05)}),
    ("rbm", {"optimizer": train.Adam(0.08)}),
    ("rbm", {"optimizer": train.SGD(0.5, momentum=0.8), "centre": True})])
def test_likelihood_rises_to_the_truth(kind, options):
    """All states with their probabilities are the data: the best mean
    log-likelihood is less their entropy."""
    x, p, _ = law(make(kind))
    model = make(kind, seed=8, size=0.2)
    best = np.sum(p * np.log(p))
    run = train.Training(model, x, weights=p, chains=256, seed=2, **{
        "optimizer": train.SGD(0.2, momentum=0.5), **options})
    before = run.exact_log_likelihood()
    for _ in range(3):
        run.fit(120 if kind == "rbm" else 60)
        run.optimizer.rate /= 3
    after = run.exact_log_likelihood()
    assert before < best - 0.1
    assert best - 0.02 < after <= best + 1e-5
    found, exact = run.log_z, train.exact_log_z(model)
    assert abs(found.value - exact) < 4 * found.error
    assert found.error < 0.5
    assert run.log_likelihood().value == \
        pytest.approx(after, abs=4 * found.error)
    again = run.anchor(100)
    assert abs(again.value - exact) < 4 * again.error < 0.4


@pytest.mark.parametrize("kind", KINDS)
def test_annealing_has_the_exact_log_z(kind):
    model = make(kind)
    exact = law(model)[2]
    assert train.exact_log_z(model) == pytest.approx(exact, abs=1e-5)
    base = train.independent(model, all_states(model)[:20])
    for fields in (None, base):
        found = train.log_z(model, betas=60, chains=256, base=fields)
        assert abs(found.value - exact) < 4 * found.error + 1e-5
        assert found.error < 0.08
        assert 1 < found.ess <= 256


def test_betas_lie_where_u_varies():
    """Spins that order near half of the way."""
    n = 60
    model = train.Ising(3.0 * (1 - np.eye(n)) / n)
    betas = train.even_betas(model, betas=40)
    assert betas[0] == 0 and betas[-1] == 1 and len(betas) == 41
    steps = np.diff(betas)
    assert (steps > 0).all()
    near = (betas[1:] > 0.25) & (betas[:-1] < 0.5)
    assert steps[near].mean() < 0.8 * steps[~near].mean()
    with pytest.raises(ValueError, match="rise"):
        train.log_z(model, betas=[0, 0.5, 0.5, 1])


def test_exact_likelihood_of_many_visible_units():
    """The side with fewer units is enumerated."""
    rng = np.random.default_rng(1)
    model = train.RBM(rng.normal(size=(300, 5)), rng.normal(size=300),
                      rng.normal(size=5))
    h = np.array(list(itertools.product([0, 1], repeat=5)))
    u = h @ model.c + np.logaddexp(0, h @ model.W.T + model.b).sum(1)
    assert train.exact_log_z(model) == \
        pytest.approx(u.max() + np.log(np.exp(u - u.max()).sum()), rel=1e-5)
    with pytest.raises(hiss.LimitError):
        train.exact_log_z(train.RBM(60, 50))


def test_decay_and_momentum():
    """Two trainings of one seed differ by what decay takes away."""
    x, p, _ = law(make("ising"))

    def trained(steps, **options):
        model = make("ising", seed=8)
        train.Training(model, x, weights=p, chains=32, track=0, **{
            "optimizer": train.SGD(0.1), **options}).fit(steps)
        return model.J

    first = make("ising", seed=8).J
    plain = trained(1)
    assert np.allclose(trained(1, decay=0.3) - plain, -0.1 * 0.3 * first)
    assert np.allclose(trained(1, optimizer=train.SGD(0.1, 0.9)), plain)
    with_momentum = trained(2, optimizer=train.SGD(0.1, 0.9))
    assert np.allclose(with_momentum - trained(2), 0.9 * (plain - first))


def test_adam_is_that_of_the_paper():
    rng = np.random.default_rng(1)
    value, mean, square = rng.normal(size=5), np.zeros(5), np.zeros(5)
    found, adam = {"x": value.copy()}, train.Adam(0.1)
    for t in range(1, 6):
        g = rng.normal(size=5)
        mean, square = 0.9 * mean + 0.1 * g, 0.999 * square + 0.001 * g * g
        value = value + 0.1 * (mean / (1 - 0.9 ** t)) / (
            np.sqrt(square / (1 - 0.999 ** t)) + 1e-8)
        adam.climb(found, {"x": g})
    assert np.allclose(found["x"], value, rtol=1e-12)


def test_a_centred_gradient():
    """Of coordinates less offsets, at fields that absorb these."""
    model = make("rbm")
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 2, (2, 40, 6)).astype(np.float32)
    offset, hidden = rng.random(6), rng.random(4)
    a, b = model.moments(x).mean, model.moments(y).mean
    g = model.centred({name: a[name] - b[name] for name in a}, offset,
                      hidden)

    def pair(v):
        return (v - offset).T @ (model._on(v) - hidden) / len(v)

    assert np.allclose(g["W"], pair(x) - pair(y), atol=1e-5)
    assert np.allclose(g["b"], a["b"] - b["b"] - g["W"] @ hidden, atol=1e-5)


# --- chains ----------------------------------------------------------------

def test_batches_have_the_weights_of_the_data():
    """Rows of weight 0, which most batches would be made of, count nothing."""
    x = np.vstack([np.ones((5, 3)), -np.ones((45, 3))])
    weights = np.repeat([1.0, 0.0], [5, 45])
    run = train.Training(train.Ising(3), x, weights=weights, batch=5,
                         chains=16, track=0, optimizer=train.SGD(0.1))
    assert (run.fit(30).model.h > 0).all()


@pytest.mark.parametrize("kind, options", [
    ("ising", {"optimizer": train.SGD(0.1, 0.9), "decay": 0.01}),
    ("potts", {"optimizer": train.Adam(0.1), "sampler": PT}),
    ("rbm", {"optimizer": train.Adam(0.01), "batch": 7, "centre": True})])
def test_resumed_bit_for_bit(kind, options, tmp_path):
    x = all_states(make(kind))[:30]
    options.update(chains=20, seed=5)

    def begin():
        made = {key: train.SGD(0.1, 0.9) if isinstance(value, train.SGD)
                else train.Adam(value.rate) if isinstance(value, train.Adam)
                else value for key, value in options.items()}
        return train.Training(make(kind, seed=8), x, **made)

    whole, part = begin().fit(9), begin().fit(4)
    path = tmp_path / "run.npz"
    part.save(path)
    again = train.resume(path, x)
    assert again.model is not part.model
    again.fit(5)
    for name in whole.model.params:
        assert (whole.model.params[name] == again.model.params[name]).all()
    assert (whole.chains.levels == again.chains.levels).all()
    assert whole.history == again.history
    assert whole.log_z == again.log_z
    assert not (whole.chains.states == part.chains.states).all()
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(ValueError, match="other data"):
        train.resume(path, x[::-1])
    with pytest.raises(TypeError, match="data has dtype"):
        train.resume(path, None)
    with pytest.raises(FileExistsError):
        part.save(path, replace=False)
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises((hiss.FormatError, OSError)):
        train.resume(path, x)


def test_threads_change_nothing():
    x = all_states(make("potts"))[:30]
    runs = [train.Training(make("potts"), x, chains=64, threads=threads)
            .fit(3) for threads in (1, 2)]
    assert (runs[0].model.J == runs[1].model.J).all()


def test_check_sees_chains_in_one_mode():
    """Two modes, which Gibbs does not cross; tempering does."""
    n = 16
    J = np.full((n, n), 2.0 / n) - np.eye(n) * 2.0 / n
    model = train.Ising(1.5 * J)
    draws = hiss.sample(model.model(), "pt(base=gibbs)", chains=100,
                        samples=4, warmup=200, thin=50, progress=False).draws
    data = draws.reshape(400, n)
    run = train.Training(model, data, "gibbs", chains=64, track=0)
    run.chains.levels[:] = 1.0
    found = run.check(30)
    failed = {f.name for f in found.findings if f.outcome == "failed"}
    assert not found and {"coverage", "means"} <= failed
    assert "cannot be trusted" in repr(found)
    run = train.Training(model, data, "pt(base=gibbs,ladder=[1,1.5,2.5,5])",
                         chains=64, track=0)
    run.chains.advance(model.model(), 200)
    assert run.check(60), run.check(60)


def test_coverage():
    rng = np.random.default_rng(1)
    centre = rng.integers(0, 2, (10, 60))

    def near(which, count):
        noise = rng.random((count, 60)) < 0.1
        return centre[which] ^ noise

    data = near(np.arange(300) % 10, 300)
    assert train.coverage(data, near(np.arange(200) % 10, 200)) > 0.85
    assert 0.05 < train.coverage(data, near(np.zeros(200, int), 200)) < 0.2


# --- what is refused -------------------------------------------------------

@pytest.mark.parametrize("make_it, fault, words", [
    (lambda: train.Ising([[0, np.nan], [0, 0]]), ValueError, r"J\[0, 1\]"),
    (lambda: train.Ising(np.zeros((2, 3))), ValueError, "shape"),
    (lambda: train.Ising(3, h=[0, 0]), ValueError, "h has shape"),
    (lambda: train.Ising(3, mask=np.ones((2, 2), bool)), ValueError, "mask"),
    (lambda: train.Ising(3, mask=np.ones((3, 3))), TypeError, "bool"),
    (lambda: train.Boltzmann("x"), (TypeError, ValueError), "W|dim"),
    (lambda: train.Potts(3), ValueError, "states is missing"),
    (lambda: train.Potts(np.zeros((2, 2, 3, 2))), ValueError, "shape"),
    (lambda: train.Potts(np.arange(16.).reshape(2, 2, 2, 2)), ValueError,
     "symmetric"),
    (lambda: train.RBM(3, 0), ValueError, "hidden"),
    (lambda: train.RBM(np.zeros((3, 2)), c=[1]), ValueError, "c has shape"),
    (lambda: train.SGD(-1), ValueError, "rate"),
    (lambda: train.SGD(momentum=1), ValueError, "momentum"),
    (lambda: train.Adam(beta2=1.0), ValueError, "beta2"),
    (lambda: train.Adam(float("nan")), ValueError, "rate"),
])
def test_bad_models_and_optimizers(make_it, fault, words):
    with pytest.raises(fault, match=words):
        make_it()


@pytest.mark.parametrize("options, fault, words", [
    ({"data": np.ones((4, 5))}, ValueError, r"shape \(4, 5\)"),
    ({"data": np.ones(6)}, ValueError, "shape"),
    ({"data": np.zeros((0, 6))}, ValueError, "shape"),
    ({"data": np.zeros((2, 6))}, ValueError, r"\[0, 0\] is 0, .* -1 or 1"),
    ({"data": np.full((2, 6), np.nan)}, ValueError, "finite"),
    ({"data": np.full((2, 6), "a")}, TypeError, "dtype"),
    ({"weights": [1.0]}, ValueError, "weights has shape"),
    ({"weights": [-1.0, 1.0]}, ValueError, "negative"),
    ({"weights": [0.0, 0.0]}, ValueError, "0 everywhere"),
    ({"weights": [1e308, 1e308]}, ValueError, "1e\\+308 at most"),
    ({"weights": [0.0, 5e-324]}, ValueError, "at most"),
    ({"sampler": "dula(alpha=0.2)"}, ValueError, "not exact"),
    ({"sampler": "auto"}, ValueError, "pilot"),
    ({"sampler": "dmala"}, ValueError, "give the numbers"),
    ({"sampler": "hidden"}, hiss.UnsupportedError, "hidden units"),
    ({"sampler": "nothing"}, ValueError, "nothing"),
    ({"chains": 1}, ValueError, "chains"),
    ({"batch": 3}, ValueError, "batch"),
    ({"steps": 0}, ValueError, "steps"),
    ({"decay": -1}, ValueError, "decay"),
    ({"optimizer": "adam"}, TypeError, "optimizer"),
    ({"start": "there"}, ValueError, "start"),
    ({"model": hiss.ising(np.zeros((2, 2)))}, TypeError, "hiss.train"),
])
def test_bad_trainings(options, fault, words):
    options = {"model": make("ising"), "data": np.ones((2, 6)),
               "chains": 4, "track": 0, **options}
    with pytest.raises(fault, match=words):
        train.Training(**options).fit(1)


def test_labels_out_of_range():
    with pytest.raises(ValueError, match=r"is 3, expected a whole number "
                                         r"from 0 to 2"):
        make("potts").states("data", [[0, 1, 3, 0]])
    with pytest.raises(ValueError, match="is 0.5"):
        make("potts").states("data", [[0, 1, 0.5, 0]])


def test_a_training_that_diverges():
    run = train.Training(make("ising"), np.ones((2, 6)), chains=4,
                         optimizer=train.SGD(1e308), track=0)
    with pytest.raises((ArithmeticError, ValueError), match="finite"):
        run.fit(5)


def prototypes():
    rng = np.random.default_rng(1)
    which = rng.random((4, 64)) < 0.3
    return which[rng.integers(0, 4, 1000)] ^ (rng.random((1000, 64)) < 0.05)


def fitted(rate, steps, track=64):
    """(training, what it warned of)."""
    run = train.Training(train.RBM(64, 32), prototypes(), chains=64, batch=100,
                         optimizer=train.SGD(rate, 0.5), track=track)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run.fit(steps)
    assert all(one.filename == __file__ for one in caught)
    return run, [str(one.message) for one in caught]


def test_a_training_that_goes_astray_says_so():
    assert fitted(0.003, 150)[1] == []
    run, words = fitted(0.3, 150)
    assert run.log_z.error > 5
    assert sum("error of ln Z is inf" in one for one in words) == 1
    _, words = fitted(1e4, 3, track=0)
    assert len(words) == 1 and "diverges" in words[0]


# --- torch -----------------------------------------------------------------

@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch", reason="torch is not installed")


def spins(torch, model):
    """The same as a module."""
    class Spins(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.J = torch.nn.Parameter(
                torch.as_tensor(model.J, dtype=torch.float32))
            self.h = torch.nn.Parameter(
                torch.as_tensor(model.h, dtype=torch.float32))

        def forward(self, s):
            return 0.5 * ((s @ self.J) * s).sum(-1) + s @ self.h

    return Spins()


def test_a_gap_of_energies(torch):
    """Its slope is less the gradient: a pair stands in J twice."""
    model = make("ising")
    data = all_states(model)[::5]
    module = spins(torch, model)
    run = train.TorchTraining(module, 6, "spin", chains=64, steps=3,
                              sampler="gibbs")
    loss = run.energy_gap(data)
    loss.backward()
    g = train.gradient(model, data, run.chains.states).values
    assert np.allclose(-2 * module.J.grad.numpy() * (1 - np.eye(6)), g["J"],
                       atol=1e-5)
    assert np.allclose(-module.h.grad.numpy(), g["h"], atol=1e-5)
    exact = law(model)[2]
    found = run.log_z(betas=40, chains=128)
    assert abs(found.value - exact) < 4 * found.error


def test_a_module_is_trained_and_resumed(torch):
    x, p, _ = law(make("ising"))

    def begin():
        module = spins(torch, train.Ising(6))
        run = train.TorchTraining(module, 6, "spin", chains=256, steps=1,
                                  sampler="gibbs")
        return module, run, torch.optim.SGD(module.parameters(), lr=0.2)

    def fit(module, run, optimizer, steps):
        for _ in range(steps):
            optimizer.zero_grad()
            run.energy_gap(x, p).backward()
            optimizer.step()

    whole, part = begin(), begin()
    fit(*whole, 6)
    fit(*part, 3)
    saved = part[1].state_dict()
    other = train.TorchTraining(part[0], 6, "spin", chains=2, steps=1,
                                sampler="gibbs")
    other.load_state_dict(saved)
    fit(part[0], other, part[2], 3)
    assert (whole[0].J == part[0].J).all()
    fit(*whole, 60)
    J = whole[0].J.detach().numpy().astype(float)
    fitted = train.Ising((J + J.T) / 2, whole[0].h.detach().numpy())
    best = np.sum(p * np.log(p))
    assert np.sum(p * fitted.log_prob(x)) - law(fitted)[2] > best - 0.05
    with pytest.raises(ValueError, match="is 0, expected one of -1, 1"):
        whole[1].energy_gap(np.zeros((2, 6)))
    with pytest.raises(ValueError, match="shape"):
        whole[1].energy_gap(np.ones((2, 5)))


def test_labels_of_a_module(torch):
    run = train.TorchTraining(lambda x: x[:, :, 0].sum(-1), 3, "categorical",
                              states=4, chains=32, sampler="gibbs")
    loss = run.energy_gap([[0, 1, 2], [3, 3, 0]])
    share = (run.chains.states == 0).sum(1).mean()
    assert float(loss) == pytest.approx(share - 1.0)


def test_assigned_parameters_are_those_that_a_constructor_makes():
    mask = np.eye(6, k=1, dtype=bool) | np.eye(6, k=-1, dtype=bool)
    model = train.Ising(6, mask=mask)
    with pytest.raises(ValueError, match="J has a coupling where mask has"):
        model.J = np.full((6, 6), 0.1)
    model = train.Boltzmann(6)
    model.W = np.ones((6, 6))
    ones = np.ones((1, 6))
    assert model.log_prob(ones)[0] == model().log_prob(ones)[0] == 15
    skew = np.random.default_rng(1).normal(size=(3, 3, 2, 2))
    with pytest.raises(ValueError, match="J is not symmetric"):
        train.Potts(3, states=2).J = skew


def test_copies_have_parameters_of_their_own():
    model = train.RBM(4, 3)
    before = model.W.copy()
    other = copy.copy(model)
    other.W = np.zeros((4, 3))
    assert np.array_equal(model.W, before) and not other.W.any()
