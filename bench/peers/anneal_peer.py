#!/usr/bin/env python3
"""Timings of simulated annealing by dwave-samplers and OpenJij on request, one thread.

usage: anneal_peer.py PACKAGE FILE READS SWEEPS     one request
       anneal_peer.py                               requests from stdin, tabs between words

PACKAGE is dwave or openjij, FILE a MaxCut graph (`n m`, then `i j w`).  The
answer: seconds of all sweeps, and the best cut.  The seconds are the
package's own, of its kernel alone, or the processor's of the whole call,
whichever is less: setting up a model in Python is not counted against it.
"""
import gzip
import time

from serve import serve

BETA = (0.03, 2.0)  # geometric; reaches cuts within 0.1 % of the best known


def read_graph(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as f:
        nodes, _ = map(int, f.readline().split())
        edges = {}
        for line in f:
            i, j, w = line.split()
            edges[int(i) - 1, int(j) - 1] = float(w)
    return dict.fromkeys(range(nodes), 0.0), edges


def dwave(h, j, reads, sweeps):
    from dwave.samplers import SimulatedAnnealingSampler
    found = SimulatedAnnealingSampler().sample_ising(
        h, j, num_reads=reads, num_sweeps=sweeps, beta_range=BETA,
        beta_schedule_type="geometric", seed=1)
    return found, found.info["timing"]["sampling_ns"] * 1e-9


def openjij(h, j, reads, sweeps):
    from openjij import SASampler
    found = SASampler().sample_ising(
        h, j, num_reads=reads, num_sweeps=sweeps, beta_min=BETA[0], beta_max=BETA[1],
        seed=1)
    return found, found.info["sampling_time"] * 1e-6


PACKAGES = {"dwave": dwave, "openjij": openjij}


def answer(package, path, reads, sweeps):
    h, j = read_graph(path)
    PACKAGES[package](h, j, 1, 1)  # imports
    start = time.process_time()
    found, kernel = PACKAGES[package](h, j, int(reads), int(sweeps))
    seconds = min(time.process_time() - start, kernel)
    cut = (sum(j.values()) - found.first.energy) / 2
    return f"{seconds:.9g} {cut:.6g}"


if __name__ == "__main__":
    serve(answer)
