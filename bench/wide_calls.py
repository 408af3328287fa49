#!/usr/bin/env python3
"""What hiss.sample adds to an energy model on the processor, call by call.

    PYTHONPATH=build/release/python bench/wide_calls.py [torch] [jax]
        [--models conv,mlp] [--samplers dmala,gwg,gibbs,hiss,pt]
        [--dtypes float32,float64] [--chains 4096] [--calls 8] [--threads N]

Models of 28 x 28 binary images: conv, a small convolutional network, and mlp,
a layer of 256.  A run evaluates all chains (and levels) in one call.  Within
every such call the bare function is timed, too, on the same states where it
wants them, now before the model's call and now after it; so both are measured
in turn, however busy the machine is.  Of each call:

    bare    the function, with or without its gradient as it was asked for
    bridge  handing over the states and taking U and the gradient
    steps   the library between this call and the last

The last three columns are bridge, steps and both over bare: the median over
the calls, in time of the processor (of all threads; those that have nothing to
do sleep) and, last, of the clock.  What a run costs once is not in it
(bench/wide.py times whole runs).
"""
import argparse
import os
import time

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import hiss  # noqa: E402
import numpy as np  # noqa: E402

SIDE, HIDDEN, CHANNELS = 28, 256, 16
LADDER = 4
FIRST = 2  # calls that are not counted: they compile
SAMPLERS = {
    "dmala": "dmala(alpha=0.1)",
    "gwg": "gwg",
    "gibbs": "gibbs(updates=4)",  # a call for each coordinate
    "hiss": "hiss(eta=4,sweeps=1,steps=2,inner=dmala(alpha=0.1))",
    "pt": "pt(base=dmala(alpha=0.1),ladder=[1,1.5,2,3])",
}


def weights(model, seed=1):
    draw = np.random.default_rng(seed)
    if model == "mlp":
        shapes = [(SIDE * SIDE, HIDDEN), (HIDDEN,)]
        scales = [(1 / SIDE**2) ** 0.5, 1.0]
    else:
        shapes = [(CHANNELS, 1, 3, 3), (2 * CHANNELS, CHANNELS, 3, 3),
                  (2 * CHANNELS * 49,)]
        scales = [(2 / 9) ** 0.5, (2 / 9 / CHANNELS) ** 0.5, 0.1]
    return [draw.normal(0, scale, shape)
            for scale, shape in zip(scales, shapes)]


def torch_case(model, dtype, threads):
    """(model, function of states that returns the bare calls)."""
    import torch
    from torch.nn.functional import conv2d, silu

    kind = getattr(torch, dtype)
    parts = [torch.tensor(w, dtype=kind) for w in weights(model)]
    if threads:
        torch.set_num_threads(threads)

    def mlp(x):
        return silu(x @ parts[0]) @ parts[1]

    def conv(x):
        x = x.view(-1, 1, SIDE, SIDE)
        x = silu(conv2d(x, parts[0], stride=2, padding=1))
        x = silu(conv2d(x, parts[1], stride=2, padding=1))
        return x.flatten(1) @ parts[2]

    log_prob = mlp if model == "mlp" else conv

    def bare(index, has_gradient):
        x = torch.tensor(index, dtype=kind)

        def call():
            with torch.set_grad_enabled(has_gradient):
                u = log_prob(x.requires_grad_(has_gradient))
                if has_gradient:
                    torch.autograd.grad(u.sum(), x)
        return call
    return hiss.from_torch(log_prob, SIDE * SIDE, dtype=kind), bare


def jax_case(model, dtype, threads):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_platforms", "cpu")
    parts = [w.astype(np.float32) for w in weights(model)]

    def convolved(x, w):
        return jax.nn.silu(jax.lax.conv_general_dilated(
            x, w, (2, 2), [(1, 1), (1, 1)],
            dimension_numbers=("NCHW", "OIHW", "NCHW")))

    def mlp(x):
        return jax.nn.silu(x @ parts[0]) @ parts[1]

    def conv(x):
        x = convolved(convolved(x.reshape(-1, 1, SIDE, SIDE), parts[0]),
                      parts[1])
        return x.reshape(len(x), -1) @ parts[2]

    log_prob = mlp if model == "mlp" else conv

    def pair(x):
        u, pull = jax.vjp(log_prob, x)
        return u, pull(jnp.ones_like(u))[0]

    compiled = [jax.jit(log_prob), jax.jit(pair)]

    def bare(index, has_gradient):
        x = jax.block_until_ready(jnp.asarray(index, jnp.float32))
        return lambda: jax.block_until_ready(compiled[has_gradient](x))
    return hiss.from_jax(log_prob, SIDE * SIDE), bare


def clocks():
    return np.array([time.process_time(), time.perf_counter()])


class Enough(Exception):
    pass


class Meter:
    """In place of a model's evaluate: times it, and the bare function."""

    def __init__(self, model, bare, states, calls):
        self.function, self.bare = model._function, bare
        self.evaluate = self.function.evaluate
        self.function.evaluate = self
        self.states, self.calls = states, calls
        self.rows, self.last = [], clocks()

    def __call__(self, x, lanes, u, gradient):
        from hiss._callback import indices
        if lanes != self.states:  # where chains begin
            return self.evaluate(x, lanes, u, gradient)
        between = clocks() - self.last
        calls = [self.bare(indices(self.function.domain, x, lanes),
                           bool(gradient)),
                 lambda: self.evaluate(x, lanes, u, gradient)]
        took = {}
        for which in (0, 1) if len(self.rows) % 2 else (1, 0):
            before = clocks()
            calls[which]()
            took[which] = clocks() - before
        self.rows.append((took[0], took[1], between))
        if len(self.rows) == self.calls:
            raise Enough
        self.last = clocks()


def measure(name, model, sampler, dtype, options):
    case = {"torch": torch_case, "jax": jax_case}[name]
    made, bare = case(model, dtype, options.threads)
    levels = LADDER if sampler == "pt" else 1
    meter = Meter(made, bare, options.chains, options.calls + FIRST)
    chains = options.chains // levels
    try:
        hiss.sample(made, SAMPLERS[sampler], chains=chains, warmup=0,
                    samples=50, progress=False,
                    threads=options.threads)
    except Enough:
        pass
    rows = np.array(meter.rows[FIRST:])  # (call, part, clock)
    part = np.median(rows / rows[:, :1], axis=0)
    both = np.median((rows[:, 1] + rows[:, 2]) / rows[:, 0], axis=0) - 1
    ms = 1e3 * np.median(rows[:, 0], axis=0)
    print(f"{name:5} {model:4} {dtype} {sampler:5} {options.chains} states, "
          f"{len(rows)} calls: bare {ms[0]:7.1f} ms; "
          f"bridge {100 * (part[1, 0] - 1):+6.1f} %, "
          f"steps {100 * part[2, 0]:+6.1f} %, "
          f"both {100 * both[0]:+6.1f} %; by the clock {ms[1]:7.1f} ms, "
          f"{100 * both[1]:+6.1f} %", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("frameworks", nargs="*", default=["torch", "jax"])
    parser.add_argument("--models", default="conv,mlp")
    parser.add_argument("--samplers", default=",".join(SAMPLERS))
    parser.add_argument("--dtypes", default="float32")
    parser.add_argument("--chains", type=int, default=4096)
    parser.add_argument("--calls", type=int, default=8)
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    for name in options.frameworks:
        for model in options.models.split(","):
            for dtype in options.dtypes.split(","):
                if name == "jax" and dtype != "float32":
                    continue  # from_jax computes in float32
                for sampler in options.samplers.split(","):
                    measure(name, model, sampler, dtype, options)


if __name__ == "__main__":
    main()
