"""Tours: TSPLIB files, permutations, their kernels and their files."""
import itertools
import json
import math
import os
import signal

import harness

CITIES = [(0, 0), (1.5, 0.3), (1.1, 1.9), (-0.4, 1.0), (0.6, 0.7), (2, 1)]


def length(tour):
    return sum(math.dist(CITIES[a - 1], CITIES[b - 1])
               for a, b in zip(tour, tour[1:] + tour[:1]))


class Tours(harness.Case):
    def setUp(self):
        super().setUp()
        self.write("six.tsp", "\n".join(
            ["TYPE : TSP", "DIMENSION : 6", "EDGE_WEIGHT_TYPE : EUC_2D",
             "NODE_COORD_SECTION"]
            + [f"{i} {x} {y}" for i, (x, y) in enumerate(CITIES, 1)]
            + ["EOF", ""]))
        tours = [list(t) for t in itertools.permutations(range(1, 7))]
        self.lengths = [length(t) for t in tours]
        self.best = min(self.lengths)

    def test_the_best_tour_and_its_files(self):
        for name in ("best.tour", "best.txt"):
            found = self.good_json("optimize", "six.tsp", "--evals", 2000,
                                   "-o", name)
            self.assertAlmostEqual(found["best"]["objective"], self.best, 9)
            self.assertEqual(found["objective"], "tour length")
            self.assertTrue(found["minimise"])
            state = found["best"]["state"]
            self.assertEqual(sorted(state), [1, 2, 3, 4, 5, 6])
            self.assertEqual(state[0], 1)
            self.assertAlmostEqual(length(state), self.best, 9)
            lengths = [s["objective"] for s in found["solutions"]]
            self.assertEqual(lengths, sorted(lengths))
            # it starts there: at a low temperature it stays
            draws = self.good_json(
                "sample", "tsp(six.tsp,temperature=0.001)", "--sampler",
                "tour(turn=no)", "--init", name, "--samples", 5, "--warmup", 0)
            self.assertAlmostEqual(draws["energy"]["max"], -1000 * self.best, 6)
        with open(self.path("best.tour"), encoding="utf-8") as file:
            lines = file.read().split("\n")
        self.assertEqual(lines[0], "TYPE : TOUR")
        at = lines.index("TOUR_SECTION")
        self.assertEqual([int(v) for v in lines[at + 1:at + 7]], state)
        self.assertEqual(lines[at + 7:], ["-1", "EOF", ""])

    def test_bad_tours(self):
        for text, message in (
                ("TOUR_SECTION\n1\n2\n3\n4\n5\n7\n-1\n", "bad.tour:7:1: x.6 is"),
                ("TOUR_SECTION\n1 2 3\n-1\n", "bad.tour:3:1: x.4 is '-1'"),
                ("TOUR_SECTION\n1 2 3\n", "ends after 3 of 6 cities"),
                ("TOUR_SECTION\n1 2 3 4 5 6 1\n", "more than the 6 cities"),
                ("TOUR_SECTION\n1 2 3 4 5 5\n", "probability 0")):
            self.write("bad.tour", text)
            done = self.hiss("sample", "six.tsp", "--sampler", "tour",
                             "--samples", 5, "--init", "bad.tour")
            self.assertEqual(done.returncode, 2, done)
            self.assertIn(message, done.stderr)

    def test_the_truth(self):
        log_z = math.log(sum(math.exp(-v) for v in self.lengths))
        exact = self.good_json("exact", "six.tsp")
        self.assertEqual(exact["states"], 720)
        self.assertAlmostEqual(exact["log_z"], log_z, 9)
        self.assertAlmostEqual(exact["max_u"], -self.best, 9)
        form = self.good_json("exact", "tsp(six.tsp,form=onehot)")
        self.assertAlmostEqual(form["log_z"], log_z, 9)
        mean = sum(v * math.exp(-v - log_z) for v in self.lengths)
        for sampler in ("tour", "hiss", "mix(tour,hiss(eta=1,steps=0))", "pt"):
            draws = self.good_json("sample", "six.tsp", "--sampler", sampler,
                                   "--samples", 4000)
            energy = draws["energy"]
            self.assertLess(abs(energy["mean"] + mean), 5 * energy["mcse"],
                            sampler)

    def test_verify(self):
        for sampler in ("tour", "hiss"):
            found = self.good_json("verify", "six.tsp", "--sampler", sampler,
                                   "--replicates", 20000)
            self.assertEqual(found["states"], 720)
            self.assertTrue(found["invariant"])
            self.assertGreater(found["moved"], 0.5)

    def test_results_of_tours(self):
        for name in ("draws.csv", "draws.nc"):
            self.good("sample", "six.tsp", "--samples", 200, "-o", name)
            if not os.path.exists(self.path(name)):
                continue  # without netCDF
            self.good_json("summary", name)
            modes = self.good_json("modes", name)
            self.assertGreaterEqual(len(modes["modes"]), 1)
            for mode in modes["modes"]:
                self.assertEqual(sorted(mode["representative"]), [1, 2, 3, 4, 5, 6])

    def test_a_base_counts_by_position_too(self):
        made = []
        for spec in ("auto(tour)", "auto(base=tour)", "auto"):
            self.good("sample", "six.tsp", "--samples", 20, "--sampler", spec,
                      "-o", "x.csv", "--force")
            text = self.good("explain", "x.csv")
            made.append(text.splitlines()[0])
        self.assertEqual(made[0], made[1])
        self.assertNotEqual(made[0], made[2])

    def test_refusals(self):
        for words, message in (
                (("sample", "six.tsp", "--sampler", "dmala"),
                 "dmala cannot move tours; tour and hiss(inner=tour)"),
                (("sample", "ising(side=3,beta=1)", "--sampler", "tour"),
                 "it moves tours"),
                (("sample", "six.tsp", "--fix", "1=1"), "cannot be fixed"),
                (("convert", "six.tsp", "six.uai"), "its states are tours"),
                (("sample", "tsp(none.tsp)"), "none.tsp"),
                (("sample", "tsp(six.tsp,temperature=0)"), "temperature")):
            done = self.hiss(*words)
            self.assertEqual(done.returncode, 2, done)
            self.assertIn(message, done.stderr)

    def test_reproduce_finds_its_data(self):
        """Without any variable, from wherever it is called."""
        env = {"HISS_DATA": ""}
        process = self.start("reproduce", "tsp", "--quick", env=env)
        self.assertTrue(harness.wait_until(
            lambda: os.path.exists(self.path("hiss-paper/state.json")),
            process))
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=harness.TIMEOUT)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("interrupted in tsp", err)


if __name__ == "__main__":
    harness.main()
