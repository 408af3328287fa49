"""A Metropolis flip on the 3 x 3 torus: hiss verify ... --kernel 'python3 kernel.py'"""
import sys

import numpy as np

BETA, BITS = 0.4, sys.stdin.buffer
while line := BITS.readline():
    n, dim, seed = map(int, line.split())
    x = np.frombuffer(BITS.read(8 * n * dim)).reshape(n, dim).copy()
    rng, rows = np.random.default_rng(seed), np.arange(n)
    i = rng.integers(dim, size=n)
    grid = x.reshape(n, 3, 3)
    field = sum(np.roll(grid, shift, axis) for shift in (1, 2) for axis in (1, 2))
    change = -2 * BETA * x[rows, i] * field.reshape(n, 9)[rows, i]
    x[rows, i] *= np.where(rng.random(n) < np.exp(change), -1, 1)
    sys.stdout.buffer.write(x.tobytes())
    sys.stdout.buffer.flush()
