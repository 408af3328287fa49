#!/usr/bin/env python3
"""A graphical model with evidence: what is wrong with this patient?

The chest clinic of Lauritzen and Spiegelhalter (1988): eight yes/no variables
and their conditional tables.  Evidence fixes some of them; the marginals of
the others are sampled and compared with the exact ones.

One table is a plain "or", with zeros in it: no single variable can change from
"tuberculosis" to "cancer" without passing through the impossible.  So Gibbs
sampling stays in one diagnosis, and the verdict says so; HiSS changes several
variables at once, through its noise, and gets across.

    python evidence.py [--samples 20000] [--plot clinic.png]
"""
import argparse

import numpy as np

import hiss

SAMPLERS = {
    "Gibbs": hiss.Gibbs(),
    "HiSS": hiss.HiSS(eta=1, inner=hiss.Gibbs()),
}
NAMES = ["visit to Asia", "tuberculosis", "smoker", "lung cancer",
         "bronchitis", "either", "X-ray", "dyspnoea"]
ASIA, TUB, SMOKE, LUNG, BRONC, EITHER, XRAY, DYSP = range(8)


def yes(p):
    """P(no), P(yes) along a last axis."""
    p = np.asarray(p, float)
    return np.stack([1 - p, p], -1)


FACTORS = [
    ((ASIA,), yes(0.01)),
    ((SMOKE,), yes(0.5)),
    ((ASIA, TUB), yes([0.01, 0.05])),
    ((SMOKE, LUNG), yes([0.01, 0.1])),
    ((SMOKE, BRONC), yes([0.3, 0.6])),
    ((TUB, LUNG, EITHER), yes([[0, 1], [1, 1]])),
    ((EITHER, XRAY), yes([0.05, 0.98])),
    ((BRONC, EITHER, DYSP), yes([[0.1, 0.7], [0.8, 0.9]])),
]


def clinic(evidence):
    model = hiss.factors([2] * 8, FACTORS, log=False)
    return model.fix(evidence)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--samples", type=int, default=20000)
    options.add_argument("--plot", help="file for the picture")
    given = options.parse_args()

    evidence = {ASIA: 1, XRAY: 1, DYSP: 1}
    model = clinic(evidence)
    truth = hiss.exact(model)
    left = [i for i in range(8) if i not in evidence]
    print("given:", ", ".join(NAMES[i] for i in evidence))
    print(f"ln P(evidence) is {truth.log_z:.6f}")
    runs = {}
    for name, sampler in SAMPLERS.items():
        run = hiss.sample(model, sampler, chains=8, samples=given.samples,
                          progress=False)
        print(f"\n{name}: {run.diagnose(blind=True).headline}")
        for i in left:
            print(f"  {NAMES[i]:14} P(yes) {run.marginal(i)[1]:.4f}, exactly "
                  f"{truth.marginal(i)[1]:.4f}")
        runs[name] = run
    if given.plot:
        plot(given.plot, left, runs, truth)


def plot(file, left, runs, truth):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6, 3), layout="constrained")
    at = np.arange(len(left))
    axis.barh(at, [truth.marginal(i)[1] for i in left], 0.8, alpha=0.3,
              label="exact")
    for name, run in runs.items():
        axis.plot([run.marginal(i)[1] for i in left], at, "o", label=name)
    axis.set_yticks(at, [NAMES[i] for i in left])
    axis.set_xlabel("P(yes)")
    figure.legend(loc="outside right upper")
    figure.savefig(file)
    print(f"{file} shows the marginals")


if __name__ == "__main__":
    main()
