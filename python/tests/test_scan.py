"""scan(): one run, many temperatures."""
import numpy as np
import pytest

import hiss


def test_energies():
    beta = [0.2, 0.5, 0.4]
    model = hiss.model("ising(side=3,beta=1)")
    scan = hiss.scan(model, beta, observables=["E", "binder"], chains=8)
    assert model.beta == 1
    assert list(scan["beta"]) == beta
    assert scan.observables == ["E", "binder"]
    for row in scan:
        true = -hiss.exact(hiss.model(
            f"ising(side=3,beta={row['beta']})")).mean_log_p / row["beta"]
        assert abs(row["E"] - true) < 5 * row["E_mcse"]  # 1e-6 each
    assert scan.results[0].draws.shape == (8, 1000, 9)
    assert "binder_ess" in scan.table.columns
    assert "<table>" in scan._repr_html_()


def test_defaults():
    assert "binder" in hiss.scan("ising(side=3,beta=1)", [1.0],
                                 samples=16).observables
    assert hiss.scan("bernoulli4", [1.0], samples=16).observables == ["E", "C"]


def test_mistakes():
    for beta in ([], [[1.0]], [0.0], [-1.0], [1.0, 1.0], ["cold"]):
        with pytest.raises((ValueError, TypeError)):
            hiss.scan("bernoulli4", beta)
