"""What is asked of a bridge by mistake gets an answer that names it."""
import os

import numpy as np
import pytest

import hiss

os.environ.setdefault("PYTENSOR_FLAGS", "cxx=")


def refuses(kind, words, call, *arguments, **more):
    with pytest.raises(kind, match=words):
        call(*arguments, **more)


# --- PyMC ------------------------------------------------------------------

@pytest.fixture
def pm():
    return pytest.importorskip("pymc", reason="pymc is not installed")


@pytest.fixture
def mixture(pm):
    with pm.Model() as model:
        centre = pm.Normal("centre", [-3.0, 3.0], 1.0)
        z = pm.Categorical("z", [0.5, 0.5], shape=3)
        pm.Normal("y", centre[z], 1.0, observed=[-3.0, 0.0, 3.0])
        pm.Poisson("k", 3.0)
    return model


def test_variables_that_are_none_of_pymc(pm, mixture):
    def step(*arguments, **more):
        with mixture:
            return hiss.pymc.HissStep(*arguments, **more)

    refuses(ValueError, "'centre' is not discrete", step, [mixture["centre"]])
    refuses(ValueError, "'y' is observed", step, [mixture["y"]])
    refuses(TypeError, r"'z', expected variables .* model\['z'\]", step, ["z"])
    refuses(TypeError, "vars has 3", step, [3])
    refuses(ValueError, "No free", step, [])  # PyMC's words
    refuses(ValueError, "bounds has 'l'.* centre, z, k", step,
            [mixture["k"]], bounds={"l": (0, 9)})
    refuses(ValueError, "expected .least, greatest", step, [mixture["k"]],
            bounds={"k": (9, 0)})
    refuses(ValueError, "steps is 0", step, [mixture["z"]], steps=0)
    refuses(TypeError, "model is a int", hiss.pymc.sample, 3)
    refuses(TypeError, "draws of pm.sample is called samples", hiss.pymc.sample,
            mixture, draws=100)
    refuses(ValueError, "continuous: give it a value", hiss.sample, mixture)


@pytest.mark.parametrize("datum, words", [
    (np.inf, "is -inf whatever"), (np.nan, "is NaN")])
def test_data_of_pymc_that_are_no_numbers(pm, datum, words):
    with pm.Model() as model:
        z = pm.Categorical("z", np.ones(3) / 3, shape=3)
        pm.Potential("p", -(z - np.array([0.0, datum, 2.0])) ** 2)
        step = hiss.pymc.HissStep([z])
    refuses(hiss.NumericError, words, step.step, model.initial_point())
    refuses(hiss.NumericError, words, hiss.pymc.sample, model, samples=5)


def test_labels_of_pymc_without_a_value(pm):
    with pm.Model() as model:
        z = pm.Categorical("z", np.ones(3) / 3, shape=2)
        pm.Potential("p", pm.math.where(z < 5 * np.arange(2), 0.0, -np.inf))
        step = hiss.pymc.HissStep([z])
    refuses(hiss.NumericError, "-inf whatever|probability 0", step.step,
            model.initial_point())


# --- NumPyro ---------------------------------------------------------------

@pytest.fixture
def labels():
    pytest.importorskip("numpyro", reason="numpyro is not installed")
    import jax.numpy as jnp
    import numpyro
    from numpyro import distributions as dist

    def model(y):
        centre = numpyro.sample("centre", dist.Normal(jnp.zeros(2), 1.0))
        with numpyro.plate("cases", len(y)):
            z = numpyro.sample("z", dist.Categorical(jnp.ones(2) / 2))
            numpyro.sample("y", dist.Normal(centre[z], 1.0), obs=y)
    return model


def test_sites_and_data_of_numpyro(labels):
    y, here = np.array([-1.0, 1.0]), {"centre": [-1.0, 1.0]}
    bad = np.array([-1.0, np.nan])
    gibbs_fn, made = hiss.numpyro.gibbs_fn, hiss.numpyro.from_numpyro
    refuses(TypeError, "model is a int", gibbs_fn, 3, y)
    refuses(ValueError, "steps is 0", gibbs_fn, labels, y, steps=0)
    refuses(ValueError, "given has 'q', expected one of centre, z", made,
            labels, y, given={**here, "q": 1})
    refuses(ValueError, "sites has 'zz', expected one of centre, z", gibbs_fn,
            labels, y, sites="zz")
    refuses(TypeError, "hiss.numpyro.from_numpyro", hiss.sample, labels)
    # NumPyro makes -inf of it, and warns; HMCGibbs then finds no start.
    with pytest.warns(UserWarning, match="support"):
        refuses(hiss.NumericError, "is (NaN|-inf whatever)", made, labels, bad,
                given=here)


def test_a_plate_of_numpyro_with_a_subsample(labels):
    import numpyro
    from numpyro import distributions as dist

    def model(y):
        with numpyro.plate("cases", 4, subsample_size=2):
            numpyro.sample("z", dist.Bernoulli(0.5))

    refuses(ValueError, "plate 'cases' has a subsample of 2 of 4",
            hiss.numpyro.gibbs_fn, model, 0)


# --- blackjax --------------------------------------------------------------

def test_positions_of_blackjax():
    pytest.importorskip("blackjax", reason="blackjax is not installed")
    import jax.numpy as jnp
    kernel, start = hiss.blackjax.kernel, jnp.zeros(4, int)

    def terms(x):
        return 0.5 * x

    refuses(TypeError, "logdensity_fn is a int", kernel, 4, 3, start)
    refuses(TypeError, "dtype float", kernel, terms, 3, jnp.zeros(4))
    refuses(ValueError, "has 7 at coordinate 0, expected 0 to 2", kernel,
            terms, 3, start + 7)
    refuses(ValueError, "states has shape .2,.*expected a number or .4,",
            kernel, terms, jnp.array([3, 3]), start)
    refuses(hiss.NumericError, "is NaN", kernel, lambda x: jnp.log(-1.0 - x),
            3, start)
    refuses(ValueError, "states has 0", kernel, terms, 0, start)
    made = kernel(lambda x: x, 3, start)  # whole numbers are terms, too
    refuses(ValueError, "has 9 at coordinate", made.init, start + 9)
    refuses(ValueError, "has 2 coordinates, expected 4", made.init, start[:2])


# --- pgmpy -----------------------------------------------------------------

def test_evidence_of_pgmpy():
    pytest.importorskip("pgmpy", reason="pgmpy is not installed")
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork
    network = DiscreteBayesianNetwork([("a", "b")])
    network.add_cpds(TabularCPD("a", 2, [[0.5], [0.5]]),
                     TabularCPD("b", 2, [[0.9, 0.2], [0.1, 0.8]], ["a"], [2]))
    refuses(TypeError, "evidence is a list, expected a dict",
            hiss.pgmpy.query, network, evidence=["b"])
    refuses(TypeError, "no argument 'evidnce'",
            hiss.pgmpy.query, network, evidnce={"b": 1})
    network.get_cpds("b").values[:, 0] = 1, 0  # b is 0 where a is
    refuses(hiss.InfeasibleError,
            "evidence has probability 0: {'a': 0, 'b': 1}",
            hiss.pgmpy.query, network, evidence={"a": 0, "b": 1})


# --- dimod -----------------------------------------------------------------

def test_models_of_dimod():
    dimod = pytest.importorskip("dimod", reason="dimod is not installed")
    refuses(TypeError, "ConstrainedQuadraticModel, which sample_cqm takes",
            hiss.HissSampler().sample, dimod.ConstrainedQuadraticModel())
    refuses(TypeError, "bqm is a dict, expected",
            hiss.HissSampler().sample, {("a", "b"): 1})


# --- functions -------------------------------------------------------------

def test_shapes_of_functions():
    def draw(log_prob):
        return hiss.sample(hiss.from_function(log_prob, 3), "gibbs", samples=2)

    refuses(ValueError, r"shape \(16, 1\), expected \(16,\): take \[:, 0\]",
            draw, lambda x: x.sum(1, keepdims=True))
    refuses(ValueError, "shape .., expected .16,.: it is called with all",
            draw, lambda x: x.sum())


def test_torch_without_a_gradient():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    model = hiss.from_torch(lambda x: x.sum(1).detach(), 3)
    refuses(ValueError, "without a gradient", hiss.sample, model, "dmala",
            samples=2)
    with torch.inference_mode():
        model = hiss.from_torch(lambda x: x.sum(1), 3)
        refuses(ValueError, "inference_mode", hiss.sample, model, "dmala",
                samples=2)
