"""Files in and out: hiss convert, hiss list formats, --format."""
import gzip
import os

import harness

GRAPH = "4 3\n1 2 1\n2 3 -2.5\n3 1 4\n"
GRAPH_SORTED = "4 3\n1 2 1\n1 3 4\n2 3 -2.5\n"
POTTS = "MARKOV\n2\n2 3\n1\n2 0 1\n6\n1 2 3 4 5 6\n"


class Convert(harness.Case):
    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def left(self):
        return sorted(os.listdir(self.folder))

    def test_every_way_back(self):
        self.write("g.txt", GRAPH)
        for suffix in ("qubo", "coo", "mtx", "bqm", "json", "npz", "uai",
                       "coo.gz", "mc"):
            with self.subTest(suffix=suffix):
                self.good("convert", "g.txt", "x." + suffix)
                self.good("convert", "x." + suffix, "back.txt", "--force")
                self.assertEqual(self.read("back.txt"), GRAPH_SORTED)

    def test_options_of_both_sides(self):
        self.write("q.sparse", "2 2\n1 1 3\n1 2 -1\n")
        how = "qubo-sparse(sense=max,offdiagonal=twice)"
        self.good("convert", "q.sparse", "q.qubo", "--format", how)
        self.assertEqual(self.read("q.qubo"),
                         "p qubo 0 2 1 1\n0 0 -3\n0 1 2\n")
        self.good("convert", "q.qubo", "again", "--to", how)
        self.assertEqual(self.read("again"), "2 2\n1 1 3\n1 2 -1\n")

    def test_gzip_is_gzip(self):
        self.write("g.txt", GRAPH)
        self.good("convert", "g.txt", "g.txt.gz")
        with gzip.open(self.path("g.txt.gz"), "rt") as file:
            self.assertEqual(file.read(), GRAPH_SORTED)

    def test_notes_and_json(self):
        self.write("g.txt", "2 2\n1 2 1\n2 1 1\n")
        done = self.hiss("convert", "g.txt", "g.coo")
        self.assertIn("note: 1 term was given more than once", done.stderr)
        self.assertIn("a constant has no place in format coo", done.stderr)
        self.assertEqual(done.stdout, "")
        found = self.good_json("convert", "g.txt", "h.coo", "--quiet")
        self.assertEqual((found["input"], found["output"]),
                         ("g.txt", "h.coo"))
        self.assertIn("summed", found["note"])

    def test_nothing_is_left_of_a_failure(self):
        self.write("p.uai", POTTS)
        self.write("bad.qubo", "p qubo 0 2 1 1\n0 0 1\n")
        self.write("g.txt", GRAPH)
        before = self.left()
        message = self.bad(2, "convert", "p.uai", "p.txt")
        self.assertIn("format rudy cannot hold this model: variable 1", message)
        self.assertIn("bad.qubo:", self.bad(2, "convert", "bad.qubo", "x.coo"))
        self.assertIn("no.txt: cannot be opened",
                      self.bad(2, "convert", "no.txt", "x.coo"))
        self.assertIn("--to says which", self.bad(2, "convert", "g.txt", "x.q"))
        self.assertIn("read but not written",
                      self.bad(2, "convert", "g.txt", "x.cnf"))
        self.assertIn("exists", self.bad(2, "convert", "g.txt", "bad.qubo"))
        self.assertIn("no/x.qubo: cannot be written",
                      self.bad(3, "convert", "g.txt", "no/x.qubo"))
        self.assertEqual(self.left(), before)

    def test_standard_output(self):
        self.write("g.txt", GRAPH)
        self.assertEqual(self.good("convert", "g.txt", "-", "--to", "rudy"),
                         GRAPH_SORTED)

    def test_force_replaces(self):
        self.write("g.txt", GRAPH)
        self.write("x.qubo", "old")
        self.good("convert", "g.txt", "x.qubo", "--force")
        self.assertIn("p qubo", self.read("x.qubo"))
        self.good("convert", "g.txt", "g.txt", "--force")
        self.assertEqual(self.read("g.txt"), GRAPH_SORTED)


class Formats(harness.Case):
    def test_list(self):
        found = self.good_json("list", "formats")["formats"]
        names = [format["name"] for format in found]
        for name in ("uai", "rudy", "qubo-sparse", "qubo", "coo", "mtx", "bqm",
                     "json", "npz", "dimacs", "cnf", "wcnf", "dca"):
            self.assertIn(name, names)
        for format in found:
            self.assertEqual(set(format), {
                "name", "summary", "options", "suffixes", "reads", "writes",
                "tested_on"})
            self.assertTrue(format["reads"])
            self.assertTrue(format["tested_on"], format["name"])
        self.assertIn("suffixes: txt mc", self.good("list", "formats"))

    def test_models_are_files_or_specs(self):
        self.write("bernoulli4", GRAPH)
        self.write("G1", GRAPH)
        self.write("ising", GRAPH)
        for name, dim in (("bernoulli4", 4), ("./bernoulli4", 4), ("G1", 4)):
            with self.subTest(name=name):
                found = self.good_json("exact", name, "--quiet")
                self.assertEqual(found["dim"], dim)
                self.assertEqual(found["max_u"] > 0, name != "bernoulli4")
        self.assertIn("side", self.bad(2, "exact", "ising"))
        self.assertIn("no-such-file.uai: cannot be opened: No such file",
                      self.bad(2, "exact", "no-such-file.uai"))
        self.assertIn("unknown model 'G2'", self.bad(2, "exact", "G2"))

    def test_content_wins(self):
        self.write("g.qubo", GRAPH)
        done = self.hiss("exact", "g.qubo", "--json")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("the suffix says qubo, the content rudy", done.stderr)
        message = self.bad(2, "exact", "g.qubo", "--format", "qubo")
        self.assertIn("g.qubo:1:1: found '4', expected 'p'", message)
        self.assertIn("\n  4 3\n  ^", message)

    def test_format_everywhere(self):
        self.write("a.clq", "p edge 3 2\ne 1 2\ne 2 3\n")
        self.assertIn("task must be given", self.bad(2, "exact", "a.clq"))
        how = ("--format", "dimacs(task=clique)")
        self.assertEqual(self.good_json("exact", "a.clq", *how)["max_u"], 2)
        found = self.good_json("sample", "a.clq", *how, "--samples", "20")
        self.assertEqual(found["energy"]["max"], 2)
        found = self.good_json("verify", "a.clq", *how, "--sampler", "gibbs",
                               "--replicates", "10000")
        self.assertTrue(found["invariant"])
        self.assertIn("did you mean 'dimacs'?", self.bad(
            2, "exact", "a.clq", "--format", "dimac"))


if __name__ == "__main__":
    harness.main()
