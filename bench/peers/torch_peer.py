#!/usr/bin/env python3
"""Timings of the PyTorch versions on request, one thread.

usage: torch_peer.py VERSION CASE COUNT [FILE]     one request
       torch_peer.py                               requests from stdin, tabs between words

VERSION is straightforward or efficient, or collection for the cases of
collection.py; CASE a line of CASES below, COUNT how
many samples; the networks' cases are read from FILE (bench_speed cases).  The
answer: processor seconds of all samples, and the mean U at the end.
"""
import os
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import torch  # noqa: E402: the variables come first

import collection  # noqa: E402
import models  # noqa: E402
from samplers import VERSIONS  # noqa: E402
from serve import serve  # noqa: E402

# The paper's settings: chains, then the arguments of a sample's call.  It
# gives none for the 24 x 24 lattice; those of 3 x 3 are used.
CASES = {
    "bernoulli4": (10, "hiss", (4, 0.2, 5, 2)),
    "ising3": (5, "hiss", (4, 0.2, 10, 2)),
    "ising24": (16, "hiss", (4, 0.2, 10, 2)),
    "dmala_ising24": (16, "dmala", (0.2, 20)),
    "gwg_ising24": (16, "gwg", (20,)),
    "bnn_wdbc": (50, "hiss", (0.005, 0.1, 1, 5)),
    "bnn_compas": (50, "hiss", (2, 0.1, 1, 5)),
    "bnn_hiv": (50, "hiss", (4, 0.1, 1, 5)),
    **collection.CASES,
}
VERSIONS = {**VERSIONS, "collection": collection.Collection}


def build(case, path):
    if case.startswith("bnn_"):
        return models.Network(*models.read_cases(path))
    if case.endswith("ising24"):
        return models.Lattice(24, 0.4407)
    return models.cross() if case == "ising3" else models.Bernoulli()


def answer(version, case, count, path=None):
    chains, method, settings = CASES[case]
    model = build(case, path)
    torch.manual_seed(1)
    x = torch.randint(2, (chains, model.dim)).float()
    sampler = VERSIONS[version](model, x)
    step = getattr(sampler, method)
    if not case.startswith("bnn_"):
        step(*settings)  # the first call finds its way to everything
    start = time.process_time()
    for _ in range(int(count)):
        step(*settings)
    seconds = time.process_time() - start
    with torch.no_grad():
        return f"{seconds:.9g} {model.energy(sampler.x).mean().item():.6g}"


if __name__ == "__main__":
    torch.set_num_threads(1)
    serve(answer)
