"""Samplers as objects, and the stub that describes them."""
import inspect
import os
import pathlib
import subprocess
import sys

import pytest

import hiss
from hiss import _stubs, samplers


def test_there_is_a_class_for_each():
    names = [row["name"] for row in hiss.list_samplers()]
    assert {"hiss", "dmala", "gibbs", "pt", "replicas", "mix"} <= set(names)
    for name in names:
        made = getattr(hiss, samplers.class_name(name))
        assert issubclass(made, hiss.Sampler)
        assert made.__name__ in hiss.__all__


def test_specs():
    one = hiss.HiSS(eta=4, inner=hiss.DMALA(alpha=0.2))
    assert str(one) == "hiss(eta=4,inner=dmala(alpha=0.2))"
    assert repr(one) == "hiss.HiSS(eta=4, inner=hiss.DMALA(alpha=0.2))"
    assert one == hiss.Sampler("hiss(eta=4,inner=dmala(alpha=0.2))")
    assert one != hiss.HiSS()
    assert len({one, hiss.HiSS(4, inner="dmala(alpha=0.2)")}) == 1
    assert eval(repr(one)) == one
    assert str(hiss.DMALA()) == "dmala"
    assert "alpha=auto" in hiss.DMALA("auto").spec
    assert str(hiss.HiSS(adjust=False, kernel="gaussian")) == \
        "hiss(kernel=gaussian,adjust=no)"


def test_lists_and_children():
    ladder = hiss.PT(base=hiss.Gibbs(), ladder=[1, 2, 4.5])
    assert str(ladder) == "pt(base=gibbs,ladder=[1,2,4.5])"
    assert ladder.replicas == 3
    mix = hiss.Mix(hiss.Gibbs(), "dmala(alpha=1)", weights=(1, 2))
    assert str(mix) == "mix(gibbs,dmala(alpha=1),weights=[1,2])"


def test_properties():
    assert hiss.DMALA().is_exact and hiss.DMALA().is_reversible
    assert not hiss.DULA().is_exact
    assert not hiss.HiSS(inner=hiss.DULA()).is_exact
    assert "dmala" in hiss.HiSS(inner=hiss.DMALA()).explain()


def test_docstrings_and_signatures():
    assert "alpha: step size" in hiss.DMALA.__doc__
    assert "alpha" in inspect.signature(hiss.DMALA).parameters


@pytest.mark.parametrize("call,kind,words", [
    (lambda: hiss.DMALA(alfa=1), TypeError, "DMALA.*alfa"),
    (lambda: hiss.DMALA(alpha=-1), ValueError, "alpha must be in"),
    (lambda: hiss.DMALA(alpha=object()), TypeError, "cannot stand"),
    (lambda: hiss.HiSS(kernel="cauchy"), ValueError, "kernel"),
    (lambda: hiss.HiSS(inner=hiss.HiSS()), ValueError, "hiss"),
    (lambda: hiss.Sampler(3), TypeError, "spec is a int"),
    (lambda: hiss.Sampler("dmala(("), ValueError, "column"),
])
def test_bad_samplers(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


def test_the_stub_is_up_to_date():
    """Otherwise: python -m hiss._stubs > python/hiss/samplers.pyi"""
    file = pathlib.Path(samplers.__file__).with_suffix(".pyi")
    assert file.read_text(encoding="utf-8") == _stubs.stub(), \
        "python -m hiss._stubs > python/hiss/samplers.pyi"


def test_the_stub_is_python():
    compile(_stubs.stub(), "samplers.pyi", "exec")


def test_types(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    file = tmp_path / "use.py"
    file.write_text(
        "import hiss\n"
        "run = hiss.sample('bernoulli4', hiss.HiSS(eta=4.0, inner=hiss.DMALA("
        "alpha='auto')), chains=2)\n"
        "reveal_type(run.draws.shape)\n"
        "hiss.DMALA(alfa=1)\n"
        "hiss.HiSS(kernel='cauchy')\n")
    package = pathlib.Path(hiss.__file__).resolve().parent.parent
    where = dict(os.environ)
    if "-packages" not in package.name:  # it is not installed
        where["MYPYPATH"] = str(package)
    out = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-incremental",
         "--follow-imports=silent", str(file)],
        text=True, capture_output=True, cwd=tmp_path,
        env=where).stdout
    assert 'Unexpected keyword argument "alfa"' in out
    assert 'Argument "kernel"' in out
    assert "Found 2 errors in 1 file" in out
