#!/usr/bin/env python3
"""A restricted Boltzmann machine of 784 x 500 trained by persistent chains:
hiss.train against a straightforward torch PCD, and ln Z against an annealed
importance sampling of numpy that shares nothing with hiss.

    PYTHONPATH=build/release/python python3 bench/train.py [--steps 600]
        [--levels 16] [--tempered 64] [--chains 128] [--betas 3000]
        [--walkers 64] [--gibbs 1] [--out FILE]

Data are made here: ten random prototypes of 784 bits, 5 % of the bits
flipped.  Trainings begin with the same weights and the data's means and have
the same batches, rate (a third of it for the last third of the steps) and
momentum; by tempering there are fewer chains, with so many levels.  A chain is
in a mode if it is within 10 % of the bits of its prototype.  Times are of the
processor and of the wall, without imports.
"""
import argparse
import time

import numpy as np

import hiss

VISIBLE, MODES, FLIPPED = 784, 10, 0.05


def make_data(count, seed=1):
    rng = np.random.default_rng(seed)
    prototypes = rng.random((MODES, VISIBLE)) < 0.3
    which = rng.integers(0, MODES, count)
    return prototypes, prototypes[which] ^ (
        rng.random((count, VISIBLE)) < FLIPPED)


def in_modes(states, prototypes):
    """How many of the states are in each mode."""
    apart = (np.asarray(states)[:, None] != prototypes).sum(2)
    near = apart.min(1) < 0.1 * VISIBLE
    return np.bincount(apart.argmin(1)[near], minlength=MODES)


def source_likelihood(data, prototypes):
    """Mean ln p of the data under what made them."""
    apart = (data[:, None] != prototypes).sum(2)
    u = apart * np.log(FLIPPED) + (VISIBLE - apart) * np.log1p(-FLIPPED)
    return float(np.mean(np.logaddexp.reduce(u, axis=1) - np.log(MODES)))


class Clock:
    def __enter__(self):
        self.cpu, self.wall = time.process_time(), time.perf_counter()
        return self

    def __exit__(self, *_):
        self.cpu = time.process_time() - self.cpu
        self.wall = time.perf_counter() - self.wall


# --- annealed importance sampling, by numpy alone --------------------------

def sigmoid(a):
    return 1 / (1 + np.exp(-a))


def numpy_ais(W, b, c, base, betas, chains, seed=7):
    """(ln Z, its standard error): the joint law of v and h at each beta
    [Salakhutdinov & Murray 2008]."""
    rng = np.random.default_rng(seed)
    v = (rng.random((chains, len(b))) < sigmoid(base)).astype(np.float32)
    weight = np.zeros(chains)

    def u(a, v, beta):
        return np.logaddexp(0, beta * a).sum(1) + \
            v @ (beta * b + (1 - beta) * base)

    for before, beta in zip(betas[:-1], betas[1:]):
        a = v @ W + c
        weight += u(a, v, beta) - u(a, v, before)
        h = (rng.random(a.shape) < sigmoid(beta * a)).astype(np.float32)
        v = (rng.random(v.shape) < sigmoid(
            beta * (h @ W.T + b) + (1 - beta) * base)).astype(np.float32)
    top = weight.max()
    w = np.exp(weight - top)
    z = top + np.log(w.mean()) + np.logaddexp(0, base).sum() + \
        len(c) * np.log(2)
    return z, w.std(ddof=1) / w.mean() / np.sqrt(chains)


# --- both trainings --------------------------------------------------------

def slower(options):
    """(steps, rate): a third of the rate for the last third."""
    last = options.steps // 3
    return (options.steps - last, options.rate), (last, options.rate / 3)


def by_hiss(options, data, sampler, chains, centre):
    model = hiss.train.RBM(VISIBLE, options.hidden)
    model.b[:] = hiss.train.independent(model, data)
    with Clock() as clock:
        run = hiss.train.Training(
            model, data, sampler, chains=chains, batch=options.batch,
            optimizer=hiss.train.SGD(options.rate, options.momentum),
            steps=options.gibbs, centre=centre, track=0,
            threads=options.threads)
        for steps, run.optimizer.rate in slower(options):
            run.fit(steps)
    return run, clock


def by_torch(options, data):
    """Persistent contrastive divergence as tutorials have it."""
    import torch
    if options.threads:
        torch.set_num_threads(options.threads)
    first = hiss.train.RBM(VISIBLE, options.hidden)
    W = torch.nn.Parameter(torch.from_numpy(first.W.copy()))
    b = torch.nn.Parameter(torch.from_numpy(
        hiss.train.independent(first, data).astype(np.float32)))
    c = torch.nn.Parameter(torch.zeros(options.hidden))
    rows = torch.from_numpy(data.astype(np.float32))
    torch.manual_seed(1)
    v = torch.bernoulli(torch.full((options.chains, VISIBLE), 0.5))
    optimizer = torch.optim.SGD([W, b, c], options.rate, options.momentum)

    def u(v):
        return v @ b + torch.nn.functional.softplus(v @ W + c).sum(1)

    with Clock() as clock:
        for step in range(options.steps):
            if step == slower(options)[0][0]:
                optimizer.param_groups[0]["lr"] = options.rate / 3
            each = len(rows) // options.batch
            if step % each == 0:
                order = torch.randperm(len(rows))
            at = step % each * options.batch
            batch = rows[order[at:at + options.batch]]
            with torch.no_grad():
                for _ in range(options.gibbs):
                    h = torch.bernoulli(torch.sigmoid(v @ W + c))
                    v = torch.bernoulli(torch.sigmoid(h @ W.t() + b))
            loss = u(v).mean() - u(batch).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    model = hiss.train.RBM(*(x.detach().numpy() for x in (W, b, c)))
    return model, v.numpy(), clock


# --- what came of it -------------------------------------------------------

def report(options, name, model, states, clock, data, prototypes):
    found = in_modes(states, prototypes)
    print(f"{name}: {1e3 * clock.cpu / options.steps:.1f} ms of the processor"
          f" a step, {1e3 * clock.wall / options.steps:.1f} ms of the wall; "
          f"in all {clock.cpu:.1f} s and {clock.wall:.1f} s")
    print(f"  chains in modes: {' '.join(map(str, found))}; "
          f"{(found > 0).sum()} of {MODES}, {len(states) - found.sum()} "
          f"elsewhere", flush=True)
    base = hiss.train.independent(model, data)
    with Clock() as ours:
        betas = hiss.train.even_betas(model, base=base, betas=options.betas,
                                      threads=options.threads)
        z = hiss.train.log_z(model, base=base, betas=betas,
                             chains=options.walkers, threads=options.threads)
    print(f"  ln Z {z.value:.2f} ± {z.error:.2f} by hiss.train.log_z, "
          f"{ours.cpu:.0f} s of the processor, weights worth {z.ess:.0f} of "
          f"{options.walkers}", flush=True)
    with Clock() as theirs:
        other, error = numpy_ais(model.W, model.b, model.c, base, betas,
                                 options.walkers)
    apart = abs(z.value - other) / np.hypot(z.error, error)
    print(f"  ln Z {other:.2f} ± {error:.2f} by numpy, {theirs.cpu:.0f} s: "
          f"{apart:.1f} standard errors apart")
    print(f"  mean ln p of the data "
          f"{model.log_prob(data).mean() - z.value:.2f} ± {z.error:.2f}; "
          f"what made them has {source_likelihood(data, prototypes):.2f}",
          flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name, value in (("steps", 600), ("hidden", 500), ("data", 5000),
                        ("chains", 128), ("batch", 128), ("betas", 3000),
                        ("walkers", 64), ("gibbs", 1), ("levels", 16),
                        ("tempered", 64), ("threads", 0)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--momentum", type=float, default=0.5)
    parser.add_argument("--out", help="a file for what was trained")
    options = parser.parse_args()
    prototypes, data = make_data(options.data)
    ladder = ",".join(f"{t:.4g}" for t in
                      np.geomspace(1, 2.5, options.levels))
    for sampler, chains, centre in (
            (f"pt(base=hidden,ladder=[{ladder}])", options.tempered, True),
            ("hidden", options.chains, False)):
        run, clock = by_hiss(options, data, sampler, chains, centre)
        report(options, f"hiss.train, {sampler}", run.model,
               run.chains.states, clock, data, prototypes)
        print(run.check(20), flush=True)
        if options.out:
            np.savez(f"{options.out}.{chains}.npz", **run.model.params)
    try:
        model, states, clock = by_torch(options, data)
    except ImportError as fault:
        print(f"torch PCD: skipped, {fault}")
        return
    report(options, "torch PCD", model, states, clock, data, prototypes)


if __name__ == "__main__":
    main()
