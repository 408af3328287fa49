"""Draws of other programs, judged."""
import json

import numpy as np
import pytest

import hiss

SPEC = "mixture(k=2,d=12,seed=5)"  # two modes of about the same mass


@pytest.fixture(scope="module")
def model():
    return hiss.model(SPEC)


@pytest.fixture(scope="module")
def draws(model):
    run = hiss.sample(model, "auto", samples=1000, progress=False)
    return np.array(run.draws), np.array(run.lp)


def one_mode(draws):
    """Those near the best one, as four chains that agree."""
    x, lp = draws[0].reshape(-1, 12), draws[1].ravel()
    near = (x != x[lp.argmax()]).sum(1) <= 3
    return x[near][:1600].reshape(4, -1, 12)


def finding(diagnosis, name):
    return next(f for f in diagnosis.findings if f.name == name)


def test_arrays(model, draws):
    x, lp = draws
    for given in (x, x.astype(float), (x + 1) // 2, x.reshape(-1, 12)):
        assert hiss.diagnose(given, model).is_trusted
    told = hiss.diagnose(x, SPEC, lp=lp - 3)
    assert told and "constant of -3" in finding(told, "energies").text
    assert "exactly" in finding(told, "masses of modes").text
    assert not hiss.diagnose(x, model, lp=lp[::-1])
    result = hiss.adopt(x, model)
    assert np.array_equal(result.draws, x)
    assert np.allclose(result.lp, lp, atol=1e-4)


def test_draws_of_one_mode_are_wrong(model, draws):
    told = hiss.diagnose(one_mode(draws), model)
    assert told.is_wrong and not told.is_trusted
    assert told.verdict == "wrong" and "wrong: " in told.headline
    assert finding(told, "mixing").value < 1.011  # their own R-hat
    blind = hiss.diagnose(one_mode(draws), model, blind=True)
    assert not blind.is_trusted


def test_a_biased_sampler_is_wrong(model):
    """Its chains agree on what is not true."""
    run = hiss.sample("ising(side=3,beta=0.5,field=0.1)", "dula(alpha=6)",
                      samples=4000, progress=False)
    told = hiss.diagnose(np.array(run.draws),
                         "ising(side=3,beta=0.5,field=0.1)")
    assert told.is_wrong, told


def test_slow_chains_are_not_called_wrong(model, draws):
    """They disagree, and so say that they are not done."""
    x = draws[0].reshape(-1, 12)
    top = x[draws[1].ravel().argmax()]
    away = (x != top).sum(1)
    told = hiss.diagnose(np.stack([x[away <= 3][:400], x[away <= 3][400:800],
                                   x[away <= 3][800:1200],
                                   x[away > 6][:400]]), model)
    assert not told.is_trusted and not told.is_wrong


def test_dicts_and_inference_data(model, draws):
    x, lp = draws
    parts = {"a": x[:, :, :4].reshape(len(x), -1, 2, 2), "b": x[:, :, 4:],
             "lp": lp}
    assert hiss.diagnose(parts, model)
    told = hiss.diagnose({"b": x[:, :, 4:], "a": x[:, :, :4], "lp": lp}, model,
                         variables=["a", "b"])
    assert told
    arviz = pytest.importorskip("arviz")
    if not hasattr(arviz, "from_dict"):
        pytest.skip("this arviz has no from_dict")
    try:
        data = arviz.from_dict({"x": x}, sample_stats={"lp": lp})
    except TypeError:  # arviz 1
        data = arviz.from_dict({"posterior": {"x": x},
                                "sample_stats": {"lp": lp}})
    told = hiss.diagnose(data, model)
    assert told and finding(told, "energies").outcome == "passed"


def test_a_file_of_arviz(model, draws, tmp_path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    x, lp = draws
    dims = ("chain", "draw")
    for group, values in (
            ("posterior", {"b": ((*dims, "k"), x[:, :, :5].astype("i8")),
                           "c": ((*dims, "l"), x[:, :, 5:].astype("i8"))}),
            ("sample_stats", {"lp": (dims, lp)})):
        xarray.Dataset(values).to_netcdf(
            tmp_path / "other.nc", group=group, engine="h5netcdf",
            mode="w" if group == "posterior" else "a")
    told = hiss.diagnose(tmp_path / "other.nc", model)
    assert told, told
    assert finding(told, "energies").outcome == "passed"


def test_files(model, draws, tmp_path):
    x, lp = draws
    np.savez(tmp_path / "a.npz", draws=x, lp=lp)
    np.savez_compressed(tmp_path / "b.npz", np.asfortranarray(x.astype("f4")))
    np.save(tmp_path / "c.npy", x.reshape(-1, 12))
    names = []
    for k, (states, energies) in enumerate(zip(x, lp)):
        names.append(tmp_path / f"{k}.csv")
        np.savetxt(names[-1], np.c_[energies, states], delimiter=",",
                   header="lp__," + ",".join(f"x.{i}" for i in range(12)),
                   comments="# made by hand\n")
    for given in (tmp_path / "a.npz", tmp_path / "b.npz", tmp_path / "c.npy",
                  names):
        assert hiss.diagnose(given, model), given
    with pytest.raises(FileNotFoundError):
        hiss.diagnose(tmp_path / "none.csv", model)
    with pytest.raises(hiss.FormatError, match="none of its 2 arrays"):
        np.savez(tmp_path / "d.npz", u=x, v=lp)
        hiss.diagnose(tmp_path / "d.npz", model)


@pytest.mark.parametrize("given, fault, words", [
    (np.zeros((10, 5)), ValueError, "shape"),
    (np.zeros(12), ValueError, "shape"),
    (np.zeros((0, 12)), ValueError, "shape"),
    (np.full((10, 12), 7), ValueError, "x.1 is 7, which is none of its 2"),
    (np.full((10, 12), np.nan), ValueError, "none of its"),
    ([["a"] * 12] * 3, TypeError, "dtype|expected"),
    ({}, ValueError, "no variables"),
    ({"x": np.zeros(12)}, ValueError, "chain, draw"),
], ids=range(8))
def test_what_is_no_draws(model, given, fault, words):
    with pytest.raises(fault, match=words):
        hiss.diagnose(given, model)


def two_valleys(strength):
    """A ferromagnet on a line of 8 spins, in a weak field."""
    dimod = pytest.importorskip("dimod")
    return dimod.BinaryQuadraticModel.from_ising(
        {k: -0.05 for k in "abcdefgh"},
        {pair: -strength for pair in zip("abcdefgh", "bcdefgh")})


def test_a_sample_set(tmp_path):
    dimod = pytest.importorskip("dimod")
    bqm = two_valleys(1.0)
    model = hiss.from_dimod(bqm, 1.0)
    states = np.array(hiss.sample(model, "auto", chains=4, samples=1000,
                                  progress=False).draws).reshape(-1, 8)
    order = list(model.labels)
    swapped = order[::-1]  # variables in another order
    sampleset = dimod.SampleSet.from_samples_bqm(
        (states[:, ::-1], swapped), bqm).aggregate()
    told = hiss.diagnose(sampleset, model)
    assert told, told
    assert "log p = c - 1 E" in finding(told, "energies").text
    good = dimod.SampleSet.from_samples_bqm((states, order), bqm)
    (tmp_path / "set.json").write_text(json.dumps(good.to_serializable()))
    assert hiss.diagnose(tmp_path / "set.json", model)
    (tmp_path / "set.json").write_text(json.dumps(
        good.to_serializable(pack_samples=False)))
    assert hiss.diagnose(tmp_path / "set.json", model)


def test_annealing_is_no_sampling():
    """neal ends near the ground states: at temperature 1 that is wrong."""
    neal = pytest.importorskip("dwave.samplers")
    bqm = two_valleys(0.5)
    model = hiss.from_dimod(bqm, 1.0)
    cold = neal.SimulatedAnnealingSampler().sample(
        bqm, num_reads=2000, num_sweeps=200, seed=1)
    told = hiss.diagnose(cold, model)
    assert told.is_wrong, told
    exact = neal.TreeDecompositionSampler().sample(
        bqm, num_reads=2000, beta=1.0, seed=1)
    assert hiss.diagnose(exact, model).is_trusted


def test_draws_of_blackjax(model):
    """Its Metropolis with flips of our own: right ones, and a temperature
    that somebody forgot."""
    blackjax = pytest.importorskip("blackjax")
    import jax
    import jax.numpy as jnp
    beta = 0.25
    target = hiss.model(f"ising(side=3,beta={beta})")

    def log_prob(x):
        grid = x.reshape(3, 3)
        return beta * (grid * jnp.roll(grid, 1, 0)
                       + grid * jnp.roll(grid, 1, 1)).sum()

    def flip(key, x):
        at = jax.random.bernoulli(key, 0.25, x.shape)
        return jnp.where(at, -x, x)

    def draw(power):
        kernel = blackjax.rmh(lambda x: power * log_prob(x), flip)

        def chain(key):
            state = kernel.init(2. * jax.random.bernoulli(key, 0.5, (9,)) - 1)

            def step(state, key):
                state, _ = kernel.step(key, state)
                return state, state.position

            keys = jax.random.split(key, 8000)
            return jax.lax.scan(step, state, keys)[1][1000::7]

        return jax.vmap(chain)(jax.random.split(jax.random.PRNGKey(1), 4))

    told = hiss.diagnose(jax.jit(lambda: draw(1.0))(), target)
    assert told, told
    assert hiss.diagnose(jax.jit(lambda: draw(1.4))(), target).is_wrong
