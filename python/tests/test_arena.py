"""hiss.arena: the command's race, with functions and arrays of Python."""
import os

import numpy as np
import pytest

import hiss

SHORT = {"quick": True, "seeds": 1, "race": "evals"}
BETA = 0.4  # of torus3

pytestmark = pytest.mark.skipif(
    not os.access(os.environ.get("HISS", ""), os.X_OK),
    reason="HISS does not name the command")


@pytest.fixture(autouse=True)
def on_the_path(monkeypatch):
    """For a package that has no command beside it."""
    folder = os.path.dirname(os.path.abspath(os.environ["HISS"]))
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def bath(x, rng, times=1.0):
    """A heat bath of one site of the 3 x 3 torus; times 1 is right."""
    rows, grid = np.arange(len(x)), x.reshape(-1, 3, 3)
    i = rng.integers(9, size=len(x))
    field = sum(np.roll(grid, shift, axis) for shift in (1, 2)
                for axis in (1, 2)).reshape(-1, 9)[rows, i]
    up = rng.random(len(x)) < 1 / (1 + np.exp(-2 * BETA * times * field))
    x[rows, i] = np.where(up, 1, -1)
    return x


def test_functions_and_arrays_take_part(tmp_path):
    seen = set()

    def told(x, rng, target, model):
        seen.add((target, model, x.shape, x.dtype))
        return bath(x, rng)

    def sharp(x, seed):
        return bath(x, np.random.default_rng(seed), 2.0)

    theirs = hiss.sample("ising(side=3,beta=0.4)", "independent", samples=500)
    found = hiss.arena(
        ["torus3", "gibbs", "told", "sharp", "file"], **SHORT,
        contestants={"told": told, "sharp": sharp}, evals={"told": 0.25},
        draws={"file": {"torus3": theirs.draws}}, out=tmp_path / "out")
    rows = {row["contestant"]: row for row in found}
    assert set(rows) == {"gibbs", "told", "sharp", "file"}
    assert (rows["told"]["law"], rows["told"]["state"]) == ("kept", "right")
    assert rows["told"]["ess"] > 50 and rows["told"]["seconds"] > 0.1
    assert (rows["sharp"]["law"], rows["sharp"]["right"]) == ("broken", False)
    assert "higher U" in rows["sharp"]["law_reason"]
    assert rows["file"]["ess"] > 1000
    assert {one[:2] for one in seen} == {("torus3", "ising(side=3,beta=0.4)")}
    assert {one[3] for one in seen} == {np.dtype(float)}
    assert found.best("torus3") == "file"
    assert "told" in repr(found) and "<table>" in found._repr_html_()
    assert found.page.startswith("<!DOCTYPE html>")
    assert np.isnan(rows["gibbs"]["mode_error"])
    assert rows["told"]["command"] == (
        "hiss.arena('torus3,told', quick=True, race='evals', seeds=1, "
        "contestants={'told': ...})")
    assert rows["file"]["command"].endswith("draws={'file': ...})")
    for name in ("arena.json", "arena.csv", "arena.html"):
        text = (tmp_path / "out" / name).read_text(encoding="utf-8")
        assert "_relay" not in text and ".npy" not in text
        assert "torus3,told" in text


def test_rows_are_for_pandas():
    pandas = pytest.importorskip("pandas")
    found = hiss.arena("torus3,gibbs,blocks", **SHORT)
    for frame in (found.to_pandas(), pandas.DataFrame(found.rows)):
        assert list(frame.contestant) == ["blocks", "gibbs"]
        assert frame.ess.dtype == float and frame.right.dtype == bool


def test_a_fault_of_a_function_is_raised():
    def bad(x, rng):
        raise ZeroDivisionError("in the middle")

    with pytest.raises(ZeroDivisionError, match="in the middle"):
        hiss.arena(["torus3", "bad"], **SHORT, contestants={"bad": bad})
    with pytest.raises(ValueError, match="returned shape"):
        hiss.arena(["torus3", "bad"], **SHORT,
                   contestants={"bad": lambda x, rng: x[:2]})


def test_somebody_without_draws_is_warned_of():
    with pytest.warns(UserWarning, match="dead on torus3.*exit code 7"):
        found = hiss.arena("torus3,gibbs,dead", **SHORT,
                           contestants={"dead": "exit 7"})
    assert [row["runs"] for row in found] == [1, 0]


@pytest.mark.parametrize("more, message", [
    ({"only": "torus4"}, "torus3"),
    ({"only": ["torus3", "x\0"]}, "NUL|null"),
    ({"race": "hours"}, "evals"),
    ({"contestants": {"gibbs": bath}}, "taken"),
    ({"contestants": {"mine": bath}, "framework": "mxnet"}, "numpy"),
    ({"evals": {"mine": 2}}, "contestants"),
    ({"draws": {"mine": {"torus3": "no.csv"}}}, "No such file"),
    ({"seeds": 0}, "seeds"),
    ({"time": -1}, "time"),
])
def test_bad_calls(more, message):
    with pytest.raises(ValueError, match=message):
        hiss.arena(**{**SHORT, "only": "torus3", **more})
    with pytest.raises(TypeError):
        hiss.arena("torus3", contestants={"mine": 3})


def test_best_names_what_it_knows():
    found = hiss.arena("torus3,gibbs", **SHORT)
    assert found.best("torus3") == "gibbs"
    with pytest.raises(ValueError, match="torus3"):
        found.best("torus4")


def test_messages_name_what_there_is():
    """`list=` is no argument."""
    with pytest.raises(hiss.HissError, match="`hiss arena --list`"):
        hiss.arena("nobody", **SHORT)
