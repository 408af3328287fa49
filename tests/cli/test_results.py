"""Result files and what reads them: summary, diagnose, modes, report."""
import json
import os
import re
import resource
import signal
import struct
import unittest
import zipfile

import harness

MODEL = "ising(side=4,beta=0.3)"


def has_netcdf():
    done = harness.Case()
    done.setUp()
    try:
        return done.hiss("sample", "bernoulli4", "--samples", 4, "-o",
                         "x.nc").returncode == 0
    finally:
        done.doCleanups()


NETCDF = has_netcdf()
FILES = ["x.nc", "x.csv"] if NETCDF else ["x.csv"]


class Results(harness.Case):
    def sample(self, name, *words, model=MODEL, samples=2000):
        self.good("sample", model, "--sampler", "gibbs", "--samples", samples,
                  "--force", "-o", name, *words)
        return name


class Summary(Results):
    def test_keys(self):
        for name in FILES:
            found = self.good_json("summary", self.sample(name))
            self.assertEqual(len(found["coordinates"]), 16)
            for column in (found["energy"], *found["coordinates"]):
                self.assertLessEqual({"mean", "sd", "mcse", "ess_bulk",
                                      "ess_tail", "rhat", "state"},
                                     set(column))
            self.assertEqual(found["coordinates"][3]["name"], "x.4")
            self.assertTrue(found["modes"])
            self.assertEqual(found["chains"], 16)

    def test_both_formats_say_the_same(self):
        if not NETCDF:
            self.skipTest("this build is without netCDF")
        a, b = (self.good_json("summary", self.sample(n)) for n in FILES)
        for key in ("energy", "coordinates", "modes", "model", "sampler"):
            self.assertEqual(a[key], b[key], key)

    def test_it_agrees_with_the_run(self):
        done = json.loads(self.good("sample", MODEL, "--samples", 300, "-o",
                                    "x.csv", "--json"))
        found = self.good_json("summary", "x.csv")
        self.assertEqual(done["ess_min"], found["ess_min"])
        self.assertEqual(done["rhat_max"], found["rhat_max"])
        self.assertEqual(done["energy"]["mean"], found["energy"]["mean"])

    def test_observables(self):
        self.sample("x.csv")
        found = self.good_json("summary", "x.csv", "--observable",
                               "mean(x);x.1;lp")
        names = [o["name"] for o in found["observables"]]
        self.assertEqual(names, ["mean(x)", "x.1", "lp"])
        self.assertEqual(found["observables"][1]["mean"],
                         found["coordinates"][0]["mean"])
        self.assertIn("mean(x)", self.good("summary", "x.csv",
                                           "--observable", "mean(x)"))
        message = self.bad(2, "summary", "x.csv", "--observable", "mean(y)")
        self.assertIn("column 6", message)

    def test_text(self):
        text = self.good("summary", self.sample("x.csv"))
        for word in ("coordinate", "mcse", "R-hat", "log p", "changes of "
                     "mode", "gibbs"):
            self.assertIn(word, text)

    def test_the_model_may_be_gone(self):
        self.write("t.table", "binary binary\n0 0 .2\n0 1 .3\n1 0 .4\n"
                              "1 1 .1\n")
        self.sample("x.csv", model="table(t.table)")
        self.assertTrue(self.good_json("summary", "x.csv")["modes"])
        os.rename(self.path("t.table"), self.path("u.table"))
        found = self.good_json("summary", "x.csv")
        self.assertEqual(found["modes"], [])
        self.assertIn("t.table", found["no_modes"])
        found = self.good_json("summary", "x.csv", "--model",
                               "table(u.table)")
        self.assertTrue(found["modes"])
        self.assertIn("not the model", self.bad(2, "summary", "x.csv",
                                                "--model", "bernoulli4"))

    def test_a_changed_model_is_noticed(self):
        self.write("t.table", "binary\n0 .2\n1 .8\n")
        self.sample("x.csv", model="table(t.table)")
        self.write("t.table", "binary\n0 .3\n1 .7\n")
        self.assertIn("has changed", self.bad(2, "modes", "x.csv"))


class Diagnose(Results):
    def test_both_verdicts(self):
        for name in FILES:
            self.sample(name)
            found = self.good_json("diagnose", name)
            self.assertIs(found["trusted"], True)
            self.good("sample", "pairs(d=40)", "--sampler",
                      "dmala(alpha=0.2)", "--chains", 8, "--samples", 1000,
                      "--force", "-o", name)
            found = self.good_json("diagnose", name, code=1)
            self.assertIs(found["trusted"], False)
            bad = [f for f in found["findings"] if f["outcome"] == "failed"]
            self.assertTrue(bad)
            self.assertEqual(sum(f["remedy"] is not None for f in bad), 1)

    def test_text_and_options(self):
        self.sample("x.csv")
        self.assertIn("can be trusted", self.good("diagnose", "x.csv"))
        text = self.good("diagnose", "x.csv", "--blind", "--probe", 0)
        self.assertIn("not asked for", text)
        self.assertIn("passed    search", text)
        done = self.hiss("diagnose", "x.csv", "--blind", "--probe", 0,
                         "--search", 0)
        self.assertEqual(done.returncode, 4)
        self.assertIn("unchecked search", done.stdout)
        done = self.hiss("diagnose", "x.csv", "--blind", "--probe", 0,
                         "--strict")
        self.assertEqual(done.returncode, 1)
        done = self.hiss("diagnose", "x.csv", "--blind", "--probe", 4)
        self.assertIn("4 fresh chains", done.stdout)


    def test_a_missed_mode(self):
        """Narrow, of half the mass: no chain of any temperature is in it."""
        self.good("sample", "mixture(k=2,d=200,seed=5,scales=[0.8,1.2])",
                  "--sampler", "gibbs", "-o", "x.csv")
        found = self.good_json("diagnose", "x.csv", "--probe", 0, code=1)
        bad = [f for f in found["findings"] if f["outcome"] == "failed"]
        self.assertEqual([f["name"] for f in bad], ["search"])
        self.assertAlmostEqual(bad[0]["value"], 0.5, delta=0.05)
        self.assertIn("no draw is in", bad[0]["text"])


class Modes(Results):
    def test_modes(self):
        self.good("sample", "bernoulli4", "--samples", 2000, "-o", "x.csv")
        found = self.good_json("modes", "x.csv")
        self.assertEqual(found["found"], 2)
        first = found["modes"][0]
        self.assertAlmostEqual(first["exact"], 0.588, places=3)
        self.assertAlmostEqual(first["mass"], 0.588, delta=0.05)
        self.assertEqual(len(first["shares"]), 16)
        self.assertAlmostEqual(sum(m["exact"] for m in found["modes"]), 1)
        self.assertIn("0000", self.good("modes", "x.csv"))


class Report(Results):
    def page(self, *words):
        self.good("report", *words, "-o", "r.html", "--force")
        with open(self.path("r.html"), encoding="utf-8") as file:
            return file.read()

    def test_it_stands_alone(self):
        for name in FILES:
            page = self.page(self.sample(name))
            self.assertIn("the draws can be trusted", page)
            for word in ("http:", "https:", "<link", "url(", "src="):
                self.assertNotIn(word, page)
            self.assertEqual(page.count("<script>"), 1)
            for part in ("findings", "energy", "modes", "marginals",
                         "sampler", "repeat"):
                self.assertIn(f'<section id="{part}"', page)
            self.assertIn("prefers-color-scheme:dark", page)
            self.assertIn("@media print", page)
            self.assertIn("hiss sample &#39;" if "&#39;" in page
                          else "hiss sample '", page)

    def test_tags_are_closed(self):
        self.good("sample", MODEL, "--sampler",
                  "pt(base=gibbs,levels=3)", "--samples", 300, "-o", "x.csv")
        page = self.page("x.csv")
        for tag in ("svg", "figure", "table", "section", "details", "div",
                    "ul", "li", "p", "main"):
            self.assertEqual(len(re.findall(f"<{tag}[ >]", page)),
                             page.count(f"</{tag}>"), tag)
        self.assertEqual(page.count("<svg"), page.count('role="img"'))
        self.assertIn("temperature levels", page)

    def test_names_are_escaped(self):
        self.write("a<b&c.table", "binary\n0 .5\n1 .5\n")
        self.sample("x.csv", model='table("a<b&c.table")')
        page = self.page("x.csv")
        self.assertIn("a&lt;b&amp;c.table", page)
        self.assertNotIn("a<b", page)

    def test_lattices(self):
        """Observables and P(q); no folder of the disk; no map of modes where
        every draw is one."""
        self.write("k.coo", "# vartype=SPIN\n" + "".join(
            f"{i} {(i + 1) % 40} {1 if i % 3 else -1}\n" for i in range(40)))
        self.good("sample", self.path("k.coo"), "--samples", 200, "-o",
                  self.path("k.nc"), "--quiet", "--sampler", "gibbs")
        page = self.page(self.path("k.nc"), "--quiet")
        self.assertIn('<section id="observables"', page)
        self.assertIn("P(q)", page)
        self.assertIn("binder", page)
        self.assertIn("k.coo", page)
        self.assertNotIn(self.folder, page)
        self.assertIn("too many local optima to draw a map",
                      self.modes_of("ising(side=16,beta=.3)"))
        self.assertIn("Map of", self.modes_of("mixture(k=4,d=40,seed=3)"))

    def modes_of(self, model):
        self.good("sample", model, "--samples", 50, "-o", "m.nc", "--force",
                  "--sampler", "gibbs", "--quiet")
        return self.page("m.nc").partition('<section id="modes"')[2].partition(
            "<section")[0]

    def test_places(self):
        self.sample("x.csv")
        self.good("report", "x.csv")  # x.html
        self.bad(2, "report", "x.csv")  # which is there
        self.good("report", self.path("x.csv"), "--force")
        self.bad(2, "report", "x.csv", "-o", "r.txt")
        self.bad(3, "report", "x.csv", "-o", "no/r.html")
        self.page("x.csv")
        self.bad(2, "report", "x.csv", "-o", "r.html")


class Bad(Results):
    def test_cut_files(self):
        for name in FILES:
            self.sample(name, samples=200)
            with open(self.path(name), "rb") as file:
                whole = file.read()
            for part in (0, 10, len(whole) // 2, len(whole) - 1):
                with open(self.path(name), "wb") as file:
                    file.write(whole[:part])
                for command in ("summary", "diagnose", "modes"):
                    self.assertIn(name, self.bad(2, command, name))

    def test_other_files(self):
        self.write("x.csv", "chain,draw,lp,x.1\n0,0,1,1\n")
        self.assertIn("no result of hiss", self.bad(2, "summary", "x.csv"))
        self.bad(2, "summary", "nothing.csv")
        self.bad(2, "summary", "x.npz")
        self.bad(2, "diagnose", "x")

    def test_another_version(self):
        self.sample("x.csv", samples=10)
        with open(self.path("x.csv"), encoding="utf-8") as file:
            text = file.read()
        self.write("x.csv", text.replace('"format":2', '"format":3') +
                   "# checksum: none\n")
        self.assertIn("layout 3", self.bad(2, "summary", "x.csv"))

    def test_altered_files(self):
        """Refused with the way out, which works."""
        for name in FILES:
            self.sample(name, samples=200)
            with open(self.path(name), "r+b") as file:
                whole = file.read()
                at = whole.rindex(b'"seed":"1"') if b'"seed":"1"' in whole \
                    else len(whole) // 2
                file.seek(at + 8)
                file.write(b"7")
            for command in ("summary", "diagnose", "modes", "explain"):
                self.assertIn("altered since it was written",
                              self.bad(2, command, name))
            with open(self.path(name), "ab") as file:
                file.write(b"# checksum: none\n")
            if name.endswith("csv"):
                self.assertIn("seed 7", self.good("summary", name))

    def test_a_fifo_is_no_result(self):
        os.mkfifo(self.path("f.csv"))
        self.assertIn("plain file", self.bad(2, "summary", "f.csv"))

    def test_a_full_disk(self):
        """Exit 3; what is there is whole, with as many draws as fit."""
        def limit(size):
            def prepare():
                harness.default_signals()
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            return prepare

        for name in (*FILES, "x.npz", "x.json", "f.stan"):
            for size in (512, 100000):
                done = self.hiss("sample", MODEL, "--sampler", "gibbs",
                                 "--samples", 20000, "-o", name,
                                 prepare=limit(size),
                                 env={"TMPDIR": self.folder})
                self.assertEqual(done.returncode, 3, done)
                there = os.listdir(self.folder)
                self.assertEqual(bool(there), size > 512, (name, there))
                self.assertFalse([n for n in there if "part" in n])
                if name in there and name in FILES:
                    self.assertIn("one of", done.stderr)
                    found = self.good_json("summary", name)
                    self.assertLess(found["samples"], 20000)
                    self.assertGreater(found["samples"], 10)
                for n in there:
                    os.remove(self.path(n))

    def test_the_draws_go_elsewhere(self):
        """A folder that vanished in the middle: all draws are in TMPDIR."""
        os.mkdir(self.path("tmp"))
        os.mkdir(self.path("out"))
        process = self.start("sample", MODEL, "--sampler", "gibbs",
                             "--warmup", 10, "--time-limit", "1h", "-o",
                             "out/x.csv", env={"TMPDIR": self.path("tmp")})
        self.assertTrue(harness.wait_for_work(process))
        os.rmdir(self.path("out"))
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=harness.TIMEOUT)
        self.assertEqual(process.returncode, 3, err)
        name, = os.listdir(self.path("tmp"))
        self.good("summary", os.path.join("tmp", name))


class Written(Results):
    """What others read, checked without them."""

    def test_npz(self):
        self.sample("x.npz", "--chains", 4, samples=50)
        with zipfile.ZipFile(self.path("x.npz")) as archive:
            self.assertIsNone(archive.testzip())
            self.assertLessEqual({"x.npy", "lp.npy", "acceptance_rate.npy",
                                  "marginal.npy", "manifest.npy"},
                                 set(archive.namelist()))
            data = archive.read("x.npy")
        size = struct.unpack("<H", data[8:10])[0]
        self.assertIn(b"'|i1'", data[:size])
        self.assertIn(b"(4, 50, 16)", data[:size])
        self.assertEqual(len(data) - 10 - size, 4 * 50 * 16)

    def test_stan_csv(self):
        self.sample("f/", "--chains", 4, samples=50)
        self.assertEqual(sorted(os.listdir(self.path("f"))),
                         [f"chain-{n}.csv" for n in range(1, 5)])
        with open(self.path("f/chain-2.csv"), encoding="utf-8") as file:
            lines = [l for l in file.read().splitlines() if l[0] != "#"]
        self.assertTrue(lines[0].startswith("lp__,accept_stat__,x.1,"))
        self.assertEqual(len(lines), 51)

    def test_marginals(self):
        self.sample("x.csv", "--mar", "x.MAR")
        with open(self.path("x.MAR"), encoding="utf-8") as file:
            words = file.read().split()
        self.assertEqual(words[:3], ["MAR", "16", "2"])
        self.assertEqual(len(words), 2 + 16 * 3)
        for i in range(16):
            p = [float(w) for w in words[3 + 3 * i:5 + 3 * i]]
            self.assertAlmostEqual(sum(p), 1, places=6)
            self.assertAlmostEqual(p[0], 0.5, delta=0.1)
        self.bad(2, "sample", MODEL, "--mar", "x.txt")

    def test_warm_up(self):
        self.sample("x.npz", "--save-warmup", "--warmup", 30, samples=20)
        with zipfile.ZipFile(self.path("x.npz")) as archive:
            self.assertIn("warmup_x.npy", archive.namelist())

    def test_manifest(self):
        self.write("t.table", "binary\n0 .5\n1 .5\n")
        self.sample("x.csv", "--seed", 9, model="table(t.table)", samples=20)
        line = next(c for c in harness.rows_of(self.path("x.csv"))[0]
                    if c.startswith("# manifest: "))
        told = json.loads(line[len("# manifest: "):])
        self.assertLessEqual(
            {"hiss", "command", "model", "inputs", "sampler", "seed", "rng",
             "isa", "chains", "samples", "warmup", "thin", "seconds", "ended",
             "evals", "accept", "levels", "domain", "created_at"}, set(told))
        self.assertEqual(told["seed"], "9")
        self.assertEqual(len(told["inputs"][0]["sha256"]), 64)
        self.assertEqual(told["domain"], [{"kind": "binary",
                                           "values": [0, 1], "count": 1}])

    def test_kinds_that_cannot_be_said(self):
        message = self.bad(2, "sample", "potts(side=2,states=3,beta=0.3)",
                           "--time-limit", "1h", "-o", "x.json")
        self.assertIn("SampleSet", message)


class Others(Results):
    """Through the tools that results are written for, where they are."""

    def test_arviz(self):
        try:
            import arviz
            import numpy
        except ImportError as missing:
            self.skipTest(f"needs arviz: {missing}")
        if not NETCDF:
            self.skipTest("this build is without netCDF")
        self.sample("x.nc")
        found = self.good_json("summary", "x.nc")
        data = arviz.from_netcdf(self.path("x.nc"))
        x = data["posterior"]["x"].values.astype(float)
        self.assertEqual(x.shape, (4, 2000, 16))
        self.assertEqual(data["sample_stats"]["lp"].shape, (4, 2000))
        for key, function in (("ess_bulk", arviz.ess), ("rhat", arviz.rhat)):
            theirs = [float(function(x[:, :, i])) for i in range(16)]
            ours = [c[key] for c in found["coordinates"]]
            self.assertTrue(numpy.allclose(theirs, ours, rtol=1e-6), key)

    def test_cmdstan(self):
        try:
            from arviz import from_cmdstan
            import numpy
        except ImportError as missing:
            self.skipTest(f"needs arviz 0.x: {missing}")
        self.sample("f/", samples=100)
        self.sample("x.npz", samples=100)
        data = from_cmdstan([self.path(f"f/chain-{n}.csv")
                             for n in range(1, 5)])
        with numpy.load(self.path("x.npz")) as archive:
            self.assertTrue((data.posterior["x"].values ==
                             archive["x"]).all())
            self.assertTrue(numpy.allclose(data.sample_stats["lp"].values,
                                           archive["lp"]))

    def test_dimod(self):
        try:
            import dimod
        except ImportError as missing:
            self.skipTest(f"needs dimod: {missing}")
        self.sample("x.json", samples=100)
        with open(self.path("x.json"), encoding="utf-8") as file:
            found = dimod.SampleSet.from_serializable(json.load(file))
        self.assertEqual(sum(found.record.num_occurrences), 400)
        energies = list(found.record.energy)
        self.assertEqual(energies, sorted(energies))


if __name__ == "__main__":
    unittest.main(verbosity=1)
