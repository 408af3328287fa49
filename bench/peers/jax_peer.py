#!/usr/bin/env python3
"""Block Gibbs in JAX, color by color, on request.

usage: jax_peer.py FILE BETA CHAINS SWEEPS     one request
       jax_peer.py                   requests from stdin, tabs between words

FILE is a coordinate list of spins, as dimod writes it: lines `i j value`, fields
where i = j; the law is exp(-beta E).  Sites of one color are updated at once
in all chains, from a table of neighbors as long as the longest list; a sweep
is one compiled function.  The answer: seconds, and the mean of the spins.
"""
import functools
import time

import jax
import jax.numpy as jnp
import numpy as np

from serve import serve


@functools.lru_cache(maxsize=4)
def read(path):
    """Neighbors, couplings [sites][degree] and fields of each color."""
    rows = np.loadtxt(path, comments="#", ndmin=2)
    i, j = rows[:, 0].astype(int), rows[:, 1].astype(int)
    sites = 1 + max(i.max(), j.max())
    field = np.zeros(sites, np.float32)
    near = [[] for _ in range(sites)]
    for a, b, value in zip(i, j, rows[:, 2]):
        if a == b:
            field[a] += value
        else:
            near[a].append((b, value))
            near[b].append((a, value))
    color = np.full(sites, -1)
    for site in sorted(range(sites), key=lambda s: -len(near[s])):
        taken = {color[b] for b, _ in near[site]}
        color[site] = next(c for c in range(sites) if c not in taken)
    blocks = []
    for c in range(color.max() + 1):
        own = np.flatnonzero(color == c)
        degree = max(1, max(len(near[site]) for site in own))
        other = np.zeros((len(own), degree), np.int32)
        value = np.zeros((len(own), degree), np.float32)
        for row, site in enumerate(own):
            for k, (b, coupling) in enumerate(near[site]):
                other[row, k], value[row, k] = b, coupling
        blocks.append(tuple(map(jnp.asarray, (own, other, value, field[own]))))
    return sites, blocks


@functools.lru_cache(maxsize=8)
def sweeps_of(path, beta, sweeps):
    _, blocks = read(path)

    def sweep(state, key):
        for n, (own, other, value, field) in enumerate(blocks):
            pull = field[:, None] + (state[other] * value[:, :, None]).sum(1)
            u = jax.random.uniform(jax.random.fold_in(key, n), pull.shape)
            high = u < jax.nn.sigmoid(-2 * beta * pull)
            state = state.at[own].set(jnp.where(high, 1.0, -1.0))
        return state, None

    @jax.jit
    def run(state, key):
        return jax.lax.scan(sweep, state, jax.random.split(key, sweeps))[0]

    return run


def answer(path, beta, chains, sweeps):
    sites, _ = read(path)
    run = sweeps_of(path, float(beta), int(sweeps))
    key = jax.random.key(1)
    state = jnp.where(jax.random.bernoulli(key, shape=(sites, int(chains))), 1.0, -1.0)
    state = run(state, key).block_until_ready()
    start = time.perf_counter()
    state = run(state, jax.random.key(2)).block_until_ready()
    seconds = time.perf_counter() - start
    return f"{seconds:.9g} {float(state.mean()):.6g}"


if __name__ == "__main__":
    serve(answer)
