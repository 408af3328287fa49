"""`hiss arena`: cells, files, contestants from outside, interrupts."""
import csv
import html.parser
import json
import os
import shlex
import signal
import sys

import harness

TINY = ["arena", "--quick", "--quiet", "--threads", "2"]
# A heat bath of one site of ising(side=3,beta=0.4); times the field of the
# first argument, so that 1 is right.
KERNEL = r"""
import math, random, struct, sys
TIMES, inp, out = float(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer
while True:
    line = inp.readline()
    if not line:
        break
    n, d, seed = map(int, line.split())
    random.seed(seed)
    for _ in range(n):
        x = list(struct.unpack("<9d", inp.read(72)))
        i = random.randrange(9)
        r, c = i // 3 * 3, i % 3
        f = x[r + (c + 1) % 3] + x[r + (c + 2) % 3] + x[(i + 3) % 9] \
            + x[(i + 6) % 9]
        up = random.random() < 1 / (1 + math.exp(-0.8 * TIMES * f))
        x[i] = 1.0 if up else -1.0
        out.write(struct.pack("<9d", *x))
    out.flush()
"""
# Every spin turned: marginals and masses are right, and nothing is sampled.
TURN = r"""
import struct, sys
inp, out = sys.stdin.buffer, sys.stdout.buffer
while line := inp.readline():
    n, d, _ = map(int, line.split())
    x = struct.unpack(f"<{n * d}d", inp.read(8 * n * d))
    out.write(struct.pack(f"<{n * d}d", *(-v for v in x)))
    out.flush()
"""
VOID = {"meta", "br", "wbr", "line", "circle", "rect", "path"}


def is_running(pid):
    """Whether it is there, and no zombie that waits for its parent."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


class Tags(html.parser.HTMLParser):
    """Every tag is closed where it should be, and every id is there once."""

    def __init__(self):
        super().__init__()
        self.open, self.faults, self.ids = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID or tag == "circle":
            self.open.append(tag)
        self.ids += [value for key, value in attrs if key == "id"]
        self.faults += [value for key, value in attrs
                        if key in ("href", "src") and not value.startswith("#")]

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")


class Arena(harness.Case):
    def cells(self, folder):
        with open(self.path(f"{folder}/cells.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def rows(self, found, **wanted):
        return [row for row in found["rows"]
                if all(row[key] == value for key, value in wanted.items())]

    def test_cells_and_files(self):
        words = [*TINY, "--only", "torus3,bernoulli4,gibbs,blocks,dula",
                 "--race", "evals", "--seeds", "2", "--out", "a"]
        found = self.good_json(*words)
        self.assertEqual([t["name"] for t in found["targets"]],
                         ["torus3", "bernoulli4"])
        self.assertEqual(len(found["rows"]), 6)
        self.assertEqual(found["targets"][1]["best_evals"], "blocks")
        row, = self.rows(found, target="bernoulli4", contestant="gibbs")
        self.assertGreater(row["discs_ess"], 100 * row["ess"])
        self.assertGreater(row["marginal_error"], 0.1)
        self.assertEqual(row["state"], "too few")
        row, = self.rows(found, target="torus3", contestant="dula")
        self.assertEqual((row["state"], row["right"]), ("not exact", False))
        row, = self.rows(found, target="torus3", contestant="blocks")
        self.assertEqual((row["runs"], row["state"]), (2, "right"))
        self.assertLess(row["marginal_error"], 0.05)
        self.assertGreater(row["ess_se"], 0)
        self.check_csv(found)
        self.check_page()
        self.assertFalse(os.path.exists(self.path("a/.lock")))
        self.check_resumed(words, found)

    def check_csv(self, found):
        with open(self.path("a/arena.csv"), newline="",
                  encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(r["target"], r["contestant"]) for r in rows],
                         [(r["target"], r["contestant"])
                          for r in found["rows"]])
        self.assertAlmostEqual(float(rows[0]["ess"]), found["rows"][0]["ess"],
                               delta=1e-4 * found["rows"][0]["ess"])

    def check_page(self):
        with open(self.path("a/arena.html"), encoding="utf-8") as file:
            text = file.read()
        tags = Tags()
        tags.feed(text)
        self.assertEqual((tags.faults, tags.open), ([], []))
        self.assertEqual(len(tags.ids), len(set(tags.ids)))
        self.assertNotIn("nan", text)
        self.assertIn("hiss arena --quick --only torus3,dula", text)
        self.assertIn("heat bath on blocks", text)  # why blocks wins

    def check_resumed(self, words, found):
        """Nothing is run twice; a line that was cut off is run again."""
        before = self.cells("a")
        self.assertEqual(len(before), 12)
        self.assertEqual(self.good_json(*words)["rows"], found["rows"])
        self.assertEqual(self.cells("a"), before)
        path = self.path("a/cells.jsonl")
        os.truncate(path, os.path.getsize(path) - 40)
        self.good_json(*words)
        again = self.cells("a")
        self.assertEqual(len(again), 12)
        same = [{k: v for k, v in cell.items() if k != "seconds"}
                for cell in (again[-1], before[-1])]
        self.assertEqual(same[0], same[1])

    def test_a_command_makes_its_cell_again(self):
        self.good(*TINY, "--only", "torus3,gwg", "--race", "evals", "--seeds",
                  "1", "--out", "a")
        cell, = self.cells("a")
        words = shlex.split(cell["command"])[1:]
        words[words.index("DIR")] = "b"
        self.good(*words, "--race", "evals", "--quiet")
        again, = self.cells("b")
        self.assertEqual(again["ess"], cell["ess"])

    def test_kernels_and_draws(self):
        self.write("kernel.py", KERNEL)
        self.good("sample", "ising(side=3,beta=0.4)", "--sampler", "blocks",
                  "--samples", 500, "-o", "x.csv", "--quiet")
        python = shlex.quote(sys.executable)
        found = self.good_json(
            *TINY, "--only", "torus3, mine,bad , file", "--seeds", "1",
            "--race", "evals", "--out", "a",
            "--contestant", f"mine(evals=.25)={python} kernel.py 1",
            "--contestant", f"bad(evals=2)={python} kernel.py 2",
            "--draws", "file=x.csv@torus3")
        mine, = self.rows(found, contestant="mine")
        self.assertEqual((mine["law"], mine["state"]), ("kept", "right"))
        self.assertGreater(mine["ess"], 50)
        bad, = self.rows(found, contestant="bad")
        self.assertEqual((bad["law"], bad["right"]), ("broken", False))
        self.assertIn("higher U", bad["law_reason"])
        file, = self.rows(found, contestant="file")
        self.assertEqual((file["state"], file["diagnose"]),
                         ("right", "proved"))
        self.assertIn("does not keep the law", self.good(
            *TINY, "--report", "--only", "torus3", "--seeds", "1", "--out", "a",
            "--contestant", f"bad(evals=2)={python} kernel.py 2"))

    def test_a_kernel_that_only_turns_the_sign_is_worth_nothing(self):
        self.write("turn.py", TURN)
        found = self.good_json(
            *TINY, "--only", "torus3,turn,gibbs", "--seeds", "2", "--race",
            "evals", "--out", "a",
            "--contestant", f"turn={shlex.quote(sys.executable)} turn.py")
        turn, = self.rows(found, contestant="turn")
        self.assertEqual((turn["law"], turn["state"]),
                         ("undecided", "too few"))
        self.assertLess(turn["marginal_error"], 1e-3)
        self.assertLess(turn["energy_ess"], 20)
        self.assertEqual(found["targets"][0]["best_evals"], "gibbs")

    def test_a_contestant_without_draws_is_a_failure(self):
        """Others are shown all the same, and it may be mended."""
        words = [*TINY, "--only", "torus3,gibbs,mine", "--seeds", "1",
                 "--race", "evals", "--out", "a"]
        found = self.good_json(*words, "--contestant", "mine=exit 7", code=1)
        mine, = self.rows(found, contestant="mine")
        self.assertEqual(mine["runs"], 0)
        self.assertIn("exit code 7", mine["fault"])
        self.assertTrue(self.rows(found, contestant="gibbs")[0]["right"])
        draws = ["--draws", "mine=x.csv@torus3"]
        self.write("x.csv", "no numbers\n")
        self.assertIn("mine on torus3", self.hiss(*words, *draws).stderr)
        self.good("sample", "ising(side=3,beta=0.4)", "--sampler", "blocks",
                  "-o", "x.csv", "--quiet", "--force")
        found = self.good_json(*words, *draws)
        self.assertTrue(self.rows(found, contestant="mine")[0]["right"])

    def test_a_race_without_contestants_is_a_failure(self):
        words = [*TINY, "--race", "evals", "--seeds", "1", "--out", "a"]
        done = self.hiss(*words, "--only", "select10,cluster")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("not for this target", done.stderr)
        with open(self.path("a/arena.html"), encoding="utf-8") as file:
            self.assertIn("<dt>cluster</dt><dd>not for this", file.read())
        done = self.hiss(*words, "--report", "--only", "torus3,pt")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("no cell", done.stderr)

    def test_models_are_written(self):
        """Draws of the file that a target was written to are draws of it."""
        words = [*TINY, "--race", "evals", "--seeds", "1", "--out", "a"]
        for target in ("pm10_b3", "colour"):
            self.good(*words, "--only", f"{target},gibbs")
            self.good("sample", f"a/models/{target}.uai", "--sampler",
                      "independent", "-o", f"{target}.csv", "--quiet")
        found = self.good_json(
            *words, "--only", "pm10_b3,colour,theirs",
            "--draws", "theirs=pm10_b3.csv@pm10_b3",
            "--draws", "theirs=colour.csv@colour")
        for row in self.rows(found, contestant="theirs"):
            self.assertEqual((row["state"], row["diagnose"]),
                             ("right", "proved"))
            self.assertGreater(row["ess"], 2000)

    def test_truths(self):
        """Good samplers find no fault with Kaufman's formula, the measured
        U of Potts models, elimination; log Z agrees."""
        found = self.good_json(
            *TINY, "--race", "evals", "--seeds", "1", "--out", "a", "--only",
            "ising16_28,ising16_44,potts16_50,cluster,pt")
        for target, contestant, least in (
                ("ising16_28", "cluster", 1000), ("ising16_44", "cluster", 200),
                ("potts16_50", "cluster", 1000), ("ising16_28", "pt", 300)):
            row, = self.rows(found, target=target, contestant=contestant)
            self.assertEqual(row["state"], "right", row)
            self.assertGreater(row["ess"], least)
            self.assertLess(row["marginal_error"], 0.05)
        row, = self.rows(found, target="ising16_28", contestant="pt")
        self.assertLess(row["log_z_error"], 0.3)

    def test_bad_calls(self):
        for words, part in (
                ([], "--out"),
                (["--out", "a", "--only", "torus4"], "torus3"),
                (["--out", "a", "--race", "hours"], "seconds"),
                (["--out", "a", "--contestant", "x"], "NAME=COMMAND"),
                (["--out", "a", "--contestant", "gibbs=true"], "taken"),
                (["--out", "a", "--contestant", "torus3=true"], "taken"),
                (["--out", "a", "--contestant", "a b=true"], "name"),
                (["--out", "a", "--contestant", "x(evals=0)=true"], "evals"),
                (["--out", "a", "--contestant", "x(eval=1)=true"], "format"),
                (["--out", "a", "--draws", "x=y"], "TARGET"),
                (["--out", "a", "--draws", "x=no.csv@torus3"], "No such file"),
                (["--out", "a", "--draws", "x=y@z"], "--list")):
            self.assertIn(part, self.bad(2, "arena", *words), words)
            self.assertFalse(os.path.exists(self.path("a")))
        os.mkdir(self.path("mine"))
        self.write("mine/letter.txt", "dear")
        self.assertIn("other files", self.bad(2, *TINY, "--out", "mine"))

    def test_list(self):
        found = self.good_json("arena", "--list")
        names = {c["name"] for c in found["contestants"]}
        listed = {s["name"] for s in
                  self.good_json("list", "samplers")["samplers"]}
        self.assertEqual(listed - names, {"mix", "sequence"})
        groups = {t["group"] for t in found["targets"]}
        self.assertLessEqual({"discs", "lattices", "glasses", "grids",
                              "mixtures", "constraints", "selection"}, groups)
        self.assertIn("torus3", self.good("arena", "--list"))

    def test_interrupt(self):
        process = self.start(*TINY, "--only", "torus3,discs_ising_low",
                             "--out", "a")
        path = self.path("a/cells.jsonl")
        self.assertTrue(harness.wait_until(
            lambda: os.path.exists(path) and len(self.cells("a")) > 3,
            process))
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=harness.TIMEOUT)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("goes on from there", err)
        self.assertGreater(len(self.cells("a")), 3)
        self.assertTrue(os.path.exists(self.path("a/arena.html")))

    def test_interrupt_ends_a_program_that_hangs(self):
        self.write("hang.sh", "echo $$ > pid; sleep 1000; true\n")
        process = self.start(*TINY, "--only", "torus3,mine", "--race", "evals",
                             "--seeds", "1", "--contestant", "mine=sh hang.sh",
                             "--out", "a")
        path = self.path("pid")
        self.assertTrue(harness.wait_until(
            lambda: os.path.exists(path) and os.path.getsize(path), process))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=harness.TIMEOUT)
        with open(path, encoding="ascii") as file:
            self.assertFalse(is_running(int(file.read())))


if __name__ == "__main__":
    harness.main()
