"""`hiss select` and `hiss communities`: answers by name, and mistakes."""
import os

import harness

DATA = os.path.join(harness.SOURCE, "tests", "data")
TABLE = os.path.join(DATA, "regress", "tiny.csv")
GRAPH = os.path.join(DATA, "community", "small.gml")


class Questions(harness.Case):
    def test_few_variables_are_enumerated(self):
        found = self.good_json("select", TABLE, "yield ~ .")
        exact = self.good_json("exact", f'regression({TABLE},"yield ~ .")')
        names = ["rain", "sun", "soil", "slope"]
        truth = {name: one["mean"]
                 for name, one in zip(names, exact["marginals"])}
        self.assertEqual(found["verdict"], "proved")
        self.assertEqual({one["name"]: one["inclusion"]
                          for one in found["variables"]}, truth)
        best = [names[i] for i, on in enumerate(exact["top"][0]["state"])
                if on]
        self.assertEqual(found["models"][0]["variables"], best)
        self.assertEqual(found["models"][0]["probability"],
                         exact["top"][0]["probability"])

    def test_drawn_inclusion_is_that_of_enumeration(self):
        truth = self.good_json("select", TABLE, "yield ~ .^2")
        found = self.good_json("select", TABLE, "yield ~ .^2", "--sampler",
                               "gibbs", "--samples", 4000)
        error = {one["name"]: one["error"] for one in found["variables"]}
        drawn = {one["name"]: one["inclusion"] for one in found["variables"]}
        for one in truth["variables"]:
            name = one["name"]
            self.assertLess(abs(drawn[name] - one["inclusion"]),
                            4 * error[name], name)
        self.assertEqual(found["method"], "sampling")

    def test_figures_and_tables_have_names(self):
        text = self.good("select", TABLE, "yield ~ .", "--figure", "a.svg")
        with open(self.path("a.svg"), encoding="utf-8") as file:
            figure = file.read()
        for name in ("rain", "sun", "soil", "slope"):
            self.assertIn(name, text)
            self.assertIn(name, figure)
        text = self.good("communities", GRAPH, "--samples", 200, "--figure",
                         "b.svg")
        with open(self.path("b.svg"), encoding="utf-8") as file:
            figure = file.read()
        for name in ("Ann", "Flo", "Hal"):
            self.assertIn(name, text)
            self.assertIn(name, figure)
        self.assertIn("a.svg", self.bad(2, "select", TABLE, "yield ~ .",
                                        "--figure", "a.svg"))

    def test_groups_are_those_of_enumeration(self):
        found = self.good_json("communities", GRAPH, "--groups", 2)
        exact = self.good_json("exact", f"sbm({GRAPH},groups=2)", "--top", 256)
        names = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]
        state = exact["top"][0]["state"]
        best = {frozenset(name for name, label in zip(names, state)
                          if label == group) for group in set(state)}
        self.assertEqual({frozenset(group)
                          for group in found["partitions"][0]["groups"]}, best)
        # a division comes under both namings of its groups
        self.assertLess(abs(found["partitions"][0]["probability"] -
                            2 * exact["top"][0]["probability"]), 0.02)
        self.assertEqual(found["nodes"], names)
        together = found["co_membership"]
        self.assertEqual((len(together), len(together[0])), (8, 8))
        for i in range(8):
            self.assertAlmostEqual(together[i][i], 1.0)

    def test_the_laws_are_kept(self):
        for model in (f'regression({TABLE},"yield ~ .")',
                      f'regression({TABLE},"yield ~ .",prior=spikeslab)',
                      f"sbm({GRAPH},groups=2)",
                      f"sbm({GRAPH},groups=2,corrected=yes)"):
            for sampler in ("gibbs", "gwg", "dmala(alpha=0.5)"):
                found = self.good_json("verify", model, "--sampler", sampler,
                                       "--replicates", 60000)
                self.assertTrue(found["invariant"], (model, sampler, found))
                self.assertGreater(found["moved"], 0.1, (model, sampler))

    def test_mistakes(self):
        self.assertIn("did you mean 'rain'?",
                      self.bad(2, "select", TABLE, "yield ~ rian"))
        self.assertIn("FORMULA", self.bad(2, "select", TABLE))
        self.assertIn("g, bic or spikeslab",
                      self.bad(2, "select", TABLE, "yield ~ .", "--prior", "x"))
        self.assertIn("groups", self.bad(2, "communities", GRAPH, "--groups",
                                         "2.5"))
        self.bad(2, "communities", TABLE + ".none")


if __name__ == "__main__":
    harness.main()
