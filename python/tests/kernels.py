"""Transitions as their authors would write them: right ones, and wrong ones.

A kernel takes states (n, dim) and a numpy Generator and returns states.
"""
import itertools

import numpy as np

import hiss

DIM = 5
PAIRS = np.random.default_rng(3).normal(0, 0.7, (DIM, DIM))
PAIRS = np.triu(PAIRS, 1) + np.triu(PAIRS, 1).T
FIELD = np.array([0.4, -0.3, 0.2, 0.5, -0.6])
RING = 6
POTTS = np.array([0.6, -0.2, 0.3])


# --- models ----------------------------------------------------------------

def bits(x):
    """A quadratic form of bits."""
    return 0.5 * np.einsum("ni,ij,nj->n", x, PAIRS, x) + x @ FIELD


def bits_slope(x):
    return x @ PAIRS + FIELD


def ring(s):
    """Spins around a ring, in a field."""
    return 0.5 * (s * np.roll(s, 1, 1)).sum(1) + 0.1 * s.sum(1)


def labels(x):
    """Three labels on a chain of four."""
    return 0.8 * (x[:, 1:] == x[:, :-1]).sum(1) + POTTS[x].sum(1)


def levels(x):
    """Two numbers 0 .. 6 that attract each other."""
    return -0.3 * (x[:, 0] - x[:, 1]) ** 2 + 0.2 * x[:, 0]


def two_of_five(x):
    """The same bits, of which two are 1."""
    return np.where(x.sum(1) == 2, bits(x), -np.inf)


COLD = 3


def two_levels(x):
    """Three bits at temperature 1 and three at temperature 3, side by side."""
    return bits_of_three(x[:, :COLD]) + bits_of_three(x[:, COLD:]) / 3


def bits_of_three(x):
    return 2.0 * (x[:, 0] * x[:, 1] + x[:, 1] * x[:, 2]) - 1.5 * x.sum(1)


MODELS = {
    "bits": lambda: hiss.from_function(bits, DIM),
    "ring": lambda: hiss.from_function(ring, RING, "spin"),
    "labels": lambda: hiss.from_function(labels, 4, "categorical", states=3),
    "levels": lambda: hiss.from_function(levels, 2, "ordinal", states=7),
    "two_of_five": lambda: hiss.from_function(two_of_five, DIM),
    "two_levels": lambda: hiss.from_function(two_levels, 2 * COLD),
}


# --- parts -----------------------------------------------------------------

def logistic(z):
    return 1 / (1 + np.exp(-z))


def accept(x, y, log_ratio, rng):
    with np.errstate(over="ignore"):
        ok = rng.random(len(x)) < np.exp(log_ratio)
    return np.where(ok[:, None], y, x)


def flipped(x, i):
    y = x.copy()
    rows = np.arange(len(x))
    y[rows, i] = 1 - y[rows, i]
    return y


def heat_bath(x, i, rng):
    """Bit i[n] of state n from its conditional law."""
    gap = bits_slope(x)[np.arange(len(x)), i]
    out = x.copy()
    out[np.arange(len(x)), i] = rng.random(len(x)) < logistic(gap)
    return out


# --- right ones ------------------------------------------------------------

def random_scan_gibbs(x, rng):
    return heat_bath(x, rng.integers(DIM, size=len(x)), rng)


def systematic_gibbs(x, rng):
    for i in range(DIM):
        x = heat_bath(x, np.full(len(x), i), rng)
    return x


def palindrome_gibbs(x, rng):
    for i in [*range(DIM), *reversed(range(DIM))]:
        x = heat_bath(x, np.full(len(x), i), rng)
    return x


def metropolis(x, rng):
    y = flipped(x, rng.integers(DIM, size=len(x)))
    return accept(x, y, bits(y) - bits(x), rng)


def lazy(x, rng):
    stays = rng.random(len(x)) < 0.5
    return np.where(stays[:, None], x, metropolis(x, rng))


def barker(x, rng):
    y = flipped(x, rng.integers(DIM, size=len(x)))
    return accept(x, y, -np.logaddexp(0, bits(x) - bits(y)), rng)


def independence(x, rng):
    chance = np.array([0.6, 0.4, 0.5, 0.6, 0.3])
    y = (rng.random(x.shape) < chance).astype(float)

    def log_q(z):
        return (z * np.log(chance) + (1 - z) * np.log(1 - chance)).sum(1)

    return accept(x, y, bits(y) - bits(x) + log_q(x) - log_q(y), rng)


def block_gibbs(x, rng):
    """Two coordinates at once, the same for all states of a call."""
    i, j = rng.choice(DIM, 2, replace=False)
    weight = []
    for a, b in itertools.product((0, 1), repeat=2):
        y = x.copy()
        y[:, i], y[:, j] = a, b
        weight.append(bits(y))
    weight = np.array(weight)
    choice = (weight + rng.gumbel(size=weight.shape)).argmax(0)
    out = x.copy()
    out[:, i], out[:, j] = choice // 2, choice % 2
    return out


def colors(s, rng):
    """Every other spin of a ring at once."""
    for first in (0, 1):
        field = 0.5 * (np.roll(s, 1, 1) + np.roll(s, -1, 1)) + 0.1
        new = np.where(rng.random(s.shape) < logistic(2 * field), 1.0, -1.0)
        s = np.where(np.arange(RING) % 2 == first, new, s)
    return s


def potts_heat_bath(x, rng):
    i = rng.integers(4)
    score = []
    for label in range(3):
        y = x.copy()
        y[:, i] = label
        score.append(labels(y))
    score = np.array(score)
    out = x.copy()
    out[:, i] = (score + rng.gumbel(size=score.shape)).argmax(0)
    return out


def potts_metropolis(x, rng):
    rows, i = np.arange(len(x)), rng.integers(4, size=len(x))
    y = x.copy()
    y[rows, i] = (y[rows, i] + rng.integers(1, 3, size=len(x))) % 3
    return accept(x, y, labels(y) - labels(x), rng)


def kawasaki(x, rng):
    """Exchanges two bits, so that their sum stays."""
    order = rng.random(x.shape).argsort(1)
    rows = np.arange(len(x))
    i, j = order[:, 0], order[:, 1]
    y = x.copy()
    y[rows, i], y[rows, j] = x[rows, j], x[rows, i]
    return accept(x, y, bits(y) - bits(x), rng)


def mixture(x, rng):
    which = rng.random(len(x))[:, None]
    return np.where(which < 0.3, metropolis(x, rng),
                    np.where(which < 0.6, independence(x, rng),
                             random_scan_gibbs(x, rng)))


def one_after_the_other(x, rng):
    return barker(independence(metropolis(x, rng), rng), rng)


def flip_scores(x):
    return (1 - 2 * x) * bits_slope(x) / 2


def gwg(x, rng, has_reverse=True):
    """Gibbs with gradients; its gradient is no exact difference here, or it
    would be: the form is multilinear."""
    score = flip_scores(x)
    rows = np.arange(len(x))
    i = (score + rng.gumbel(size=score.shape)).argmax(1)
    y = flipped(x, i)
    back = flip_scores(y)
    log_ratio = bits(y) - bits(x)
    if has_reverse:
        log_ratio += back[rows, i] - np.logaddexp.reduce(back, 1)
        log_ratio -= score[rows, i] - np.logaddexp.reduce(score, 1)
    return accept(x, y, log_ratio, rng)


def dmala(x, rng, alpha=0.6, has_reverse=True):
    def logits(z):
        return flip_scores(z) - 1 / (2 * alpha)

    def log_q(a, b):
        z = logits(a)
        return np.where(a != b, -np.logaddexp(0, -z),
                        -np.logaddexp(0, z)).sum(1)

    y = np.where(rng.random(x.shape) < logistic(logits(x)), 1 - x, x)
    log_ratio = bits(y) - bits(x)
    if has_reverse:
        log_ratio += log_q(y, x) - log_q(x, y)
    return accept(x, y, log_ratio, rng)


def tempering(x, rng, sign=1):
    """Two levels, moved by single flips, then exchanged: the model is that of
    both levels."""
    y = flipped(x, rng.integers(2 * COLD, size=len(x)))
    x = accept(x, y, two_levels(y) - two_levels(x), rng)
    cold, hot = x[:, :COLD], x[:, COLD:]
    gap = (1 - 1 / 3) * (bits_of_three(hot) - bits_of_three(cold))
    return accept(x, np.concatenate([hot, cold], 1), sign * gap, rng)


def many_flips(x, rng):
    """Every bit with a probability that is drawn first."""
    rate = rng.choice([0.1, 0.3, 0.5], size=(len(x), 1))
    y = np.where(rng.random(x.shape) < rate, 1 - x, x)
    return accept(x, y, bits(y) - bits(x), rng)


def hiss_jump(x, rng, eta=0.8, factor=0):
    """Noise, denoise, accept by U alone (factor 0)."""
    def log_k(a, v):
        z = np.abs(a - v) / (2 * eta)
        return -2 * (z + np.log1p(np.exp(-2 * z)))

    a = x + rng.logistic(0, eta, x.shape)
    y = (rng.random(x.shape) < logistic(log_k(a, 1) - log_k(a, 0))) * 1.0
    log_ratio = bits(y) - bits(x)
    if factor:
        log_ratio += factor * (log_k(a, y) - log_k(a, x)).sum(1)
    return accept(x, y, log_ratio, rng)


ALL = np.array(list(itertools.product((0.0, 1.0), repeat=DIM)))
ALL_U = bits(ALL)


def slice_sampler(x, rng):
    """A height below pi(x), then a state above it, all alike."""
    height = bits(x) + np.log(rng.random(len(x)))
    score = np.where(ALL_U >= height[:, None], rng.random((len(x), len(ALL))),
                     -1)
    return ALL[score.argmax(1)]


def independent_draws(x, rng):
    return ALL[(ALL_U + rng.gumbel(size=(len(x), len(ALL)))).argmax(1)]


def guided_walk(x, rng):
    """A direction that is drawn for each call, and two moves along it."""
    way = rng.choice([-1, 1], size=(len(x), 1)) * np.eye(2)[
        rng.integers(2, size=len(x))]
    for _ in range(2):
        y = x + way
        inside = ((y >= 0) & (y <= 6)).all(1)
        ok = inside & (rng.random(len(x)) < np.exp(levels(y) - levels(x)))
        x = np.where(ok[:, None], y, x)
        way = np.where(ok[:, None], way, -way)
    return x


class Schedule:
    """Step sizes in turn: it remembers which call it is, and no state."""

    __name__ = "schedule"

    def __init__(self):
        self.calls = 0

    def __call__(self, x, rng):
        self.calls += 1
        return dmala(x, rng, (0.3, 1.0, 3.0)[self.calls % 3])


RIGHT = [
    ("bits", random_scan_gibbs), ("bits", systematic_gibbs),
    ("bits", palindrome_gibbs), ("bits", metropolis), ("bits", lazy),
    ("bits", barker), ("bits", independence), ("bits", block_gibbs),
    ("ring", colors), ("labels", potts_heat_bath),
    ("labels", potts_metropolis), ("two_of_five", kawasaki),
    ("bits", mixture), ("bits", one_after_the_other), ("bits", gwg),
    ("bits", dmala), ("two_levels", tempering), ("bits", many_flips),
    ("bits", hiss_jump), ("bits", slice_sampler), ("bits", independent_draws),
    ("levels", guided_walk), ("bits", Schedule()),
]


# --- wrong ones ------------------------------------------------------------

def swap_sign_reversed(x, rng):
    return tempering(x, rng, sign=-1)


def gwg_without_reverse(x, rng):
    return gwg(x, rng, has_reverse=False)


def dmala_without_reverse(x, rng):
    return dmala(x, rng, has_reverse=False)


def hiss_released_ratio(x, rng):
    """U' - U + 2 [ln k(a|x') - ln k(a|x)], as the paper's code has it."""
    return hiss_jump(x, rng, factor=2)


class Adapting:
    """The step size follows the acceptance, for ever."""

    __name__ = "adapting"

    def __init__(self):
        self.log_alpha = 0.0

    def __call__(self, x, rng):
        y = dmala(x, rng, np.exp(self.log_alpha))
        moved = (x != y).any(1).mean()
        self.log_alpha = np.clip(self.log_alpha - 0.2 * (moved - 0.4), -2, 3)
        return y


class AdaptingAlone:
    """The same for each chain of a batch by itself."""

    __name__ = "adapting_alone"

    def __init__(self):
        self.log_alpha = np.zeros((0, 1))

    def __call__(self, x, rng):
        if len(self.log_alpha) != len(x):
            self.log_alpha = np.zeros((len(x), 1))
        y = dmala(x, rng, np.exp(self.log_alpha))
        moved = (x != y).any(1, keepdims=True)
        self.log_alpha = np.clip(self.log_alpha - 0.7 * (moved - 0.4), -2, 3)
        return y


def coloring_with_a_conflict(s, rng):
    """Spins 1 and 2, which are neighbors, have the same color."""
    color = np.array([0, 0, 1, 0, 1, 1])
    for which in (0, 1):
        field = 0.5 * (np.roll(s, 1, 1) + np.roll(s, -1, 1)) + 0.1
        new = np.where(rng.random(s.shape) < logistic(2 * field), 1.0, -1.0)
        s = np.where(color == which, new, s)
    return s


def underflow(x, rng):
    """A ratio of probabilities in single precision, of an energy with a large
    constant: exp(-103.3) is 0."""
    y = flipped(x, rng.integers(DIM, size=len(x)))
    p, q = (np.exp((bits(z) - 102.5).astype(np.float32)) for z in (x, y))
    with np.errstate(divide="ignore", invalid="ignore"):
        ok = rng.random(len(x)) < q / p
    return np.where(ok[:, None], y, x)


def common_numbers(x, rng):
    """One uniform number for all chains of a batch."""
    y = flipped(x, np.full(len(x), rng.integers(DIM)))
    ok = rng.random() < np.exp(bits(y) - bits(x))
    return np.where(ok[:, None], y, x)


# (model, kernel, words of the reason)
def one_seed(x, rng):
    """Random numbers that are the same in every call."""
    return metropolis(x, np.random.default_rng(1))


WRONG = [
    ("two_levels", swap_sign_reversed, "mass goes to states of"),
    ("bits", gwg_without_reverse, "mass goes to states of"),
    ("bits", dmala_without_reverse, "mass goes to states of"),
    ("bits", hiss_released_ratio, "rises|falls"),
    ("bits", Adapting(), "depends on the states of earlier calls"),
    ("bits", AdaptingAlone(), "depends on the states of earlier calls"
     "|keeps from one call to the next"),
    ("ring", coloring_with_a_conflict, "P\\(x.1 = x.2\\) falls"),
    ("bits", underflow, "never entered.*underflows"),
    ("bits", common_numbers, "random numbers in common"),
    ("bits", one_seed, "random numbers that are the same in every call"),
]
