"""What a careless or hostile caller meets: clear errors, and no way to spoil
what others hold."""
import gc
import os
import pickle
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import hiss

RING = "ising(side=3,beta=0.3)"


def draw(**more):
    return hiss.sample(RING, "gibbs", samples=20, seed=3, threads=1, **more)


# --- texts -----------------------------------------------------------------

@pytest.mark.parametrize("call", [
    lambda: hiss.model("ising(side=3)\0,beta=9)"),
    lambda: hiss.open("ising(side=3)\0"),
    lambda: hiss.open("there.uai\0.txt"),
    lambda: hiss.open("there.uai", "uai\0"),
    lambda: hiss.load("there.csv\0"),
    lambda: hiss.convert("there.uai\0", "other.json"),
    lambda: hiss.convert("there.uai", "other.json\0.txt"),
    lambda: hiss.sample(RING, "gibbs\0(order=random)"),
    lambda: hiss.sample(RING, checkpoint="a\0b"),
    lambda: hiss.sample(RING, resume="a\0b"),
    lambda: hiss.optimize(RING, sampler="gibbs\0", restarts=1),
    lambda: hiss.compare(RING, ["gibbs", "gibbs\0"], samples=10),
    lambda: hiss.model(RING).evidence("a\0b"),
    lambda: hiss.from_function(lambda x: x.sum(1), 3, name="a\0b"),
    lambda: draw().save("a\0.csv"),
    lambda: draw().observable("mean(x)\0)"),
])
def test_nul_is_refused(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.uai").write_text("MARKOV\n1\n2\n0\n")
    with pytest.raises(ValueError, match="NUL|null"):
        call()
    assert os.listdir(tmp_path) == ["there.uai"]


# --- arrays that are handed out --------------------------------------------

def test_draws_stay_read_only():
    run = draw(save_warmup=True)
    arrays = [run.draws, run.lp, run.acceptance_rate, run.warmup.draws,
              run.warmup.lp]
    for array in arrays:
        with pytest.raises(ValueError):
            array[...] = 0
        with pytest.raises(ValueError):
            array.flags.writeable = True
        with pytest.raises(ValueError):
            array.view().setflags(write=True)
        base = array
        while isinstance(base, np.ndarray):
            assert not base.flags.writeable
            base = base.base
        with pytest.raises((TypeError, ValueError)):
            np.asarray(base).setflags(write=True)


def test_draws_outlive_their_result():
    run = draw()
    draws, copy = run.draws[1:], run.draws[1:].copy()
    lp, own = run.lp, run.lp.copy()
    del run
    gc.collect()
    for seed in range(5):  # memory that is free is used again
        hiss.sample(RING, "gibbs", samples=20, seed=seed)
    assert (draws == copy).all() and (lp == own).all()


# --- pickling --------------------------------------------------------------

def test_samplers_are_pickled():
    for sampler in (hiss.Sampler("gibbs"),
                    hiss.HiSS(eta=4, inner=hiss.DMALA(alpha=0.2))):
        again = pickle.loads(pickle.dumps(sampler))
        assert again == sampler and again.spec == sampler.spec


def test_what_has_no_memory_of_c_is_pickled():
    found = hiss.optimize(RING, restarts=2, seed=1)
    again = pickle.loads(pickle.dumps(found))
    assert (again.state == found.state).all() and again.u == found.u
    verdict = hiss.verify(RING, "gibbs", replicates=1000)
    assert pickle.loads(pickle.dumps(verdict)) == verdict
    told = draw().diagnose(blind=True, probe=0)
    assert repr(pickle.loads(pickle.dumps(told))) == repr(told)


@pytest.mark.parametrize("make", [
    lambda: hiss.model(RING), draw, lambda: hiss.exact(RING)])
def test_the_others_say_what_to_do(make):
    with pytest.raises(TypeError, match="of hiss cannot be pickled: "):
        pickle.dumps(make())


# --- arrays that come in ---------------------------------------------------

MASKED = np.ma.masked_array(np.eye(3), mask=np.eye(3) > 0)


@pytest.mark.parametrize("call, fault, words", [
    (lambda: hiss.ising(MASKED), ValueError, "J has masked"),
    (lambda: hiss.qubo(MASKED), ValueError, "Q has masked"),
    (lambda: hiss.rbm(MASKED), ValueError, "W has masked"),
    (lambda: hiss.ising(np.eye(3), h=MASKED[0]), ValueError, "h has masked"),
    (lambda: hiss.sample(RING, init=np.ma.masked_array(
        np.ones(9), mask=[1] + 8 * [0])), ValueError, "init has masked"),
    (lambda: hiss.ising(np.full((3, 3), np.nan)), ValueError, r"J\[0, 0\]"),
    (lambda: hiss.ising(np.full((3, 3), np.inf)), ValueError, r"J\[0, 0\]"),
    (lambda: hiss.ising(np.eye(3, dtype=complex)), TypeError, "complex"),
    (lambda: hiss.ising(np.full((2, 2), "a")), TypeError, "dtype <U1"),
    (lambda: hiss.ising(np.full((2, 2), None)), TypeError, "dtype object"),
    (lambda: hiss.ising([[1, 2], [3]]), (TypeError, ValueError), "J"),
    (lambda: hiss.ising(np.ones((2, 3))), ValueError, "J has shape"),
    (lambda: hiss.ising(np.ones(3)), ValueError, "J has shape"),
    (lambda: hiss.ising(np.ones((0, 0))), ValueError, "J is empty"),
    (lambda: hiss.sample(RING, init=np.full(9, np.nan)), ValueError, "init"),
    (lambda: hiss.sample(RING, init=np.ones(8)), ValueError, "init has shape"),
    (lambda: hiss.sample(RING, chains=0), ValueError, "chains is 0"),
    (lambda: hiss.sample(RING, chains=2.5), TypeError, "chains is 2.5"),
    (lambda: hiss.sample(RING, samples=2**70), ValueError, "samples"),
    (lambda: hiss.sample(RING, time_limit=float("nan")), ValueError,
     "time_limit"),
    (lambda: hiss.model(RING).log_prob(np.full(9, np.nan)), ValueError, "x"),
    (lambda: draw().diagnose(search=-1), ValueError, "search"),
])
def test_bad_arrays_and_numbers(call, fault, words):
    with pytest.raises(fault, match=words):
        call()


def test_a_mask_that_hides_nothing():
    free = np.ma.masked_array(np.eye(3), mask=np.zeros((3, 3)))
    assert hiss.ising(free).dim == 3


# --- Ctrl-C ----------------------------------------------------------------

# A signal comes once the call has computed for a while; the call must be over
# soon after.  Both are processor time, which other work does not change.
LONG = """
    import os, signal, sys, threading, time
    import numpy as np
    import hiss

    heard = []

    def interrupt(begun):
        while time.process_time() < begun + 0.5:
            time.sleep(0.01)
        heard.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    {before}
    try:
        threading.Thread(target=interrupt,
                         args=(time.process_time(),)).start()
        {call}
    except KeyboardInterrupt:
        took = time.process_time() - heard[0]
        print("interrupted", took)
        sys.exit(0 if took < {limit} else 3)
    sys.exit(4)
"""
DENSE = "hiss.rbm(np.ones((26, 600)) * 1e-3)"
CALLS = {
    "enumeration": f"hiss.exact({DENSE}, threads=1)",
    "elimination": "hiss.exact('ising(side=11,beta=0.4)', threads=1)",
    "sample": "hiss.sample('ising(side=64,beta=0.4)', 'gibbs', "
              "samples=10, warmup=10**9, threads=1)",
    "auto": "hiss.sample('ising(side=128,beta=0.44)', samples=10, "
            "warmup=10**9, threads=1)",
    "optimize": "hiss.optimize('ising(side=64,beta=1)', time_limit=100, "
                "threads=1); raise KeyboardInterrupt",
    "verify": "hiss.verify('ising(side=4,beta=0.4)', 'gibbs', "
              "replicates=10**9, threads=1)",
    "compare": "hiss.compare('ising(side=32,beta=0.4)', 'gibbs;metropolis', "
               "time_limit=60, threads=1)",
    "modes": "run.modes(full=True)",
    "diagnose": "run.diagnose(threads=1)",
    "law of a race": f"hiss.compare({DENSE.replace('26', '22')}, "
                     "'gibbs;metropolis', time_limit=60, threads=1)",
}


# What is done before the clock starts.
BEFORE = {
    "modes": "run = hiss.sample(hiss.rbm(np.ones((784, 500)) * 1e-3), "
             "'dmala(alpha=0.5)', samples=2000, threads=1)",
    "diagnose": "run = hiss.sample('ising(side=100,beta=0.3)', 'gibbs', "
                "threads=1)",
}


@pytest.mark.parametrize("name", CALLS)
def test_control_c(name):
    limit = 5.0
    code = textwrap.dedent(LONG).format(call=CALLS[name], limit=limit,
                                        before=BEFORE.get(name, ""))
    done = subprocess.run([sys.executable, "-c", code], text=True,
                          capture_output=True, timeout=600)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)


def test_a_call_after_an_interrupt():
    """The handler is the user's again, and the library still works."""
    before = signal.getsignal(signal.SIGINT)
    assert hiss.exact(RING).states == 512
    assert signal.getsignal(signal.SIGINT) is before
