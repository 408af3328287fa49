"""Runs: the command's draws, arrays on C's memory, budgets, interruption."""
import gc
import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import hiss

SPECS = [
    ("ising(side=6,beta=0.5)",
     hiss.HiSS(eta=0.5, steps=2, inner=hiss.DMALA(alpha=0.4)),
     "hiss(eta=0.5,steps=2,inner=dmala(alpha=0.4))"),
    ("potts(side=3,states=3,beta=0.7)", hiss.Gibbs(), "gibbs"),
    ("ladder(d=5,levels=4,beta=0.5)", "dmala(alpha=auto)",
     "dmala(alpha=auto)"),
    ("pairs(d=8)", hiss.PT(base=hiss.DMALA(alpha=0.4), levels=3),
     "pt(base=dmala(alpha=0.4),levels=3)"),
]


@pytest.mark.parametrize("model,sampler,spec", SPECS)
def test_draws_are_those_of_the_command(command, tmp_path, model, sampler,
                                        spec):
    file = tmp_path / "x.csv"
    command("sample", model, "--sampler", spec, "--chains", 3, "--samples",
            50, "--warmup", 20, "--seed", 7, "-o", file, "--quiet")
    theirs = hiss.load(file)
    ours = hiss.sample(model, sampler, chains=3, samples=50, warmup=20, seed=7)
    assert np.array_equal(theirs.draws, ours.draws)
    assert np.array_equal(theirs.lp, ours.lp)


@pytest.mark.parametrize("model", ["bernoulli4", "ising(side=4,beta=0.3)",
                                   "file"])
def test_defaults_are_those_of_the_command(command, tmp_path, model):
    file = tmp_path / "x.csv"
    if model == "file":
        model = tmp_path / "two.uai"
        model.write_text("MARKOV\n2\n2 3\n1\n2 0 1\n6\n1 2 3 4 5 6\n")
    command("sample", model, "-o", file, "--quiet")
    theirs = hiss.load(file)
    ours = hiss.sample(model)
    assert ours.sampler == theirs.sampler
    assert np.array_equal(theirs.draws, ours.draws)


def test_shapes_and_kinds():
    run = hiss.sample("ising(side=3,beta=0.3)", "gibbs", chains=5, samples=30)
    assert run.draws.shape == (5, 30, 9)
    assert run.draws.dtype == np.int8
    assert set(np.unique(run.draws)) <= {-1, 1}
    assert run.lp.shape == run.acceptance_rate.shape == (5, 30)
    model = hiss.model("ising(side=3,beta=0.3)")
    assert np.allclose(model.log_prob(run.draws[2]), run.lp[2])
    assert len(run) == 150
    assert run.info.ended == "done"


def test_draws_do_not_depend_on_threads_or_other_chains():
    few = hiss.sample("pairs(d=6)", "gibbs", chains=2, samples=40, threads=1)
    many = hiss.sample("pairs(d=6)", "gibbs", chains=20, samples=40, threads=2)
    assert np.array_equal(few.draws, many.draws[:2])


def test_draws_are_a_view_that_keeps_the_result():
    run = hiss.sample("bernoulli4", samples=200)
    draws, copy = run.draws, run.draws.copy()
    lp, lp_copy = run.lp, run.lp.copy()
    assert draws is run.draws
    assert not draws.flags.owndata and not draws.flags.writeable
    assert np.shares_memory(draws, run.draws[0])
    del run
    gc.collect()
    waste = [hiss.sample("bernoulli4", samples=200, seed=s)
             for s in range(5)]
    part = draws[1, 10:20]
    del draws
    gc.collect()
    assert np.array_equal(part, copy[1, 10:20])
    assert np.array_equal(lp, lp_copy)
    assert len(waste) == 5


def test_initial_states():
    best = hiss.sample("pairs(d=6)", "gibbs", init="best", samples=5)
    assert best.info.samples == 5
    one = np.array([1, 1, 0, 0, 1, 1])
    run = hiss.sample("pairs(d=6)", "dmala(alpha=0.0001)", init=one, chains=2,
                      samples=2, warmup=0)
    assert np.array_equal(run.draws, np.broadcast_to(one, (2, 2, 6)))
    with pytest.raises(ValueError, match="init has shape"):
        hiss.sample("pairs(d=6)", init=np.zeros((3, 6)), chains=4)
    with pytest.raises(ValueError, match="no value 2"):
        hiss.sample("pairs(d=6)", init=np.full(6, 2))
    with pytest.raises(ValueError, match="init is 'worst'"):
        hiss.sample("pairs(d=6)", init="worst")


def test_the_warm_up_can_be_kept(command, tmp_path):
    settings = {"samples": 30, "warmup": 20, "seed": 4, "chains": 2}
    run = hiss.sample("ising(side=3,beta=0.3)", "gibbs", save_warmup=True,
                      **settings)
    plain = hiss.sample("ising(side=3,beta=0.3)", "gibbs", **settings)
    assert plain.warmup is None and plain.info.warmup_samples == 0
    assert np.array_equal(run.draws, plain.draws)
    assert run.warmup.draws.shape == (2, 20, 9)
    assert run.info.warmup_samples == 20
    assert np.allclose(run.model.log_prob(run.warmup.draws[1]),
                       run.warmup.lp[1])
    assert run.warmup.acceptance_rate.shape == (2, 20)
    whole = hiss.sample("ising(side=3,beta=0.3)", "gibbs", chains=2, seed=4,
                        samples=50, warmup=0)
    assert np.array_equal(whole.draws[:, :20], run.warmup.draws)
    file = tmp_path / "x.npz"
    command("sample", "ising(side=3,beta=0.3)", "--sampler", "gibbs",
            "--samples", 30, "--warmup", 20, "--seed", 4, "--chains", 2,
            "--save-warmup", "-o", file, "--quiet")
    with np.load(file) as theirs:
        kept = [theirs[name] for name in theirs.files
                if "warmup" in name and theirs[name].ndim == 3]
        assert np.array_equal(kept[0], run.warmup.draws)
    draws = run.warmup.draws
    del run
    gc.collect()
    assert set(np.unique(draws)) <= {-1, 1}


def test_budgets():
    run = hiss.sample("pairs(d=6)", "gibbs", evals=20000)
    assert run.info.ended == "evals"
    evals = run.info.energy_evals + run.info.gradient_evals
    assert 20000 <= evals < 22000
    run = hiss.sample("ising(side=8,beta=0.4)", "gibbs", time_limit=0.3)
    assert run.info.ended == "time"
    assert run.info.samples > 0
    run = hiss.sample("ising(side=3,beta=0.1)", "gibbs", ess=500)
    assert run.summary()["ess_bulk"].min() >= 450
    with pytest.raises(hiss.StoppedError, match="first draw"):
        hiss.sample("bernoulli4", evals=3)


def test_a_goal_out_of_reach_is_given_up():
    with pytest.warns(RuntimeWarning, match="ess is out of reach"):
        run = hiss.sample("pairs(d=4)", "dmala(alpha=0.0001)", chains=2,
                          init=[[0, 0, 0, 0], [1, 1, 1, 1]], ess=100)
    assert run.info.ended == "ess" and run.manifest["ended"] == "ess"
    assert run.info.samples * run.info.thin >= 2**20


@pytest.mark.parametrize("name,value,kind", [
    ("chains", 0, ValueError), ("chains", 2.5, TypeError),
    ("samples", -1, ValueError), ("thin", 0, ValueError),
    ("warmup", -2, ValueError), ("seed", -1, ValueError),
    ("threads", -1, ValueError), ("evals", -3, ValueError),
    ("time_limit", float("nan"), ValueError), ("progress", 3, TypeError),
    ("device", "gpu", ValueError), ("device", 0.5, TypeError),
])
def test_bad_settings_are_named(name, value, kind):
    with pytest.raises(kind, match=name):
        hiss.sample("bernoulli4", **{name: value})


def test_device():
    """This model is on no card: auto says why it was the processor."""
    assert hiss.sample("bernoulli4", samples=5).device == "cpu"
    run = hiss.sample("bernoulli4", "gibbs", samples=5, device="auto")
    assert run.device.startswith("cpu (auto: ")
    found = hiss.optimize("bernoulli4", restarts=4, device="auto")
    assert found.device.startswith("cpu (auto: ")
    assert hiss.optimize("bernoulli4", restarts=4).device == "cpu"
    with pytest.raises(ValueError, match="device 'gpu' is not known"):
        hiss.compare("bernoulli4", "gibbs;metropolis", samples=8, device="gpu")


def test_numpy_numbers_are_numbers():
    run = hiss.sample("bernoulli4", chains=np.int64(2), samples=np.int32(5),
                      seed=np.uint64(2**63))
    assert run.draws.shape == (2, 5, 4)
    assert run.info.seed == 2**63


def test_messages_speak_python(tmp_path):
    with pytest.raises(ValueError, match=r"`hiss.list_models\(\)` shows all"):
        hiss.open("frobnicate")
    with pytest.raises(ValueError, match=r"`hiss.list_samplers\(\)` shows"):
        hiss.sample("bernoulli4", "frobnicate")
    path = tmp_path / "notes.bin"
    path.write_bytes(b"\xff\xfe\xfd")
    with pytest.raises(hiss.FormatError, match="; format= says which"):
        hiss.open(path)


def test_bad_models_and_samplers():
    with pytest.raises(ValueError, match="did you mean 'ising'"):
        hiss.sample("isng(side=3)")
    with pytest.raises(ValueError, match="did you mean 'dmala'"):
        hiss.sample("bernoulli4", "dmla")
    with pytest.raises(TypeError, match="model is a int"):
        hiss.sample(3)
    with pytest.raises(TypeError, match="sampler is a float"):
        hiss.sample("bernoulli4", 0.5)
    with pytest.raises(FileNotFoundError):
        hiss.open("there/is/no.uai")


# --- progress and interruption ---------------------------------------------

LONG = {"samples": 10**9, "warmup": 10, "thin": 1}


def long_run(**more):
    # few bytes per draw: memory for the draws is set aside at once
    return hiss.sample("bernoulli4", "gibbs", chains=1,
                       **{**LONG, "samples": 5 * 10**7, **more})


def test_a_progress_function_sees_and_stops():
    seen = []

    def look(now):
        seen.append(now)
        return now.draws > 100

    run = long_run(progress=look)
    assert run.info.ended == "stopped"
    assert run.info.samples > 100
    assert run.draws.shape == (1, run.info.samples, 4)
    assert seen[0].fraction <= seen[-1].fraction
    assert isinstance(seen[-1], hiss.Progress)


def test_an_exception_of_a_progress_function_is_raised():
    def look(now):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        long_run(progress=look)


def interrupt_when(is_time):
    def interrupt():
        while not is_time():
            time.sleep(0.005)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    return thread


def after_work(seconds):
    """Whether this process has computed for so long, from now on."""
    begun = time.process_time()
    return lambda: time.process_time() - begun > seconds


def test_ctrl_c_returns_what_was_drawn():
    before = signal.getsignal(signal.SIGINT)
    with pytest.warns(RuntimeWarning, match="interrupted after"):
        thread = interrupt_when(after_work(0.4))
        run = long_run()
    thread.join()
    assert run.info.ended == "stopped"
    assert run.draws.shape == (1, run.info.samples, 4)
    assert set(np.unique(run.draws)) <= {0, 1}
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_in_the_warm_up_is_a_keyboard_interrupt():
    with pytest.raises(KeyboardInterrupt):
        thread = interrupt_when(after_work(0.3))
        hiss.sample("bernoulli4", "gibbs", samples=1, warmup=10**12)
    thread.join()


def test_ctrl_c_with_a_function_of_the_user():
    calls = []

    def slow(x):
        calls.append(len(x))
        time.sleep(0.001)
        return -x.sum(1)

    with pytest.warns(RuntimeWarning, match="interrupted"):
        thread = interrupt_when(lambda: len(calls) > 200)
        run = hiss.sample(hiss.from_function(slow, 3), "metropolis",
                          samples=10**6, warmup=1)
    thread.join()
    assert 0 < run.info.samples < 10**6


def test_runs_in_another_thread():
    out = []
    thread = threading.Thread(
        target=lambda: out.append(hiss.sample("bernoulli4", samples=50)))
    thread.start()
    thread.join()
    assert np.array_equal(out[0].draws,
                          hiss.sample("bernoulli4", samples=50).draws)


def test_other_threads_run_meanwhile():
    """The GIL is free: a thread counts while C works."""
    count, done = [0], threading.Event()

    def work():
        while not done.is_set():
            count[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        before = count[0]
        hiss.sample("ising(side=8,beta=0.4)", "gibbs", time_limit=1)
        assert count[0] - before > 5  # hundreds; one or two if it were not
    finally:
        done.set()
        thread.join()


def test_bars(capsys):
    from hiss._progress import TerminalBar, choose
    bar = choose(True, "sampling")
    assert isinstance(bar, TerminalBar)
    bar.last = -1e9
    bar(hiss.Progress(0.5, 10.0, 1e6, 100, False, float("nan")))
    bar.close()
    shown = capsys.readouterr().err
    assert "sampling  50%" in shown and "10s left" in shown
    assert choose(False, "x") is None
    assert choose(None, "x") is None  # standard error is no terminal here


def test_checkpoints(tmp_path):
    file = tmp_path / "run.ck"
    whole = hiss.sample("pairs(d=6)", "gibbs", samples=400, seed=5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hiss.sample("pairs(d=6)", "gibbs", samples=400, seed=5,
                    checkpoint=file, checkpoint_every=1e-9,
                    progress=lambda now: now.draws > 50)
    rest = hiss.sample("pairs(d=6)", "gibbs", samples=400, seed=5, resume=file)
    assert np.array_equal(whole.draws, rest.draws)
