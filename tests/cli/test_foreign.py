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

    def temperature(self, spec, true, model=None, code=0, name="draws.npz"):
        """Draws of spec, at another beta, have that one in units of model.

        The errors of all calls together fail by chance in 1 of 1000 changes.
        """
        self.good("sample", spec, "--beta", true, "--seed", 2, "-o", name,
                  "--quiet", "--force")
        told = self.good_json("judge", name, "--model", model or spec,
                              "--search", 20000, code=code)
        beta = told["beta"]
        self.assertLess(abs(beta["value"] - true), 4 * beta["error"], spec)
        self.assertLess(beta["error"], 0.05, spec)
        self.assertEqual(beta["model"], 1)
        found = {f["name"]: f for f in told["findings"]}["temperature"]
        self.assertEqual(found["outcome"], "failed" if code else "passed")
        return found["text"]

    def test_the_temperature_of_draws(self):
        """Spins, levels, labels, tables; right ones pass."""
        self.write("glass.coo", "# vartype=SPIN\n0 0 0.3\n0 1 -1\n1 2 0.7\n"
                   "2 3 1.1\n0 3 0.4\n1 3 -0.6\n")
        self.write("tables.uai", "MARKOV\n3\n3 2 3\n2\n2 0 1\n2 1 2\n"
                   "6\n1 2 4 3 0.5 1\n6\n2 1 3 1 5 2\n")
        models = ["glass.coo", "tables.uai", "ising(side=4,beta=0.4)",
                  "ladder(d=5,levels=4,beta=0.8)",
                  "potts(side=3,states=3,beta=0.9)"]
        for spec in models:
            self.temperature(spec, 1)
            text = self.temperature(spec, 0.6, code=1)
            self.assertRegex(text, r"the draws fit beta 0\.\d+ \+- 0\.\d+ "
                             r"\(maximum pseudo-likelihood\); the model is at 1")

    def test_a_reversed_sign(self):
        """Draws of the opposite couplings have the opposite beta."""
        self.temperature("ising(side=4,beta=-0.3)", 1)
        told = self.good_json("judge", "draws.npz", "--model",
                              "ising(side=4,beta=0.3)", code=1)
        self.assertLess(abs(told["beta"]["value"] + 1),
                        4 * told["beta"]["error"])
        self.assertIn("is its sign reversed?", str(told["findings"]))

    def test_the_model_has_its_beta(self):
        model = "ising(side=4,beta=0.5)"
        self.good("sample", model, "--beta", 0.4, "-o", "hot.npz")
        told = self.good_json("judge", "hot.npz", "--model", model, "--beta",
                              0.4)
        self.assertEqual(told["beta"]["model"], 0.4)
        self.assertLess(abs(told["beta"]["value"] - 0.4),
                        4 * told["beta"]["error"])

    def test_draws_that_do_not_tell(self):
        self.write("xor.cnf", "p cnf 2 2\n1 2 0\n-1 -2 0\n")
        form = ["--format", "cnf(form=constraint)"]
        self.write("xor.csv", "0,1\n1,0\n" * 200)
        told = self.good_json("judge", "xor.csv", "--model", "xor.cnf", *form)
        self.assertIsNone(told["beta"]["value"])
        self.assertIn("no single change of a draw is possible",
                      told["beta"]["why"])
        self.write("field.coo", "# vartype=SPIN\n0 0 1\n1 1 1\n")
        self.write("cold.csv", "-1,-1\n" * 40)
        text = self.hiss("judge", "cold.csv", "--model", "field.coo").stdout
        self.assertIn("no single change raises log p", text)

    def test_counts_of_a_table(self):
        """Lines with counts are as many draws, and their order is nothing."""
        self.write("bits.coo", "# vartype=BINARY\n0 0 -0.5\n0 1 -1\n")
        counts = {"0,0": 1000, "1,0": 1649, "0,1": 1000, "1,1": 4482}
        lines = [f"{state},{times}" for state, times in counts.items()]
        self.write("counts.csv", "x.1,x.2,num_occurrences\n" +
                   "\n".join(lines) + "\n")
        told = self.good_json("judge", "counts.csv", "--model", "bits.coo")
        self.assertEqual(told["verdict"], "proved")
        self.assertEqual(told["beta"]["draws"], 8128)
        self.assertLess(abs(told["beta"]["value"] - 1), 0.002)
        for count, words in (("-1", "count of state 4 is -1"),
                             ("0.5", "count of state 4"), ("two", "number")):
            self.write("counts.csv", "x.1,x.2,count\n" + "\n".join(
                lines[:3] + ["1,1," + count]) + "\n")
            self.assertIn(words, self.bad(2, "judge", "counts.csv", "--model",
                                          "bits.coo"))

    def test_results_of_hiss_are_theirs(self):
        """--model with one of ours goes on to be compared with it."""
        self.draw("own.csv")
        told = self.good_json("diagnose", "own.csv", "--model", MODEL)
        self.assertTrue(re.match(r"\w", told["sampler"]))


if __name__ == "__main__":
    harness.main()
