#!/usr/bin/env python3
"""Effective draws per second beside NUTS: hiss against what PyMC and NumPyro
have for discrete variables themselves.

    PYTHONPATH=build/release/python python3 bench/bridges.py [pymc] [numpyro]
        [--cases 1000] [--draws 4000] [--theirs 300] [--seeds 1,2,3,4,5]
        [--modified both]

A mixture of five normal classes: weights, centres, and a label for each case.
Both begin at the same point and have the same NUTS, tuned for 300 steps; times
are of the processor, without compilation and tuning.  ESS is the smallest of
the weights, the centres and the numbers of cases in each class.  Every seed
has data of its own; what is said of all is the mean and its standard error, of
ratios that of their logarithms.  Then six cases, of which all labellings can
be summed: how far the marginals of the labels are from the truth.  Needs
arviz, and pymc or numpyro, in that interpreter.
"""
import argparse
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent
                       / "python" / "tests"))
CLASSES = 5
CENTRES = np.array([-6.0, -3.0, 0.0, 3.0, 6.0])


def data(cases, seed):
    rng = np.random.default_rng(seed)
    return rng.normal(CENTRES[rng.integers(0, CLASSES, cases)], 1.0)


def nearest(y):
    return np.abs(y[:, None] - CENTRES).argmin(1)


def least_ess(weight, centre, z):
    """Of arrays by (draw, ...)."""
    import arviz
    members = np.stack([(z == k).sum(1) for k in range(CLASSES)], axis=1)
    return min(float(arviz.ess(np.ascontiguousarray(column[None])))
               for part in (weight, centre, members)
               for column in np.asarray(part, dtype=float).T)


class Row:
    """One way to draw, over the seeds."""

    def __init__(self, name, draws, base=None):
        self.name, self.draws, self.base = name, draws, base
        self.seconds, self.ess = [], []

    def add(self, run):
        seconds, ess, z = run
        self.seconds.append(seconds)
        self.ess.append(ess)
        print(self, flush=True)
        return z

    @property
    def rate(self):
        return np.array(self.ess) / self.seconds

    def __str__(self):
        each = 1e3 * np.array(self.seconds) / self.draws
        words = f"{self.name:38} {spread(each)} ms/draw, ESS " \
                f"{spread(self.ess)} of {self.draws}, " \
                f"{spread(self.rate)} ESS/s"
        if self.base is not None:
            own = self.base
            times = own.rate[:len(self.rate)] / self.rate
            clock = np.array(self.seconds) / self.draws / (
                np.array(own.seconds[:len(self.seconds)]) / own.draws)
            words += f"; hiss has {spread(times, np.log)} times that, " \
                     f"{spread(clock, np.log)} times the draws per second"
        return words


def spread(values, scale=None):
    """Mean and standard error; on a logarithmic scale, a factor."""
    x = np.array(values) if scale is None else scale(values)
    mean = x.mean()
    error = x.std(ddof=1) / len(x) ** 0.5 if len(x) > 1 else np.nan
    if scale is None:
        return f"{mean:.3g} ± {error:.2g}"
    return f"{np.exp(mean):.3g} (times or by {np.exp(error):.2f})"


# --- PyMC ------------------------------------------------------------------

def pymc_model(y):
    import pymc as pm
    with pm.Model() as model:
        weight = pm.Dirichlet("weight", np.ones(CLASSES))
        centre = pm.Normal("centre", CENTRES, 1.0)
        z = pm.Categorical("z", weight, shape=len(y))
        pm.Normal("y", centre[z], 1.0, observed=y)
    return model


def pymc_run(model, y, labels, draws, seed=1, tune=300):
    """(processor seconds of the draws, least ESS, labels)."""
    import pymc as pm
    with model:
        nuts = pm.NUTS([model["weight"], model["centre"]], rng=seed)
        step = labels(model, seed + 100)
    point = {**model.initial_point(), "z": nearest(y)}
    seen = []
    for n in range(tune + draws):
        if n == tune:
            nuts.stop_tuning()
            began = time.process_time()
        point, _ = nuts.step(point)
        point, _ = step.step(point)
        if n >= tune:
            seen.append((point["weight_simplex__"], point["centre"],
                         point["z"]))
    seconds = time.process_time() - began
    weight, centre, z = map(np.array, zip(*seen))
    return seconds, least_ess(weight, centre, z), z


def bench_pymc(options):
    import pymc as pm
    import hiss.pymc

    def ours(model, seed):
        return hiss.pymc.HissStep([model["z"]], rng=seed)

    def theirs(model, seed):
        # Its proposal="proportional" divides by 0 where a label is certain.
        return pm.CategoricalGibbsMetropolis([model["z"]], rng=seed)

    own = Row(f"PyMC, HissStep, {options.cases} cases", options.draws)
    other = Row("  CategoricalGibbsMetropolis", options.theirs, own)
    for seed in options.seeds:
        y = data(options.cases, seed)
        model = pymc_model(y)
        own.add(pymc_run(model, y, ours, options.draws, seed))
        other.add(pymc_run(model, y, theirs, options.theirs, seed))
    from test_bridges import Y, mixture_truth, shares
    draws = 5 * options.draws
    _, ess, z = pymc_run(pymc_model(Y), Y, ours, draws)
    print(f"  {len(Y)} cases: marginals of {draws} draws within "
          f"{np.abs(shares(z) - mixture_truth()).max():.4f} of enumeration, "
          f"ESS {ess:.0f}")


# --- NumPyro ---------------------------------------------------------------

def numpyro_run(kernel, y, draws, seed=1, tune=300):
    """A loop of its own, compiled before the clock starts: MCMC.run compiles
    in every call, for seconds."""
    import jax
    from numpyro.infer import MCMC
    mcmc = MCMC(kernel, num_warmup=tune, num_samples=1, progress_bar=False)
    mcmc.warmup(jax.random.PRNGKey(seed), y)

    def step(state, _):
        state = kernel.sample(state, (y,), {})
        return state, state.z

    def walk(state):
        return jax.lax.scan(step, state, None, length=draws)

    state = mcmc.last_state
    compiled = jax.jit(walk).lower(state).compile()
    began = time.process_time()
    _, found = jax.block_until_ready(compiled(state))
    seconds = time.process_time() - began
    found = jax.vmap(kernel.postprocess_fn((y,), {}))(found)
    found = {name: np.asarray(value) for name, value in found.items()}
    return seconds, least_ess(found["weight"][:, :-1], found["centre"],
                              found["z"]), found["z"]


def bench_numpyro(options):
    from numpyro.infer import DiscreteHMCGibbs, HMCGibbs, NUTS, init_to_value
    import hiss.numpyro
    from test_bridges import Y, mixture_truth, numpyro_mixture, shares

    def nuts(y):
        return NUTS(numpyro_mixture, init_strategy=init_to_value(values={
            "centre": CENTRES, "weight": np.full(CLASSES, 1 / CLASSES),
            "z": nearest(y)}))

    def ours(y):
        gibbs = hiss.numpyro.gibbs_fn(numpyro_mixture, y)
        return HMCGibbs(nuts(y), gibbs_fn=gibbs, gibbs_sites=gibbs.sites)

    own = Row(f"NumPyro, gibbs_fn, {options.cases} cases", options.draws)
    kinds = {"both": (False, True), "yes": (True,), "no": (False,)}
    others = {modified: Row(f"  DiscreteHMCGibbs(modified={modified})",
                            options.theirs, own)
              for modified in kinds[options.modified]}
    for seed in options.seeds:
        y = data(options.cases, seed)
        own.add(numpyro_run(ours(y), y, options.draws, seed))
        for modified, row in others.items():
            row.add(numpyro_run(DiscreteHMCGibbs(nuts(y), modified=modified),
                                y, options.theirs, seed))
    draws = 5 * options.draws
    _, ess, z = numpyro_run(ours(Y), Y, draws)
    print(f"  {len(Y)} cases: marginals of {draws} draws within "
          f"{np.abs(shares(z) - mixture_truth()).max():.4f} of enumeration, "
          f"ESS {ess:.0f}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", nargs="*", default=["pymc", "numpyro"])
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--draws", type=int, default=4000)
    parser.add_argument("--theirs", type=int, default=300)
    parser.add_argument("--seeds", default="1,2,3,4,5",
                        type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--modified", default="both",
                        choices=["yes", "no", "both"])
    options = parser.parse_args()
    for name in options.what:
        {"pymc": bench_pymc, "numpyro": bench_numpyro}[name](options)


if __name__ == "__main__":
    main()
