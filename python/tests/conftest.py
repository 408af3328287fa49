"""What several tests need: the command, and the laws of small models."""
import itertools
import os
import subprocess

import numpy as np
import pytest

import hiss


@pytest.fixture(scope="session")
def command():
    """The command `hiss`, as a function of its arguments."""
    program = os.environ.get("HISS")
    if not program or not os.access(program, os.X_OK):
        pytest.skip("HISS does not name the command")

    def run(*arguments):
        return subprocess.run([program, *map(str, arguments)], text=True,
                              capture_output=True, check=True,
                              timeout=600).stdout

    return run


@pytest.fixture
def rng():
    return np.random.default_rng(20261115)


def all_states(model):
    values = [model.values(i) for i in range(model.dim)]
    return np.array(list(itertools.product(*values)))


def law(model, u):
    """States and probabilities from log-probabilities computed here."""
    states = all_states(model)
    weight = np.array([u(state) for state in states])
    weight = np.exp(weight - weight.max())
    return states, weight / weight.sum()


def frequencies(run, states):
    """Share of the draws in each of the states."""
    place = {tuple(state): i for i, state in
             enumerate(states.astype(np.float32).tolist())}
    draws = run.draws.reshape(-1, run.info.dim).astype(np.float32).tolist()
    count = np.zeros(len(states))
    for draw in draws:
        count[place[tuple(draw)]] += 1
    return count / len(draws)


def distance(run, model, u):
    """Total variation between the draws and the law."""
    states, p = law(model, u)
    return 0.5 * np.abs(frequencies(run, states) - p).sum()


def sample_quickly(model, sampler="gibbs", **more):
    more = {"samples": 2000, "chains": 16, "seed": 3, "progress": False,
            **more}
    return hiss.sample(model, sampler, **more)
