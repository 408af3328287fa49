#!/usr/bin/env python3
"""What hiss.sample adds to a deep energy model that is evaluated in batches.

    PYTHONPATH=build/release/python bench/wide.py [torch] [jax] [--model conv]
        [--chains 4096] [--steps 20] [--thin 1] [--channels 16] [--hidden 512]
        [--repeats 3] [--device cpu] [--chains-on cpu] [--capture]
        [--sampler dmala(alpha=0.1)] [--threads N]

The models, of 28 x 28 binary images: `conv`, a small convolutional network, and
`mlp`, two hidden layers.  --device cuda: they are on a card; --chains-on cuda:
the chains, too; --capture: the kernels of torch are recorded and launched
again, in both.

hiss.sample is timed with all chains in one call per step, and after it the same
number of calls of the bare function, as many of them with its gradient, on
states that are where it wants them, one behind the other and waited for once.
Both are the best of the repeats, in turn: seconds of the clock and, more
steadily on a processor that is shared, seconds of the processor, for which
threads that have nothing to do sleep.
"""
import argparse
import os
import time

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import hiss  # noqa: E402
import numpy as np  # noqa: E402

SIDE = 28


def weights(options, seed=1):
    draw = np.random.default_rng(seed)
    wide = options.channels
    if options.model == "conv":
        shapes = [(wide, 1, 3, 3), (2 * wide, wide, 3, 3)]
        inner, outer = [np.prod(s[1:]) for s in shapes], 2 * wide * 49
    else:
        shapes = [(SIDE * SIDE, options.hidden), (options.hidden,) * 2]
        inner, outer = [s[0] for s in shapes], options.hidden
    layers = [draw.normal(0, (2 / n) ** 0.5, s)
              for n, s in zip(inner, shapes)]
    return [a.astype(np.float32) for a in (*layers, draw.normal(0, .1, outer))]


def torch_case(options):
    import torch
    from torch.nn.functional import conv2d, silu

    device = options.device
    first, second, last = (torch.tensor(w, device=device)
                           for w in weights(options))
    if options.threads:
        torch.set_num_threads(options.threads)

    def conv(x):
        x = x.view(-1, 1, SIDE, SIDE)
        x = silu(conv2d(x, first, stride=2, padding=1))
        x = silu(conv2d(x, second, stride=2, padding=1))
        return x.flatten(1) @ last

    def mlp(x):
        return silu(silu(x @ first) @ second) @ last

    log_prob = {"conv": conv, "mlp": mlp}[options.model]

    def bare(x):
        x = torch.tensor(x, dtype=torch.float32, device=device)

        def value():
            with torch.no_grad():
                return log_prob(x)

        def pair():
            y = x.detach().requires_grad_()
            u = log_prob(y)
            return torch.autograd.grad(u.sum(), y)

        def wait(_):
            if device != "cpu":
                torch.cuda.synchronize()
        if not options.capture:
            return value, pair, wait
        return *map(torch_graph, (value, pair)), wait
    return hiss.from_torch(log_prob, SIDE * SIDE, device=device,
                           capture=options.capture), bare


def torch_graph(function):
    import torch

    side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            function()
    torch.cuda.current_stream().wait_stream(side)
    with torch.cuda.graph(graph):
        out = function()
    kept = out, function  # with what it reads, which a graph does not own

    def replay():
        graph.replay()
        return kept[0]
    return replay


def jax_case(options):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_platforms", options.device)
    first, second, last = weights(options)

    def layer(x, w):
        return jax.nn.silu(jax.lax.conv_general_dilated(
            x, w, (2, 2), [(1, 1), (1, 1)],
            dimension_numbers=("NCHW", "OIHW", "NCHW")))

    def conv(x):
        x = layer(layer(x.reshape(-1, 1, SIDE, SIDE), first), second)
        return x.reshape(len(x), -1) @ last

    def mlp(x):
        return jax.nn.silu(jax.nn.silu(x @ first) @ second) @ last

    log_prob = {"conv": conv, "mlp": mlp}[options.model]

    def bare(x):
        def pair(x):
            u, pull = jax.vjp(log_prob, x)
            return u, pull(jnp.ones_like(u))[0]
        x = jnp.asarray(x, jnp.float32)
        return *(lambda f=jax.jit(f): f(x)
                 for f in (log_prob, pair)), jax.block_until_ready
    return hiss.from_jax(log_prob, SIDE * SIDE), bare


def clocks():
    return np.array([time.perf_counter(), time.process_time()])


def count_calls(function, calls):
    """Of U, and with its gradient."""
    here, there = function.evaluate, function.evaluate_on_card

    def evaluate(x, lanes, u, gradient):
        calls[bool(gradient)] += 1
        return here(x, lanes, u, gradient)

    def evaluate_on_card(states):
        calls[bool(states.gradient)] += 1
        return there(states)
    function.evaluate = evaluate
    function.evaluate_on_card = evaluate_on_card


def measure(name, options, sampler):
    model, bare = (torch_case if name == "torch" else jax_case)(options)
    more = {"threads": options.threads} if options.threads else {}
    calls = [0, 0]
    count_calls(model._function, calls)
    states = np.random.default_rng(2).integers(0, 2, (options.chains,
                                                      SIDE * SIDE))
    *direct, wait = bare(states)
    times = {"hiss": [], "bare": []}
    for repeat in range(options.repeats + 1):  # the first one compiles
        calls[:] = 0, 0
        before = clocks()
        hiss.sample(model, sampler, chains=options.chains, seed=repeat,
                    samples=options.steps // options.thin, thin=options.thin,
                    warmup=0, device=options.chains_on, progress=False, **more)
        times["hiss"].append((clocks() - before) / sum(calls))
        before = clocks()
        for function, count in zip(direct, calls):
            last = None
            for _ in range(count):
                last = function()
            wait(last)
        times["bare"].append((clocks() - before) / sum(calls))
    best = {key: np.min(value[1:], axis=0) for key, value in times.items()}
    how = " captured" if options.capture else ""
    print(f"{name:5}{how} {options.model:4} {options.device:4} chains on "
          f"{options.chains_on:4} {options.chains:5} chains {sampler}: "
          f"{calls[1]:4} calls with and {calls[0]} without gradient; "
          f"per call: "
          f"clock {1e3 * best['bare'][0]:.3f} ms bare, "
          f"{1e3 * best['hiss'][0]:.3f} ms with hiss "
          f"({100 * (best['hiss'][0] / best['bare'][0] - 1):+.1f} %); "
          f"processor {1e3 * best['bare'][1]:.3f} ms, "
          f"{1e3 * best['hiss'][1]:.3f} ms "
          f"({100 * (best['hiss'][1] / best['bare'][1] - 1):+.1f} %)",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("frameworks", nargs="*", default=["torch", "jax"])
    parser.add_argument("--model", choices=["conv", "mlp"], default="conv")
    parser.add_argument("--chains", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--thin", type=int, default=1)
    parser.add_argument("--channels", type=int, default=16)
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--chains-on", default="cpu")
    parser.add_argument("--capture", action="store_true")
    parser.add_argument("--sampler", nargs="+", default=["dmala(alpha=0.1)"])
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    for name in options.frameworks:
        for sampler in options.sampler:
            measure(name, options, sampler)


if __name__ == "__main__":
    main()
