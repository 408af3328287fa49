"""Killed at any moment, a run goes on and ends as if nothing had happened.

A run is killed once so many of its checkpoints were seen.  One that ends before
that, since the machine is fast or what looks at it is late, is tried again with
more steps."""
import os
import random
import resource
import signal
import struct
import zlib

import harness

MODEL = "ising(side=12,beta=0.4407)"
SPECS = (
    "pt(base=dmala(alpha=auto),levels=4)",
    "replicas(base=dmala(alpha=auto),count=3)",
    "hiss(eta=auto,steps=2,inner=gwg)",
    "acs",
    "mix(acs,gibbs)",
)
HEADER = struct.Struct("=16sIIQ")  # magic, version, crc, length


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

    def words(self, spec, thin, warmup):
        """Few draws and many steps: what is killed is the sampling."""
        return ["sample", MODEL, "--sampler", spec, "--chains", 18,
                "--samples", 100, "--thin", thin, "--warmup", warmup,
                "--quiet"]

    def kill(self, words, is_time):
        """Kills a run once is_time(); False if it was over by then."""
        self.remove("ck", "ck.draws", "ck.new", "part.csv")
        process = self.start(*words, "-o", "part.csv", "--checkpoint", "ck",
                             "--checkpoint-every", "0.01s")
        return self.kill_process(process, is_time)

    def kill_process(self, process, is_time):
        harness.wait_until(is_time, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return process.returncode == -signal.SIGKILL and \
            not os.path.exists(self.path("part.csv"))

    def kill_long(self, spec, is_time=None):
        """The words of a run that was killed; with draws in ck and what it
        would have drawn in whole.csv."""
        thin, is_killed = 32, False
        while not is_killed:
            thin *= 2
            words = self.words(spec, thin, 5 * thin)
            is_killed = self.kill(words, is_time or self.after(
                self.random.randint(1, 4)))
        self.good(*words, "-o", "whole.csv", "--force")
        return words

    def after(self, count):
        """Whether so many new checkpoints were seen."""
        old, seen = (None, self.stamp()), set()

        def is_time():
            if self.stamp() not in old:
                seen.add(self.stamp())
            return len(seen) >= count
        return is_time

    def stamp(self):
        """What tells one checkpoint from the next."""
        try:
            found = os.stat(self.path("ck"))
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns

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

    def has_draws(self):
        return os.path.exists(self.path("ck")) and self.counted() > 100

    def test_a_killed_run_goes_on(self):
        for spec in SPECS:
            words = self.kill_long(spec)
            for _ in range(2):
                self.good("sample", "--resume", "ck", "--quiet")
                self.assertEqual(self.draws("part.csv"),
                                 self.draws("whole.csv"), spec)
                if not self.kill(words, self.after(self.random.randint(1, 6))):
                    break

    def test_killed_in_the_first_minute(self):
        """The first checkpoint is written before the first step, so a script
        that resumes if there is a checkpoint never finds half of one."""
        words = self.words("gibbs", 64, 10)
        process = self.start(*words[:-1], "--samples", 10 ** 6, "-o",
                             "part.csv", "--checkpoint", "ck", "--quiet")
        self.assertTrue(self.kill_process(
            process, lambda: os.path.exists(self.path("ck"))))
        self.assertEqual(self.counted(), 32)
        process = self.start("sample", "--resume", "ck", "--quiet",
                             "--checkpoint-every", "0.01s")
        self.assertTrue(self.kill_process(process, self.has_draws))
        self.remove("ck", "part.csv")
        self.bad(2, *words, "-o", "part.csv", "--checkpoint", "ck")
        self.put("ck.draws", self.bytes("ck.draws")[:32])
        self.good(*words, "-o", "part.csv", "--checkpoint", "ck")
        self.good(*words, "-o", "whole.csv")
        self.assertEqual(self.draws("part.csv"), self.draws("whole.csv"))

    def test_a_full_disk_leaves_no_half(self):
        """Draws fit on the disk and the state does not: neither stays."""
        def prepare():
            harness.default_signals()
            resource.setrlimit(resource.RLIMIT_FSIZE, (468, 468))
        done = self.hiss("sample", "bernoulli4", "--samples", 20, "--thin",
                         20000, "--sampler", "gibbs", "-o", "x.csv",
                         "--checkpoint", "ck", "--checkpoint-every", "0.001s",
                         "--quiet", prepare=prepare)
        self.assertEqual(done.returncode, 3, done)
        self.assertEqual([n for n in os.listdir(self.folder) if "ck" in n], [])

    def test_killed_again_and_again(self):
        self.kill_long("hiss(eta=auto,inner=dmala(alpha=auto))")
        for _ in range(4):
            self.kill_process(
                self.start("sample", "--resume", "ck", "--quiet",
                           "--checkpoint-every", "0.01s"), self.after(1))
        # one that is killed while it writes its result cannot tidy up
        left = set(os.listdir(self.folder))
        if not os.path.exists(self.path("part.csv")):
            self.good("sample", "--resume", "ck", "--threads", 1, "--quiet")
        self.assertEqual(self.draws("part.csv"), self.draws("whole.csv"))
        self.assertFalse([n for n in os.listdir(self.folder)
                          if ".part" in n and n not in left])

    def test_stopped_by_hand_it_goes_on(self):
        thin, code = 64, 0
        # a signal that comes when all is drawn finds no checkpoint to keep
        while code == 0 or not os.path.exists(self.path("ck")):
            thin *= 2
            words = self.words("gibbs", thin, 10)
            self.remove("ck", "ck.draws", "part.csv")
            process = self.start(*words, "-o", "part.csv", "--checkpoint",
                                 "ck", "--checkpoint-every", "1h")
            harness.wait_for_work(process)
            process.send_signal(signal.SIGTERM)
            process.communicate()
            code = process.returncode
        self.assertEqual(code, 128 + signal.SIGTERM)
        self.good(*words, "-o", "whole.csv")
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
        if self.kill(words, self.after(1)):
            self.good("sample", "--resume", "ck", "--quiet")
            self.assertEqual(self.draws("part.csv"), self.draws("whole.csv"))

    def test_what_is_damaged_is_refused(self):
        self.kill_long("gibbs", self.has_draws)
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
        self.put("ck.draws", draws[:self.counted() // 2])
        self.bad(2, "sample", "--resume", "ck", "-o", "x.csv")
        os.remove(self.path("ck.draws"))
        self.assertIn("missing", self.bad(2, "sample", "--resume", "ck", "-o",
                                          "x.csv"))
        self.assertFalse(os.path.exists(self.path("x.csv")))
        self.put("ck.draws", draws)  # nothing was lost by all this
        self.good("sample", "--resume", "ck", "--quiet")
        self.assertEqual(self.draws("part.csv"), self.draws("whole.csv"))

    def test_other_versions_are_refused(self):
        self.kill_long("gibbs", self.has_draws)
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
        self.assertTrue(self.kill(words, self.after(1)))
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
        self.assertTrue(self.kill(words, self.after(1)))
        self.write("chain.uai", text + "2\n0.5 0.50001\n")
        self.assertIn("changed", self.bad(2, "sample", "--resume", "ck"))

    def test_one_name_for_two_runs(self):
        words = ["sample", MODEL, "--sampler", "gibbs", "--time-limit", "1h",
                 "--checkpoint", "ck", "--checkpoint-every", "0.01s"]
        process = self.start(*words)
        self.assertTrue(harness.wait_until(self.after(1), process))
        self.assertIn("another run", self.bad(2, *words, "--force"))
        self.assertIn("another run", self.bad(2, "sample", "--resume", "ck"))
        os.remove(self.path("ck"))  # as before a run's first checkpoint
        self.assertIn("another run", self.bad(2, *words, "--force"))
        self.assertTrue(os.path.exists(self.path("ck.draws")))
        self.assertTrue(harness.wait_until(self.after(1), process))
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
        self.kill_long("gibbs", self.has_draws)
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
