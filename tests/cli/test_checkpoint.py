"""Killed at any moment, a run goes on and ends as if nothing had happened."""
import os
import random
import signal
import struct
import time
import zlib

import harness

MODEL = "ising(side=12,beta=0.4407)"
SPECS = (
    "pt(base=dmala(alpha=auto),levels=4)",
    "hiss(eta=auto,steps=2,inner=gwg)",
    "acs",
    "mix(acs,gibbs)",
)
HEADER = struct.Struct("=16sIIQ")  # magic, version, crc, length
SECONDS = 1.0  # of an uninterrupted run, about


class Checkpoint(harness.Case):
    def setUp(self):
        super().setUp()
        self.random = random.Random(7)

    def draws(self, name):
        """What was drawn, without the comments, which name the command."""
        with open(self.path(name), encoding="utf-8") as file:
            return [line for line in file if not line.startswith("#")]

    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def put(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def long_run(self, spec, *more):
        """(words, seconds) of a run of about SECONDS; its draws in whole.csv.
        Few draws and many steps: what is killed is the sampling."""
        thin = 16
        while True:
            words = ["sample", MODEL, "--sampler", spec, "--chains", 18,
                     "--samples", 100, "--thin", thin, "--warmup", 5 * thin,
                     "--quiet", *more]
            took = self.good_json(*words, "-o", "whole.csv",
                                  "--force")["seconds"]
            if took >= SECONDS / 2:
                return words, took
            thin = int(thin * min(16, max(2, SECONDS / took)))

    def kill(self, words, wait, *more):
        """Kills a run after `wait` seconds; False if it had drawn all by then
        or had not come to its first checkpoint."""
        self.remove("ck", "ck.draws", "ck.new", "part.csv")
        process = self.start(*words, "-o", "part.csv", "--checkpoint", "ck",
                             "--checkpoint-every", "0.01s", *more)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return (process.returncode == -signal.SIGKILL and
                os.path.exists(self.path("ck")) and
                not os.path.exists(self.path("part.csv")))

    def remove(self, *names):
        for name in names:
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))

    def counted(self):
        """Bytes of ck.draws that ck counts on: behind two texts, two
        fingerprints, the time, the run and the checksum."""
        body = self.bytes("ck")[HEADER.size:]
        at = 0
        for _ in range(2):
            at += 8 + struct.unpack_from("=Q", body, at)[0]
        return struct.unpack_from("=Q", body, at + 16 + 8 + 8 + 8)[0]

    def killed(self):
        """A checkpoint of a run that was killed, in ck; whole.csv is what it
        would have drawn."""
        words, took = self.long_run("gibbs")
        for _ in range(60):
            if self.kill(words, took * self.random.uniform(0.3, 0.9)) and \
                    self.counted() > 100:
                return
        self.skipTest("no run was killed between its first and its last draw")

    def test_a_killed_run_goes_on(self):
        for spec in SPECS:
            words, took = self.long_run(spec)
            kills = 0
            for _ in range(20):
                if not self.kill(words, took * self.random.uniform(0.1, 0.8)):
                    continue
                kills += 1
                self.good("sample", "--resume", "ck", "--quiet")
                self.assertEqual(self.draws("part.csv"),
                                 self.draws("whole.csv"), spec)
                if kills == 2:
                    break
            self.assertGreater(kills, 0, spec)

    def test_killed_again_and_again(self):
        words, took = self.long_run("hiss(eta=auto,inner=dmala(alpha=auto))")
        for _ in range(60):
            if self.kill(words, took * self.random.uniform(0.1, 0.4)):
                break
        else:
            self.skipTest("no run was killed after its first checkpoint")
        for _ in range(4):
            process = self.start("sample", "--resume", "ck", "--quiet",
                                 "--checkpoint-every", "0.01s")
            time.sleep(took * self.random.uniform(0.05, 0.3))
            process.send_signal(signal.SIGKILL)
            process.communicate()
        if not os.path.exists(self.path("part.csv")):
            self.good("sample", "--resume", "ck", "--threads", 1, "--quiet")
        self.assertEqual(self.draws("part.csv"), self.draws("whole.csv"))
        self.assertFalse([n for n in os.listdir(self.folder) if ".part" in n])

    def test_stopped_by_hand_it_goes_on(self):
        words, took = self.long_run("gibbs")
        process = self.start(*words, "-o", "part.csv", "--checkpoint", "ck",
                             "--checkpoint-every", "1h")
        time.sleep(took / 2)
        process.send_signal(signal.SIGTERM)
        process.communicate()
        if not os.path.exists(self.path("ck")):
            self.skipTest("the run was over before the signal came")
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.bad(2, "sample", "--resume", "ck")  # part.csv has what there was
        self.good("sample", "--resume", "ck", "--quiet", "--force")
        self.assertEqual(self.draws("part.csv"), self.draws("whole.csv"))

    def test_until_enough(self):
        """--ess ends at the same step, killed or not, and the counts that are
        told repeat the run."""
        words = ["sample", MODEL, "--sampler", "gibbs", "--ess", 1000,
                 "--quiet"]
        found = self.good_json(*words, "-o", "whole.csv")
        self.assertGreaterEqual(found["ess_min"], 1000)
        self.assertEqual(found["ended"], "done")
        self.good("sample", MODEL, "--sampler", "gibbs", "--quiet", "--samples",
                  found["samples"], "--warmup", found["warmup"], "--thin",
                  found["thin"], "-o", "again.csv")
        self.assertEqual(self.draws("again.csv"), self.draws("whole.csv"))
        if self.kill(words, found["seconds"] * 0.4):
            self.good("sample", "--resume", "ck", "--quiet")
            self.assertEqual(self.draws("part.csv"), self.draws("whole.csv"))

    def test_what_is_damaged_is_refused(self):
        self.killed()
        state, draws = self.bytes("ck"), self.bytes("ck.draws")
        places = [0, 16, 20, 24, HEADER.size, len(state) // 2, len(state) - 1]
        for place in places:
            damaged = bytearray(state)
            damaged[place] ^= 1
            self.put("ck", damaged)
            self.bad(2, "sample", "--resume", "ck", "-o", "x.csv")
        for length in (0, 10, HEADER.size, len(state) // 2, len(state) - 1):
            self.put("ck", state[:length])
            self.bad(2, "sample", "--resume", "ck", "-o", "x.csv")
        self.put("ck", state + b"x")
        self.bad(2, "sample", "--resume", "ck", "-o", "x.csv")
        self.put("ck", state)
        damaged = bytearray(draws)
        damaged[80] ^= 4  # of the first piece, which counts
        self.put("ck.draws", damaged)
        self.bad(2, "sample", "--resume", "ck", "-o", "x.csv")
        self.put("ck.draws", draws[:len(draws) // 2])
        self.bad(2, "sample", "--resume", "ck", "-o", "x.csv")
        os.remove(self.path("ck.draws"))
        self.assertIn("missing", self.bad(2, "sample", "--resume", "ck", "-o",
                                          "x.csv"))
        self.assertFalse(os.path.exists(self.path("x.csv")))
        self.put("ck.draws", draws)  # nothing was lost by all this
        self.good("sample", "--resume", "ck", "--quiet")
        self.assertEqual(self.draws("part.csv"), self.draws("whole.csv"))

    def test_other_versions_are_refused(self):
        self.killed()
        state = self.bytes("ck")
        magic, version, crc, length = HEADER.unpack(state[:HEADER.size])
        self.put("ck", HEADER.pack(magic, version + 1, crc, length) +
                 state[HEADER.size:])
        self.assertIn("format", self.bad(2, "sample", "--resume", "ck"))
        body = state[HEADER.size:]
        own = self.good("--version").split()[1].encode()
        at = body.index(struct.pack("=Q", len(own)) + own) + 8
        body = body[:at] + own[:-1] + b"!" + body[at + len(own):]
        self.put("ck", HEADER.pack(magic, version, zlib.crc32(body), length) +
                 body)
        self.assertIn("!", self.bad(2, "sample", "--resume", "ck"))

    def test_another_model_is_refused(self):
        self.write("graph.txt", "3 3\n1 2 1\n2 3 1\n1 3 0.5\n")
        words = ["sample", "graph.txt", "--sampler", "gibbs", "--samples",
                 "2e6", "--warmup", 0, "--thin", 10, "--chains", 1, "--quiet"]
        for wait in (0.3, 0.6, 1.2, 2.4, 5, 10):
            if self.kill(words, wait):
                break
        self.write("graph.txt", "3 3\n1 2 1\n2 3 1\n1 3 0.25\n")
        self.assertIn("changed", self.bad(2, "sample", "--resume", "ck"))
        os.remove(self.path("graph.txt"))
        self.assertIn("graph.txt", self.bad(2, "sample", "--resume", "ck"))

    def test_a_model_with_zeros_that_changed(self):
        """Random states are impossible there and say nothing."""
        n = 40
        chain = "".join(f"2 {i} {i + 1}\n" for i in range(n - 1))
        tables = "4\n1 0 0 1\n" * (n - 1)
        text = f"MARKOV\n{n}\n{'2 ' * n}\n{n}\n{chain}1 0\n{tables}"
        self.write("chain.uai", text + "2\n0.5 0.5\n")
        words = ["sample", "chain.uai", "--sampler", "gibbs", "--samples",
                 "1e7", "--warmup", 0, "--thin", 10, "--chains", 1, "--quiet"]
        for wait in (0.3, 0.6, 1.2, 2.4, 5, 10):
            if self.kill(words, wait):
                break
        self.write("chain.uai", text + "2\n0.5 0.50001\n")
        self.assertIn("changed", self.bad(2, "sample", "--resume", "ck"))

    def test_one_name_for_two_runs(self):
        words = ["sample", MODEL, "--sampler", "gibbs", "--samples", "1e6",
                 "--checkpoint", "ck", "--checkpoint-every", "0.01s"]
        process = self.start(*words)
        for _ in range(500):
            if os.path.exists(self.path("ck")):
                break
            time.sleep(0.02)
        self.assertIn("another run", self.bad(2, *words, "--force"))
        self.assertIn("another run", self.bad(2, "sample", "--resume", "ck"))
        process.kill()
        process.communicate()
        self.assertIn("--resume", self.bad(2, *words))
        self.good("sample", "bernoulli4", "--samples", 10, "--checkpoint",
                  "ck", "--force", "--quiet")

    def test_other_files_are_not_touched(self):
        self.write("notes", "mine\n")
        self.write("x.draws", "mine too\n")
        for words in (["--checkpoint", "notes"],
                      ["--checkpoint", "notes", "--force"],
                      ["--checkpoint", "x"],
                      ["--checkpoint", "a.csv", "-o", "a.csv"]):
            self.bad(2, "sample", "bernoulli4", "--samples", 10, *words)
        self.assertEqual(self.bytes("notes"), b"mine\n")
        self.assertEqual(self.bytes("x.draws"), b"mine too\n")
        self.bad(3, "sample", "bernoulli4", "--checkpoint", "no/folder/ck")

    def test_a_bad_call_to_resume(self):
        self.assertIn("none", self.bad(2, "sample", "--resume", "none"))
        self.write("text", "a text that is long enough to be a header\n")
        self.assertIn("not a checkpoint",
                      self.bad(2, "sample", "--resume", "text"))
        self.bad(2, "sample", "bernoulli4", "--resume", "text")
        for word in ("--samples", "--ess", "--evals", "--chains"):
            self.bad(2, "sample", "--resume", "text", word, 5)

    def test_from_another_folder(self):
        self.killed()
        os.mkdir(self.path("elsewhere"))
        done = harness.subprocess.run(
            [harness.HISS, "sample", "--resume", "../ck", "-o", "x.csv",
             "--quiet"], cwd=self.path("elsewhere"), capture_output=True,
            text=True, check=False)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(self.draws("elsewhere/x.csv"),
                         self.draws("whole.csv"))


if __name__ == "__main__":
    harness.main()
