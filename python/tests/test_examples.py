"""The notebook and the worked examples run."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
NOTEBOOK = EXAMPLES / "quickstart.ipynb"


def test_the_cells_of_the_notebook_run():
    """In one namespace, as a kernel would; what a cell ends with is shown."""
    space = {}
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            exec(compile(source, cell["id"], "exec"), space)
    assert space["run"].draws.shape[2] == 12
    assert space["race"].best() == "hiss(eta=4)"
    assert space["law"].verdict == "kept"
    trusted = {name: bool(space[name])
               for name in ("verdict", "refusal", "cold", "frozen", "own")}
    assert trusted == {"verdict": True, "refusal": False, "cold": True,
                       "frozen": False, "own": True}
    for name in ("run", "plain", "truth", "race", "best"):
        assert repr(space[name])
    assert "<svg" in space["run"]._repr_html_()


def test_the_notebook_in_a_kernel():
    nbformat = pytest.importorskip("nbformat",
                                   reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient",
                                   reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=600).execute()
    shown = json.dumps(notebook)
    assert "can be trusted" in shown and "<polyline" in shown


@pytest.mark.parametrize("name,arguments,words", [
    ("spin_glass", ["--side", "6", "--evals", "1e5"], "log Z is"),
    ("rbm_modes", ["--visible", "16", "--modes", "3", "--evals", "1e5"],
     "shares"),
    ("evidence", ["--samples", "500"], "exactly"),
])
def test_worked_examples(tmp_path, name, arguments, words):
    if name == "spin_glass":
        pytest.importorskip("scipy", reason="scipy is not installed")
    if importlib.util.find_spec("matplotlib"):
        arguments = [*arguments, "--plot", str(tmp_path / "x.png")]
    done = subprocess.run(
        [sys.executable, "-B", EXAMPLES / f"{name}.py", *arguments], text=True,
        capture_output=True, env=os.environ, timeout=600)
    assert done.returncode == 0, done.stderr
    assert words in done.stdout
    if "--plot" in arguments:
        assert (tmp_path / "x.png").stat().st_size > 1000
