"""Chains on a card around a function of the user, on the card's stand-in.

HISS_CUDA names the plug-in: the stand-in, whose memory is the processor's.
"""
import ctypes
import os
import signal

import numpy as np
import pytest

import hiss

if "HISS_CUDA" not in os.environ:
    pytest.skip("no plug-in of a card is named by HISS_CUDA",
                allow_module_level=True)

DIM, CHAINS = 9, 35
KINDS = {"binary": {}, "spin": {}, "categorical": {"states": 3},
         "ordinal": {"levels": [-1, 0.5, 2]}}


class States(ctypes.Structure):
    """hiss_card_states of hiss/arrays.h."""

    _fields_ = [("size", ctypes.c_size_t), ("card", ctypes.c_int),
                ("count", ctypes.c_int), ("rows", ctypes.c_int),
                ("x", ctypes.POINTER(ctypes.c_float)),
                ("u", ctypes.POINTER(ctypes.c_double)),
                ("gradient", ctypes.POINTER(ctypes.c_float)),
                ("own_u", ctypes.c_void_p), ("own_u_float", ctypes.c_void_p),
                ("own_gradient", ctypes.c_void_p),
                ("wait", ctypes.CFUNCTYPE(None)),
                ("join", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


HERE = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int16),
    ctypes.c_int, ctypes.POINTER(ctypes.c_double),
    ctypes.POINTER(ctypes.c_float))
THERE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(States))


class Chain:
    """Coupled neighbors, in rows: every state is computed by itself."""

    def __init__(self, kind="spin", dim=DIM, how="fill", fault=None):
        self.kind, self.dim, self.how, self.fault = kind, dim, how, fault
        self.labels = KINDS[kind].get("states", 1)
        self.values = {"binary": [0, 1], "spin": [-1, 1],
                       "ordinal": KINDS["ordinal"]["levels"]}.get(kind)
        rng = np.random.default_rng(3)
        self.field = rng.normal(0, .4, dim * self.labels)
        self.sizes = []

    def both(self, x):
        """U and gradient of rows."""
        u = np.zeros(len(x))
        for i in range(x.shape[1]):
            u = u + x[:, i] * (self.field[i]
                               + .3 * np.roll(x, -self.labels, 1)[:, i])
        slope = self.field + .3 * (np.roll(x, -self.labels, 1)
                                   + np.roll(x, self.labels, 1))
        return u, slope.astype(np.float32)

    def here(self, context, x, n, u, gradient):
        index = np.ctypeslib.as_array(x, (n, self.dim))
        if self.values is None:
            rows = np.eye(self.labels)[index].reshape(n, -1)
        else:
            rows = np.array(self.values)[index]
        value, slope = self.both(rows)
        np.ctypeslib.as_array(u, (n,))[:] = value
        if gradient:
            np.ctypeslib.as_array(gradient, slope.shape)[:] = slope
        return 0

    def there(self, context, states):
        s = states.contents
        shape = (s.count, s.rows)
        assert s.size == ctypes.sizeof(States) and s.card == -1
        s.wait()
        s.join(None)
        self.sizes.append(s.count)
        if self.fault and len(self.sizes) == 5:
            return self.fault
        value, slope = self.both(
            np.ctypeslib.as_array(s.x, shape).astype(float))
        if self.how == "own":  # arrays of its own, U in single precision
            self.kept = value.astype(np.float32), slope
            s.own_u_float = self.kept[0].ctypes.data
            s.own_gradient = slope.ctypes.data
            return 0
        if self.how == "own double":
            self.kept = value, slope
            s.own_u, s.own_gradient = value.ctypes.data, slope.ctypes.data
            return 0
        if self.how == "nan" and len(self.sizes) > 4:
            value[20] = np.nan
        if self.how == "steep" and len(self.sizes) > 4:
            slope[20, 3] = np.inf
        np.ctypeslib.as_array(s.u, (s.count,))[:] = value
        if s.gradient:
            np.ctypeslib.as_array(s.gradient, shape)[:] = slope
        return 0

    def model(self):
        return hiss.from_cfunc(
            HERE(self.here), self.dim, self.kind, **KINDS[self.kind],
            gradient=True, width=4096, on_card=THERE(self.there), name="chain")


def draw(model, sampler, device="cuda", **more):
    settings = {"samples": 20, "warmup": 10, "chains": CHAINS, "seed": 4,
                "progress": False, "device": device, **more}
    return hiss.sample(model, sampler, **settings)


SAMPLERS = ["dmala(alpha=0.4)", "dmala(alpha=auto)", "dula(alpha=0.1)", "gwg",
            "acs", "hiss(eta=1,steps=1,inner=dmala(alpha=0.4))",
            "sequence(gwg,dmala(alpha=0.3))",
            "pt(base=dmala(alpha=0.5),ladder=[1,2,4])"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_draws_are_those_of_the_processor(kind, sampler):
    chain = Chain(kind)
    model = chain.model()
    here = draw(model, sampler, None)
    assert not chain.sizes
    there = draw(model, sampler)
    assert chain.sizes and there.device.startswith("cuda:0 (")
    assert np.array_equal(here.draws, there.draws)
    assert np.array_equal(here.lp, there.lp)


def test_every_lane_is_in_one_call():
    chain = Chain()
    draw(chain.model(), "pt(base=dmala(alpha=0.5),ladder=[1,2,4])")
    assert set(chain.sizes) == {112}  # 105 lanes in tiles of 16, by groups
    assert len(chain.sizes) <= 32  # a step each, and the first states


@pytest.mark.parametrize("how", ["own", "own double"])
def test_arrays_of_its_own_are_read_where_they_are(how):
    runs = [draw(Chain(how=h).model(), "dmala(alpha=0.4)")
            for h in ("fill", how)]
    assert np.array_equal(runs[0].draws, runs[1].draws)
    assert np.allclose(runs[0].lp, runs[1].lp, rtol=1e-6)


def test_a_function_that_fails_ends_the_run():
    chain = Chain(fault=7)
    with pytest.raises(hiss.PluginError, match="chain: its function failed "
                                               "with code 7"):
        draw(chain.model(), "dmala(alpha=0.4)", warmup=1000)
    assert len(chain.sizes) == 5


@pytest.mark.parametrize("how, words", [("nan", "U is NaN"),
                                        ("steep", "the gradient is NaN")])
def test_what_is_no_number_is_refused(how, words):
    with pytest.raises(hiss.NumericError, match=f"{words}.* of chain 20"):
        draw(Chain(how=how).model(), "dmala(alpha=0.4)")
    # of a lane without a chain nothing is said
    assert len(draw(Chain(how=how).model(), "dmala(alpha=0.4)", chains=18))


@pytest.mark.parametrize("sampler", ["gibbs", "metropolis", "jumps",
                                     "hiss(eta=1,inner=gibbs)"])
def test_what_is_not_there_is_refused(sampler):
    with pytest.raises(hiss.UnsupportedError, match="cannot be run there") \
            as fault:
        draw(Chain().model(), sampler)
    assert "\n" not in str(fault.value)


def test_functions_without_a_card_are_refused():
    def log_prob(x):
        return -x.sum(1)

    model = hiss.from_function(log_prob, DIM)
    with pytest.raises(hiss.UnsupportedError, match="log_prob cannot be run "
                                                    "there.*torch and JAX"):
        draw(model, "dmala(alpha=0.4)")
    assert draw(model, "dmala(alpha=0.4)", "auto").device.startswith(
        "cpu (auto: ")


@pytest.mark.parametrize("sampler", ["dmala(alpha=0.4)", "gwg",
                                     "hiss(eta=1,inner=dmala(alpha=0.4))"])
def test_the_law_is_kept(sampler):
    verdict = hiss.verify(Chain(dim=4).model(), sampler, device="cuda",
                          replicates=20000)
    assert verdict.device.startswith("cuda:0 (")
    assert verdict.invariant


def test_a_run_goes_on(tmp_path):
    path = os.fspath(tmp_path / "checkpoint")
    model = Chain().model()
    sampler = "dmala(alpha=auto)"
    whole = draw(model, sampler, samples=500)
    part = draw(model, sampler, samples=500, checkpoint=path,
                progress=lambda now: now.draws >= 5)
    assert len(part) < len(whole)
    rest = draw(model, sampler, samples=500, resume=path)
    assert np.array_equal(whole.draws, rest.draws)


def test_ctrl_c_keeps_what_was_drawn():
    chain = Chain()
    there = chain.there

    def interrupted(context, states):
        if len(chain.sizes) == 50:
            signal.raise_signal(signal.SIGINT)
        return there(context, states)
    chain.there = interrupted
    with pytest.warns(RuntimeWarning, match="interrupted after"):
        run = draw(chain.model(), "dmala(alpha=0.4)", samples=10**6)
    assert 0 < len(run) < 10**6


# --- frameworks --------------------------------------------------------------

def torch_model(kind="spin", calls=None, fault=None, **more):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    field = torch.tensor(Chain(kind).field, dtype=torch.float32)

    def log_prob(x):
        if calls is not None:
            calls.append(tuple(x.shape))
            if fault is not None and len(calls) == 5:
                raise fault("the fifth call")
        u = 0.0
        x = x.flatten(1)
        for i in range(x.shape[1]):
            u = u + x[:, i] * (field[i] + .3 * x[:, i - 1])
        return u

    model = hiss.from_torch(log_prob, DIM, kind, **KINDS[kind], **more)
    return model


@pytest.fixture
def on_stand_in(monkeypatch):
    """Functions of the processor are as good as those of a card, here."""
    def make(*arguments, before=hiss._tensors.make):
        arguments[0].is_on_card = True
        return before(*arguments)
    monkeypatch.setattr(hiss._tensors, "make", make)


@pytest.mark.parametrize("kind", KINDS)
def test_torch(kind, on_stand_in):
    calls = []
    model = torch_model(kind, calls)
    here = draw(model, "dmala(alpha=0.4)", None)
    calls.clear()
    there = draw(model, "dmala(alpha=0.4)")
    assert np.array_equal(here.draws, there.draws)
    labels = [3] if kind == "categorical" else []
    assert calls[-1] == (48, DIM, *labels) and len(calls) < 36


@pytest.mark.parametrize("fault", [ZeroDivisionError, KeyboardInterrupt])
def test_exceptions_come_out(fault, on_stand_in):
    calls = []
    model = torch_model(calls=calls, fault=fault)
    with pytest.raises(fault, match="the fifth call"):
        draw(model, "dmala(alpha=0.4)")
    assert len(calls) == 5
    assert len(draw(model, "dmala(alpha=0.4)")) == 20 * CHAINS


def test_what_torch_returns_is_checked(on_stand_in):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    cases = {"shape": lambda x: x, "a float": lambda x: 1.0,
             "complex": lambda x: x.sum(1) + 1j}
    for words, function in cases.items():
        model = hiss.from_torch(lambda x: x.sum(1), DIM)
        model._function.evaluate_on_card = hiss._tensors._Torch(
            torch, function, model._function.domain, False, "cpu",
            torch.float32, False).evaluate_on_card
        with pytest.raises((TypeError, ValueError, RuntimeError),
                           match=words):
            draw(model, "dmala(alpha=0.4)")


def test_only_kernels_of_a_card_are_recorded():
    pytest.importorskip("torch", reason="torch is not installed")
    with pytest.raises(ValueError, match="capture: log_prob computes on cpu"):
        hiss.from_torch(lambda x: x.sum(1), DIM, capture=True)


def test_torch_in_double(on_stand_in):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    run = draw(torch_model(dtype=torch.float64), "gwg")
    assert len(run) == 20 * CHAINS


@pytest.mark.parametrize("kind", KINDS)
def test_jax(kind, on_stand_in):
    jnp = pytest.importorskip("jax.numpy", reason="jax is not installed")
    field = jnp.asarray(Chain(kind).field, jnp.float32)

    def log_prob(x):
        x = x.reshape(len(x), -1)
        return (x * (field + .3 * jnp.roll(x, 1, 1))).sum(1)

    model = hiss.from_jax(log_prob, DIM, kind, **KINDS[kind])
    run = draw(model, "dmala(alpha=0.4)")
    assert run.device.startswith("cuda:0 (")
    x = run.draws[:, -1]
    x = np.eye(3)[x] if kind == "categorical" else x
    assert np.allclose(run.lp[:, -1], log_prob(jnp.asarray(x, jnp.float32)),
                       rtol=1e-5)
