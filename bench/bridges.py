#!/usr/bin/env python3
"""Effective draws per second beside NUTS: hiss against what PyMC and NumPyro
have for discrete variables themselves.

    PYTHONPATH=build/release/python python3 bench/bridges.py [pymc] [numpyro]
        [--cases 1000] [--draws 2000] [--theirs 1000]

A mixture of five normal classes: weights, centres, and a label for each case.
Both begin at the same point and have the same NUTS; times are of the
processor, without compilation and tuning.  ESS is the smallest of the weights,
the centres and the numbers of cases in each class.  Then six cases, of which
all labellings can be summed: how far the marginals of the labels are from the
truth.  Needs arviz, and pymc or numpyro, in that interpreter.
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


def data(cases):
    rng = np.random.default_rng(1)
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


def report(name, seconds, draws, ess, base=None):
    rate = ess / seconds
    ratio = "" if base is None else f"  hiss has {base / rate:6.1f} times that"
    print(f"{name:44} {1e3 * seconds / draws:8.2f} ms/draw  ESS {ess:6.1f} of "
          f"{draws:5}  {rate:9.2f} ESS/s{ratio}", flush=True)
    return rate


# --- PyMC ------------------------------------------------------------------

def pymc_model(y):
    import pymc as pm
    with pm.Model() as model:
        weight = pm.Dirichlet("weight", np.ones(CLASSES))
        centre = pm.Normal("centre", CENTRES, 1.0)
        z = pm.Categorical("z", weight, shape=len(y))
        pm.Normal("y", centre[z], 1.0, observed=y)
    return model


def pymc_run(model, y, labels, draws, tune=300):
    """(processor seconds of the draws, least ESS, labels)."""
    import pymc as pm
    with model:
        nuts = pm.NUTS([model["weight"], model["centre"]], rng=1)
        step = labels(model)
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
    y = data(options.cases)
    model = pymc_model(y)

    def ours(model):
        return hiss.pymc.HissStep([model["z"]], rng=2)

    seconds, ess, _ = pymc_run(model, y, ours, options.draws)
    base = report(f"PyMC, NUTS + HissStep, {len(y)} cases", seconds,
                  options.draws, ess)
    # Its proposal="proportional" divides by 0 where a label is certain.
    seconds, ess, _ = pymc_run(
        model, y, lambda model: pm.CategoricalGibbsMetropolis(
            [model["z"]], rng=2), options.theirs)
    report("  CategoricalGibbsMetropolis", seconds, options.theirs, ess, base)
    from test_bridges import Y, mixture_truth, shares
    draws = 5 * options.draws
    _, ess, z = pymc_run(pymc_model(Y), Y, ours, draws)
    print(f"  {len(Y)} cases: marginals of {draws} draws within "
          f"{np.abs(shares(z) - mixture_truth()).max():.4f} of enumeration, "
          f"ESS {ess:.0f}")


# --- NumPyro ---------------------------------------------------------------

def numpyro_run(kernel, y, draws, tune=300):
    import jax
    from numpyro.infer import MCMC
    mcmc = MCMC(kernel, num_warmup=tune, num_samples=draws,
                progress_bar=False)
    mcmc.run(jax.random.PRNGKey(1), y)  # compiles, and tunes
    mcmc.post_warmup_state = mcmc.last_state
    began = time.process_time()
    mcmc.run(jax.random.PRNGKey(2), y)
    found = {name: np.asarray(value)
             for name, value in mcmc.get_samples().items()}
    seconds = time.process_time() - began
    return seconds, least_ess(found["weight"][:, :-1], found["centre"],
                              found["z"]), found["z"]


def bench_numpyro(options):
    from numpyro.infer import DiscreteHMCGibbs, HMCGibbs, NUTS, init_to_value
    import hiss.numpyro
    from test_bridges import Y, mixture_truth, numpyro_mixture, shares
    y = data(options.cases)

    def nuts(y):
        return NUTS(numpyro_mixture, init_strategy=init_to_value(values={
            "centre": CENTRES, "weight": np.full(CLASSES, 1 / CLASSES),
            "z": nearest(y)}))

    def ours(y):
        gibbs = hiss.numpyro.gibbs_fn(numpyro_mixture, y)
        return HMCGibbs(nuts(y), gibbs_fn=gibbs, gibbs_sites=gibbs.sites)

    seconds, ess, _ = numpyro_run(ours(y), y, options.draws)
    base = report(f"NumPyro, HMCGibbs with gibbs_fn, {len(y)} cases", seconds,
                  options.draws, ess)
    for modified in (False, True):
        seconds, ess, _ = numpyro_run(
            DiscreteHMCGibbs(nuts(y), modified=modified), y, options.theirs)
        report(f"  DiscreteHMCGibbs(modified={modified})", seconds,
               options.theirs, ess, base)
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
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--theirs", type=int, default=1000)
    options = parser.parse_args()
    for name in options.what:
        {"pymc": bench_pymc, "numpyro": bench_numpyro}[name](options)


if __name__ == "__main__":
    main()
