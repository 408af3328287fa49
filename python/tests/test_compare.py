"""A race has the figures that the command has."""
import json
import math
import os
import signal
import threading

import numpy as np
import pytest

import hiss

TIMED = ("seconds", "ess_per_second", "ess_per_second_se")


def same(ours, theirs):
    """Of two values from JSON, where null is NaN."""
    if isinstance(theirs, dict):
        assert set(ours) == set(theirs)
        for key in set(theirs) - set(TIMED):
            same(ours[key], theirs[key])
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for pair in zip(ours, theirs):
            same(*pair)
    elif theirs is None:
        assert math.isnan(ours)
    elif isinstance(theirs, (bool, str)):
        assert ours == theirs
    else:
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("model,samplers,settings", [
    ("bernoulli4", ["gibbs", "hiss(eta=4)"], {"evals": 8000}),
    ("bernoulli4", ["10*gwg", "3 * dmala(alpha=0.2)"],
     {"samples": 40, "warmup": 0, "chains": 1, "repetitions": 20}),
    ("ising(side=5,beta=0.3,field=0.1)", ["gibbs", "dula(alpha=8)"],
     {"evals": 4000, "repetitions": 3}),
    ("potts(side=2,states=3,beta=0.4)", ["gibbs", "dmala(alpha=1)"],
     {"evals": 4000, "samples": 64}),
    ("ising(side=24,beta=0.4)", ["dula(alpha=100)", "gibbs"],
     {"evals": 1000, "chains": 2, "repetitions": 4}),
])
def test_figures_are_those_of_the_command(command, model, samplers, settings):
    words = [word for key, value in settings.items()
             for word in (f"--{key}", value)]
    theirs = json.loads(command("compare", model, "--samplers",
                                ";".join(samplers), *words, "--seed", 5,
                                "--json", "--quiet"))
    ours = hiss.compare(model, samplers, seed=5, **settings)
    same(ours.rows, theirs)
    said = command("compare", model, "--samplers", ";".join(samplers), *words,
                   "--seed", 5, "--quiet").splitlines()[-1]
    last = ours.advice(list(ours.budgets)[-1])
    assert last.split(" (p")[0] == said.split(" (p")[0]


def test_objects_and_models_of_arrays():
    J = np.ones((4, 4)) - np.eye(4)
    found = hiss.compare(hiss.ising(0.3 * J), [hiss.Gibbs(), hiss.HiSS(eta=1)],
                         evals=4000, time_limit=0.3)
    assert [row["budget"] for row in found] == ["evals"] * 2 + ["time"] * 2
    assert len(found) == 4 and found[0]["sampler"] == "gibbs"
    assert found.best() in ("gibbs", "hiss(eta=1)")
    assert "use " in found.advice() or "cannot be told" in found.advice()
    for word in ("at equal cost, 4000 evaluations", "at equal time, 0.3 s"):
        assert word in repr(found) and word in found._repr_html_()
    assert "curve" not in found.table.columns
    assert "tvd" in found.table.columns
    again = hiss.compare(hiss.ising(0.3 * J), "gibbs; hiss(eta=1)",
                         evals=4000, threads=1)
    assert again[0]["tvd"] == found[0]["tvd"]


def test_a_function_of_the_user_may_fail():
    def broken(x):
        raise LookupError("no such state")

    with pytest.raises(LookupError, match="no such state"):
        hiss.compare(hiss.from_function(broken, 3), ["gibbs", "metropolis"],
                     evals=100)


def test_stopping():
    with pytest.raises(hiss.StoppedError, match="not over"):
        hiss.compare("ising(side=8,beta=0.4)", ["gibbs", "gwg"],
                     samples=10**7, progress=lambda now: True)


def test_ctrl_c_ends_a_race():
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        hiss.compare("ising(side=8,beta=0.4)", ["gibbs", "gwg"],
                     time_limit=60)
    timer.join()


@pytest.mark.parametrize("samplers,settings,kind,words", [
    (["gibbs"], {"evals": 100}, ValueError, "samplers: a race needs two"),
    ("gibbs;", {"evals": 100}, ValueError, "samplers: a race needs two"),
    (3, {"evals": 100}, TypeError, "samplers is a int"),
    (["gibbs", 3.5], {"evals": 100}, TypeError, "sampler is a float"),
    (["gibbs", "0*gwg"], {"evals": 100}, ValueError, "steps per draw"),
    (["gibbs", "gwg"], {}, ValueError, "evals, time_limit or samples"),
    (["gibbs", "gwg"], {"evals": -1}, ValueError, "evals is -1"),
    (["gibbs", "gwg"], {"samples": 2}, ValueError, "samples is 2"),
    (["gibbs", "gwg"], {"evals": 1e4, "repetitions": 1}, ValueError,
     "repetitions is 1"),
    (["gibbs", "gwg"], {"evals": 40}, ValueError, "too few"),
])
def test_bad_calls(samplers, settings, kind, words):
    with pytest.raises(kind, match=words):
        hiss.compare("bernoulli4", samplers, **settings)


def test_plot():
    matplotlib = pytest.importorskip("matplotlib",
                                     reason="matplotlib is not installed")
    matplotlib.use("Agg")
    near = hiss.compare("bernoulli4", ["gibbs", "gwg"], evals=2000)
    assert len(near.plot().lines) >= 2
    far = hiss.compare("ising(side=24,beta=0.4)", ["gibbs", "gwg"],
                       evals=1000, chains=2, repetitions=4)
    assert "effective" in far.plot().get_xlabel()
