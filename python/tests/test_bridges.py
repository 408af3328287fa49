"""hiss.pymc, hiss.numpyro, hiss.blackjax, hiss.pgmpy: with the real packages,
where they are installed, against laws that are computed here."""
import contextlib
import importlib.util
import itertools
import os
import pathlib
import re
import time

import numpy as np
import pytest

import hiss

# Small models: to compile them by a C compiler takes longer than to run them.
os.environ.setdefault("PYTENSOR_FLAGS", "cxx=")

CLASSES = 5
CENTRES = np.array([-6.0, -3.0, 0.0, 3.0, 6.0])
Y = np.array([-4.6, -1.4, 0.3, 1.6, 5.2, -2.8])


def mixture_truth():
    """P(z_i = k | y) of a mixture: weights Dirichlet(1), centres normal with
    deviation 1 about CENTRES, noise of deviation 1; both integrated out, all
    5^6 labellings summed."""
    from math import lgamma
    z = np.array(list(itertools.product(range(CLASSES), repeat=len(Y))))
    u = np.zeros(len(z))
    log_factorial = np.array([lgamma(n + 1.0) for n in range(len(Y) + 1)])
    for k in range(CLASSES):
        of = z == k
        n, total = of.sum(1), (of * (Y - CENTRES[k])).sum(1)
        squares = (of * (Y - CENTRES[k]) ** 2).sum(1)
        u += log_factorial[n] - 0.5 * np.log1p(n) - \
            0.5 * (squares - total ** 2 / (1 + n))
    p = np.exp(u - u.max())
    p /= p.sum()
    return np.array([[p[z[:, i] == k].sum() for k in range(CLASSES)]
                     for i in range(len(Y))])


def shares(z):
    """(coordinates, classes) of draws with the coordinates last."""
    z = np.asarray(z).reshape(-1, z.shape[-1])
    return np.array([[(z[:, i] == k).mean() for k in range(CLASSES)]
                     for i in range(z.shape[1])])


def hidden_chain():
    """Tables of a hidden Markov chain of 6 steps and 3 states."""
    rng = np.random.default_rng(4)
    return rng.dirichlet(np.ones(3), 3), np.array([-2.0, 0.0, 2.0]), \
        rng.normal(size=6) * 2


def chain_truth():
    move, centre, y = hidden_chain()
    z = np.array(list(itertools.product(range(3), repeat=6)))
    u = -0.5 * ((y - centre[z]) ** 2).sum(1) + \
        np.log(move[z[:, :-1], z[:, 1:]]).sum(1)
    p = np.exp(u - u.max())
    p /= p.sum()
    return np.array([[p[z[:, i] == k].sum() for k in range(3)]
                     for i in range(6)])


# --- PyMC ------------------------------------------------------------------

@pytest.fixture(scope="module")
def pm():
    return pytest.importorskip("pymc", reason="pymc is not installed")


def pymc_mixture(pm):
    with pm.Model() as model:
        weight = pm.Dirichlet("weight", np.ones(CLASSES))
        centre = pm.Normal("centre", CENTRES, 1.0)
        z = pm.Categorical("z", weight, shape=len(Y))
        pm.Normal("y", centre[z], 1.0, observed=Y)
    return model


def pymc_chain(pm):
    import pytensor.tensor as pt
    move, centre, y = hidden_chain()
    with pm.Model(coords={"time": list("abcdef")}) as model:
        z = pm.Categorical("z", np.ones(3) / 3, dims="time")
        pm.Potential("moves", pt.log(pt.as_tensor(move)[z[:-1], z[1:]]))
        pm.Normal("y", pt.as_tensor(centre)[z], 1.0, observed=y)
    return model


def test_a_step_method_beside_nuts(pm):
    """The smallest effective number of draws is above 400, so that 0.1 is
    four standard errors; bench/bridges has longer runs."""
    by = {"mode": "JAX"} if importlib.util.find_spec("jax") else {}
    with pymc_mixture(pm) as model:
        step = hiss.pymc.HissStep([model["z"]], compile_kwargs=by)
        assert step._conditional.layout.is_product
        trace = pm.sample(1200, tune=300, step=step, chains=1, cores=1,
                          random_seed=3, progressbar=False, compile_kwargs=by,
                          compute_convergence_checks=False)
    assert np.abs(shares(trace.posterior["z"].values)
                  - mixture_truth()).max() < 0.1
    assert (trace.sample_stats["accept"] == 1).all()


@pytest.mark.parametrize("sampler", [None, "gibbs"])
def test_a_chain_of_labels(pm, sampler):
    """Steps of a sampler of the library: tables of pairs."""
    model = pymc_chain(pm)
    step = hiss.pymc.HissStep(sampler=sampler, steps=3, model=model, rng=2)
    assert not step._conditional.layout.is_product
    point, seen = model.initial_point(), []
    for _ in range(700):
        point, stats = step.step(point)
        assert stats == [{"accept": 1.0}]
        seen.append(point["z"])
    assert np.abs(shares(np.array(seen))[:, :3] - chain_truth()).max() < 0.08
    if sampler is None:
        assert step._conditional._usual == "independent"


def test_a_model_of_labels(pm):
    trace = hiss.pymc.sample(pymc_chain(pm), samples=2000, seed=1)
    z = trace.posterior["z"]
    assert z.dims == ("chain", "draw", "time")
    assert list(z["time"].values) == list("abcdef")
    assert np.abs(shares(z.values)[:, :3] - chain_truth()).max() < 0.03
    assert "lp" in trace.sample_stats


def test_values_of_pymc(pm):
    """Variables of several kinds and shapes; values that begin elsewhere."""
    with pm.Model() as model:
        a = pm.DiscreteUniform("a", 3, 6)
        b = pm.Bernoulli("b", 0.3, shape=(2, 2))
        n = pm.Binomial("n", 4, 0.25)
        pm.Potential("joint", 0.5 * (a - 3) * b.sum())
    made = hiss.pymc.from_pymc(model)
    assert list(made.values(0)) == [3, 4, 5, 6]
    assert made.labels == ("a", "b[0,0]", "b[0,1]", "b[1,0]", "b[1,1]", "n")
    logp = model.compile_logp()
    rng = np.random.default_rng(1)
    gap = []
    for _ in range(10):
        x = [rng.integers(3, 7), *rng.integers(0, 2, 4), rng.integers(0, 5)]
        gap.append(made.log_prob(np.array(x, float)) - logp(
            {"a": x[0], "b": np.reshape(x[1:5], (2, 2)), "n": x[5]}))
    assert np.ptp(gap) < 1e-5
    trace = hiss.pymc.sample(model, "gibbs", samples=50, seed=1)
    assert trace.posterior["b"].shape == (4, 50, 2, 2)
    assert trace.posterior["a"].shape == (4, 50)
    assert 3 <= trace.posterior["a"].min() <= trace.posterior["a"].max() <= 6
    with model:
        assert hiss.pymc.HissStep([a, b, n]).step(model.initial_point())


def test_faults_of_pymc(pm):
    with pm.Model() as model:
        rate = pm.Exponential("rate", 1.0)
        count = pm.Poisson("count", rate)
        few = pm.Truncated("few", pm.Poisson.dist(2.0), upper=3)
    with pytest.raises(ValueError, match="'count' is Poisson.*bounds="):
        hiss.pymc.HissStep([count], model=model)
    with pytest.raises(ValueError, match="'rate' is not discrete"):
        hiss.pymc.HissStep([rate], model=model)
    with pytest.raises(ValueError, match="continuous: give it a value"):
        hiss.pymc.sample(model)
    with pytest.raises(ValueError, match="replica|states per chain"):
        hiss.pymc.HissStep([few], "pt", model=model, bounds={"few": (0, 3)})
    step = hiss.pymc.HissStep([few], model=model, bounds={"few": (0, 3)},
                              rng=1)
    point, seen = {**model.initial_point(), "few": np.array(1)}, []
    for _ in range(600):
        point, _ = step.step(point)
        seen.append(int(point["few"]))
    p = np.array([1, 2, 2, 4 / 3])
    assert np.abs(np.bincount(seen, minlength=4) / 600
                  - p / p.sum()).max() < 0.08


# --- NumPyro ---------------------------------------------------------------

@pytest.fixture(scope="module")
def numpyro():
    return pytest.importorskip("numpyro", reason="numpyro is not installed")


def numpyro_mixture(y):
    import jax.numpy as jnp
    import numpyro
    from numpyro import distributions as dist
    weight = numpyro.sample("weight", dist.Dirichlet(jnp.ones(CLASSES)))
    centre = numpyro.sample("centre", dist.Normal(CENTRES, 1.0))
    with numpyro.plate("cases", len(y)):
        z = numpyro.sample("z", dist.Categorical(weight))
        numpyro.sample("y", dist.Normal(centre[z], 1.0), obs=y)


def numpyro_chain(y):
    import jax.numpy as jnp
    import numpyro
    from numpyro import distributions as dist
    move, centre, _ = hidden_chain()
    with numpyro.plate("time", len(y)):
        z = numpyro.sample("z", dist.Categorical(jnp.ones(3) / 3))
        numpyro.sample("y", dist.Normal(jnp.asarray(centre)[z], 1.0), obs=y)
    numpyro.factor("moves", jnp.log(jnp.asarray(move))[z[:-1], z[1:]])


def test_a_gibbs_fn(numpyro):
    import jax
    from numpyro.infer import HMCGibbs, MCMC, NUTS
    gibbs = hiss.numpyro.gibbs_fn(numpyro_mixture, Y)
    assert gibbs.sites == ["z"]
    mcmc = MCMC(HMCGibbs(NUTS(numpyro_mixture), gibbs_fn=gibbs,
                         gibbs_sites=gibbs.sites),
                num_warmup=200, num_samples=1200, progress_bar=False)
    mcmc.run(jax.random.PRNGKey(1), Y)
    assert np.abs(shares(np.asarray(mcmc.get_samples()["z"]))
                  - mixture_truth()).max() < 0.1


def test_from_numpyro(numpyro):
    _, _, y = hidden_chain()
    model = hiss.numpyro.from_numpyro(numpyro_chain, y)
    assert model.labels[:2] == ("z[0]", "z[1]")
    truth = hiss.exact(model)
    assert np.allclose([truth.marginal(i) for i in range(6)], chain_truth(),
                       atol=1e-5)
    assert hiss.sample(model, samples=10)["z"].shape == (4, 10, 6)
    weight, centre = np.ones(CLASSES) / CLASSES, CENTRES
    given = hiss.numpyro.from_numpyro(
        numpyro_mixture, Y, given={"weight": weight, "centre": centre})
    p = np.exp(-0.5 * (Y[:, None] - CENTRES) ** 2)
    p /= p.sum(1, keepdims=True)
    truth = hiss.exact(given)
    assert np.allclose([truth.marginal(i) for i in range(6)], p, atol=1e-5)
    with pytest.raises(ValueError, match="'weight' is continuous"):
        hiss.numpyro.from_numpyro(numpyro_mixture, Y)
    with pytest.raises(ValueError, match="sites has 'q'"):
        hiss.numpyro.gibbs_fn(numpyro_mixture, Y, sites=["q"])


# --- blackjax --------------------------------------------------------------

@pytest.fixture(scope="module")
def blackjax():
    return pytest.importorskip("blackjax", reason="blackjax is not installed")


@pytest.mark.parametrize("sampler", [None, "gibbs"])
def test_a_kernel_of_blackjax(blackjax, sampler):
    import jax
    import jax.numpy as jnp
    move, centre, y = map(jnp.asarray, hidden_chain())

    def terms(z):
        return jnp.concatenate([-0.5 * (y - centre[z]) ** 2,
                                jnp.log(move)[z[:-1], z[1:]]])

    start = jnp.zeros(6, int)
    kernel = hiss.blackjax.kernel(terms, 3, start, sampler=sampler)
    assert isinstance(kernel, blackjax.SamplingAlgorithm)

    def one(state, key):
        state, info = kernel.step(key, state)
        return state, (state.position, info.acceptance_rate)

    last, (seen, accept) = jax.lax.scan(
        one, kernel.init(start), jax.random.split(jax.random.PRNGKey(1), 700))
    assert np.abs(shares(np.asarray(seen))[:, :3] - chain_truth()).max() < 0.08
    assert np.asarray(accept).min() > 0.999
    assert float(last.logdensity) == pytest.approx(
        float(terms(last.position).sum()), abs=1e-4)


def test_what_is_given_may_change(blackjax):
    """Beside another kernel; a tree of arrays."""
    import jax
    import jax.numpy as jnp

    def density(position, field):
        return field * jnp.concatenate([position["a"],
                                        jnp.ravel(position["b"])])

    start = {"a": jnp.zeros(3, int), "b": jnp.zeros((2, 2), int)}
    kernel = hiss.blackjax.kernel(density, {"a": 2, "b": 3}, start, 1.0)
    state, step = kernel.init(start), jax.jit(kernel.step)
    for field in (-100.0, 100.0):
        state, info = step(jax.random.PRNGKey(3), state, field)
        full = field > 0
        assert (state.position["a"] == full).all()
        assert (state.position["b"] == 2 * full).all()
    assert info.is_moved


def test_a_function_of_all_coordinates(blackjax):
    import jax
    import jax.numpy as jnp
    start = jnp.zeros(20, int)
    kernel = hiss.blackjax.kernel(lambda x: -0.5 * (x.sum() - 6.0) ** 2, 2,
                                  start)
    state, seen = kernel.init(start), []
    for key in jax.random.split(jax.random.PRNGKey(1), 40):
        state, _ = kernel.step(key, state)
        seen.append(int(state.position.sum()))
    assert np.mean(seen[5:]) == pytest.approx(6.66, abs=0.8)
    with pytest.raises(ValueError, match="array of terms"):
        jax.jit(kernel.step)(key, state)


# --- ln Z ------------------------------------------------------------------

def test_log_z_is_that_of_pymc():
    """Of all terms, those that no label changes included."""
    pm = pytest.importorskip("pymc", reason="pymc is not installed")
    y = np.array([0.0, 1.5, 1.0])
    with pm.Model() as model:
        centre = pm.Normal("centre", 0.0, 1.0)
        b = pm.Bernoulli("b", 0.5, shape=3)
        pm.Normal("y", centre + b, 1.0, observed=y)
        pm.Normal("apart", 0.0, 1.0, observed=0.7)
        pm.Potential("all", -0.3 * (b.sum() - 1) ** 2)
    log_prob = model.compile_logp()
    truth = np.logaddexp.reduce([
        float(log_prob({"centre": 0.3, "b": np.array(x)}))
        for x in itertools.product([0, 1], repeat=3)])
    made = hiss.pymc.from_pymc(model, given={"centre": 0.3})
    assert hiss.exact(made).log_z == pytest.approx(truth, abs=1e-9)


def test_log_z_is_that_of_numpyro():
    """And events are sums of terms of their elements, 60 of them here."""
    pytest.importorskip("numpyro", reason="numpyro is not installed")
    import jax.numpy as jnp
    import numpyro
    from numpyro import distributions as dist
    y = np.linspace(-1, 3, 60)

    def model():
        with numpyro.handlers.scale(scale=2.0):
            z = numpyro.sample("z", dist.Bernoulli(0.3).expand([60])
                               .to_event(1))
        numpyro.sample("y", dist.Normal(2.0 * z, 1.0).to_event(1),
                       obs=jnp.asarray(y))
        numpyro.sample("apart", dist.Normal(0.0, 1.0), obs=0.7)

    def normal(x):
        return -0.5 * x ** 2 - 0.5 * np.log(2 * np.pi)

    truth = np.logaddexp(2 * np.log(0.7) + normal(y),
                         2 * np.log(0.3) + normal(y - 2)).sum() + normal(0.7)
    found = hiss.exact(hiss.numpyro.from_numpyro(model))
    assert found.log_z == pytest.approx(truth, abs=1e-3)  # of floats


# --- pgmpy -----------------------------------------------------------------

@pytest.fixture(scope="module")
def pgmpy():
    return pytest.importorskip("pgmpy", reason="pgmpy is not installed")


def network_of(parents, tables):
    """{node: parents}, {node: columns of probabilities} and states."""
    from pgmpy.factors.discrete import TabularCPD
    try:
        from pgmpy.models import DiscreteBayesianNetwork as Network
    except ImportError:  # before 1.0
        from pgmpy.models import BayesianNetwork as Network
    network = Network([(p, node) for node, of in parents.items() for p in of])
    network.add_nodes_from(parents)
    size = {node: len(table) for node, table in tables.items()}
    for node, of in parents.items():
        network.add_cpds(TabularCPD(
            node, size[node], tables[node], of, [size[p] for p in of],
            state_names={name: [f"s{k}" for k in range(size[name])]
                         for name in [node, *of]}))
    assert network.check_model()
    return network


def asia():
    """Of Lauritzen and Spiegelhalter, 1988; s0 is yes."""
    parents = {"asia": [], "smoke": [], "tub": ["asia"], "lung": ["smoke"],
               "bronc": ["smoke"], "either": ["lung", "tub"],
               "xray": ["either"], "dysp": ["bronc", "either"]}
    yes = {"asia": [0.01], "smoke": [0.5], "tub": [0.05, 0.01],
           "lung": [0.1, 0.01], "bronc": [0.6, 0.3], "either": [1, 1, 1, 0],
           "xray": [0.98, 0.05], "dysp": [0.9, 0.8, 0.7, 0.1]}
    return network_of(parents, {node: [p, [1 - q for q in p]]
                                for node, p in yes.items()})


def like_alarm():
    """37 variables of 2 to 4 states, as many edges as ALARM, 46 or so."""
    rng = np.random.default_rng(7)
    parents, states = {}, {}
    for i in range(37):
        before = [f"v{j}" for j in range(max(0, i - 8), i)]
        count = min(len(before), int(rng.choice([0, 1, 2, 3],
                                                p=[0.2, 0.45, 0.25, 0.1])))
        parents[f"v{i}"] = list(rng.choice(before, count, replace=False)) \
            if count else []
        states[f"v{i}"] = int(rng.integers(2, 5))
    return network_of(parents, {node: rng.dirichlet(
        np.full(states[node], 0.6),
        int(np.prod([states[p] for p in of]))).T
        for node, of in parents.items()})


def theirs(network, names, evidence):
    from pgmpy.inference import VariableElimination
    engine = VariableElimination(network)
    return {name: engine.query([name], evidence=evidence, show_progress=False)
            for name in names}


@pytest.mark.parametrize("make, evidence", [
    (asia, {}), (asia, {"dysp": "s0", "asia": "s0"}),
    (like_alarm, {"v30": "s0", "v20": "s1", "v36": "s1"})])
def test_networks_with_evidence(pgmpy, make, evidence):
    """Exact, and by draws (without elimination) within 0.005."""
    network = make()
    began = time.perf_counter()
    answer = hiss.pgmpy.query(network, evidence=evidence)
    assert time.perf_counter() - began < 5
    assert answer.method in ("enumeration", "elimination", "counting")
    assert answer.diagnosis is None and not set(answer) & set(evidence)
    expected = theirs(network, answer, evidence)
    for name, marginal in answer.items():
        for state, p in marginal.items():
            assert p == pytest.approx(
                expected[name].get_value(**{name: state}), abs=1e-9)
    assert answer.factor("v1" if "v1" in answer else "lung").values.sum() == \
        pytest.approx(1)


def test_networks_by_draws(pgmpy):
    network, evidence = asia(), {"dysp": "s0", "asia": "s0"}
    answer = hiss.pgmpy.query(network, evidence=evidence, exact_seconds=0,
                              seed=2)
    assert answer.method == "sampling" and answer.diagnosis
    for name, one in theirs(network, answer, evidence).items():
        for state, p in answer[name].items():
            assert p == pytest.approx(one.get_value(**{name: state}),
                                      abs=0.005)
    assert answer.run["lung"].shape == (16, 1000)
    assert answer.run.marginal("lung").tolist() == \
        list(answer["lung"].values())
    short = hiss.pgmpy.query(network, exact_seconds=0, samples=50)
    assert short.run.info.thin == 1 and short.run.info.samples == 50


def test_networks_as_models(pgmpy):
    truth = hiss.exact(asia())
    assert truth.marginal("lung")[0] == pytest.approx(0.055)
    one = hiss.pgmpy.query(asia(), "lung")
    assert list(one) == ["lung"]
    with pytest.raises(KeyError, match="'bug', expected one of x, or a label"):
        hiss.sample(asia(), "gibbs", samples=5)["bug"]
    with pytest.raises(KeyError, match="'bug', expected a number or a label"):
        truth.marginal("bug")


def test_markov_networks(pgmpy):
    from pgmpy.factors.discrete import DiscreteFactor
    try:
        from pgmpy.models import DiscreteMarkovNetwork as Network
    except ImportError:  # before 1.0
        from pgmpy.models import MarkovNetwork as Network
    rng = np.random.default_rng(2)
    edges = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    network = Network(edges)
    network.add_factors(*[DiscreteFactor(edge, [2, 2], rng.random(4))
                          for edge in edges])
    soft = DiscreteFactor(["b"], [2], [0.2, 0.8])
    answer = hiss.pgmpy.query(network, ["a", "c"], {"d": 1},
                              virtual_evidence=[soft])
    joined = network.copy()
    joined.add_factors(soft)
    for name, one in theirs(joined, ["a", "c"], {"d": 1}).items():
        assert np.allclose(list(answer[name].values()),
                           one.values / one.values.sum())
    model = hiss.pgmpy.from_pgmpy(network, {"d": 1})
    assert set(model.labels) == set("abcd")
    for call, words in (
            (lambda: hiss.pgmpy.query(network, evidence={"d": 7}), "has 7"),
            (lambda: hiss.pgmpy.query(network, evidence={"q": 0}), "'q'"),
            (lambda: hiss.pgmpy.query(network, ["q"]), "'q'")):
        with pytest.raises(ValueError, match=words):
            call()
    with pytest.raises(TypeError, match="network is a int"):
        hiss.pgmpy.query(3)


# --- the page --------------------------------------------------------------

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "bridges.md"


def quickly(package):
    """PyTensor's functions by JAX, if it is there."""
    if package != "pymc" or importlib.util.find_spec("jax") is None:
        return contextlib.nullcontext()
    import pytensor
    return pytensor.config.change_flags(mode="JAX")


@pytest.mark.parametrize("package", ["pymc", "numpyro", "blackjax", "pgmpy"])
def test_the_examples_of_the_page(package):
    """docs/bridges.md: what it shows runs, and what it claims holds."""
    pytest.importorskip(package, reason=f"{package} is not installed")
    blocks = re.findall(r"<!-- needs: (\w+) -->\n```python\n(.*?)```",
                        PAGE.read_text(encoding="utf-8"), re.DOTALL)
    code = "\n".join(text for name, text in blocks if name == package)
    assert code
    with quickly(package):
        exec(compile(code, f"bridges.md: {package}", "exec"), {})
