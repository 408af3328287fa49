#!/usr/bin/env python3
"""Timings of the PyTorch versions on a card, on request.

usage: cuda_peer.py VERSION CASE CHAINS COUNT [FILE]     one request
       cuda_peer.py                          requests from stdin, tabs between words

VERSION is straightforward or efficient, CASE dmala_ising24, ising24 (HiSS) or
bnn_NAME, COUNT how many samples; the networks' cases are read from FILE
(bench_speed cases).  The answer: seconds of all samples, and the steps of one,
a sweep of HiSS with L inner steps being L + 1 of them.
"""
import time

import torch

from serve import serve

torch.set_default_device("cuda")
torch.set_float32_matmul_precision("highest")

import models  # noqa: E402: its tensors are on the card
from samplers import VERSIONS  # noqa: E402

CASES = {
    "ising24": ("hiss", (4, 0.2, 10, 2), 30),
    "dmala_ising24": ("dmala", (0.2, 20), 20),
    "bnn_wdbc": ("hiss", (0.005, 0.1, 10, 5), 60),
    "bnn_compas": ("hiss", (2, 0.1, 10, 5), 60),
    "bnn_hiv": ("hiss", (4, 0.1, 10, 5), 60),
}


def answer(version, case, chains, count, path=None):
    method, settings, steps = CASES[case]
    if case.startswith("bnn_"):
        model = models.Network(*(part.cuda() for part in models.read_cases(path)))
    else:
        model = models.Lattice(24, 0.4407)
    torch.manual_seed(1)
    x = torch.randint(2, (int(chains), model.dim)).float()
    sampler = VERSIONS[version](model, x)
    step = getattr(sampler, method)
    step(*settings)  # the first call finds its way to everything
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(int(count)):
        step(*settings)
    torch.cuda.synchronize()
    return f"{time.perf_counter() - start:.9g} {steps}"


if __name__ == "__main__":
    serve(answer)
