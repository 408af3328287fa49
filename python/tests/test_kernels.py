"""Functions of the user, judged: right ones pass, wrong ones are caught.

HISS_TEST_SEEDS=20 makes the study of docs/judge.md of it.
"""
import importlib
import os
import re

import numpy as np
import pytest
from kernels import ALL, ALL_U, MODELS, RIGHT, WRONG, bits, metropolis

import hiss

SEEDS = range(1, 1 + int(os.environ.get("HISS_TEST_SEEDS", 1)))
FEW = {"replicates": 20000, "calls": 400}


def name_of(case):
    return case[1].__name__


@pytest.mark.parametrize("case", RIGHT, ids=name_of)
def test_right_kernels_pass(case):
    model = MODELS[case[0]]()
    for seed in SEEDS:
        verdict = hiss.verify(model, kernel=case[1], seed=seed, **FEW)
        assert verdict.verdict == "kept", str(verdict)
        assert verdict.moved > 0.05 and not verdict.flows


@pytest.mark.parametrize("case", WRONG, ids=name_of)
def test_wrong_kernels_are_caught_with_the_reason(case):
    model, kernel, words = case
    verdict = hiss.verify(MODELS[model](), kernel=kernel, replicates=50000,
                          calls=2000)
    assert verdict.verdict == "broken", str(verdict)
    assert re.search(words, verdict.reason), str(verdict)
    assert verdict.memory == ("adapting" in verdict.kernel or
                              "one_seed" in verdict.kernel)


def test_states_that_gain_and_lose():
    """Of a Metropolis kernel that takes every proposal up and none down."""
    def greedy(x, rng):
        y = x.copy()
        rows, i = np.arange(len(x)), rng.integers(5, size=len(x))
        y[rows, i] = 1 - y[rows, i]
        return np.where((bits(y) >= bits(x))[:, None], y, x)

    verdict = hiss.verify(MODELS["bits"](), kernel=greedy, **FEW)
    assert verdict.verdict == "broken" and len(verdict.flows) > 4
    gains = max(verdict.flows, key=lambda flow: flow.z)
    assert gains.z > 10 and gains.left == 0 and gains.entered > 0
    assert np.array_equal(gains.state, ALL[ALL_U.argmax()])
    assert "entered and never left" in verdict.reason
    assert "gains" in str(verdict) and "loses" in str(verdict)


def test_transitions_of_a_named_sampler():
    same = hiss.verify(MODELS["bits"](), "metropolis(updates=1)",
                       kernel=metropolis, **FEW)
    assert same.transitions_p_value > 1e-4 and same.invariant
    other = hiss.verify(MODELS["bits"](), "gibbs", kernel=metropolis, **FEW)
    assert other.transitions_p_value < 1e-20 and other.invariant
    assert other.transitions_gap.startswith("from (")


@pytest.mark.parametrize("back, fault, words", [
    (lambda x: x[:, :2], ValueError, "returned shape"),
    (lambda x: x[0], ValueError, "returned shape"),
    (lambda x: x + 1, hiss.PluginError, "x.1 of state"),
    (lambda x: x * np.nan, hiss.PluginError, "gave nan"),
    (lambda x: x + 0.25, hiss.PluginError, "its values are 0 and 1"),
    (lambda x: x.astype(str), TypeError, "dtype"),
    (lambda x: None, TypeError, "dtype"),
    (lambda x: 1 / 0, ZeroDivisionError, "division"),
], ids=range(8))
def test_what_is_no_state(back, fault, words):
    with pytest.raises(fault, match=words):
        hiss.verify(MODELS["bits"](), kernel=lambda x, rng: back(x), **FEW)


def test_what_a_kernel_is_given():
    seen = {}

    def keep(x, seed):
        seen["seed"] = seed
        seen.setdefault("n", set()).add(len(x))
        x[:] = 0  # a copy: the states are the library's
        return independent(x, seed)

    def independent(x, seed):
        from kernels import independent_draws
        return independent_draws(x, np.random.default_rng(seed))

    verdict = hiss.verify(MODELS["bits"](), kernel=keep, batch=5000, **FEW)
    assert verdict.invariant and isinstance(seen["seed"], int)
    assert max(seen["n"]) == 5000 and 1 in seen["n"]
    assert verdict.calls > 400 and verdict.kernel == "keep"
    with pytest.raises(TypeError, match="sampler, or a kernel"):
        hiss.verify(MODELS["bits"]())
    with pytest.raises(TypeError, match="expected a function"):
        hiss.verify(MODELS["bits"](), kernel=3)
    with pytest.raises(ValueError, match="framework"):
        hiss.verify(MODELS["bits"](), kernel=keep, framework="tf")


# --- of frameworks ---------------------------------------------------------

@pytest.mark.parametrize("framework", ["torch", "jax"])
def test_right_kernels_of_frameworks_pass(framework):
    pytest.importorskip(framework)
    for model, kernel in importlib.import_module(f"kernels_{framework}").RIGHT:
        for seed in SEEDS:
            verdict = hiss.verify(MODELS[model](), kernel=kernel, seed=seed,
                                  framework=framework, **FEW)
            assert verdict.verdict == "kept", str(verdict)
            assert verdict.moved > 0.05 and not verdict.flows


@pytest.mark.parametrize("framework", ["torch", "jax"])
def test_wrong_kernels_of_frameworks_are_caught(framework):
    pytest.importorskip(framework)
    for model, kernel, words in importlib.import_module(
            f"kernels_{framework}").WRONG:
        verdict = hiss.verify(MODELS[model](), kernel=kernel,
                              framework=framework, replicates=50000,
                              calls=1000)
        assert verdict.verdict == "broken", str(verdict)
        assert re.search(words, verdict.reason), str(verdict)
