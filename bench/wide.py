#!/usr/bin/env python3
"""What hiss.sample adds to a deep energy model that is evaluated in batches.

    PYTHONPATH=build/release/python bench/wide.py [torch] [jax] [--chains 4096]
        [--steps 20] [--channels 16] [--repeats 3] [--device cpu]
        [--sampler dmala(alpha=0.1)] [--threads N]

The model is a small convolutional network on 28 x 28 binary images.
hiss.sample is timed with all chains in one call per step, and after it the same
number of calls of the bare function, as many of them with its gradient, on
states that are where it wants them.  Both are the best of the repeats, in turn:
seconds of the clock and, more steadily on a processor that is shared, seconds
of the processor, for which threads that have nothing to do sleep.
"""
import argparse
import os
import time

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import hiss  # noqa: E402
import numpy as np  # noqa: E402

SIDE = 28


def weights(channels, seed=1):
    draw = np.random.default_rng(seed)
    shapes = [(channels, 1, 3, 3), (2 * channels, channels, 3, 3)]
    layers = [draw.normal(0, (2 / np.prod(s[1:])) ** 0.5, s) for s in shapes]
    return [a.astype(np.float32)
            for a in (*layers, draw.normal(0, .1, 2 * channels * 49))]


def torch_case(channels, device, threads):
    import torch
    from torch.nn.functional import conv2d, silu

    first, second, last = (torch.tensor(w, device=device)
                           for w in weights(channels))
    if threads:
        torch.set_num_threads(threads)

    def log_prob(x):
        x = x.view(-1, 1, SIDE, SIDE)
        x = silu(conv2d(x, first, stride=2, padding=1))
        x = silu(conv2d(x, second, stride=2, padding=1))
        return x.flatten(1) @ last

    def wait():
        if device != "cpu":
            torch.cuda.synchronize()

    def bare(x):
        x = torch.tensor(x, dtype=torch.float32, device=device)

        def value():
            with torch.no_grad():
                log_prob(x)
            wait()

        def pair():
            y = x.detach().requires_grad_()
            u = log_prob(y)
            torch.autograd.grad(u.sum(), y)
            wait()
        return value, pair
    return hiss.from_torch(log_prob, SIDE * SIDE, device=device), bare


def jax_case(channels, device, threads):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_platforms", device)
    first, second, last = weights(channels)

    def conv(x, w):
        return jax.lax.conv_general_dilated(
            x, w, (2, 2), [(1, 1), (1, 1)],
            dimension_numbers=("NCHW", "OIHW", "NCHW"))

    def log_prob(x):
        x = x.reshape(-1, 1, SIDE, SIDE)
        x = jax.nn.silu(conv(x, first))
        x = jax.nn.silu(conv(x, second))
        return x.reshape(len(x), -1) @ last

    def bare(x):
        def pair(x):
            u, pull = jax.vjp(log_prob, x)
            return u, pull(jnp.ones_like(u))[0]
        x = jnp.asarray(x, jnp.float32)
        return [lambda f=jax.jit(f): jax.block_until_ready(f(x))
                for f in (log_prob, pair)]
    return hiss.from_jax(log_prob, SIDE * SIDE), bare


def clocks():
    return np.array([time.perf_counter(), time.process_time()])


def measure(name, options):
    model, bare = (torch_case if name == "torch" else jax_case)(
        options.channels, options.device, options.threads)
    more = {"threads": options.threads} if options.threads else {}
    calls = [0, 0]  # of U, and with its gradient
    evaluate = model._function.evaluate

    def counting(x, lanes, u, gradient):
        calls[bool(gradient)] += 1
        return evaluate(x, lanes, u, gradient)
    model._function.evaluate = counting
    states = np.random.default_rng(2).integers(0, 2, (options.chains,
                                                      SIDE * SIDE))
    direct = bare(states)
    times = {"hiss": [], "bare": []}
    for repeat in range(options.repeats + 1):  # the first one compiles
        calls[:] = 0, 0
        before = clocks()
        hiss.sample(model, options.sampler, chains=options.chains, seed=repeat,
                    samples=options.steps, warmup=0, progress=False,
                    **more)
        times["hiss"].append((clocks() - before) / sum(calls))
        before = clocks()
        for function, count in zip(direct, calls):
            for _ in range(count):
                function()
        times["bare"].append((clocks() - before) / sum(calls))
    best = {key: np.min(value[1:], axis=0) for key, value in times.items()}
    print(f"{name:6} {options.device:5} {options.chains:6} chains "
          f"{calls[1]:4} calls with and {calls[0]} without gradient; "
          f"per call: "
          f"clock {1e3 * best['bare'][0]:.1f} ms bare, "
          f"{1e3 * best['hiss'][0]:.1f} ms with hiss "
          f"({100 * (best['hiss'][0] / best['bare'][0] - 1):+.1f} %); "
          f"processor {1e3 * best['bare'][1]:.1f} ms, "
          f"{1e3 * best['hiss'][1]:.1f} ms "
          f"({100 * (best['hiss'][1] / best['bare'][1] - 1):+.1f} %)",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("frameworks", nargs="*", default=["torch", "jax"])
    parser.add_argument("--chains", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--channels", type=int, default=16)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--sampler", default="dmala(alpha=0.1)")
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    for name in options.frameworks:
        measure(name, options)


if __name__ == "__main__":
    main()
