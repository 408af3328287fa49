"""The command under WebAssembly draws what the native one draws, byte for byte.

Run by node, where `make wasm` has built it; else skipped.  HISS names the
native program, HISS_WASM the folder of the other."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import harness  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
WASM = pathlib.Path(os.environ.get("HISS_WASM", "build/wasm"))
NODE = shutil.which("node")

MODELS = ("bernoulli4", "ising(side=6,beta=0.44)",
          "mixture(k=4,d=60,weights=[4,3,2,1])", "pairs(d=12,coupling=2)",
          "potts(side=4,states=3,beta=0.8)", "ladder(d=6,levels=5,beta=0.3)",
          "rbm(visible=20,hidden=8,modes=2)", "clinic.uai", "ring.qubo",
          "cross(side=3)")
SAMPLERS = ("auto", "gibbs", "metropolis", "dmala(alpha=auto)",
            "hiss(eta=auto,steps=1,inner=gwg)",
            "hiss(eta=1,sweeps=2,steps=2,inner=dmala(alpha=0.4))", "gwg",
            "pt(base=gibbs,levels=auto)", "pafs", "informed")
MIXTURE = MODELS[2]
# Models from files of their own kinds, and samplers that suit some models.
NEWER = (('regression(tiny.csv,"yield ~ .")', "auto"),
         ("sbm(small.gml)", "auto"),
         ("decode(code.dem,detections=D1)", "independent"),
         ("choices.cnf", "independent"),
         ("ising(side=8,beta=0.44)", "network(bond=4)"),
         ("potts(side=6,states=8,beta=1.3)", "multicanonical"),
         ("ising(side=6,beta=0.44)", "smc"),
         ("mixture(k=3,d=40)", "bridge"))
TEXTS = {"code.dem": "error(0.1) D0 L0\nerror(0.07) D0 D1\nerror(0.05) D1\n",
         "choices.cnf": "p cnf 6 4\n1 2 -3 0\n-1 4 0\n3 5 6 0\n-5 -6 0\n"}


def why_not():
    """The reason to skip, or None."""
    if NODE is None:
        return "there is no node: tools/bootstrap wasm"
    if not (WASM / "hiss.wasm").exists():
        return f"there is no {WASM}/hiss.wasm: `make wasm` builds it, with " \
               "Debian's emscripten"
    if (WASM / "hiss.wasm").stat().st_mtime < \
            pathlib.Path(harness.HISS).stat().st_mtime - 3600:
        return f"{WASM}/hiss.wasm is older than {harness.HISS}: `make wasm`"
    return None


class Draws(harness.Case):
    def setUp(self):
        super().setUp()
        for name in ("clinic.uai", "ring.qubo"):
            shutil.copy(HERE.parents[1] / "docs" / "play" / "examples" / name,
                        self.path(name))
        for name in ("regress/tiny.csv", "community/small.gml"):
            shutil.copy(HERE.parent / "data" / name,
                        self.path(os.path.basename(name)))
        for name, text in TEXTS.items():
            self.write(name, text)

    def wasm(self, *words, **changes):
        return subprocess.run(
            [NODE, HERE / "hiss.cjs", *map(str, words)], cwd=self.folder,
            text=True, capture_output=True, timeout=harness.TIMEOUT,
            env=harness.environment(HISS_WASM=str(WASM.resolve()), **changes))

    def draws(self, name):
        """What was drawn, without the comments, which name the machine."""
        with open(self.path(name), encoding="utf-8") as file:
            return [line for line in file if not line.startswith("#")]

    def compare(self, *words):
        native = self.hiss("sample", *words, "-o", "native.csv", "--force",
                           "--quiet")
        done = self.wasm("sample", *words, "-o", "wasm.csv", "--force",
                         "--quiet")
        self.assertEqual(done.returncode, native.returncode,
                         (words, native.stderr, done.stderr))
        if native.returncode == 0:
            self.assertTrue(self.draws("native.csv") == self.draws("wasm.csv"),
                            words)
        return native.returncode == 0

    def test_ten_samplers_on_ten_models(self):
        same = sum(self.compare(model, "--sampler", sampler, "--samples", 60,
                                "--seed", 20261119)
                   for model in MODELS for sampler in SAMPLERS)
        self.assertGreaterEqual(same, 90)  # some are not for some models

    def test_newer_models_and_samplers(self):
        for model, sampler in NEWER:
            self.assertTrue(self.compare(
                model, "--sampler", sampler, "--samples", 60, "--seed", 7),
                (model, sampler))

    def same(self, got, want, where):
        """But for times, and for rounding of the functions of libm."""
        if isinstance(want, dict):
            self.assertEqual(list(got), list(want), where)
            for key in want:
                if "seconds" not in key:
                    self.same(got[key], want[key], (*where, key))
        elif isinstance(want, list):
            self.assertEqual(len(got), len(want), where)
            for one, other in zip(got, want):
                self.same(one, other, where)
        elif isinstance(want, float):
            self.assertAlmostEqual(got, want, delta=1e-9 * max(1, abs(want)),
                                   msg=where)
        else:
            self.assertEqual(got, want, where)

    def test_answers_to_questions(self):
        for words in (("exact", "choices.cnf"),
                      ("exact", "decode(code.dem,detections=D1)"),
                      ("exact", "ising(side=8,beta=0.44)", "--nearly"),
                      ("select", "tiny.csv", "yield ~ ."),
                      ("communities", "small.gml"),
                      ("scan", "ising(side=6,beta=1)", "--temperature",
                       "2:3:3", "--samples", 200)):
            native = self.hiss(*words, "--json", "--quiet")
            done = self.wasm(*words, "--json", "--quiet")
            self.assertEqual(native.returncode, 0, native)
            self.assertEqual(done.returncode, 0, done)
            self.same(json.loads(done.stdout), json.loads(native.stdout),
                      words)

    def test_defaults(self):
        self.assertTrue(self.compare("bernoulli4"))
        self.assertTrue(self.compare(MIXTURE))

    def test_golden_draws(self):
        program = WASM / "test_golden.js"
        if not program.exists():
            self.skipTest(f"there is no {program}")
        # Emscripten of 2022 takes the fetch of newer node for a browser's
        done = subprocess.run(
            [NODE, "-e", "delete globalThis.fetch; require(process.argv[1])",
             program.resolve()], text=True, capture_output=True,
            timeout=harness.TIMEOUT)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("PASSED", done.stderr + done.stdout)

    def words(self):
        return ["sample", "ising(side=12,beta=0.4407)", "--sampler",
                "pt(base=dmala(alpha=auto),levels=4)", "--chains", 18,
                "--samples", 300, "--thin", 100, "--warmup", 400]

    def whole(self):
        self.good(*self.words(), "-o", "whole.csv", "--quiet")
        return self.draws("whole.csv")

    def test_a_checkpoint_goes_on_in_the_page(self):
        process = self.start(*self.words(), "-o", "part.csv", "--checkpoint",
                             "ck", "--checkpoint-every", "0.01s", "--quiet")
        harness.wait_until(lambda: os.path.exists(self.path("ck")), process)
        process.kill()
        process.communicate()
        self.assertFalse(os.path.exists(self.path("part.csv")))
        done = self.wasm("sample", "--resume", "ck", "--quiet", "-o",
                         "part.csv")
        self.assertEqual(done.returncode, 0, done)
        self.assertTrue(self.draws("part.csv") == self.whole())

    def test_a_checkpoint_of_the_page_goes_on(self):
        done = self.wasm(*self.words(), "-o", "part.csv", "--checkpoint", "ck",
                         "--checkpoint-every", "0.01s", HISS_STOP_AFTER="3")
        self.assertEqual(done.returncode, 130, done)
        self.assertLess(len(self.draws("part.csv")), 18 * 300)
        self.good("sample", "--resume", "ck", "--quiet", "--force", "-o",
                  "part.csv")
        self.assertTrue(self.draws("part.csv") == self.whole())

    def test_its_size(self):
        """A page is loaded over a network."""
        self.assertLessEqual((WASM / "hiss.wasm").stat().st_size, 2.6e6)

    def test_it_says_what_it_lacks(self):
        for words, why in (
                (["sample", "bernoulli4", "--threads", 4], "one thread"),
                (["sample", "plugin(./ring.so)"], "no libraries"),
                (["sample", "bernoulli4", "-o", "x.nc"], "netCDF"),
                (["sample", "bernoulli4", "--device", "cuda"], "no device"),
                (["verify", "ising(side=3,beta=0.3)", "--kernel", "./k"],
                 "starts no commands"),
                (["arena", "--quick", "--out", "x"], "starts none")):
            done = self.wasm(*words)
            self.assertIn(done.returncode, (2, 3), (words, done))
            self.assertIn(why, done.stderr, words)

    def test_memory_is_not_that_of_the_machine(self):
        # tables of half a GiB: refused where the limit was a quarter of 2 GiB
        done = self.wasm("exact", "ising(side=24,beta=0.4)", "--top", 0)
        self.assertIn(done.returncode, (0, 2, 3), done)
        self.assertNotIn("unexpectedly", done.stderr)


if __name__ == "__main__":
    if why_not():
        print(f"skipped: {why_not()}")
        sys.exit(77)
    unittest.main()
