#!/usr/bin/env python3
"""Do the PyTorch versions sample the right law?

usage: bench/peers/check.py     one line per check, exit 1 if one fails

Every kernel in both versions, against enumeration: total variation on the
four bits, energy per site on the 3 x 3 model and on a 3 x 3 periodic lattice.
Bounds are some five standard errors at these sizes, found by repetition with
other seeds.  U and gradient in closed form are compared with autograd's.
"""
import itertools
import sys

import torch

import models
from collection import Collection
from samplers import VERSIONS as PLAIN

VERSIONS = {**PLAIN, "collection": Collection}

CHAINS = 1000
failed = 0


def verdict(ok, what):
    global failed
    failed += not ok
    print(("ok     " if ok else "FAILS  ") + what)


def states_of(dim):
    return torch.tensor(list(itertools.product((0.0, 1.0), repeat=dim)))


def run(model, version, method, settings, burn, keep):
    """Draws of many chains, [keep * CHAINS, dim], from random states."""
    sampler = VERSIONS[version](
        model, torch.randint(2, (CHAINS, model.dim)).float())
    draws = []
    for n in range(burn + keep):
        getattr(sampler, method)(*settings)
        if n >= burn:
            draws.append(sampler.x)
    return torch.cat(draws)


def check_law(name, model, version, method, settings, burn, keep, bounds):
    exact = model.energy(states_of(model.dim)).double().softmax(0)
    x = run(model, version, method, settings, burn, keep)
    place = 2 ** torch.arange(model.dim - 1, -1, -1)
    share = torch.bincount(x.long() @ place, minlength=len(exact)) / len(x)
    tvd = 0.5 * (share - exact).abs().sum().item()
    u = model.energy(states_of(model.dim)).double()
    gap = ((share - exact) * u).sum().abs().item() / model.dim
    verdict(tvd < bounds[0] and gap < bounds[1],
            f"{version} {method} on {name}: TVD {tvd:.4f} (bound {bounds[0]}), "
            f"U per site off by {gap:.4f} (bound {bounds[1]})")


def check_gradients(name, model):
    x = torch.randint(2, (7, model.dim)).float().requires_grad_()
    u = model.energy(x)
    (g,) = torch.autograd.grad(u.sum(), x)
    mine, slope = model.both(x.detach())
    gap = max((u.detach() - mine).abs().max() / u.detach().abs().max(),
              (g - slope).abs().max() / g.abs().max()).item()
    verdict(gap < 1e-4, f"closed form on {name}: off by {gap:.1e} of the largest")


def main():
    torch.manual_seed(20261115)
    torch.set_num_threads(1)
    network = models.Network(torch.randn(600, 13), torch.randint(2, (600,)).float())
    small = models.Lattice(3, 0.25)
    for name, model in (("bernoulli4", models.Bernoulli()), ("ising3", models.cross()),
                        ("lattice", models.Lattice(6, 0.4)), ("network", network)):
        check_gradients(name, model)
    for version in PLAIN:
        check_law("bernoulli4", models.Bernoulli(), version, "hiss", (4, 0.2, 5, 2), 40, 60,
                  (0.02, 0.02))
        check_law("ising3", models.cross(), version, "hiss", (4, 0.2, 10, 2), 60, 40,
                  (0.06, 0.02))
        for method, settings in (("hiss", (0.7, 1.0, 2, 2)), ("dmala", (0.6, 4)), ("gwg", (9,))):
            check_law("lattice3", small, version, method, settings, 30, 60,
                      (0.06, 0.004))
    for method, settings in (("informed", (9,)), ("pas", (3, 4)), ("pafs", (2, 6)),
                             ("dlmc", (0.5, 6)), ("hamming", (4, 2, 3)), ("edlp", (2, 1.0, 8)),
                             ("chromatic", (4,)), ("jumps", (0.5, 4)), ("tgs", (0.5, 0.5, 4)),
                             ("tabu", (0.5, 6)), ("mtm", (3, 9)),
                             ("ab", (0.5, 2, 8))):
        check_law("lattice3", small, "collection", method, settings, 30, 60, (0.06, 0.004))
    check_law("lattice3", small, "collection", "smc", ([0.2, 0.5, 1], 1.0, 4), 0, 60,
              (0.06, 0.004))
    check_law("lattice3", small, "collection", "pthr", ([1.0, 1.0], 500, 1.0, 8), 30, 60,
              (0.06, 0.004))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
