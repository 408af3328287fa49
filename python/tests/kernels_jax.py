"""Transitions as users of JAX write them: compiled, with keys that are split
and gradients of jax.grad."""
import jax
import jax.numpy as jnp
from kernels import DIM, FIELD, PAIRS

W, H = jnp.asarray(PAIRS, jnp.float32), jnp.asarray(FIELD, jnp.float32)


def energy(x):
    return 0.5 * x @ W @ x + x @ H


def scores(x):
    return (1 - 2 * x) * jax.grad(energy)(x) / 2


@jax.jit
def jax_gibbs(x, key):
    for i in range(DIM):
        key, own = jax.random.split(key)
        chance = jax.nn.sigmoid(x @ W[:, i] + H[i])
        x = x.at[:, i].set(jax.random.uniform(own, (len(x),)) < chance)
    return x


def gwg_of_one(x, key, has_reverse):
    which, decide = jax.random.split(key)
    ahead = jax.nn.log_softmax(scores(x))
    i = jax.random.categorical(which, ahead)
    y = x.at[i].set(1 - x[i])
    log_ratio = energy(y) - energy(x)
    if has_reverse:
        log_ratio += jax.nn.log_softmax(scores(y))[i] - ahead[i]
    ok = jnp.log(jax.random.uniform(decide)) < log_ratio
    return jnp.where(ok, y, x)


def by_rows(one, x, key, *more):
    keys = jax.random.split(key, len(x))
    return jax.vmap(lambda row, own: one(row, own, *more))(x, keys)


@jax.jit
def jax_gwg(x, key):
    return by_rows(gwg_of_one, x, key, True)


@jax.jit
def jax_scan(x, key):
    """Three Metropolis flips by lax.scan."""
    def flip(x, key):
        which, decide = jax.random.split(key)
        i = jax.random.randint(which, (len(x),), 0, DIM)
        y = jnp.where(jnp.arange(DIM) == i[:, None], 1 - x, x)
        gap = jax.vmap(energy)(y) - jax.vmap(energy)(x)
        ok = jax.random.uniform(decide, (len(x),)) < jnp.exp(gap)
        return jnp.where(ok[:, None], y, x), None

    return jax.lax.scan(flip, x, jax.random.split(key, 3))[0]


@jax.jit
def jax_without_reverse(x, key):
    return by_rows(gwg_of_one, x, key, False)


@jax.jit
def jax_key_twice(x, key):
    """One key for the coordinate and for the decision."""
    def flip(x, key):
        u = jax.random.uniform(key, (DIM,))
        i = u.argmax()
        y = x.at[i].set(1 - x[i])
        ok = jax.random.uniform(key, (DIM,))[0] < jnp.exp(energy(y) - energy(x))
        return jnp.where(ok, y, x)

    return by_rows(flip, x, key)


@jax.jit
def jax_one_key(x, key):
    """The key of a call for each of its rows."""
    return jax.vmap(lambda row: gwg_of_one(row, key, True))(x)


RIGHT = [("bits", jax_gibbs), ("bits", jax_gwg), ("bits", jax_scan)]
WRONG = [("bits", jax_without_reverse, "mass goes to states of"),
         ("bits", jax_key_twice, "rises|falls"),
         ("bits", jax_one_key, "random numbers in common")]
