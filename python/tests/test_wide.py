"""Functions that want many states at once: the same draws, in fewer calls."""
import ctypes
import os

import numpy as np
import pytest

import hiss
from hiss._native import ffi

DIM, CHAINS = 6, 35
SAMPLERS = ["gibbs", "gwg", "dmala(alpha=auto)", "hiss(eta=1,steps=1)",
            "pt(base=dmala(alpha=0.5),levels=3)", "auto"]


class Counted:
    """U of a chain of spins; every state is computed by itself."""

    def __init__(self):
        self.sizes = []

    def __call__(self, x):
        self.sizes.append(len(x))
        u = 0.0
        for i in range(DIM):
            u = u + 0.1 * i * x[:, i] + 0.7 * x[:, i] * x[:, (i + 1) % DIM]
        return u


def draw(model, sampler, **more):
    settings = {"samples": 20, "warmup": 10, "chains": CHAINS, "seed": 4,
                "progress": False, **more}
    return hiss.sample(model, sampler, **settings)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_draws_are_those_of_tiles(sampler):
    narrow, wide = Counted(), Counted()
    runs = [draw(hiss.from_function(narrow, DIM, "spin"), sampler),
            draw(hiss.from_function(wide, DIM, "spin", width=4096), sampler)]
    assert np.array_equal(runs[0].draws, runs[1].draws)
    assert np.array_equal(runs[0].lp, runs[1].lp)
    assert len(wide.sizes) < len(narrow.sizes)
    assert max(wide.sizes) >= CHAINS


def test_all_chains_and_replicas_are_one_call():
    sizes = []

    def both(x):
        sizes.append(len(x))
        return -0.1 * x.sum(1), np.full(x.shape, -0.1)

    model = hiss.from_function(both, DIM, gradient=True, width=1000)
    draw(model, "pt(base=dmala(alpha=0.5),ladder=[1,2,4])")
    assert max(sizes) == 3 * CHAINS and len(sizes) <= 30 + 8 + 3
    sizes.clear()
    draw(model, "dmala(alpha=0.5)", chains=3)
    # not those of the lanes that are empty; the first three calls ask
    # whether it is a function
    assert set(sizes[3:]) == {3}


def solutions(model, **budget):
    found = hiss.optimize(model, seed=2, **budget)
    return found.evals, str(list(found.solutions))


CALLS = {
    "verify": lambda model: str(hiss.verify(
        model, "dmala(alpha=0.5)", replicates=2000)),
    "verify pt": lambda model: str(hiss.verify(
        model, "pt(base=gibbs,ladder=[1,2])", replicates=2000)),
    "optimize, restarts": lambda model: solutions(model, restarts=64,
                                                  evals=1e5),
    "optimize, evals": lambda model: solutions(model, evals=1e5),
    "smc": lambda model: draw(model, "smc(base=dmala(alpha=0.5))",
                              samples=256, chains=2,
                              warmup=0).draws.tolist(),
    "exact": lambda model: hiss.exact(model).log_z,
}


@pytest.mark.parametrize("name", CALLS)
def test_other_calls_are_wide_too(name):
    narrow, wide = Counted(), Counted()
    found = [CALLS[name](hiss.from_function(narrow, DIM, "spin")),
             CALLS[name](hiss.from_function(wide, DIM, "spin", width=4096))]
    assert found[0] == found[1]
    assert len(wide.sizes) <= len(narrow.sizes) / 3
    assert max(wide.sizes) >= 4 * 16


def test_a_search_by_time_is_wide():
    wide = Counted()
    hiss.optimize(hiss.from_function(wide, DIM, "spin", width=4096),
                  time_limit=0.2)
    assert max(wide.sizes) >= 1024


@pytest.mark.parametrize("fault", [ZeroDivisionError, KeyboardInterrupt])
def test_exceptions_come_out(fault):
    calls = []

    def log_prob(x):
        calls.append(len(x))
        if len(calls) == 5:
            raise fault("the fifth call")
        return -x.sum(1)

    model = hiss.from_function(log_prob, DIM, width=100)
    with pytest.raises(fault, match="the fifth call"):
        draw(model, "dmala(alpha=0.5)")
    assert len(calls) == 5
    calls.append(0)
    assert len(draw(model, "gibbs")) == 20 * CHAINS


def test_what_is_no_number_is_refused():
    def log_prob(x):
        u = -x.sum(1)
        u[-1] = np.nan
        return u

    model = hiss.from_function(log_prob, DIM, width=100)
    with pytest.raises(hiss.NumericError, match="chain 34"):
        draw(model, "dmala(alpha=0.5)", init=np.zeros((CHAINS, DIM)))
    with pytest.raises(ValueError, match="width is -1"):
        hiss.from_function(log_prob, DIM, width=-1)


def test_a_run_goes_on(tmp_path):
    model = hiss.from_function(Counted(), DIM, "spin", width=1000)
    path = os.fspath(tmp_path / "checkpoint")
    sampler = "dmala(alpha=auto)"
    whole = draw(model, sampler, samples=500)
    part = draw(model, sampler, samples=500, checkpoint=path,
                progress=lambda now: now.draws >= 5)
    assert len(part) < len(whole)
    rest = draw(model, sampler, samples=500, resume=path)
    assert np.array_equal(whole.draws, rest.draws)


C_FUNCTION = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int16),
    ctypes.c_int, ctypes.POINTER(ctypes.c_double),
    ctypes.POINTER(ctypes.c_float))


def c_function(by_state, fault=0):
    def evaluate(context, x, n, u, gradient):
        shape = (n, DIM) if by_state else (DIM, n)
        index = np.ctypeslib.as_array(x, shape)
        index = index if by_state else index.T
        np.ctypeslib.as_array(u, (n,))[:] = Counted()(2.0 * index - 1)
        return fault
    return C_FUNCTION(evaluate)


def test_compiled_functions():
    expected = draw(hiss.from_function(Counted(), DIM, "spin"), "gwg")
    for by_state in (True, False):
        for width in (0, 500):
            function = c_function(by_state)
            address = ctypes.cast(function, ctypes.c_void_p).value
            for given in (function, address):
                model = hiss.from_cfunc(given, DIM, "spin", width=width,
                                        by_state=by_state, name="chain")
                assert model.name == "chain"
                run = draw(model, "gwg")
                assert np.array_equal(run.draws, expected.draws)
    failing = c_function(True, 3)
    with pytest.raises(hiss.PluginError, match="failed with code 3"):
        draw(hiss.from_cfunc(failing, DIM, "spin"), "gwg")
    with pytest.raises(TypeError, match="function is a str, expected"):
        hiss.from_cfunc("no address", DIM)
    with pytest.raises(ValueError, match="function has address 0"):
        hiss.from_cfunc(0, DIM)


def test_functions_of_numba():
    numba = pytest.importorskip("numba", reason="numba is not installed")
    types = numba.types
    signature = types.int32(
        types.voidptr, types.CPointer(types.int16), types.int32,
        types.CPointer(types.float64), types.CPointer(types.float32))

    @numba.cfunc(signature)
    def chain(context, x, n, u, gradient):
        index = numba.carray(x, (n, DIM))
        for k in range(n):
            u[k] = 0.0
            for i in range(DIM):
                s, t = 2.0 * index[k, i] - 1, 2.0 * index[k, (i + 1) % DIM] - 1
                u[k] = u[k] + 0.1 * i * s + 0.7 * s * t
        return 0

    run = draw(hiss.from_cfunc(chain, DIM, "spin"), "gibbs")
    expected = draw(hiss.from_function(Counted(), DIM, "spin"), "gibbs")
    assert np.array_equal(run.draws, expected.draws)


FRAMEWORKS = ["torch", "jax"]


def framework(name):
    module = pytest.importorskip(name, reason=f"{name} is not installed")
    return module, hiss.from_torch if name == "torch" else hiss.from_jax


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_numbers_and_labels_of_frameworks(name):
    """What the function is given, for every kind of coordinate."""
    _, make = framework(name)
    cases = [("binary", {}, [0, 1]), ("spin", {}, [-1, 1]),
             ("ordinal", {"levels": [1.0, 1.5, 2.0]}, [1, 1.5, 2]),
             ("ordinal", {"levels": [0.0, 1.0, 4.0]}, [0, 1, 4])]
    for kind, more, values in cases:
        model = make(lambda x: x[:, 0] + 10 * x[:, 1] ** 2, 2, kind, **more)
        for a in values:
            for b in values:
                assert model.log_prob([a, b]) == pytest.approx(a + 10 * b * b)
    model = make(lambda x: x[:, 0, 2] + 3 * x[:, 1, 1], 2, "categorical",
                 states=3)
    assert model.log_prob([2, 1]) == pytest.approx(4)
    assert model.log_prob([0, 1]) == pytest.approx(3)
    with pytest.raises(ValueError, match="log_prob returned shape"):
        draw(make(lambda x: x, 2), "gibbs")


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_frameworks_draw_what_numpy_draws(name):
    """U is linear with small whole numbers: every order of sums is exact."""
    _, make = framework(name)
    slope = np.arange(1, 1 + DIM, dtype=np.float32) / 8

    def both(x):
        return x @ slope, np.broadcast_to(slope, x.shape)

    plain = hiss.from_function(both, DIM, "spin", gradient=True,
                               dtype=np.float32)
    own = framework(name)[0]
    there = own.as_tensor(slope) if name == "torch" else slope
    for width in (0, 4096):
        model = make(lambda x: x @ there, DIM, "spin", width=width)
        for sampler in ("dmala(alpha=0.5)", "pt(base=dmala(alpha=0.5))"):
            runs = [draw(m, sampler) for m in (plain, model)]
            assert np.array_equal(runs[0].draws, runs[1].draws)


def test_what_is_no_tensor_is_named():
    _, make = framework("torch")
    for returned in (None, (1.0,), np.zeros(2)):
        with pytest.raises(TypeError, match="expected a tensor"):
            draw(make(lambda x: returned, 2), "gibbs")


def test_few_shapes_are_compiled():
    from hiss._tensors import padded
    sizes = {padded(n) for n in range(1, 4097)}
    assert len(sizes) <= 80 and padded(4096) == 4096
    assert all(n <= padded(n) <= max(n * 9 / 8, n + 1)
               for n in range(1, 5000))
    framework("jax")
    traced = []

    def log_prob(x):
        traced.append(len(x))
        return -x.sum(1)

    model = hiss.from_jax(log_prob, DIM)
    for chains in (97, 98, 103, 104):
        draw(model, "dmala(alpha=0.5)", chains=chains)
    assert set(traced) == {104} and len(traced) <= 2


def test_a_function_may_evaluate_its_own_model():
    """The states that it was given are still there afterwards."""
    torch, make = framework("torch")
    there = torch.arange(1.0, 1 + DIM) / 8
    inside = []

    def log_prob(x):
        if not inside:
            inside.append(0)
            model.log_prob(np.ones(DIM))
            draw(model, "dmala(alpha=0.5)", chains=50, samples=3)
            inside.clear()
        return x @ there

    model = make(log_prob, DIM, "spin")
    plain = make(lambda x: x @ there, DIM, "spin")
    runs = [draw(m, "dmala(alpha=0.5)", samples=3, warmup=0)
            for m in (model, plain)]
    assert np.array_equal(runs[0].draws, runs[1].draws)
    assert np.array_equal(runs[0].lp, runs[1].lp)


def address(pointer):
    return int(ffi.cast("uintptr_t", pointer))


def pointer_of(array):
    """Where an array of numpy, torch or JAX begins."""
    if hasattr(array, "data_ptr"):
        return array.data_ptr()
    if hasattr(array, "unsafe_buffer_pointer"):
        return array.unsafe_buffer_pointer()
    return array.ctypes.data


def test_states_go_in_without_a_copy():
    """What torch reads is the library's memory, and what a function is given
    is one buffer, whatever the number of calls."""
    torch, make = framework("torch")
    given, seen, room = [], [], []

    def log_prob(x):
        room.append(x.data_ptr())
        return -x.sum((1, 2))

    model = make(log_prob, DIM, "categorical", states=3)
    function = model._function
    evaluate, tensor = function.evaluate_in, function.tensor
    labels = function.labels.data_ptr()

    def evaluate_in(rooms, x, *rest):
        given.append(address(x))
        return evaluate(rooms, x, *rest)

    def tensor_of(rooms, index):
        seen.append(torch.from_numpy(index).data_ptr())
        return tensor(rooms, index)

    function.evaluate_in, function.tensor = evaluate_in, tensor_of
    draw(model, "dmala(alpha=0.5)")
    assert len(given) > 20 and given == seen
    assert len(set(room)) <= 2  # of 16 states at the start, and of all
    assert function.labels.data_ptr() == labels  # one-hot by one comparison


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_draws_come_out_without_a_copy(name):
    """By DLPack: the tensor is where the library has put them."""
    module, _ = framework(name)
    run = draw(hiss.from_function(Counted(), DIM, "spin"), "gibbs",
               chains=64, samples=64)
    take = module.from_dlpack if name == "torch" else \
        module.numpy.from_dlpack
    assert pointer_of(take(run)) == run.draws.ctypes.data
    expected = run.draws.copy()
    kept = take(run)
    del run  # the tensor keeps what it needs
    assert np.array_equal(np.asarray(kept), expected)


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_starts_come_in_without_a_copy(name):
    from hiss._arrays import numbers
    module, _ = framework(name)
    if name == "torch":
        start = module.ones((CHAINS, DIM), dtype=module.float64)
        assert numbers("init", start).ctypes.data == start.data_ptr()
    else:
        start = module.numpy.ones((CHAINS, DIM))
        assert pointer_of(np.from_dlpack(start)) == pointer_of(start)
    model = hiss.from_function(Counted(), DIM, "spin")
    assert np.array_equal(
        draw(model, "gibbs", init=start).draws,
        draw(model, "gibbs", init=np.ones((CHAINS, DIM))).draws)


def test_torch_compiles_few_shapes():
    """A function that is compiled already, by a compiler that counts."""
    torch, make = framework("torch")
    if not hasattr(torch, "compile"):
        pytest.skip("this torch does not compile")
    shapes = []

    def count(graph, inputs):
        shapes.extend(tuple(x.shape) for x in inputs)
        return graph.forward

    log_prob = torch.compile(lambda x: -(x * x).sum(1), backend=count,
                             dynamic=False)
    model = make(log_prob, DIM)
    for chains in (97, 98, 103, 104):
        draw(model, "dmala(alpha=0.5)", chains=chains)
    assert set(shapes) == {(104, DIM)}
    assert len(shapes) <= 2  # with and without a gradient
