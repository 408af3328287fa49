"""`hiss diagnose DRAWS --model MODEL`: draws of other programs."""
import json
import re

import harness

MODEL = "mixture(k=2,d=12,seed=5)"


class Foreign(harness.Case):
    def draw(self, name, *more):
        self.good("sample", MODEL, "--samples", "1000", "-o", name, "--quiet",
                  "--force", *more)
        return name

    def rows(self):
        """(names, rows) of draws as a plain table."""
        _, names, rows = harness.rows_of(self.path(self.draw("run.csv")))
        return names, rows

    def table(self, name, names, rows):
        lines = ([",".join(names)] if names else []) + \
            [",".join(row) for row in rows]
        return self.write(name, "\n".join(lines) + "\n")

    def judge(self, code, *files):
        told = self.good_json("diagnose", *files, "--model", MODEL, code=code)
        return told["verdict"], {f["name"]: f for f in told["findings"]}

    def test_files_that_others_write(self):
        names, rows = self.rows()
        numbers = [row[3:] for row in rows]
        files = [[self.table("other.csv", names, rows)],
                 [self.table("bare.csv", None, numbers)],
                 [self.table("mixed.csv", names,
                             sorted(rows, key=lambda row: int(row[1])))],
                 [self.draw("run.npz")], [self.draw("run.json")]]
        self.draw("run.stan")
        files.append([f"run-{k}.csv" for k in (1, 2, 3, 4)])
        for file in files:
            verdict, found = self.judge(0, *file)
            self.assertEqual(verdict, "proved", file)
            self.assertEqual(found["exact answers"]["outcome"], "passed")
            self.assertIn("exactly 0.5", found["masses of modes"]["text"])
            if file != ["bare.csv"]:
                self.assertEqual(found["energies"]["outcome"], "passed", file)
        self.assertIn("log p = c - 1 E", self.judge(0, "run.json")[1]["energies"]
                      ["text"])

    def test_columns_go_by_their_numbers(self):
        """Sorted as words, x.10 stands before x.2; U is the witness."""
        names, rows = self.rows()
        order = sorted(range(len(names)), key=lambda k: names[k])
        self.assertNotEqual(order, sorted(order))
        self.table("sorted.csv", [names[k] for k in order],
                   [[row[k] for k in order] for row in rows])
        verdict, found = self.judge(0, "sorted.csv")
        self.assertEqual(verdict, "proved")
        self.assertEqual(found["energies"]["outcome"], "passed")

    def test_copies_of_a_chain_are_no_chains(self):
        """Their effective draws would count as often as they are given."""
        self.draw("run.stan")
        verdict, found = self.judge(1, "run-1.csv", "run-2.csv", "run-1.csv")
        self.assertEqual(verdict, "not trusted")
        self.assertEqual(found["copies"]["outcome"], "failed")
        self.assertIn("chains 1 and 3", found["copies"]["text"])

    def test_draws_of_one_mode_are_wrong(self):
        """Chains that agree, R-hat 1.00, and half of the law is missing."""
        names, rows = self.rows()
        top = max(rows, key=lambda row: float(row[2]))[3:]
        near = [row for row in rows
                if sum(a != b for a, b in zip(row[3:], top)) <= 3][:1600]
        for n, row in enumerate(near):
            row[:2] = str(n // 400), str(n % 400)
        self.table("one.csv", names, near)
        verdict, found = self.judge(1, "one.csv")
        self.assertEqual(verdict, "wrong")
        self.assertEqual(found["mixing"]["outcome"], "passed")
        self.assertLess(found["mixing"]["value"], 1.011)
        self.assertTrue(found["exact answers"]["wrong"])
        done = self.hiss("diagnose", "one.csv", "--model", MODEL)
        self.assertIn("wrong: the draws should not be trusted", done.stdout)

    def test_chains_that_disagree_are_not_called_wrong(self):
        """They say themselves that they are not done."""
        names, rows = self.rows()
        top = max(rows, key=lambda row: float(row[2]))[3:]
        near = [row for row in rows
                if sum(a != b for a, b in zip(row[3:], top)) <= 3][:1200]
        far = [row for row in rows
               if sum(a != b for a, b in zip(row[3:], top)) > 6][:400]
        both = near + far
        for n, row in enumerate(both):
            row[:2] = str(n // 400), str(n % 400)
        self.table("two.csv", names, both)
        self.assertEqual(self.judge(1, "two.csv")[0], "not trusted")

    def test_energies_of_another_model(self):
        names, rows = self.rows()
        for n, row in enumerate(rows):
            row[2] = str(float(row[2]) + n % 3)
        self.table("odd.csv", names, rows)
        verdict, found = self.judge(1, "odd.csv")
        self.assertEqual(verdict, "not trusted")
        self.assertIn("is not the model's", found["energies"]["text"])
        names, rows = self.rows()
        for row in rows:
            row[2] = str(2 * float(row[2]))
        self.table("hot.csv", names, rows)
        self.assertIn("another temperature",
                      self.judge(1, "hot.csv")[1]["energies"]["text"])
        self.write("cold.coo", "# vartype=SPIN\n0 1 2\n1 2 -2\n0 2 1\n")
        self.good("sample", "cold.coo", "--beta", 0.25, "-o", "own.npz")
        found = self.good_json("judge", "own.npz", "--model", "cold.coo",
                               "--beta", 0.25)
        self.assertEqual(found["verdict"], "proved")

    def test_bits_for_spins(self):
        names, rows = self.rows()
        for row in rows:
            row[3:] = ["1" if v == "1" else "0" for v in row[3:]]
        self.table("bits.csv", names, rows)
        self.assertEqual(self.judge(0, "bits.csv")[0], "proved")

    def test_faults(self):
        names, rows = self.rows()
        number = [row[3:] for row in rows[:20]]
        self.table("few.csv", None, [row[:5] for row in number])
        self.table("value.csv", None, [*number, ["7"] * 12])
        self.table("word.csv", None, [*number, ["one"] * 12])
        self.table("short.csv", None, [*number, ["1"] * 11])
        self.table("uneven.csv", names, rows[:1001])
        self.write("empty.csv", "")
        self.write("draws.dat", "1 2 3\n")
        self.write("bad.json", "{\"type\": \"SampleSet\"")
        self.write("set.json", json.dumps({"type": "SampleSet"}))
        self.write("rows.json", json.dumps(
            {"type": "SampleSet", "num_variables": 12, "sample_data":
             {"data": [[1]]}, "vectors": {"energy": {"data": [1]},
                                          "num_occurrences": {"data": [1]}}}))
        self.write("bad.npz", "PK\3\4 and nothing")
        self.write("bad.npy", "\x93NUMPY")
        self.write("bad.nc", "CDF\1")
        self.draw("cut.npz")
        with open(self.path("cut.npz"), "r+b") as file:
            file.truncate(5000)
        for name, words in [
                ("few.csv", "5 columns are coordinates, the model has 12"),
                ("value.csv", "draw 20: x.1 is 7, which is none of its 2"),
                ("word.csv", "found 'one', expected a finite number"),
                ("short.csv", "11 fields, expected 12"),
                ("uneven.csv", "as many of each|more draws than others"),
                ("empty.csv", "0 draws"), ("draws.dat", "expected .csv, .npz"),
                ("bad.json", "bad.json:1:"),
                ("set.json", "0 variables, the model has 12"),
                ("rows.json", "sample 1 has no value 2"),
                ("bad.npz", "bad.npz"), ("bad.npy", "numpy"),
                ("cut.npz", "cut.npz"), ("bad.nc", "netCDF|expected"),
                ("none.csv", "none.csv")]:
            said = self.bad(2, "diagnose", name, "--model", MODEL)
            self.assertRegex(said, words, name)
        self.table("all.csv", None, number)
        self.table("half.csv", None, number[:10])
        self.table("lp.csv", [*names[2:]], [row[2:] for row in rows[:20]])
        for other, words in [("half.csv", "10 draws of a chain, the files "
                                          "before it have 20"),
                             ("lp.csv", "lp.csv has energies, the files")]:
            self.assertIn(words, self.bad(2, "diagnose", "all.csv", other,
                                          "--model", MODEL))
        self.assertRegex(self.bad(2, "diagnose", "few.csv"),
                         "no result of hiss")
        self.assertIn("--model", self.bad(2, "diagnose", "a.csv", "b.csv"))

    def test_judge_is_both(self):
        """Draws go to diagnose and a kernel to verify, with their options."""
        model = "ising(side=3,beta=0.2)"
        self.good("sample", model, "-o", "own.csv")
        words = ["own.csv", "--model", model, "--json", "--blind"]
        self.assertEqual(self.good("judge", *words),
                         self.good("diagnose", *words))
        self.write("stay.py", "import sys\n"
                   "for line in sys.stdin:\n"
                   "    for _ in range(int(line.split()[0])):\n"
                   "        print(sys.stdin.readline(), end='')\n"
                   "    sys.stdout.flush()\n")
        done = self.hiss("judge", model, "--kernel", "python3 stay.py",
                         "--kernel-format", "text", "--replicates", 2000,
                         "--calls", 20)
        self.assertEqual(done.returncode, 4, done)
        self.assertIn("UNDECIDED", done.stdout)
        self.assertIn("diagnose: unknown option --replicates",
                      self.bad(2, "judge", "own.csv", "--replicates", 9))
        self.assertIn("usage: hiss judge", self.bad(2, "judge"))
        self.assertIn("hiss verify", self.good("judge", "--help"))

    def test_results_of_hiss_are_theirs(self):
        """--model with one of ours goes on to be compared with it."""
        self.draw("own.csv")
        told = self.good_json("diagnose", "own.csv", "--model", MODEL)
        self.assertTrue(re.match(r"\w", told["sampler"]))


if __name__ == "__main__":
    harness.main()
