"""Files of strangers: they run no code, open nothing, steer no terminal."""
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import zlib

import harness

HEADER = struct.Struct("=16sIIQ")  # magic, version, crc, length
READERS = ("summary", "diagnose", "modes", "report")
CODE = """#include <stdio.h>
__attribute__((constructor)) static void run(void)
{ FILE *mark = fopen("%s", "w"); if (mark) fclose(mark); }
"""
UAI = "MARKOV\n2\n2 2\n1\n2 0 1\n4\n1 2 3 4\n"


class Trust(harness.Case):
    def result(self, model="bernoulli4", name="a.csv", *more):
        self.good("sample", model, "--sampler", "gibbs", "--samples", 1000,
                  "--quiet", "--force", "-o", name, *more)
        return name

    def manifest(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.loads(re.search("# manifest: (.*)",
                                        file.read()).group(1))

    def forge(self, name="a.csv", out="forged.csv", **changes):
        """The result with other words in its manifest."""
        with open(self.path(name), encoding="utf-8") as file:
            text = file.read()
        found = {**self.manifest(name), **changes}
        line = "# manifest: " + json.dumps(found)
        text = re.sub("# manifest: .*", lambda _: line, text)
        # as one says that changes a result on purpose
        self.write(out, re.sub("# checksum: .*", "# checksum: none", text))
        return out

    def read(self, command, name, *more, **how):
        if command == "report":
            more = ("-o", "r.html", "--force", *more)
        return self.hiss(command, name, *more, **how)

    def library(self):
        """(a plug-in that leaves a mark when it is loaded, the mark)"""
        mark = self.path("RAN")
        self.write("evil.c", CODE % mark)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.path("evil.so"),
                        self.path("evil.c")], check=True)
        return self.path("evil.so"), mark


class Results(Trust):
    def test_no_code(self):
        library, mark = self.library()
        self.result()
        for word in (f"plugin({library})", "plugin(./evil.so)",
                     f"plugin (file={library})"):
            self.forge(word=word)
            for command in (*READERS, "explain"):
                done = self.read(command, "forged.csv")
                self.assertFalse(os.path.exists(mark), (word, command))
                if command != "explain":
                    self.assertEqual(done.returncode, 2, done)
                    self.assertIn("evil.so is refused", done.stderr)
        for field in ("model_format", "evidence", "sampler", "resolved"):
            self.forge(**{field: f"plugin({library})"})
            for command in (*READERS, "explain"):
                self.read(command, "forged.csv")
                self.assertFalse(os.path.exists(mark), (field, command))

    def test_a_plugin_that_the_user_allows(self):
        library, mark = self.library()
        self.result()
        self.forge(word=f"plugin({library})")
        self.write("other.so", "")
        self.hiss("summary", "forged.csv", "--allow-plugin", "other.so")
        self.assertFalse(os.path.exists(mark))
        done = self.hiss("summary", "forged.csv", "--allow-plugin", "evil.so")
        self.assertTrue(os.path.exists(mark), done)
        os.remove(mark)
        self.hiss("summary", "forged.csv", "--model", f"plugin({library})")
        self.assertTrue(os.path.exists(mark))

    def test_no_file_that_was_not_recorded(self):
        self.result()
        self.write("other.uai", UAI)
        for word in ("/etc/passwd", "other.uai", "./other.uai",
                     "table(/etc/passwd)", "table(file=other.uai)",
                     "tsp(other.uai)", "bnn(data=other.uai,target=x)",
                     "../../etc/passwd"):
            self.forge(word=word)
            done = self.hiss("diagnose", "forged.csv")
            self.assertEqual(done.returncode, 2, done)
            self.assertIn("refused", done.stderr)
            self.assertNotIn("root", done.stderr)
        self.forge(evidence="/etc/passwd")
        self.assertIn("refused", self.bad(2, "diagnose", "forged.csv"))
        self.forge(word="bnn(data=wdbc,folder=/etc)")
        self.assertIn("refused", self.bad(2, "diagnose", "forged.csv"))

    def test_recorded_but_elsewhere(self):
        """A model of another folder is known by its SHA-256."""
        self.write("model.uai", UAI)
        os.mkdir(self.path("out"))
        self.result("model.uai", "out/a.csv")
        done = self.hiss("diagnose", "out/a.csv")
        self.assertIn("passed    exact answers", done.stdout)
        self.assertIn("model.uai", done.stderr)
        self.good("modes", "out/a.csv")
        self.write("model.uai", "secret\n" + UAI)
        done = self.hiss("diagnose", "out/a.csv")
        self.assertEqual(done.returncode, 4, done)
        self.assertIn("not decided: the model is not at hand", done.stdout)
        self.assertIn("--model", done.stdout)
        self.assertNotIn("secret", done.stderr + done.stdout)
        self.assertNotIn("SHA", done.stderr)
        self.assertIn("--model", self.bad(2, "modes", "out/a.csv"))
        self.write("model.uai", UAI)
        self.good("modes", "out/a.csv", "--model", "model.uai")

    def test_recorded_and_beside(self):
        self.write("model.uai", UAI)
        self.write("e.evid", "1 0 1\n")
        self.result("model.uai", "a.csv", "--evidence", "e.evid")
        self.good("modes", "a.csv")
        shutil.copytree(self.folder, self.folder + "-moved")
        self.addCleanup(shutil.rmtree, self.folder + "-moved")
        moved = self.folder + "-moved/"
        self.assertTrue(self.good_json("modes", moved + "a.csv")["found"])
        self.write("model.uai", UAI.replace("4\n1", "4\n2"))
        self.assertIn("has changed", self.bad(2, "modes", "a.csv"))
        self.write("model.uai", UAI)
        os.rename(self.path("e.evid"), self.path("f.evid"))
        self.assertIn("--evidence", self.bad(2, "modes", "a.csv"))
        self.good("modes", "a.csv", "--evidence", "f.evid")

    def test_links_do_not_lead_out(self):
        self.write("model.uai", UAI)
        os.mkdir(self.path("out"))
        self.result("model.uai", "out/a.csv")
        os.symlink("../model.uai", self.path("out/model.uai"))
        self.good("modes", "out/a.csv")
        self.write("model.uai", UAI.replace("4\n1", "4\n2"))
        done = self.hiss("modes", "out/a.csv")
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("not the file that the run read", done.stderr)
        self.write("model.uai", UAI)
        os.remove(self.path("out/model.uai"))
        shutil.copy(self.path("model.uai"), self.path("out/model.uai"))
        self.good("modes", "out/a.csv")

    def test_special_files(self):
        self.result()
        os.mkfifo(self.path("fifo"))
        os.mkfifo(self.path("fifo.csv"))
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        here = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.close, here)
        listener.bind(f"/proc/self/fd/{here}/socket")
        for word in ("fifo", "table(fifo)", "socket"):
            self.forge(word=word)
            done = self.hiss("diagnose", "forged.csv")
            self.assertEqual(done.returncode, 2, done)
        for words in (["diagnose", "fifo.csv"],
                      ["sample", "./fifo"], ["sample", "./socket"],
                      ["sample", "./fifo", "--format", "uai"],
                      ["sample", "/dev/zero", "--format", "uai"],
                      ["sample", "./fifo", "--format", "npz"],
                      ["sample", "./fifo", "--format", "json"],
                      ["sample", "table(fifo)"],
                      ["sample", "tsp(fifo)"],
                      ["sample", "bnn(data=fifo,target=y)"],
                      ["sample", "bernoulli4", "--init", "fifo"],
                      ["sample", "bernoulli4", "--evidence", "fifo"],
                      ["sample", "bernoulli4", "--sampler",
                       "bridge(modes=fifo)"],
                      ["sample", "--resume", "fifo"]):
            self.assertIn("expected a plain file", self.bad(2, *words), words)

    def test_a_pipe_of_the_shell_is_read(self):
        done = subprocess.run(
            [harness.HISS, "exact", "/dev/stdin", "--format", "uai"],
            input=UAI, capture_output=True, text=True, timeout=harness.TIMEOUT,
            check=False)
        self.assertEqual(done.returncode, 0, done)

    def test_models_are_bounded(self):
        self.result()
        for word in ("ising(side=16000,beta=0.1)",
                     "rbm(30000,30000)", "mixture(d=1000000,k=4096)"):
            self.forge(word=word)
            done = self.hiss("diagnose", "forged.csv",
                             prepare=self.little_memory)
            self.assertEqual(done.returncode, 2, done)
            self.assertIn("is refused: it takes more than", done.stderr)

    @staticmethod
    def little_memory():
        import resource
        harness.default_signals()
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    def test_claims_are_bounded(self):
        self.result()
        for key, value in (("warmup", 10**18), ("warmup", -1), ("thin", 0),
                           ("thin", 2**62), ("replicas", 0),
                           ("replicas", 2**31), ("threads", 0),
                           ("threads", 10**9), ("ranks", -5),
                           ("seconds", -1.0), ("seconds", "x"),
                           ("sampler", "x" * (1 << 20 | 1))):
            self.forge(**{key: value})
            message = self.bad(2, "diagnose", "forged.csv", "--blind")
            self.assertIn("refused", message, (key, value))

    def test_a_claimed_cost_is_not_believed(self):
        """A run that says it took no time is not repeated without end."""
        self.result("ising(side=4,beta=0.2)")
        for changes in ({"warmup": 10**12}, {"thin": 10**9},
                        {"sampler": "pt(base=gibbs,levels=1024)",
                         "warmup": 10**9},
                        {"sampler": "dmala(alpha=0.2)", "warmup": 10**7},
                        {"sampler": "hiss(eta=4,sweeps=1000000)"}):
            self.forge(seconds=0.0, **changes)
            done = self.hiss("diagnose", "forged.csv", "--blind")
            self.assertIn(done.returncode, (0, 1, 4), done)
            self.assertRegex(done.stdout, "(skipped|unchecked) +fresh chains")
            self.assertIn("work limit", done.stdout)

    def test_small_things(self):
        """A wrong wish, a short run with a checkpoint, a limit of memory."""
        done = subprocess.run(
            [harness.HISS, "list"], capture_output=True, text=True,
            env=dict(os.environ, HISS_ISA="nonsense"))
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("HISS_ISA=nonsense", done.stderr)
        self.good("sample", "ising(side=4,beta=0.3)", "--checkpoint", "c.ck",
                  "--samples", "50", "--quiet")
        self.assertFalse(os.path.exists(self.path("c.ck.draws")))
        done = subprocess.run(
            ["sh", "-c", f"ulimit -v 153600; exec '{harness.HISS}' --version"],
            capture_output=True, text=True, timeout=60)
        self.assertIn(done.returncode, (0, 3, 127), done)

    def test_until_trusted(self):
        done = self.hiss("sample", "ising(side=12,beta=0.3)", "--samples",
                         "20", "--sampler", "gibbs", "--until-trusted",
                         "--modes", "no")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("a run of twice the length", done.stderr)
        done = self.hiss("sample", "ising(side=16,beta=0.6)", "--samples",
                         "20", "--sampler", "metropolis", "--until-trusted",
                         "--max-evals", "1e4", "--modes", "no")
        self.assertEqual(done.returncode, 4, done)

    def test_escapes_are_not_printed(self):
        self.result()
        nasty = "a\x1b[31mb\x9bc\x7fd\x07e\u202ef\rg\x85h"
        self.forge(model=nasty, sampler=nasty, tuning=nasty, doubt=nasty,
                   pilot="one\ntwo" + nasty, note=nasty, created_at=nasty,
                   command=nasty, hiss=nasty,
                   levels=[{"temperature": 1, "accept": 1, "tuning": nasty}])
        bad = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")
        for command in (*READERS, "explain"):
            done = self.read(command, "forged.csv")
            self.assertIsNone(bad.search(done.stdout + done.stderr),
                              (command, done))
        with open(self.path("r.html"), encoding="utf-8") as file:
            self.assertIsNone(bad.search(file.read()))
        self.forge(model="<script>alert(1)</script>", tuning="<b>&")
        self.read("report", "forged.csv")
        with open(self.path("r.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertNotIn("<script>alert", page)
        self.forge(accept={nasty: 0.5})
        self.assertIn("refused", self.bad(2, "summary", "forged.csv"))
        self.forge(word=nasty)
        done = self.hiss("diagnose", "forged.csv")
        self.assertIsNone(bad.search(done.stdout + done.stderr), done)

    def test_draws_are_states(self):
        """What is no value of its coordinate is no draw."""
        self.result("ising(side=3,beta=0.2)")
        for value in ("99", "0.5", "0"):
            with open(self.path("a.csv"), encoding="utf-8") as file:
                text = re.sub("(?m)^(0,5,[^,]*),-?1,", rf"\1,{value},",
                              file.read())
            self.write("other.csv", re.sub("# checksum: .*",
                                           "# checksum: none", text))
            self.bad(2, "summary", "other.csv")

    def test_a_sampler_names_no_file_either(self):
        self.result("ising(side=4,beta=0.2)")
        self.forge(sampler="bridge(modes=/etc/passwd)")
        done = self.hiss("diagnose", "forged.csv", "--blind")
        self.assertIn("skipped   fresh chains", done.stdout)
        self.assertIn("refused", done.stdout)


class Checkpoints(Trust):
    WORDS = ["--sampler", "gibbs", "--chains", 2, "--samples", 20000,
             "--quiet"]

    def stopped(self, model, *more, name="ck", seed=1):
        """A checkpoint with some draws of a run that was killed; its --thin.
        A run that ends before that is seen is made longer."""
        thin, is_killed = 25, False
        while not is_killed:
            thin *= 2
            for old in (name, name + ".draws", "x.csv"):
                if os.path.exists(self.path(old)):
                    os.remove(self.path(old))
            process = self.start("sample", model, *self.WORDS, "--thin", thin,
                                 "--seed", seed, "--checkpoint", name,
                                 "--checkpoint-every", "0.05s", *more)
            seen = set()  # checkpoints that count draws
            harness.wait_until(lambda: self.see(name, seen) >= 3, process)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            is_killed = process.returncode == -signal.SIGKILL
        return thin

    def see(self, name, seen):
        """How many checkpoints with draws were there."""
        if os.path.exists(self.path(name)) and \
                os.path.getsize(self.path(name + ".draws")) > 50000:
            seen.add(os.stat(self.path(name)).st_mtime_ns)
        return len(seen)

    def forge_words(self, change):
        """Other words in a checkpoint, and right checksums."""
        with open(self.path("ck"), "rb") as file:
            data = file.read()
        magic, version, _, _ = HEADER.unpack(data[:HEADER.size])
        body = data[HEADER.size:]
        length, = struct.unpack("=Q", body[:8])
        saved = json.loads(body[8:8 + length])
        change(saved)
        text = json.dumps(saved).encode()
        body = struct.pack("=Q", len(text)) + text + body[8 + length:]
        with open(self.path("forged"), "wb") as file:
            file.write(HEADER.pack(magic, version, zlib.crc32(body),
                                   len(body)) + body)
        shutil.copy(self.path("ck.draws"), self.path("forged.draws"))

    def set_model(self, word):
        def change(saved):
            saved["argv"][2] = word
        self.forge_words(change)

    def test_no_code(self):
        library, mark = self.library()
        self.stopped("ising(side=8,beta=0.4)")
        for word in (f"plugin({library})", "plugin(evil.so)"):
            self.set_model(word)
            self.assertIn("refused", self.bad(2, "sample", "--resume",
                                              "forged"))
            self.assertFalse(os.path.exists(mark))
        self.hiss("sample", "--resume", "forged", "--allow-plugin", "evil.so")
        self.assertTrue(os.path.exists(mark))

    def test_no_file_and_no_place_of_its_choice(self):
        self.stopped("ising(side=8,beta=0.4)")
        self.set_model("/etc/passwd")
        self.assertIn("refused", self.bad(2, "sample", "--resume", "forged"))
        for option, name in (("-o", "/tmp/hiss-forged.csv"),
                             ("-o", "../hiss-forged.csv"),
                             ("--mar", "/tmp/hiss-forged.MAR")):
            self.forge_words(lambda saved, words=(option, name):
                             saved["argv"].extend(words))
            self.assertIn(option, self.bad(2, "sample", "--resume", "forged"))
            self.assertFalse(os.path.exists(name))
        self.forge_words(lambda saved:
                         saved["argv"].extend(["--evidence", "/etc/passwd"]))
        self.assertIn("refused", self.bad(2, "sample", "--resume", "forged"))

    def test_without_a_model(self):
        self.stopped("ising(side=8,beta=0.4)")
        for words in ([], ["hiss"], ["hiss", "sample"],
                      ["hiss", "sample", "--quiet"]):
            self.forge_words(lambda saved, words=words:
                             saved.update(argv=words))
            self.bad(2, "sample", "--resume", "forged")
        for key in ("argv", "folder", "inputs"):
            for value in (None, 3, [], {}, "", [[]], [None]):
                self.forge_words(lambda saved, k=key, v=value:
                                 saved.update({k: v}))
                done = self.hiss("sample", "--resume", "forged",
                                 "--time-limit", "0.01s", "--quiet")
                self.assertGreaterEqual(done.returncode, 0, (key, value))

    def test_a_model_elsewhere_is_named_again(self):
        self.write("g.txt", "3 3\n1 2 1\n2 3 1\n1 3 0.5\n")
        os.mkdir(self.path("state"))
        thin = self.stopped("g.txt", "-o", "x.csv", name="state/ck")
        self.assertIn("-o", self.bad(2, "sample", "--resume", "state/ck"))
        self.assertIn("outside the folder", self.bad(
            2, "sample", "--resume", "state/ck", "-o", "x.csv"))
        self.good("sample", "g.txt", "--resume", "state/ck", "-o", "x.csv",
                  "--quiet")
        self.good("sample", "g.txt", *self.WORDS, "--thin", thin, "-o", "y.csv")
        self.assertEqual(harness.rows_of(self.path("x.csv"))[2],
                         harness.rows_of(self.path("y.csv"))[2])

    def test_draws_of_another_run(self):
        model = "ising(side=8,beta=0.4)"
        self.stopped(model, name="one", seed=1)
        self.stopped(model, name="two", seed=2)
        shutil.copy(self.path("one.draws"), self.path("keep"))
        shutil.copy(self.path("two.draws"), self.path("one.draws"))
        message = self.bad(2, "sample", "--resume", "one")
        self.assertIn("another run", message)
        # the head of the right run, the rest of another
        with open(self.path("keep"), "rb") as file:
            right = file.read()
        with open(self.path("two.draws"), "rb") as file:
            wrong = file.read()
        with open(self.path("one.draws"), "wb") as file:
            file.write(right[:32] + wrong[32:])
        self.bad(2, "sample", "--resume", "one")
        shutil.copy(self.path("keep"), self.path("one.draws"))
        self.good("sample", "--resume", "one", "--quiet")

    def test_flags_are_flags(self):
        """A byte that is neither 0 nor 1 where a flag stood."""
        self.stopped("bernoulli4")
        with open(self.path("ck"), "rb") as file:
            data = bytearray(file.read())
        magic, version, _, length = HEADER.unpack(data[:HEADER.size])
        for place in range(HEADER.size, len(data), 7):
            body = bytearray(data[HEADER.size:])
            body[place - HEADER.size] ^= 0xc6
            with open(self.path("forged"), "wb") as file:
                file.write(HEADER.pack(magic, version, zlib.crc32(body),
                                       length) + body)
            shutil.copy(self.path("ck.draws"), self.path("forged.draws"))
            done = self.hiss("sample", "--resume", "forged", "--time-limit",
                             "0.01s", "--quiet")
            self.assertGreaterEqual(done.returncode, 0, (place, done))

    def test_an_empty_name(self):
        self.assertIn("empty", self.bad(2, "sample", "bernoulli4",
                                        "--checkpoint", ""))
        self.bad(2, "sample", "--resume", "")


class Others(Trust):
    def test_no_shell_through_names_of_figures(self):
        for name in ("|touch PWN; cat > a.svg", "'`touch PWN`'.svg",
                     "a\"b`touch PWN`.svg", "|touch PWN #.svg"):
            self.hiss("compare", "bernoulli4", "--samplers", "gibbs;gwg",
                      "--evals", 2000, "-o", name)
            self.assertFalse(os.path.exists(self.path("PWN")), name)
        self.write("`touch PWN`.txt", "3 3\n1 2 1\n2 3 1\n1 3 0.5\n")
        self.hiss("compare", "./`touch PWN`.txt", "--samplers", "gibbs;gwg",
                  "--evals", 2000, "-o", "b.svg")
        self.assertFalse(os.path.exists(self.path("PWN")))
        self.assertTrue(os.path.exists(self.path("b.svg")))

    def test_a_signal_while_the_summary_is_made(self):
        """The draws are saved; what is left is not waited for."""
        # 2^16 states are enumerated and 4e5 draws ascended: some seconds
        process = self.start("sample", "ising(side=40,beta=0.3)", "--sampler",
                             "gibbs", "--samples", 30000, "--warmup", 0,
                             "--chains", 8, "-o", "x.npz", "--quiet")
        harness.wait_until(lambda: os.path.exists(self.path("x.npz")), process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=harness.TIMEOUT)
        if process.returncode == 0:
            self.skipTest("the summary was made before the signal came")
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(out, "")


if __name__ == "__main__":
    harness.main()
