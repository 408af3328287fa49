"""What a card cannot do, or is not there: one line that says what to do.

The plug-in is the stand-in for a card (HISS_CUDA); HISS_CUDA_CARDS and
HISS_CUDA_BYTES say how many it has, with how much memory.
"""
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

HISS = os.environ.get("HISS", "hiss")
USUAL = ["sample", "ising(side=4,beta=0.3)", "--sampler", "gibbs", "--samples",
         "5", "--quiet"]


def call(*words, **changes):
    env = {**os.environ, **changes}
    return subprocess.run([HISS, *words], capture_output=True, text=True,
                          check=False, timeout=300, env=env)


class Faults(unittest.TestCase):
    def refused(self, words, text, code=2, **changes):
        done = call(*words, **changes)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_names(self):
        for name in ("gpu", "cuda:", "cuda:x", "cuda:1x", "cuda:-1",
                     "cuda:99999", "CUDA"):
            self.refused([*USUAL, "--device", name],
                         "expected cpu, cuda, cuda:N or auto")
        self.refused([*USUAL, "--device", "cuda:1"],
                     "there is no device cuda:1, the last is cuda:0")
        done = call(*USUAL, "--device", "cuda:1", HISS_CUDA_CARDS="2")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_plug_in(self):
        self.refused([*USUAL, "--device", "cuda"], "HISS_CUDA names /none.so",
                     HISS_CUDA="/none.so")
        with tempfile.NamedTemporaryFile(suffix=".so") as file:
            self.refused([*USUAL, "--device", "cuda"], "no device cuda: ",
                         HISS_CUDA=file.name)

    def test_cards(self):
        self.refused([*USUAL, "--device", "cuda"],
                     "there is no card that can be used", HISS_CUDA_CARDS="0")
        self.refused([*USUAL, "--device", "cuda"], "the driver of the card",
                     HISS_CUDA_CARDS="-1")

    def test_memory(self):
        self.refused([*USUAL, "--device", "cuda"], "take fewer chains", code=3,
                     HISS_CUDA_BYTES="1000")

    def test_models_and_samplers(self):
        for model, sampler in (("ladder(d=4,levels=3,beta=1)", "gibbs"),
                               ("bernoulli4", "gibbs"),
                               ("potts(side=3,states=40,beta=1)", "gibbs"),
                               ("ising(side=4,beta=0.3)", "blocks"),
                               ("ising(side=4,beta=0.3)", "mix(dmala,cluster)"),
                               ("ising(side=4,beta=0.3)", "cluster"),
                               ("ising(side=4,beta=0.3)",
                                "pt(base=gibbs,houdayer=1)")):
            self.refused(["sample", model, "--sampler", sampler, "--quiet",
                          "--device", "cuda"], "use --device cpu")
        self.refused(["verify", "ising(side=2,beta=0.3)", "--sampler",
                      "cluster", "--device", "cuda"], "use --device cpu")

    def test_auto(self):
        for changes, start in (({}, "cuda:0 ("),
                               ({"HISS_CUDA_CARDS": "0"}, "cpu (auto: ")):
            done = call(*USUAL, "--device", "auto", "--json", **changes)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(json.loads(done.stdout)["device"].startswith(start))

    def test_list(self):
        for cards, names in (("2", ["cpu", "cuda:0", "cuda:1"]),
                             ("0", ["cpu", "cuda"])):
            done = call("list", "devices", "--json", HISS_CUDA_CARDS=cards)
            found = json.loads(done.stdout)["devices"]
            self.assertEqual([device["name"] for device in found], names)

    def test_resume_on_the_other_device(self):
        """A run that is stopped on one device and goes on with the other, with
        levels, tuning and cycles that go along."""
        for sampler, thin in (("pt(base=gibbs,levels=8)", 100),
                              ("pt(base=hiss,levels=3)", 25),
                              ("sequence(acs(cycle=3),dmala)", 50)):
            with self.subTest(sampler=sampler):
                while not self.resume(sampler, str(thin)):
                    thin *= 4
                    self.assertLess(thin, 1e5, "every run was too short")

    def resume(self, sampler, thin):
        """False: a run was over before its first checkpoint was seen."""
        words = ["sample", "ising(side=4,beta=0.3)", "--sampler", sampler,
                 "--chains", "18", "--samples", "150", "--thin", thin,
                 "--warmup", "50", "--quiet", "--json"]
        with tempfile.TemporaryDirectory() as folder:
            def start(*more):
                return subprocess.Popen([HISS, *more], cwd=folder, text=True,
                                        stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)

            def end(process):
                out, err = process.communicate(timeout=300)
                self.assertEqual(process.returncode, 0, err)
                return json.loads(out)

            def draws(name):
                with open(os.path.join(folder, name),
                          encoding="utf-8") as file:
                    return [row for row in file if row[0] != "#"]

            end(start(*words, "-o", "whole.csv", "--mar", "whole.mar"))
            for first, then in (("cpu", "cuda"), ("cuda", "cpu")):
                name = f"{first}.check"
                process = start(*words, "--device", first, "-o", "part.csv",
                                "--force", "--checkpoint", name,
                                "--checkpoint-every", "0.02s")
                while not os.path.exists(os.path.join(folder, name)) and \
                        process.poll() is None:
                    time.sleep(0.002)
                process.send_signal(signal.SIGINT)
                _, err = process.communicate(timeout=300)
                if process.returncode == 0:
                    return False
                self.assertEqual(process.returncode, 130, err)
                found = end(start("sample", "--resume", name, "--device", then,
                                  "-o", "rest.csv", "--force", "--json",
                                  "--quiet", "--mar", "rest.mar"))
                self.assertTrue(found["device"].startswith(then))
                self.assertEqual(draws("whole.csv"), draws("rest.csv"))
                self.assertEqual(draws("whole.mar"), draws("rest.mar"))
        return True


if __name__ == "__main__":
    unittest.main()
