"""Files and texts in a process that has set a decimal comma."""
import locale

import pytest

import hiss


@pytest.fixture
def comma():
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
    except locale.Error:
        pytest.skip("the locale de_DE.UTF-8 is not here")
    yield
    locale.setlocale(locale.LC_ALL, before)


def draw():
    return hiss.sample("ising(side=3,beta=0.37)", "dmala(alpha=auto)",
                       samples=40, seed=2)


def lines(path):
    """Without those that tell the time, or depend on it."""
    return [line for line in path.read_text().splitlines()
            if not any(word in line for word in (
                "manifest", "seconds", "checksum"))]


@pytest.mark.parametrize("name", ["a.csv", "a.MAR", "a.json"])
def test_files(name, comma, tmp_path):
    draw().save(tmp_path / name)
    locale.setlocale(locale.LC_ALL, "C")
    draw().save(tmp_path / ("c" + name))
    text = (tmp_path / name).read_text()
    if name == "a.json":
        import json
        assert json.loads(text)["vectors"] == json.loads(
            (tmp_path / ("c" + name)).read_text())["vectors"]
    else:
        assert lines(tmp_path / name) == lines(tmp_path / ("c" + name))


def test_round_trip(comma, tmp_path):
    run = draw()
    run.save(tmp_path / "a.csv")
    back = hiss.load(tmp_path / "a.csv")
    assert (back.lp == run.lp).all() and (back.draws == run.draws).all()
    assert run.manifest["tuning"] == back.manifest["tuning"]
    assert "," not in run.manifest["tuning"]


def test_observables(comma):
    run = draw()
    assert (run.observable("0.5 * x.1") == 0.5 * run.draws[..., 0]).all()
