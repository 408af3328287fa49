"""Models from arrays: their U is what numpy says, and bad ones are named."""
import itertools
import warnings

import importlib.util

import numpy as np
import pytest
from conftest import all_states, distance, sample_quickly

import hiss

sparse = pytest.importorskip("scipy.sparse")


def symmetric(rng, n):
    J = rng.normal(size=(n, n))
    J = (J + J.T) / 2
    np.fill_diagonal(J, 0)
    return J


def test_numbers_that_are_too_large():
    huge = np.array([[0, 1e300], [1e300, 0]])
    for call in (lambda: hiss.ising(huge), lambda: hiss.qubo(huge),
                 lambda: hiss.ising(sparse.csr_matrix(huge)),
                 lambda: hiss.potts(huge, states=3),
                 lambda: hiss.factors([2, 2], [((0, 1), huge)])):
        with pytest.raises(ValueError, match="1e\\+300, expected"):
            call()


def test_ising(rng):
    J, h = symmetric(rng, 6), rng.normal(size=6)
    model = hiss.ising(J, h)
    s = all_states(model)
    u = 0.5 * np.einsum("ni,ij,nj->n", s, J, s) + s @ h
    assert set(model.kinds) == {"spin"}
    assert np.allclose(model.log_prob(s), u, atol=1e-5)
    for kind in (sparse.csr_matrix, sparse.coo_matrix, sparse.csc_matrix,
                 sparse.lil_matrix):
        assert np.allclose(hiss.ising(kind(J), h).log_prob(s), u, atol=1e-5)
    p = np.exp(u - u.max())
    p /= p.sum()
    run = sample_quickly(model)
    assert distance(run, model, lambda x: float(
        0.5 * x @ J @ x + x @ h)) < 0.05
    assert hiss.exact(model).log_z == pytest.approx(
        np.log(np.exp(u - u.max()).sum()) + u.max(), abs=1e-4)


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float32, bool,
                                   np.float16])
def test_any_real_dtype_will_do(dtype):
    J = (np.ones((4, 4)) - np.eye(4)).astype(dtype)
    model = hiss.ising(J, np.ones(4, dtype))
    assert model.log_prob(np.ones(4)) == pytest.approx(6 + 4)


def test_layouts_and_lists(rng):
    J = symmetric(rng, 5)
    u = hiss.ising(J).log_prob(np.ones(5))
    big = np.zeros((10, 10))
    big[::2, ::2] = J
    for other in (np.asfortranarray(J), J.tolist(), big[::2, ::2]):
        assert hiss.ising(other).log_prob(np.ones(5)) == u


def test_asymmetric_couplings_are_symmetrised_with_a_warning(rng):
    J = rng.normal(size=(5, 5))
    s = np.array([1, -1, 1, 1, -1])
    for matrix in (J, sparse.csr_matrix(J)):
        with pytest.warns(UserWarning, match="J is not symmetric") as caught:
            model = hiss.ising(matrix)
        assert caught[0].filename == __file__
        assert model.log_prob(s) == pytest.approx(0.5 * s @ J @ s, abs=1e-5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hiss.ising((J + J.T) / 2)
        hiss.ising(sparse.csr_matrix((J + J.T) / 2))


def test_sparse_is_not_densified():
    n = 200000  # dense it would be 320 GB
    i = np.arange(n)
    J = sparse.coo_matrix((np.ones(n), (i, (i + 1) % n)), shape=(n, n))
    model = hiss.ising((J + J.T).tocsr())
    assert model.dim == n
    assert model.log_prob(np.ones(n)) == pytest.approx(n, rel=1e-6)


def test_sparse_duplicates_add_up():
    J = sparse.coo_matrix(([1.0, 2.0, 3.0], ([0, 0, 1], [1, 1, 0])),
                          shape=(2, 2))
    assert hiss.ising(J).log_prob([1, 1]) == pytest.approx(3)


BAD_MATRICES = [
    (np.full((3, 3), np.nan), ValueError, r"J\[0, 0\] is nan"),
    (np.diag([1, np.inf, 1]), ValueError, r"J\[1, 1\] is inf"),
    (np.zeros((2, 3)), ValueError, "J has shape.*square"),
    (np.zeros(4), ValueError, "J has shape.*square"),
    (np.zeros((0, 0)), ValueError, "J is empty"),
    (np.eye(2) * 1j, TypeError, "J has dtype complex128"),
    (np.array([["a", "b"], ["c", "d"]]), TypeError, "J has dtype"),
    ([[1, 2], [3]], TypeError, "J is not an array|J has dtype object"),
    (None, TypeError, "J has dtype object"),
    (sparse.csr_matrix((2, 3)), ValueError, "J has shape.*square"),
    (sparse.csr_matrix(np.diag([1, np.nan])), ValueError,
     r"J\[1, 1\] is nan"),
]


@pytest.mark.parametrize("J,kind,words", BAD_MATRICES)
def test_bad_couplings_are_named(J, kind, words):
    with pytest.raises(kind, match=words):
        hiss.ising(J)


def test_bad_fields_are_named():
    with pytest.raises(ValueError, match="h has shape"):
        hiss.ising(np.eye(3), np.ones(2))
    with pytest.raises(ValueError, match=r"h\[1\] is nan"):
        hiss.ising(np.eye(2), [0, np.nan])
    with pytest.raises(ValueError, match="b has shape"):
        hiss.rbm(np.eye(3), b=np.ones(2))
    with pytest.raises(ValueError, match=r"Q\[0, 1\] is inf"):
        hiss.qubo([[0, np.inf], [0, 0]])


ISING = hiss.ising(np.eye(3))


@pytest.mark.parametrize("call,kind,words", [
    (lambda: hiss.ising([["a"]]), TypeError, "J has dtype <U1"),
    (lambda: hiss.ising([[1, 2], [3]]), TypeError, "J is not an array"),
    (lambda: hiss.ising(np.zeros((2, 2, 2))), ValueError, "J has shape"),
    (lambda: hiss.ising(sparse.csr_matrix(np.eye(2) * 1j)), TypeError,
     "J.data has dtype complex"),
    (lambda: hiss.ising(np.eye(3), 0.1), ValueError, r"h has shape \(\)"),
    (lambda: hiss.qubo(None), TypeError, "Q has dtype object"),
    (lambda: hiss.qubo(np.eye(3), [1, 2]), ValueError, "linear has shape"),
    (lambda: hiss.potts(np.zeros((2, 2, 3)), states=3), ValueError,
     "J has shape"),
    (lambda: hiss.potts(np.eye(2), states=1), ValueError, "states is 1"),
    (lambda: hiss.potts(np.eye(2), np.zeros((3, 3))), ValueError,
     "h has shape"),
    (lambda: hiss.rbm(np.zeros(3)), ValueError, r"W has shape.*\(n, m\)"),
    (lambda: hiss.rbm(np.zeros((3, 2)), c=[1, 2, 3]), ValueError,
     "c has shape"),
    (lambda: hiss.table([np.nan, 1]), ValueError, "p has .*NaN"),
    (lambda: hiss.factors([2, 2], [5]), TypeError, r"factors\[0\] is not"),
    (lambda: hiss.factors([2.5], []), TypeError, "states is 2.5"),
    (lambda: ISING.log_prob([1, 1]), ValueError, "x has shape"),
    (lambda: ISING.log_prob([1, 1, 0]), ValueError, "coordinate 3 .*value 0"),
    (lambda: ISING.log_prob([1, 1, np.nan]), ValueError, r"x\[2\] is nan"),
    (lambda: ISING.fix({0: 7}), ValueError, "x.1 .*cannot be '7'"),
    (lambda: ISING.fix({"a": 1}), TypeError, "coordinate is 'a'"),
    (lambda: ISING.fix({0: "up"}), TypeError, r"values\[0\] is 'up'"),
    (lambda: ISING.evidence("no.evid"), FileNotFoundError, "no.evid"),
    (lambda: hiss.convert("no.uai", "x.bqm"), FileNotFoundError, "no.uai"),
    (lambda: hiss.optimize(ISING, target="low"), TypeError, "target is 'low'"),
    (lambda: hiss.optimize(ISING, sampler=3), TypeError, "sampler is a int"),
    (lambda: hiss.verify(ISING, "gibbs", replicates=0), ValueError,
     "replicates is 0"),
    (lambda: hiss.exact(5), TypeError, "model is a int"),
    (lambda: hiss.from_dimod(3), TypeError, "model is a int"),
])
def test_wrong_arguments_are_named(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


def test_qubo(rng):
    Q, linear = rng.normal(size=(5, 5)), rng.normal(size=5)
    for matrix in (Q, sparse.csr_matrix(Q), np.triu(Q + Q.T - np.diag(
            np.diag(Q)))):
        model = hiss.qubo(matrix, linear)
        x = all_states(model)
        u = np.einsum("ni,ij,nj->n", x, Q, x) + x @ linear
        assert set(model.kinds) == {"binary"}
        assert np.allclose(model.log_prob(x), u, atol=1e-5)


def test_rbm(rng):
    W, b, c = rng.normal(size=(5, 3)), rng.normal(size=5), rng.normal(size=3)
    model = hiss.rbm(W, b, c)
    v = all_states(model)
    assert np.allclose(model.log_prob(v), v @ b + np.logaddexp(
        0, c + v @ W).sum(1), atol=1e-5)
    assert np.allclose(hiss.rbm(W).log_prob(v),
                       np.logaddexp(0, v @ W).sum(1), atol=1e-5)


def test_table(rng):
    p = rng.random((2, 3, 2))
    model = hiss.table(p, ["spin", "ordinal", "binary"],
                       levels=[None, [0, 0.5, 3], None])
    assert model.kinds == ["spin", "ordinal", "binary"]
    assert np.array_equal(model.values(1), [0, 0.5, 3])
    u = np.log(p / p.sum())
    for i, j, k in np.ndindex(2, 3, 2):
        x = [2 * i - 1, [0, 0.5, 3][j], k]
        assert model.log_prob(x) == pytest.approx(u[i, j, k])
    assert hiss.exact(model).log_z == pytest.approx(0, abs=1e-12)
    assert hiss.table(p).kinds == ["binary", "categorical", "binary"]
    logs = hiss.table(np.log(p) + 7, log=True)
    assert hiss.exact(logs).marginal(1) == pytest.approx(
        p.sum((0, 2)) / p.sum())
    hard = hiss.table([0.5, 0, 0.5])
    run = sample_quickly(hard, "gibbs")
    assert 1 not in run.draws
    with pytest.raises(ValueError, match="p has a negative"):
        hiss.table([0.5, -0.1])
    with pytest.raises(ValueError, match="no state of positive"):
        hiss.table([0.0, 0.0])
    with pytest.raises(ValueError, match="at most 20 coordinates"):
        hiss.table(np.ones((1,) * 21))


def test_factors(rng):
    a, b, c = rng.normal(size=(2, 3)), rng.normal(size=3), \
        rng.normal(size=(3, 2, 2))
    model = hiss.factors([2, 3, 2], [((0, 1), a), ((1,), b),
                                     ((1, 0, 2), c)])
    assert model.kinds == ["binary", "categorical", "binary"]
    for x in itertools.product(range(2), range(3), range(2)):
        u = a[x[0], x[1]] + b[x[1]] + c[x[1], x[0], x[2]]
        assert model.log_prob(x) == pytest.approx(u, abs=1e-5)
    other = hiss.factors([2, 3], [((0, 1), np.exp(a))], log=False)
    assert other.log_prob([1, 2]) == pytest.approx(a[1, 2], abs=1e-5)
    with pytest.raises(ValueError, match=r"factors\[0\] has shape"):
        hiss.factors([2, 3], [((1, 0), a)])
    with pytest.raises(ValueError, match="twice"):
        hiss.factors([2, 2], [((0, 0), np.zeros((2, 2)))])
    with pytest.raises(ValueError, match=r"factors\[0\]: scope is 5"):
        hiss.factors([2, 2], [((5,), np.zeros(2))])


def test_potts(rng):
    J, h = symmetric(rng, 4), rng.normal(size=(4, 3))
    full = rng.normal(size=(4, 4, 3, 3))
    for model, pair in (
            (hiss.potts(J, h), lambda i, j, a, b: J[i, j] * (a == b)),
            (hiss.potts(sparse.csr_matrix(J), h),
             lambda i, j, a, b: J[i, j] * (a == b)),
            (hiss.potts(full, h), lambda i, j, a, b: full[i, j, a, b])):
        for x in ([0, 1, 2, 1], [2, 2, 2, 2]):
            u = sum(h[i, x[i]] for i in range(4)) + sum(
                pair(i, j, x[i], x[j]) for i in range(4)
                for j in range(i + 1, 4))
            assert model.log_prob(x) == pytest.approx(u, abs=1e-5)
    with pytest.raises(ValueError, match="states is missing"):
        hiss.potts(J)


def test_fixing_coordinates(rng):
    J = symmetric(rng, 5)
    model, whole = hiss.ising(J), hiss.ising(J)
    assert model.fix({1: -1, 3: 1}) is model
    assert list(model.states) == [2, 1, 2, 1, 2]
    s = all_states(whole)
    s = s[(s[:, 1] == -1) & (s[:, 3] == 1)]
    p = np.exp(whole.log_prob(s))
    assert hiss.exact(model).marginal(0)[1] == pytest.approx(
        p[s[:, 0] == 1].sum() / p.sum(), abs=1e-4)
    run = sample_quickly(model, samples=50)
    assert (run.draws[..., 1] == -1).all()
    with pytest.raises(ValueError, match="coordinate is 9"):
        model.fix({9: 1})


def test_files(tmp_path):
    file = tmp_path / "two.uai"
    file.write_text("MARKOV\n2\n2 3\n1\n2 0 1\n6\n1 2 3 4 5 6\n")
    model = hiss.open(file)
    assert list(model.states) == [2, 3]
    assert hiss.exact(model).marginal(0) == pytest.approx([6 / 21, 15 / 21])
    fixed = hiss.open(file, fix={1: 2})
    assert hiss.exact(fixed).marginal(0) == pytest.approx([3 / 9, 6 / 9])
    evidence = tmp_path / "two.evid"
    evidence.write_text("1 1 2\n")
    given = hiss.open(str(file), evidence=evidence)
    assert hiss.exact(given).marginal(0) == pytest.approx([3 / 9, 6 / 9])
    file.write_text("MARKOV\n2\n2 x\n")
    with pytest.raises(hiss.FormatError, match="two.uai:3:3"):
        hiss.open(file)


def test_lists():
    assert {"ising", "rbm", "table"} <= {row["name"] for row
                                         in hiss.list_models()}
    formats = hiss.list_formats()
    assert any("uai" in row["suffixes"] for row in formats)
    names = {row["name"]: row for row in hiss.list_samplers()}
    assert names["dmala"]["options"][0]["name"] == "alpha"


def test_exact(rng):
    J = symmetric(rng, 4)
    truth = hiss.exact(hiss.ising(J))
    state, p = truth.top(1)[0]
    s = all_states(truth.model)
    u = truth.model.log_prob(s)
    assert truth.max_u == pytest.approx(u.max())
    assert p == pytest.approx(np.exp(u.max() - truth.log_z), abs=1e-5)
    assert truth.means() == pytest.approx(
        (np.exp(u - truth.log_z)[:, None] * s).sum(0), abs=1e-5)
    assert truth.mean_u == pytest.approx((np.exp(u - truth.log_z) * u).sum(),
                                         abs=1e-5)
    with pytest.raises(hiss.LimitError):
        hiss.exact("rbm(visible=200,hidden=3)")


def test_verify():
    good = hiss.verify("bernoulli4", "gibbs", replicates=20000)
    assert good.invariant and good.moved > 0
    assert good.verdict == "kept" and good.detectable < 0.5
    assert good.worst in good.tests and good.steps >= 4
    bad = hiss.verify("ising(side=2,beta=0.3)", "dula(alpha=2)",
                      replicates=200000)
    assert not bad.invariant and not bad.claims_exact
    assert bad.tests[0].name == "law" and bad.verdict == "broken"
    assert bad.bias < -5 * bad.bias_error
    few = hiss.verify("bernoulli4", "gibbs", replicates=10, steps=3)
    assert few.verdict == "undecided" and not few.invariant
    assert few.steps == 3 and few.p_value > 1e-4


def test_optimize(rng):
    model = hiss.ising(symmetric(rng, 10))
    found = hiss.optimize(model, restarts=16, seed=2)
    assert found.u == pytest.approx(hiss.exact(model).max_u)
    assert model.log_prob(found.state) == pytest.approx(found.u)
    again = hiss.optimize(model, restarts=16, seed=2)
    assert np.array_equal(found.state, again.state)
    hit = hiss.optimize(model, target=found.objective, evals=1e6)
    assert hit.target_hit
    assert len(hit.solutions) >= 1 and len(hit.rows) >= 1


def test_solutions_are_counted(tmp_path):
    """Three variables in a ring of implications: all equal, ten times over."""
    rings = [(3 * r + a, 3 * r + b) for r in range(10)
             for a, b in ((1, 2), (2, 3), (3, 1))]
    path = tmp_path / "a.cnf"
    path.write_text("p cnf 30 30\n" +
                    "".join(f"-{a} {b} 0\n" for a, b in rings))
    answer = hiss.exact(hiss.open(path))
    assert (answer.method, answer.count) == ("counting", 2 ** 10)
    assert hiss.exact(hiss.model("ising(side=2,beta=1)")).count is None


def test_representations():
    shown = hiss.list_models()
    assert "ising" in repr(shown) and "{" not in repr(shown).split("\n")[0]
    assert "<table>" in shown._repr_html_()
    assert isinstance(shown, list)
    for listed in (hiss.list_formats(), hiss.list_samplers()):
        assert len(repr(listed).split("\n")) == len(listed)
    model = hiss.model("ising(side=4,beta=0.4)").temper(0.5)
    assert "16 spin coordinates, at beta 0.5" in model._repr_html_()


def test_names_go_along(tmp_path):
    model = hiss.factors([2, 3], [((0, 1), np.zeros((2, 3)))])
    model.set_names(["Rain", "Wet"], [["no", "yes"], ["dry", "damp", "wet"]])
    model.fix({"Wet": "damp"})
    run = hiss.sample(model, samples=10)
    assert list(run.summary()["name"]) == ["Rain", "Wet"]
    run.save(tmp_path / "x.csv")
    again = hiss.load(tmp_path / "x.csv")
    assert list(again.to_pandas().columns) == ["Rain", "Wet", "lp"] \
        if importlib.util.find_spec("pandas") else True
    assert list(again.summary()["name"]) == ["Rain", "Wet"]
    grid = hiss.model("ising(side=2,beta=0.4)").arrange({"s": (2, 2)})
    hiss.sample(grid, samples=10).save(tmp_path / "g.nc")
    assert hiss.load(tmp_path / "g.nc").summary()["name"][1] == "s[0,1]"
    for names, states in ((["a"], None), (["a", "a"], None),
                          (["a", "b"], [["x", "y"]])):
        with pytest.raises(ValueError):
            hiss.factors([2, 3], [((0, 1), np.zeros((2, 3)))]).set_names(
                names, states)
