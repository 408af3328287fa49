"""Summaries, modes, verdicts, and results in other places."""
import json
import math

import numpy as np
import pytest

import hiss


@pytest.fixture(scope="module")
def run():
    return hiss.sample("bernoulli4", samples=1000, seed=3)


def test_summary(run):
    table = run.summary()
    assert len(table) == 4
    assert table.columns[0] == "name" and "rhat" in table.columns
    flat = run.draws.reshape(-1, 4)
    assert np.allclose(table["mean"], flat.mean(0))
    assert np.allclose(table["sd"], flat.std(0, ddof=1))
    assert (table["rhat"] < 1.02).all() and (table["ess_bulk"] > 100).all()
    assert table[0]["name"] == "x.1" and table[-1]["name"] == "x.4"
    assert [row["state"] for row in table] == ["varies"] * 4
    assert len(run.summary([2, 0])) == 2
    assert "x.3" in repr(table) and "<table>" in table._repr_html_()
    with pytest.raises(ValueError, match="coordinates is 4"):
        run.summary([4])
    assert run.energy()["mean"] == pytest.approx(run.lp.mean())


def test_stuck_is_called_stuck():
    run = hiss.sample("pairs(d=4)", "dmala(alpha=0.0001)", samples=50,
                      init=[[0, 0, 0, 0], [1, 1, 1, 1]], chains=2)
    assert set(run.summary()["state"]) == {"stuck"}
    diagnosis = run.diagnose()
    assert not diagnosis and not diagnosis.is_trusted
    assert "should not be trusted" in repr(diagnosis)


def test_modes(run):
    modes = run.modes()
    assert modes["mass"].sum() == pytest.approx(1)
    assert list(modes[0]["state"]) == [0, 0, 0, 0]
    assert run.model.log_prob(modes[0]["state"]) == \
        pytest.approx(modes[0]["u"])
    truth = hiss.exact(run.model)
    with_truth = run.modes(exact=truth)
    assert with_truth[0]["exact"] == pytest.approx(modes[0]["mass"], abs=0.05)
    assert len(run.modes(1)) == 1


def test_diagnose(run):
    diagnosis = run.diagnose()
    assert diagnosis.is_trusted and bool(diagnosis)
    assert {"mixing", "modes"} <= {f.name for f in diagnosis.findings}
    assert all(f.outcome in ("passed", "failed", "doubt", "skipped")
               for f in diagnosis.findings)


def test_remedies_are_python():
    model = hiss.open("mixture(k=4,d=60,seed=3)")
    verdict = hiss.sample(model, "gibbs", samples=300).diagnose(probe=0)
    assert not verdict
    remedy, = [f.remedy for f in verdict.findings if f.remedy]
    assert remedy.endswith('`hiss.sample(model, "auto")`')
    assert eval(remedy.split("`")[1]).info.samples == 1000
    stuck = hiss.sample("ising(side=8,beta=1)", "gibbs").diagnose(probe=0)
    assert any((f.remedy or "").startswith("`hiss.exact(model)` would take")
               for f in stuck.findings)


def test_marginals_and_best(run):
    truth = hiss.exact(run.model)
    for i in range(4):
        assert run.marginal(i) == pytest.approx(truth.marginal(i), abs=0.05)
    state, u = run.best()
    assert list(state) == [0, 0, 0, 0]
    assert u == run.lp.max()


def test_observables(run):
    assert np.array_equal(run.observable("x.1 + 2 * x.4"),
                          run.draws[..., 0] + 2.0 * run.draws[..., 3])
    with pytest.raises(ValueError, match="x.9"):
        run.observable("x.9")
    with pytest.raises(TypeError, match="words is a int"):
        run.observable(3)
    with pytest.raises(TypeError, match="exact is a int"):
        run.modes(exact=3)


def test_what_is_told(run):
    jumps = hiss.sample("bernoulli4", "hiss(eta=4,inner=dmala(alpha=0.2))",
                        samples=100)
    assert 0 < jumps.acceptance["hiss.jump"] < 1
    assert jumps.sampler.startswith("hiss(eta=4")
    assert run.manifest["seed"] == "3"
    assert run.info.chains == 16 and run.as_dict()["samples"] == 1000
    json.dumps(run.as_dict())
    assert "16 chains of 1000 draws" in repr(run)
    tuned = hiss.sample("pairs(d=6)", "dmala(alpha=auto)", samples=100)
    assert "alpha" in tuned.tuning
    assert run.tempering is None
    strands = hiss.sample("pairs(d=6)", "replicas(gibbs,count=3)", samples=100)
    assert strands.info.replicas == 3 and strands.tempering is None


def test_tempering():
    run = hiss.sample("ising(side=3,beta=0.4)",
                      "pt(base=gibbs,ladder=[1,2,inf])", samples=2000)
    found = run.tempering
    assert found.beta == pytest.approx([1, 0.5, 0])
    assert found.is_absolute
    assert found.log_z == pytest.approx(
        hiss.exact("ising(side=3,beta=0.4)").log_z, abs=0.2)


def test_multicanonical():
    model = "potts(side=12,states=20,beta=1.69967)"
    run = hiss.sample(model, "multicanonical", samples=1000, thin=4, seed=3)
    found = run.multicanonical
    assert found.has_phases and found.barrier > 1
    assert found.phases[0] < found.valley < found.phases[1]
    assert found.u.shape == found.histogram.shape == found.target.shape
    assert found.histogram.sum() == pytest.approx(1)
    assert found.target.sum() == pytest.approx(1)
    above = (run.lp > found.valley).mean()
    assert above == pytest.approx(found.share, abs=0.05)
    assert found.round_trips > 0 and found.is_absolute
    assert run.manifest["multicanonical"]["barrier"] == found.barrier
    ising = hiss.sample("ising(side=4,beta=0.4)", "multicanonical", seed=3)
    found = ising.multicanonical
    assert abs(found.log_z - hiss.exact("ising(side=4,beta=0.4)").log_z) < 4 * found.log_z_se
    assert run.tempering is None
    assert hiss.sample("pairs(d=6)", "gibbs", samples=10).multicanonical is None


def test_population():
    run = hiss.sample("ising(side=3,beta=0.4)", "smc(steps=2)", samples=1000)
    found = run.population
    assert run.tempering is None and found.replicas == 1000
    assert found.beta[-1] == 1 and (found.beta[1:] > found.beta[:-1]).all()
    assert found.counts.shape == found.energy.shape == found.beta.shape
    assert found.rho_t.shape == found.families.shape == (16,)
    assert (found.rho_t >= 1).all() and (found.ess <= 1 + 1e-9).all()
    assert abs(found.log_z - hiss.exact("ising(side=3,beta=0.4)").log_z) < 4 * found.log_z_se
    assert run.manifest["population"]["log_z"] == pytest.approx(found.log_z)
    assert hiss.sample("pairs(d=6)", "gibbs", samples=10).population is None


def test_particles():
    model = hiss.model("ising(side=3,beta=0.4,field=0.3)")
    run = hiss.sample(model, "smc(steps=1,resample=0)", samples=2000, seed=2,
                      particles=True)
    found = run.particles
    assert found.states.shape == (16, 2000, 9)
    assert found.weights.sum(1) == pytest.approx(np.ones(16))
    assert 1 / (2000 * (found.weights**2).sum(1)) == pytest.approx(
        run.population.ess)
    assert found.lp[2, 7] == pytest.approx(model.log_prob(found.states[2, 7]))
    assert found.pooled_weights.sum() == pytest.approx(1)
    up = (found.pooled_weights[:, :, None] * (found.states > 0)).sum((0, 1))
    assert up[4] == pytest.approx(hiss.exact(model).marginal(4)[1], abs=0.03)
    plain = (found.states > 0).mean((0, 1))  # weights matter
    assert abs(plain[4] - up[4]) > 0.05
    with pytest.raises(ValueError):
        found.weights[0, 0] = 1
    assert hiss.sample(model, "smc", samples=20).particles is None
    with pytest.raises(ValueError, match="those of smc"):
        hiss.sample(model, "gibbs", particles=True)
    with pytest.raises(ValueError, match="warm-up"):
        hiss.sample(model, "smc", warmup=5)


def test_reference_path():
    run = hiss.sample("ising(side=3,beta=0.4)",
                      "pt(base=gibbs,ladder=[1,2,inf],reference=modes,"
                      "path=[0.5,0])", samples=2000)
    found = run.tempering
    assert found.path_share == pytest.approx([0.5, 0])
    assert ((found.path_swap > 0) & (found.path_swap <= 1)).all()
    assert found.path_agrees and found.leg_agrees  # the name before 0.3
    assert found.path_log_z == pytest.approx(
        hiss.exact("ising(side=3,beta=0.4)").log_z, abs=0.2)
    plain = hiss.sample("ising(side=3,beta=0.4)",
                        "pt(base=gibbs,ladder=[1,2,inf])", samples=100)
    assert plain.tempering.path_share.size == 0


def test_html(run):
    page = run._repr_html_()
    assert "the draws can be trusted" in page
    assert page.count("<polyline") == 16
    assert "<script" not in page


@pytest.mark.parametrize("suffix", [".csv", ".nc"])
def test_files(run, tmp_path, suffix):
    file = tmp_path / f"x{suffix}"
    try:
        run.save(file)
    except ValueError:
        pytest.skip(f"the library writes no {suffix}")
    back = hiss.load(file, "bernoulli4")
    assert np.array_equal(back.draws, run.draws)
    assert np.array_equal(back.lp, run.lp)
    assert back.sampler == run.sampler
    assert len(back.modes()) == len(run.modes())
    with pytest.raises(FileExistsError):
        run.save(file)
    run.save(file, replace=True)
    alone = hiss.load(file)
    with pytest.raises(ValueError, match="model is missing"):
        alone.modes()
    assert alone.diagnose() is not None


def test_the_command_knows_what_python_drew(run, command, tmp_path):
    file = tmp_path / "x.csv"
    run.save(file)
    assert "can be trusted" in command("diagnose", file)


def test_bad_files(run, tmp_path):
    with pytest.raises(ValueError, match="suffix|ends in|kind"):
        run.save(tmp_path / "x.unknown")
    with pytest.raises(ValueError, match="ends in .nc"):
        run.to_netcdf(tmp_path / "x.csv")
    with pytest.raises(FileNotFoundError):
        hiss.load(tmp_path / "none.nc")
    with pytest.raises(OSError):
        run.save(tmp_path / "no" / "folder" / "x.csv")


def test_arviz(run, tmp_path):
    arviz = pytest.importorskip("arviz", reason="arviz is not installed")
    tree = run.to_arviz()
    x = tree.posterior["x"]
    assert x.dims == ("chain", "draw", "coordinate")
    assert np.array_equal(x.values, run.draws)
    assert np.array_equal(tree.sample_stats["lp"].values, run.lp)
    assert tree.posterior.attrs["inference_library"] == "hiss"
    theirs = arviz.rhat(tree)
    theirs = theirs["posterior"] if "posterior" in theirs else theirs
    assert np.allclose(theirs["x"].values, run.summary()["rhat"], atol=1e-9)
    pytest.importorskip("h5netcdf", reason="h5netcdf is not installed")
    pytest.importorskip("h5py", reason="h5py is not installed")
    file = tmp_path / "x.nc"
    run.to_netcdf(file)
    back = arviz.from_netcdf(file)
    assert np.array_equal(back.posterior["x"].values, run.draws)
    assert list(back.posterior["coordinate"].values) == [1, 2, 3, 4]


def test_named_and_shaped_variables():
    model = hiss.model("ising(side=4,beta=0.3)").arrange(
        {"grid": (3, 4), "rest": 4}, dims={"grid": ["row", "column"]},
        coords={"row": ["top", "middle", "bottom"]})
    run = hiss.sample(model, "gibbs", samples=20, warmup=10, save_warmup=True)
    assert run["grid"].shape == (16, 20, 3, 4)
    assert np.array_equal(run["grid"][..., 1, 2], run.draws[..., 6])
    assert np.array_equal(run["rest"], run.draws[..., 12:])
    assert np.shares_memory(run["rest"], run.draws)
    assert run.summary([0, 15])["name"] == ["grid[0,0]", "rest[3]"]
    with pytest.raises(KeyError, match="grid, rest"):
        run["x"]
    model.fix({"grid[1,2]": 1})
    pytest.importorskip("arviz", reason="arviz is not installed")
    tree = run.to_arviz()
    for group in ("posterior", "warmup_posterior"):
        grid = tree[group]["grid"]
        assert grid.dims == ("chain", "draw", "row", "column")
        assert list(grid["row"].values) == ["top", "middle", "bottom"]
        assert tree[group]["rest"].dims[2] == "rest_dim_0"
    assert np.array_equal(tree["posterior"]["grid"].sel(
        row="middle", column=2).values, run.draws[..., 6])


@pytest.mark.parametrize("shapes, more, message", [
    ({"a": (3, 4)}, {}, "12 entries in all, expected 16"),
    ({"a": 16}, {"dims": {"b": ["i"]}}, "dims has 'b'"),
    ({"a": (4, 4)}, {"dims": {"a": ["i"]}}, "1 names"),
    ({"a": (2, 8)}, {"dims": {"a": ["i", "i"]}}, "length 2 and 8"),
    ({"a": 16}, {"coords": {"i": [1]}}, "a dimension of that name"),
])
def test_variables_that_do_not_fit(shapes, more, message):
    with pytest.raises(ValueError, match=message):
        hiss.model("ising(side=4,beta=0.3)").arrange(shapes, **more)


def test_a_loaded_result_knows_the_pilot(tmp_path):
    run = hiss.sample("ising(side=4,beta=0.3)", samples=20)
    run.save(tmp_path / "x.csv")
    back = hiss.load(tmp_path / "x.csv")
    assert (back.resolved, back.pilot) == (run.resolved, run.pilot)
    assert "what the pilot found" in run._repr_html_()


def test_arviz_has_the_warm_up():
    pytest.importorskip("arviz", reason="arviz is not installed")
    run = hiss.sample("bernoulli4", samples=20, warmup=10, save_warmup=True)
    tree = run.to_arviz()
    assert np.array_equal(tree["warmup_posterior"]["x"].values,
                          run.warmup.draws)
    assert np.array_equal(tree["warmup_sample_stats"]["lp"].values,
                          run.warmup.lp)
    assert tree["posterior"]["x"].shape == (16, 20, 4)


def test_pandas(run):
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = run.summary().to_pandas()
    assert list(frame["name"]) == ["x.1", "x.2", "x.3", "x.4"]


def test_plot(run):
    matplotlib = pytest.importorskip("matplotlib",
                                     reason="matplotlib is not installed")
    matplotlib.use("Agg")
    axes = run.plot()
    assert [one.get_title().split(",")[0] for one in axes][:3] == \
        ["trace", "rank", "log p"]
    assert len(axes[0].lines) == 16
    assert len(axes[-1].patches) == len(run.modes(12))
    for samples, chains in ((1, 1), (3, 20)):
        few = hiss.sample("bernoulli4", samples=samples, chains=chains)
        first, *_, last = few.plot()
        assert len(first.lines) == min(chains, 16)
        for one in (first, last):
            ticks = one.get_xticks()
            assert len(ticks) and np.array_equal(ticks, np.round(ticks))
        assert last.patches[0].get_x() == pytest.approx(0.6)


def test_plots_that_suit(tmp_path):
    matplotlib = pytest.importorskip("matplotlib",
                                     reason="matplotlib is not installed")
    matplotlib.use("Agg")
    lattice = hiss.sample("ising(side=8,beta=0.3)", "gibbs", samples=100)
    titles = [one.get_title() for one in lattice.plot()]
    assert "overlap of two chains" in titles
    assert not any("modes" in title for title in titles)
    for panel in ("trace", "rank", "energy", "marginal", "modes", "overlap"):
        axes = getattr(lattice, f"plot_{panel}")()
        assert axes.get_title()
        axes.figure.savefig(tmp_path / f"{panel}.png")
        matplotlib.pyplot.close("all")


def test_frames(run):
    xarray = pytest.importorskip("xarray", reason="xarray is not installed")
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    data, frame = run.to_xarray(), run.to_pandas()
    assert isinstance(data, xarray.Dataset)
    assert isinstance(frame, pandas.DataFrame)
    assert data["x"].dims == ("chain", "draw", "coordinate")
    assert np.array_equal(data["x"].values, run.draws)
    assert list(frame.columns) == ["x.1", "x.2", "x.3", "x.4", "lp"]
    assert np.array_equal(frame.loc[3, "lp"], run.lp[3])


def test_names_survive_without_the_model(tmp_path):
    net = tmp_path / "rain.bif"
    net.write_text("""network rain { }
variable Rain { type discrete [ 2 ] { no, yes }; }
variable Wet { type discrete [ 2 ] { dry, wet }; }
probability ( Rain ) { table 0.8, 0.2; }
probability ( Wet | Rain ) { (no) 0.9, 0.1; (yes) 0.2, 0.8; }
""")
    path = tmp_path / "x.nc"
    hiss.sample(str(net), samples=50).save(path)
    assert list(hiss.load(path).summary()["name"]) == ["Rain", "Wet"]


def in_bands(bands, dim, field):
    """A function that is possible with some numbers of ones only; draws of it
    that begin in the last of these bands, and do not leave it."""
    table = np.full(dim + 1, -np.inf)
    for band in bands:
        table[list(band)] = -np.log(sum(math.comb(dim, k) for k in band))
    model = hiss.from_function(
        lambda x: table[x.sum(1).astype(int)] + x @ field, dim)
    start = np.zeros((4, dim))
    start[:, :bands[-1][0]] = 1
    run = hiss.sample(model, "gibbs", samples=1000, init=start, seed=1)
    return {found.name: found for found in run.diagnose(blind=True).findings}


def test_a_band_that_uniform_states_never_meet_is_found():
    found = in_bands([(3, 4), (20, 21)], 40, np.zeros(40))["search"]
    assert found.outcome in ("failed", "doubt") and "no draw is" in found.text


def test_few_climbs_among_impossible_states_are_a_doubt():
    field = np.random.default_rng(5).normal(0, 0.8, 44)
    found = in_bands([(21, 22, 23)], 44, field)["few climbs"]
    assert found.outcome == "doubt" and "search=" in found.remedy
