"""Wide functions that fail, hang on or call back: a clear error, no crash and
no hang, and the model is as good as before."""
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import hiss
from test_wide import framework

DIM, CHAINS, LATE = 6, 35, 100
KINDS = ["numpy", "torch", "jax"]
SLOPE = np.arange(1, 1 + DIM, dtype=np.float32) / 8
SAMPLER = "dmala(alpha=0.5)"


def draw(model, **more):
    settings = {"samples": 150, "warmup": 0, "chains": CHAINS, "seed": 4,
                "progress": False, **more}
    return hiss.sample(model, SAMPLER, **settings)


class Hostile:
    """U is linear; `late` replaces what the hundredth call returns, and those
    after it."""

    def __init__(self, kind):
        self.kind, self.calls, self.late = kind, 0, None
        if kind == "numpy":
            def both(x):
                u = self.turn(x @ SLOPE.astype(float))
                return u, np.broadcast_to(SLOPE, x.shape)
            self.model = hiss.from_function(both, DIM, gradient=True,
                                            width=4096)
        elif kind == "torch":
            torch, make = framework(kind)
            slope = torch.from_numpy(SLOPE)
            self.model = make(lambda x: self.turn(x @ slope), DIM)
        else:
            jax, make = framework(kind)

            def late(u):  # what a compiled function may do in Python
                return np.asarray(self.turn(np.array(u)), u.dtype)

            @jax.custom_vjp
            def turned(u):
                return jax.pure_callback(late, jax.ShapeDtypeStruct(
                    u.shape, u.dtype), u)

            turned.defvjp(lambda u: (turned(u), None), lambda _, g: (g,))
            self.model = make(lambda x: turned(x @ SLOPE), DIM)

    def turn(self, u):
        self.calls += 1
        return u if self.late is None or self.calls < LATE else self.late(u)


def fail(u):
    raise ZeroDivisionError("the hundredth call")


def not_a_number(u):
    return u * np.nan


def again(hostile):
    """The same model without its fault draws what another one does."""
    hostile.late = None
    assert np.array_equal(draw(hostile.model).draws,
                          draw(Hostile(hostile.kind).model).draws)


@pytest.mark.parametrize("kind", KINDS)
def test_an_exception_in_the_middle(kind):
    hostile = Hostile(kind)
    hostile.late = fail
    # JAX wraps it in a fault of its own, whose text has it.
    with pytest.raises(Exception, match="the hundredth call"):
        draw(hostile.model)
    again(hostile)


@pytest.mark.parametrize("kind", KINDS)
def test_nan_in_the_middle(kind):
    hostile = Hostile(kind)
    hostile.late = not_a_number
    with pytest.raises(hiss.NumericError, match="is NaN .* in chain 0 at step"):
        draw(hostile.model)
    again(hostile)


LATER = {
    "shape": (lambda u: u[:, None], ValueError, "returned shape"),
    "fewer": (lambda u: u[:-1], ValueError, "returned shape"),
    "number": (lambda u: u.sum(), ValueError, "returned shape"),
    "nothing": (lambda u: None, TypeError, "log_prob returned"),
    "text": (lambda u: "text", TypeError, "log_prob returned"),
    "complex": (lambda u: u * 1j, TypeError, "complex.*expected real"),
}


@pytest.mark.parametrize("what", LATER)
@pytest.mark.parametrize("kind", ["numpy", "torch"])
def test_something_else_in_the_middle(kind, what):
    """JAX has one shape and type for all calls, which the first one shows."""
    hostile = Hostile(kind)
    hostile.late, fault, words = LATER[what]
    with pytest.raises(fault, match=words):
        draw(hostile.model)
    assert hostile.calls == LATE
    again(hostile)


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_within_a_run(kind):
    hostile, inside = Hostile(kind), []

    def nested(u):
        if not inside:
            inside.append(0)
            other = hiss.from_function(lambda x: x @ SLOPE, DIM, width=64)
            inside.append(draw(other, samples=3).draws)
            if kind != "jax":  # which waits for its own callback
                inside.append(draw(hostile.model, samples=3).draws)
        return u

    hostile.late = nested
    run = draw(hostile.model)
    assert len(inside) == (2 if kind == "jax" else 3)
    assert np.array_equal(run.draws, draw(Hostile(kind).model).draws)


@pytest.mark.parametrize("kind", KINDS)
def test_runs_in_threads(kind):
    """Of one model, and of two; with a fault in one of them."""
    shared, single, broken = Hostile(kind), Hostile(kind), Hostile(kind)
    expected = {seed: draw(Hostile(kind).model, seed=seed).draws
                for seed in (1, 2, 3)}
    broken.late, found = fail, {}

    def run(name, hostile, seed):
        try:
            found[name] = draw(hostile.model, seed=seed).draws
        except Exception as fault:
            found[name] = fault

    threads = [threading.Thread(target=run, args=of) for of in (
        ("a", shared, 1), ("b", shared, 2), ("c", single, 3),
        ("d", broken, 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    for name, seed in (("a", 1), ("b", 2), ("c", 3)):
        assert np.array_equal(found[name], expected[seed]), found[name]
    assert "the hundredth call" in str(found["d"])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_while_another_thread_draws():
    """The child has none of its parent's threads, and draws all the same."""
    hostile = Hostile("numpy")
    expected = draw(hostile.model).draws
    under_way, may_end = threading.Event(), threading.Event()

    def wait(u):
        under_way.set()
        may_end.wait(60)
        return u

    busy = Hostile("numpy")
    busy.late = wait
    thread = threading.Thread(target=draw, args=(busy.model,))
    thread.start()
    assert under_way.wait(60)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(draw(hostile.model).draws, expected)
                 else 3)
    until = time.monotonic() + 60
    done = 0
    while not done and time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        time.sleep(0.01)
    if not done:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    may_end.set()
    thread.join(60)
    assert done and os.waitstatus_to_exitcode(status) == 0
    assert not thread.is_alive()


PROGRAM = """
    import signal, sys, time
    signal.signal(signal.SIGINT, signal.default_int_handler)  # even where a
    # shell that started the tests in its background has had it ignored
    sys.path[:0] = [{folder!r}]
    import test_hostile
    hostile = test_hostile.Hostile({kind!r})
    def slow(u):
        print("under way", flush=True)
        time.sleep(0.02)
        return u
    hostile.late = slow
    try:
        with __import__("warnings").catch_warnings(record=True) as said:
            run = test_hostile.draw(hostile.model, samples=1000000)
        print("has", run.info.samples, said[0].message)
    except KeyboardInterrupt:
        print("ended at once")
    hostile.late = None
    print("again", len(test_hostile.draw(hostile.model, samples=3)))
"""


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_ctrl_c(kind, times):
    """Once keeps what was drawn, twice ends at once; both are soon."""
    if kind != "numpy":
        framework(kind)
    folder = os.path.dirname(os.path.abspath(__file__))
    program = subprocess.Popen(
        [sys.executable, "-B", "-c", textwrap.dedent(PROGRAM).format(
            folder=folder, kind=kind)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        for line in program.stdout:
            if line == "under way\n":
                break
        for _ in range(times):
            program.send_signal(signal.SIGINT)
            time.sleep(0.005)
        rest, _ = program.communicate(timeout=120)
    finally:
        program.kill()
    rest = rest.replace("under way\n", "")
    assert program.returncode == 0, rest
    assert "again 105" in rest
    assert "interrupted after" in rest or \
        times == 2 and "ended at once" in rest, rest
