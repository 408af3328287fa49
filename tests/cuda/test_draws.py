"""Draws of a card against draws of the processor, bit for bit.

The environment names the program (HISS) and the plug-in (HISS_CUDA: that of a
card, or its stand-in).  Every pair of a model and a sampler that a card can run
is run on both, from the same seed; draws, U, acceptances, marginals and what is
counted must be the same bytes.
"""
import json
import os
import random
import subprocess
import tempfile
import unittest

HISS = os.environ.get("HISS", "hiss")
SCALE = int(os.environ.get("HISS_TEST_CHAINS", "1"))  # more, for a card


def ising_file(path, sites, edges, values, field):
    """Couplings as an Ising file of lines `i j value`, fields where i = j."""
    with open(path, "w", encoding="utf-8") as file:
        rows = [(i, i, field()) for i in range(sites) if field]
        rows += [(i, j, values()) for i, j in edges]
        file.write(f"p qubo 0 {sites} {len([r for r in rows if r[0] == r[1]])} "
                   f"{len([r for r in rows if r[0] != r[1]])}\n")
        for i, j, value in rows:
            file.write(f"{i} {j} {value!r}\n")


def uai_file(path, states, factors, entry):
    """A Markov network with tables over the given scopes."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"MARKOV\n{len(states)}\n{' '.join(map(str, states))}\n")
        file.write(f"{len(factors)}\n")
        for scope in factors:
            file.write(f"{len(scope)} {' '.join(map(str, scope))}\n")
        for scope in factors:
            count = 1
            for i in scope:
                count *= states[i]
            values = " ".join(repr(entry()) for _ in range(count))
            file.write(f"{count}\n{values}\n")


def without_seconds(tree):
    """What does not depend on the clock."""
    if isinstance(tree, list):
        return [without_seconds(one) for one in tree]
    if isinstance(tree, dict):
        return {key: without_seconds(value) for key, value in tree.items()
                if "second" not in key and key != "command"}
    return tree


def make_models(folder):
    """Files of each kind of model that a card can run, by name."""
    dice = random.Random(5)

    def path(name):
        return os.path.join(folder, name)

    graph = sorted({tuple(sorted(dice.sample(range(43), 2)))
                    for _ in range(130)})
    ising_file(path("normal.qubo"), 43, graph, lambda: dice.gauss(0, 1),
               lambda: dice.gauss(0, 1))
    ising_file(path("signed.qubo"), 43, graph,
               lambda: dice.choice((-1.0, 1.0)), None)
    for name, large in (("spins.coo", 0.0), ("wide.coo", 1e7)):
        with open(path(name), "w", encoding="utf-8") as file:
            file.write("# vartype=SPIN\n")
            for i, j in graph + [(i, i) for i in range(0, 43, 2)]:
                value = dice.gauss(0, 1) + dice.choice((-large, large))
                file.write(f"{i} {j} {value!r}\n")
    chain = [(i, i + 1) for i in range(16)] + [(0, 9), (3, 12)]
    uai_file(path("two.uai"), [2] * 17, chain, lambda: dice.uniform(.1, 2))
    uai_file(path("triples.uai"), [2] * 14,
             [(i, i + 1, (i + 5) % 14) for i in range(13)] + [(0, 13), (4,)],
             lambda: dice.uniform(.1, 2))
    uai_file(path("many.uai"), [dice.randint(2, 5) for _ in range(12)],
             [(i, i + 1) for i in range(11)] + [(0, 5, 9)],
             lambda: dice.uniform(.1, 2))
    uai_file(path("zeros.uai"), [3] * 9, [(i, i + 1) for i in range(8)],
             lambda: dice.choice((0, 1, 1, 2)))
    return ["ising(side=6,beta=0.4)", "ising(side=4,beta=0.3,field=0.2)",
            "ising(side=4,beta=0.2,dims=3)", "potts(side=5,states=3,beta=0.8)",
            "potts(side=4,states=4,beta=0.5,field=0.3)", path("normal.qubo"),
            path("signed.qubo"), path("spins.coo"), path("two.uai"),
            path("wide.coo"), path("triples.uai"),
            path("many.uai"), path("zeros.uai")]


SAMPLERS = ["gibbs", "gibbs(scan=random)", "gibbs(scan=random,updates=7)",
            "metropolis(scan=random)", "pt(base=gibbs,levels=3,max_temperature=4)",
            "pt(base=metropolis(scan=random),ladder=[1,2,inf])"]

# Steps of all coordinates, and trees: every path, tilt and kind of coordinate.
TREES = ["dmala(alpha=0.4)", "dmala", "dula(alpha=0.3)", "gwg", "acs",
         "acs(tune=no,cycle=3,hold=2)",
         "hiss(eta=0.6,steps=2,inner=dmala(alpha=0.4))",
         "hiss(eta=2,sweeps=2,steps=1,inner=dmala(alpha=9))",
         "hiss(tune=accept,steps=2,inner=dmala)", "hiss(tune=accept,steps=2,inner=gibbs)", "hiss(eta=0.5,inner=metropolis(scan=random),steps=1)",
         "hiss(eta=0.5,kernel=gaussian,inner=gwg)", "hiss(inner=acs,adjust=no)",
         "hiss(tilt=gradient,order=palindrome,block=5)",
         "hiss(tune=jump,block=auto,inner=dula(alpha=0.2))",
         "sequence(gwg,gibbs)", "sequence(dmala(alpha=0.3),hiss(eta=0.4),gibbs)",
         "mix(dmala(alpha=0.3),gibbs,hiss(inner=metropolis(scan=random),eta=0.5))",
         "pt(base=dmala,levels=3)", "pt(base=hiss(eta=0.5),levels=3)",
         "pt(base=mix(gibbs,gwg),levels=3)"]


def alike(a, b, fine):
    """Whether two values of JSON are equal, reals up to their rounding."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(
            alike(a[key], b[key], fine) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(
            alike(x, y, fine) for x, y in zip(a, b))
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= fine * (1 + abs(a))
    return a == b


def without_lp(line):
    """A line of draws without its log p, and that."""
    values = line.split(",")
    return values[:2] + values[3:], float(values[2])


class Draws(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="hiss-cuda-")
        cls.folder = cls.place.name
        cls.models = make_models(cls.folder)
        cls.glass = os.path.join(cls.folder, "glass.coo")
        dice = random.Random(3)
        with open(cls.glass, "w", encoding="utf-8") as file:
            file.write("# vartype=SPIN\n")
            for i in range(45):
                for j in (i + 1, i + 7):
                    if j < 45:
                        file.write(f"{i} {j} {dice.choice((-1.0, 1.0))}\n")

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def run_on(self, device, *words, **changes):
        """Draws, marginals and the summary of a run."""
        draws = os.path.join(self.folder, f"{device}.csv")
        marginals = os.path.join(self.folder, f"{device}.mar")
        done = subprocess.run(
            [HISS, "sample", *words, "--device", device, "--json", "--quiet",
             "--force", "--threads", "2", "-o", draws, "--mar", marginals],
            capture_output=True, text=True, check=False, timeout=600,
            env={**os.environ, **changes})
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(draws, encoding="utf-8") as file:
            lines = [line for line in file if not line.startswith("#")]
        with open(marginals, encoding="utf-8") as file:
            found = json.loads(done.stdout)
            return lines, file.read(), found

    def compare(self, *words, **changes):
        want, want_mar, here = self.run_on("cpu", *words)
        have, have_mar, there = self.run_on("cuda", *words, **changes)
        self.assertTrue(there["device"].startswith("cuda:0 ("), there)
        self.assertEqual(here["device"], "cpu")
        # docs/cuda.md: log p of pairs of bits, and of gwg, is rounded elsewhere
        fine = 1e-6 if "gwg" in words[words.index("--sampler") + 1] else 1e-12
        for n, (a, b) in enumerate(zip(want, have)):
            if n > 0:
                (a, p), (b, q) = without_lp(a), without_lp(b)
                self.assertAlmostEqual(p, q, delta=fine * (1 + abs(p)))
            self.assertEqual(a, b, f"{words}: line {n}")
        self.assertEqual(len(want), len(have))
        self.assertEqual(want_mar, have_mar, words)
        keys = ["accept", "warmup", "tempering", "ended", "tuning"]
        if fine < 1e-9:  # a processor's sweep of labels leaves gwg no rows
            keys.append("evals")
        for key in keys:
            self.assertTrue(alike(here.get(key), there.get(key), fine),
                            (words, key, here.get(key), there.get(key)))

    def test_every_model_and_sampler(self):
        for model in self.models:
            for sampler in SAMPLERS:
                with self.subTest(model=model, sampler=sampler):
                    self.compare(model, "--sampler", sampler, "--chains",
                                 str(19 * SCALE), "--samples", "12", "--thin",
                                 "2", "--seed", "7")

    def test_trees(self):
        """A third of all pairs, so that each sampler meets each kind of model
        or its like; on a card, all."""
        models = [*self.models, "cross(side=3)", "ising(side=9,beta=-0.2)",
                  "ising(side=37,beta=0.3)"]
        for k, sampler in enumerate(TREES):
            for n, model in enumerate(models):
                if SCALE == 1 and (n + k) % 3:
                    continue
                with self.subTest(model=model, sampler=sampler):
                    self.compare(model, "--sampler", sampler, "--chains",
                                 str(19 * SCALE), "--samples", "6", "--thin",
                                 "2", "--seed", "7")

    def test_lattices_in_phases(self):
        """Without a bit per site."""
        for model in ("ising(side=6,beta=0.4)", "ising(side=4,beta=0.2,dims=3)"):
            for sampler in ("dmala(alpha=0.4)", "acs(tune=no)",
                            "hiss(eta=0.6,inner=dmala(alpha=0.4))"):
                self.compare(model, "--sampler", sampler, "--chains", "19",
                             "--samples", "5", HISS_CUDA_SWEEP="lanes")

    def test_marginals_past_their_flush(self):
        """Sums go from the card to the processor every 255 steps."""
        for sampler in ("gibbs", "gibbs(scan=random)",
                        "pt(base=gibbs,levels=5)",
                        "pt(base=metropolis(scan=random),levels=3,swap_every=4)", "gwg",
                        "dmala(alpha=0.5)", "hiss(eta=0.5)"):
            self.compare("ising(side=4,beta=0.4)", "--sampler", sampler,
                         "--chains", "5", "--samples", "9", "--thin", "70")

    def test_levels(self):
        """One level; levels of a chain in several tiles; steps between
        exchanges; a warm-up that is kept; states that are impossible at the
        target alone."""
        zeros = self.models[-1]
        for model, sampler, more in (
                ("ising(side=4,beta=0.6)", "pt(base=gibbs,levels=1)", ()),
                ("ising(side=4,beta=0.6)", "pt(base=gibbs,levels=21)", ()),
                ("ising(side=4,beta=0.6)",
                 "pt(base=gibbs,levels=37,swap_every=3)", ("--save-warmup",)),
                ("ising(side=4,beta=0.6)",
                 "pt(base=mix(gibbs,dmala,weights=[2,1]),levels=6)", ()),
                ("ising(side=4,beta=0.6)", "pt(base=hiss,levels=5)", ()),
                (self.models[5], "pt(base=acs(tune=yes),levels=4)", ()),
                (zeros, "pt(base=gibbs,ladder=[1,1.5,4,inf])", ()),
                (zeros, "pt(base=metropolis(scan=random),levels=18,swap_every=2)", ())):
            with self.subTest(model=model, sampler=sampler):
                self.compare(model, "--sampler", sampler, "--chains", "21",
                             "--samples", "40", "--thin", "7", *more)

    def test_levels_of_a_block(self):
        """All levels of a chain in one block of many warps, which exchanges
        them itself, and not so; the last block is not full."""
        dice = random.Random(8)
        ring = [(i, (i + k) % 160) for i in range(160) for k in (1, 7)]
        spins = os.path.join(self.folder, "ring.coo")
        bits = os.path.join(self.folder, "ring.qubo")
        with open(spins, "w", encoding="utf-8") as file:
            file.write("# vartype=SPIN\n")
            for i, j in ring:
                file.write(f"{i} {j} {dice.gauss(0, 1)!r}\n")
        ising_file(bits, 160, ring, lambda: dice.gauss(0, 1),
                   lambda: dice.gauss(0, 1))
        for model in (spins, bits, "ising(side=12,beta=0.4,field=0.1)"):
            for sampler, chains, changes in (
                    ("pt(base=gibbs,levels=32)", "11", {}),
                    ("pt(base=gibbs,levels=8,swap_every=3)", "37", {}),
                    ("pt(base=gibbs,levels=32)", "11",
                     {"HISS_CUDA_SWEEP": "block"})):
                self.compare(model, "--sampler", sampler, "--chains", chains,
                             "--samples", "4", "--thin", "5", "--warmup", "7",
                             HISS_CUDA_WORDS="4", **changes)

    def test_sweeps(self):
        """A bit per chain, 32 chains a word, of which the last is not full:
        in shared memory, in the card's memory, and not at all."""
        for model in self.models[:3] + self.models[5:9]:
            for sweep, words in (("lanes", "1"), ("block", "1"), ("block", "2"),
                                 ("block", "4"), ("block", "8"), ("grid", "1"),
                                 ("grid", "2"), ("grid", "4")):
                self.compare(model, "--sampler", "gibbs", "--chains", "83",
                             "--samples", "3", "--thin", "3",
                             HISS_CUDA_SWEEP=sweep, HISS_CUDA_WORDS=words)
        # too large for bytes where shared memory has 64 kB
        self.compare("ising(side=56,beta=0.4)", "--sampler", "gibbs",
                     "--chains", "83", "--samples", "2", "--thin", "2",
                     HISS_CUDA_SWEEP="block", HISS_CUDA_WORDS="4")

    def test_verify(self):
        """The same replicates, moved by a card: the same verdict."""
        for model, sampler in (
                ("ising(side=2,beta=0.4)", "gibbs"),
                ("ising(side=2,beta=0.4)", "metropolis(scan=random)"),
                ("ising(side=2,beta=0.4)", "pt(base=dmala,levels=3)"),
                ("potts(side=2,states=3,beta=0.5)",
                 "hiss(eta=0.8,steps=2,inner=dmala(alpha=2))"),
                ("cross(side=3)", "acs(tune=no)")):
            found = []
            for device in ("cpu", "cuda"):
                done = subprocess.run(
                    [HISS, "verify", model, "--sampler", sampler, "--device",
                     device, "--replicates", "2000", "--json", "--quiet"],
                    capture_output=True, text=True, check=False, timeout=300)
                self.assertIn(done.returncode, (0, 1, 4), done.stderr)
                found.append(json.loads(done.stdout))
                self.assertTrue(found[-1].pop("device").startswith(device))
            self.assertEqual(*found)

    def test_teams(self):
        """Few chains, whose sites some multiprocessors share out."""
        for model in self.models[:3] + self.models[5:9]:
            for chains, team, ranks in ((1, 1, 3), (3, 4, 1), (7, 8, 2),
                                        (19, 16, 16), (83, 32, 4)):
                self.compare(model, "--sampler", "gibbs", "--chains",
                             str(chains), "--samples", "3", "--thin", "3",
                             HISS_CUDA_SWEEP="team",
                             HISS_CUDA_TEAM_CHAINS=str(team),
                             HISS_CUDA_TEAM_RANKS=str(ranks))

    def test_blocks_of_a_team(self):
        """Many chains, whose sites some multiprocessors share out."""
        for model in self.models[:3] + self.models[5:9]:
            for words, ranks in (("1", "3"), ("4", "2")):
                self.compare(model, "--sampler", "gibbs", "--chains", "83",
                             "--samples", "3", "--thin", "3",
                             HISS_CUDA_SWEEP="block", HISS_CUDA_WORDS=words,
                             HISS_CUDA_RANKS=ranks)

    def test_packed(self):
        """Sixteen chains of a word on the processor, 32 on a card."""
        for model in (*self.models[:3], self.models[6], self.glass):
            for chains in (1, 19, 83):
                self.compare(model, "--sampler", "gibbs(packed=yes)",
                             "--chains", str(chains), "--samples", "4",
                             "--thin", "3")

    @unittest.skipIf(SCALE == 1, "takes a card")
    def test_many_tosses(self):
        """10^9 coins: a probability that is off by its last bit on the card
        would have turned some tens of them."""
        self.compare(self.models[7], "--sampler", "gibbs", "--chains", "400",
                     "--samples", "2", "--thin", "20000")

    def test_search(self):
        """The best states, and what they cost, of batches side by side."""
        for words in ((self.models[0], "--restarts", "40"),
                      (self.models[6], "--restarts", "20", "--sampler",
                       "metropolis(scan=random)"),
                      (self.models[5], "--evals", "6000"),
                      (self.models[7], "--evals", "6000", "--target", "-100"),
                      (self.models[3], "--evals", "3000")):
            found = []
            for device in ("cpu", "cuda"):
                done = subprocess.run(
                    [HISS, "optimize", *words, "--json", "--quiet", "--device",
                     device], capture_output=True, text=True, check=False,
                    timeout=600)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                found.append(without_seconds(json.loads(done.stdout)))
                self.assertTrue(found[-1].pop("device").startswith(device))
            self.assertEqual(found[0], found[1], words)

    def test_compare(self):
        """A race on a card has the figures of one on the processor."""
        found = []
        for device in ("cpu", "cuda"):
            done = subprocess.run(
                [HISS, "compare", "ising(side=3,beta=0.4)", "--samplers",
                 "gibbs;pt(base=gibbs,levels=3)", "--samples", "30", "--json",
                 "--quiet", "--device", device], capture_output=True,
                text=True, check=False, timeout=600)
            self.assertEqual(done.returncode, 0, done.stderr)
            found.append(without_seconds(json.loads(done.stdout)))
        self.assertEqual(found[0], found[1])

    def test_budgets(self):
        for budget in (("--evals", "40000"), ("--ess", "60")):
            self.compare("ising(side=4,beta=0.2)", "--sampler", "gibbs",
                         "--chains", "3", *budget)


if __name__ == "__main__":
    unittest.main()
