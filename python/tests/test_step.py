"""hiss.step(), and the steps on tables that the bridges to other packages
make: they keep the law, whatever was found of its terms."""
import itertools

import numpy as np
import pytest
from conftest import all_states, law

import hiss
from hiss._terms import Conditional, find_scopes

CHAINS = 20000


def chain_model(rng):
    return hiss.factors([3, 2, 4], [((0, 1), rng.normal(size=(3, 2))),
                                    ((1, 2), rng.normal(size=(2, 4))),
                                    ((2,), 2 * rng.normal(size=4))])


def share(states, draws):
    place = {tuple(state): i for i, state in enumerate(states.tolist())}
    found = np.bincount([place[tuple(draw)] for draw in draws.tolist()],
                        minlength=len(states))
    return found / len(draws)


def chi_square(found, p, draws):
    """About 1 per degree of freedom; sd is sqrt(2 / degrees)."""
    seen = p > 0
    return draws * np.sum((found - p)[seen] ** 2 / p[seen]) / (seen.sum() - 1)


@pytest.mark.parametrize("sampler", [
    "gibbs", "gwg", "independent", "hiss(eta=2,steps=2,inner=gibbs)", "blocks"])
def test_a_step_keeps_the_law(rng, sampler):
    """From exact draws: 24 states, 20000 chains; 1e-4 of right kernels give
    more than 2.2."""
    model = chain_model(rng)
    states, p = law(model, model.log_prob)
    start = states[rng.choice(len(states), CHAINS, p=p)]
    after = hiss.step(model, start, sampler, 3, seed=5)
    assert after.shape == start.shape
    assert (after != start).any(1).mean() > 0.3
    assert chi_square(share(states, after), p, CHAINS) < 2.2


def test_a_step_moves_one_state(rng):
    model = chain_model(rng)
    one = hiss.step(model, [0, 0, 0], seed=3)
    assert one.shape == (3,)
    assert (one == hiss.step(model, [0, 0, 0], seed=3)).all()
    assert len({tuple(hiss.step(model, [0, 0, 0], seed=seed).tolist())
                for seed in range(20)}) > 3


@pytest.mark.parametrize("sampler, words", [
    ("pt(base=gibbs)", "5 states per chain"), ("auto", "pilot tunes"),
    ("dmala", "pilot tunes"), ("dula", "not exact"), ("acs", "pilot tunes"),
    ("bridge", "pilot tunes"), ("replicas", "4 states per chain")])
def test_samplers_that_cannot_step(sampler, words):
    with pytest.raises(ValueError, match=words):
        hiss.step("ising(side=2,beta=0.2)", np.ones(4), sampler)


def test_bad_states(rng):
    with pytest.raises(ValueError, match="state has shape"):
        hiss.step(chain_model(rng), [0, 0])
    with pytest.raises(ValueError, match="steps is 0"):
        hiss.step(chain_model(rng), [0, 0, 0], steps=0)


# --- tables of terms -------------------------------------------------------

class Sum:
    """Terms of four coordinates, with what may be left out."""

    states = [3, 2, 4, 2]

    def __init__(self, rng, scopes):
        self.scopes = scopes
        self.tables = [rng.normal(size=[self.states[i] for i in scope])
                       for scope in scopes]

    def __call__(self, x):
        return np.stack(
            [np.broadcast_to(table[tuple(x[:, i] for i in scope)], len(x))
             for scope, table in zip(self.scopes, self.tables)], axis=1)

    def law(self):
        states = np.array(list(itertools.product(*map(range, self.states))))
        p = np.exp(self(states).sum(1))
        return states, p / p.sum()


def check_law(terms, conditional, rng, draws=2000):
    """One step from each of many exact draws."""
    states, p = terms.law()
    start = states[rng.choice(len(states), draws, p=p)]
    after, accept = zip(*[conditional.step(x, rng) for x in start])
    assert chi_square(share(states, np.array(after)), p, draws) < 1.9
    assert (np.array(after) != start).any(1).mean() > 0.2
    return np.mean(accept)


SINGLE = [(0,), (1,), (2,), (3,), (0,), ()]
PAIRS = [(0, 1), (1, 2), (2, 3), (2,), ()]


@pytest.mark.parametrize("scopes, sampler, evaluations", [
    (SINGLE, None, 4), (SINGLE, "gibbs", 4), (PAIRS, None, 24),
    (PAIRS, "gwg", 24), ([(0, 1, 2), (3,)], None, 27)])
def test_conditional_laws(rng, scopes, sampler, evaluations):
    """Few evaluations show all values of all terms."""
    terms = Sum(rng, scopes)
    conditional = Conditional(terms, terms.states, sampler)
    conditional.learn(conditional.random_states(rng, 1))
    assert conditional.layout.scopes == scopes
    assert len(conditional.layout.rows) <= evaluations
    states = all_states(conditional.model())
    u = conditional.model().log_prob(states) - terms(
        states.astype(int)).sum(1)
    assert np.ptp(u) < 1e-5
    assert check_law(terms, conditional, rng) == 1


@pytest.mark.parametrize("scopes", [SINGLE, [(0,), (1, 2), (2, 3)]])
def test_what_was_missed_is_made_up_for(rng, scopes):
    """Scopes that are too small: a Metropolis step keeps the law."""
    terms = Sum(rng, [(0, 1), (1, 2), (2, 3), (0, 3)])
    conditional = Conditional(terms, terms.states)
    conditional.WIDENINGS = 0
    conditional._scopes = (scopes + [()])[:4]
    conditional.learn([])
    accept = check_law(terms, conditional, rng)
    assert 0.2 < accept < 0.99
    conditional.WIDENINGS = 3
    x = np.zeros(4, int)
    for _ in range(30):
        x, _ = conditional.step(x, rng)
    assert conditional.layout.scopes == terms.scopes
    assert check_law(terms, conditional, rng) == 1


def test_terms_too_wide_for_tables(rng):
    """The sum is a function then, and steps keep its law, too."""
    def count(x):
        return -0.5 * (x.sum(1, keepdims=True) - 6.0) ** 2

    conditional = Conditional(count, [2] * 20)
    conditional.learn(conditional.random_states(rng, 1))
    assert conditional.layout is None
    x, seen = np.zeros(20, int), []
    for _ in range(300):
        x, accept = conditional.step(x, rng)
        assert accept == 1
        seen.append(x.sum())
    # binomial(20, 1/2) times exp(-(k - 6)^2 / 2) has mean 6.66
    assert np.mean(seen[20:]) == pytest.approx(6.66, abs=0.4)


def test_impossible_states(rng):
    """Terms of -inf are hard constraints."""
    def alike(x):
        return np.where(x[:, 1:] == x[:, :-1], 0.0, -np.inf)

    conditional = Conditional(alike, [3] * 4)
    conditional.learn(conditional.random_states(rng, 3))
    x, seen = np.zeros(4, int), set()
    for _ in range(40):
        x, accept = conditional.step(x, rng)
        assert accept == 1
        seen.add(tuple(x.tolist()))
    assert seen == {(v,) * 4 for v in range(3)}


def test_least_values(rng):
    conditional = Conditional(lambda x: -1.0 * x, [3, 2], low=[5, 0])
    conditional.learn(conditional.random_states(rng, 1))
    model = conditional.model()
    assert list(model.values(0)) == [5, 6, 7]
    assert model.log_prob([7, 1]) - model.log_prob([5, 0]) == \
        pytest.approx(-3)
    assert find_scopes(lambda x: -1.0 * x, [3, 2],
                       np.zeros((1, 2), int)) == [(0,), (1,)]


def test_a_missing_package_is_named(monkeypatch):
    import sys
    for name in ("pymc", "numpyro", "blackjax", "pgmpy"):
        monkeypatch.setitem(sys.modules, name, None)  # cannot be imported
        monkeypatch.delitem(sys.modules, f"hiss.{name}", raising=False)
        with pytest.raises(ImportError, match=f"pip install {name}"):
            hiss.__getattr__(name)
    with pytest.raises(AttributeError):
        hiss.pyro
