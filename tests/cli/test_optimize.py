"""hiss optimize: what it finds, how it tells it, and when it fails."""
import itertools
import json
import os
import random
import signal

import harness


def graph(n, chance, seed, halves=False):
    """Edges (i, j, w) of a random graph; between two halves only, if asked:
    then the best cut has all of them."""
    rng = random.Random(seed)
    side = [rng.random() < 0.5 for _ in range(n)]
    return [(i, j, 1 if halves else rng.choice((1, 1, 2, -1)))
            for i in range(n) for j in range(i + 1, n)
            if rng.random() < chance and not (halves and side[i] == side[j])]


def cut(edges, state):
    return sum(w for i, j, w in edges if state[i] != state[j])


class Optimize(harness.Case):
    def graph(self, name, n, edges):
        return self.write(name, f"{n} {len(edges)}\n" + "".join(
            f"{i + 1} {j + 1} {w}\n" for i, j, w in edges))

    def planted(self, n=300):
        edges = graph(n, 0.05, 3, halves=True)
        return self.graph("planted.txt", n, edges), edges

    def test_the_best_cut(self):
        edges = graph(14, 0.5, 1)
        self.graph("small.txt", 14, edges)
        best = max(cut(edges, s) for s in itertools.product((0, 1), repeat=14))
        found = self.good_json("optimize", "small.txt", "--evals", 20000)
        self.assertEqual(found["best"]["objective"], best)
        self.assertEqual(cut(edges, found["best"]["state"]), best)
        self.assertEqual(found["objective"], "cut")
        self.assertIsNone(found["target_hit"])
        self.assertGreater(found["evals"], 0)
        self.assertGreater(found["seconds"], 0)
        seen = [tuple(s["state"]) for s in found["solutions"]]
        self.assertEqual(len(set(seen)), len(seen))
        values = [s["objective"] for s in found["solutions"]]
        self.assertEqual(values, sorted(values, reverse=True))
        for s in found["solutions"]:
            self.assertEqual(cut(edges, s["state"]), s["objective"])
        one = self.good_json("optimize", "small.txt", "--evals", 20000,
                             "--top", 1)
        self.assertEqual(len(one["solutions"]), 1)

    def test_a_target_and_its_file(self):
        name, edges = self.planted()
        found = self.good_json("optimize", name, "--target", len(edges),
                               "--time-limit", "100s", "-o", "best.sol")
        self.assertIs(found["target_hit"], True)
        self.assertEqual(found["ended"], "done")
        with open(self.path("best.sol"), encoding="utf-8") as file:
            lines = [l for l in file if not l.startswith("#")]
        self.assertEqual(len(lines), 1)
        state = [int(v) for v in lines[0].split()]
        self.assertEqual(state, found["best"]["state"])
        self.assertEqual(cut(edges, state), len(edges))
        self.assertIn("exists", self.bad(2, "optimize", name, "-o",
                                         "best.sol"))
        self.good("sample", name, "--sampler", "gibbs", "--samples", 5,
                  "--init", "best.sol")
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["best.sol", "planted.txt"])

    def test_a_target_that_cannot_be_reached(self):
        name, edges = self.planted(100)
        found = self.good_json("optimize", name, "--target", len(edges) + 1,
                               "--evals", 30000, "-o", "x.sol", code=1)
        self.assertIs(found["target_hit"], False)
        self.assertEqual(found["best"]["objective"], len(edges))
        self.assertTrue(os.path.exists(self.path("x.sol")))
        done = self.hiss("optimize", name, "--target", len(edges) + 1,
                         "--evals", 3000)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("NOT reached", done.stdout)

    def test_what_is_minimised(self):
        """A QUBO's energy: the smaller the better, and so is the target."""
        rng = random.Random(2)
        q = {(i, j): rng.randint(-9, 9) for i in range(12)
             for j in range(i, 12)}
        diagonal = [(i, w) for (i, j), w in q.items() if i == j]
        others = [(i, j, w) for (i, j), w in q.items() if i < j]
        self.write("a.qubo", f"p qubo 0 12 {len(diagonal)} {len(others)}\n" +
                   "".join(f"{i} {i} {w}\n" for i, w in diagonal) +
                   "".join(f"{i} {j} {w}\n" for i, j, w in others))
        least = min(sum(w * s[i] * s[j] for (i, j), w in q.items())
                    for s in itertools.product((0, 1), repeat=12))
        found = self.good_json("optimize", "a.qubo", "--evals", 20000,
                               "--target", least)
        self.assertEqual(found["best"]["objective"], least)
        self.assertIs(found["minimise"], True)
        self.assertIs(found["target_hit"], True)
        self.good_json("optimize", "a.qubo", "--evals", 3000, "--target",
                       least - 1, code=1)

    def test_the_seed_repeats_it(self):
        name, _ = self.planted(200)

        def once(threads, *budget):
            found = self.good_json("optimize", name, "--seed", 4, "--threads",
                                   threads, *budget)
            for key in ("seconds", "best_seconds", "threads",
                        "time_to_target"):
                del found[key]
            return found

        for budget in (["--evals", 20000], ["--restarts", 40],
                       ["--evals", 20000, "--target", 400]):
            self.assertEqual(once(1, *budget), once(3, *budget), budget)

    def test_time_to_target(self):
        name, edges = self.planted(60)
        found = self.good_json(
            "optimize", name, "--restarts", 320, "--target", len(edges),
            "--sampler", "anneal(base=gibbs,sweeps=20)")
        row, = found["rounds"]
        self.assertEqual((row["restarts"], row["sweeps"]), (320, 20))
        self.assertEqual(found["restarts"], 320)
        time_to = found["time_to_target"]
        self.assertEqual(time_to["hits"], row["hits"])
        self.assertGreater(row["hits"], 0)
        self.assertLess(time_to["seconds_low"], time_to["seconds"])
        self.assertLess(time_to["seconds"], time_to["seconds_high"])

    def test_models_without_a_file(self):
        found = self.good_json("optimize", "ising(side=6,beta=0.5)",
                               "--evals", 20000)
        self.assertAlmostEqual(found["best"]["objective"], 36, places=4)
        text = self.good("optimize", "potts(side=3,states=3,beta=1)",
                         "--restarts", 16, "--sampler", "metropolis")
        self.assertIn("18", text)
        found = self.good_json("optimize", "rbm(visible=20,hidden=5)",
                               "--evals", 2000, "--sampler",
                               "dmala(alpha=auto)")
        self.assertIn("dmala", found["sampler"])

    def test_what_was_found_survives_a_signal(self):
        name, edges = self.planted()
        process = self.start("optimize", name, "--time-limit", "10m", "--json",
                             "-o", "x.sol")
        self.assertTrue(harness.wait_for_work(process, 1.0))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=harness.TIMEOUT)
        self.assertEqual(process.returncode, 130, err)
        found = json.loads(out)
        self.assertEqual(found["ended"], "stopped")
        self.assertEqual(cut(edges, found["best"]["state"]),
                         found["best"]["objective"])
        self.assertTrue(os.path.exists(self.path("x.sol")))

    def test_time_is_kept(self):
        name, _ = self.planted()
        found = self.good_json("optimize", name, "--time-limit", "1s")
        self.assertEqual(found["ended"], "time")
        self.assertLess(found["seconds"], 60)  # on a busy machine

    def test_bad_calls(self):
        name, _ = self.planted(20)
        for words in (["no-such-file.txt"], [name, "--target", "many"],
                      [name, "--evals", 0], [name, "--restarts", 0],
                      [name, "--top", 0], [name, "--sampler", "pt"],
                      [name, "--sampler", "anneal(base=gib)"],
                      [name, "--sampler", "anneal(sweeps=-1)"],
                      [name, "--sampler", "anneal(hot=3,cold=1)"],
                      [name, "-o", ""], []):
            self.bad(2, "optimize", *words)
        self.bad(3, "optimize", name, "-o", "no/such/folder/x.sol")


if __name__ == "__main__":
    harness.main()
