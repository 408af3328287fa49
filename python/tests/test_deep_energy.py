"""A convolutional energy model of binary images, with all its chains in one
call of torch or JAX.

U(x) = ln sum_k exp(-b sum_l |f_l(x) - f_l(p_k)|^2), where f_1 and f_2 are the
two layers of a convolutional network and p_k are images of 28 x 28: stripes
this way, stripes that way, a disc.
"""
import numpy as np
import pytest

import hiss

SIDE, CHAINS = 28, 20
NEAR = 0.15  # of the pixels
COST = 2.5  # of U, of a pixel that is wrong, on average


def images():
    row, column = np.mgrid[:SIDE, :SIDE]
    disc = (row - 13.5) ** 2 + (column - 13.5) ** 2 < 100
    return np.stack([row // 4 % 2, column // 4 % 2, disc]).reshape(3, -1)


def weights():
    """The first layer has all that a patch of 2 x 2 has, the second is
    random."""
    signs = np.array([[1, 1], [1, -1]])
    patch = np.kron(signs, signs).reshape(4, 1, 2, 2)
    draw = np.random.default_rng(7).normal(0, 0.1, (8, 4, 2, 2))
    return [patch.astype(np.float32), draw.astype(np.float32)]


def of_torch():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    torch.set_num_threads(1)  # small batches
    layers = [torch.tensor(w) for w in weights()]

    def convolve(x, w):
        return torch.nn.functional.conv2d(x, w, stride=2)
    return (hiss.from_torch, layers, convolve, torch.nn.functional.silu,
            lambda a: torch.logsumexp(a, 1),
            lambda a: torch.tensor(a, dtype=torch.float32))


def of_jax():
    jax = pytest.importorskip("jax", reason="jax is not installed")

    def convolve(x, w):
        return jax.lax.conv_general_dilated(
            x, w, (2, 2), "VALID",
            dimension_numbers=("NCHW", "OIHW", "NCHW"))
    return (hiss.from_jax, weights(), convolve, jax.nn.silu,
            lambda a: jax.nn.logsumexp(a, 1),
            lambda a: jax.numpy.asarray(a, jax.numpy.float32))


def energy(framework):
    """(function, which makes a model of it, array for it)."""
    make, layers, convolve, silu, log_sum, array = framework()

    def features(x):
        x, out = x.reshape(-1, 1, SIDE, SIDE), []
        for layer in layers:
            x = silu(convolve(x, layer))
            out.append(x.reshape(len(x), -1))
        return out

    centres = features(array(images()))

    def distances(x):
        return sum(((f[:, None] - c) ** 2).sum(2)
                   for f, c in zip(features(x), centres))

    neighbors = np.abs(images()[0] - np.eye(SIDE * SIDE))
    scale = COST / float(distances(array(neighbors))[:, 0].mean())
    return (lambda x: log_sum(-scale * distances(x))), make, array


SAMPLERS = {
    "dmala": ("dmala(alpha=0.1)", {}),
    "hiss": ("hiss(eta=1,steps=1,inner=dmala(alpha=0.1))", {}),
    "pt": ("pt(base=dmala(alpha=0.1),ladder=[1,2,4])", {}),
    "auto": ("auto", {"evals": 30000}),
}


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("framework", [of_torch, of_jax])
def test_images_are_found(framework, sampler):
    log_prob, make, array = energy(framework)
    spec, budget = SAMPLERS[sampler]
    sizes = []

    model = make(log_prob, SIDE * SIDE, name="images")
    evaluate = model._function.evaluate

    def counted(x, lanes, u, gradient):
        sizes.append(lanes)
        evaluate(x, lanes, u, gradient)

    model._function.evaluate = counted
    run = hiss.sample(model, spec, chains=CHAINS, seed=3, progress=False,
                      samples=5, warmup=60, **budget)
    last = run.draws[:, -1]
    replicas = 3 if sampler == "pt" else 1
    assert max(sizes) >= replicas * CHAINS
    assert np.allclose(np.asarray(log_prob(array(last))), run.lp[:, -1],
                       rtol=1e-3, atol=1e-3)
    apart = np.abs(last[:, None].astype(int) - images()).mean(2)
    assert (apart.min(1) < NEAR).mean() > 0.9
    if sampler != "auto":  # jumps take all chains to what so short a pilot found
        assert len(set(apart.argmin(1))) > 1
