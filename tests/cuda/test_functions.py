"""Functions of PyTorch on a card against the same on the processor.

U is a sum of few-bit numbers, so that it is the same in any order of its terms
and on any device; what is left are sums of ln q, whose order decides one step
in 10^6 or so.  Skipped where Python has no hiss, or no PyTorch with a card.
"""
import unittest

try:
    import hiss
    import numpy as np
    import torch
    IS_THERE = torch.cuda.is_available()
except ImportError:
    IS_THERE = False

KINDS = {"binary": {}, "spin": {}, "categorical": {"states": 3}}
SAMPLERS = ("dmala(alpha=0.4)", "dula(alpha=0.1)", "acs(tune=no)",
            "hiss(eta=1,steps=2,inner=dmala(alpha=0.4))",
            "sequence(gwg,dmala(alpha=0.3))",
            "pt(base=dmala(alpha=0.5),ladder=[1,2,4])")


def make(kind, dim, device, **more):
    labels = KINDS[kind].get("states", 1)
    dice = np.random.default_rng(3)
    field = torch.tensor(dice.integers(-4, 5, dim * labels) / 8,
                         dtype=torch.float32, device=device)

    def log_prob(x):
        x = x.reshape(len(x), -1)
        return (x * (field + 0.25 * torch.roll(x, -labels, 1))).sum(1)
    return hiss.from_torch(log_prob, dim, kind, device=device, **KINDS[kind],
                           **more)


def draw(model, sampler, device, **more):
    return hiss.sample(model, sampler, **{
        "chains": 300, "samples": 20, "warmup": 10, "seed": 4,
        "progress": False, "device": device, **more})


@unittest.skipUnless(IS_THERE, "no PyTorch with a card")
class Functions(unittest.TestCase):
    def compare(self, kind, dim, sampler, capture):
        here = draw(make(kind, dim, "cpu"), sampler, None)
        there = draw(make(kind, dim, "cuda", capture=capture), sampler, "cuda")
        same = (here.draws == there.draws).all((1, 2))
        self.assertGreater(same.mean(), 0.98, (kind, dim, sampler, capture))
        self.assertTrue(np.array_equal(here.lp[same], there.lp[same]))

    def test_draws_are_those_of_the_processor(self):
        for kind in KINDS:
            for sampler in SAMPLERS:
                # gwg chooses among two values in an order of its own
                if kind == "categorical" or "gwg" not in sampler:
                    self.compare(kind, 37, sampler, False)
        # up to 1024 a tile has a block, of more several
        for dim in (1, 4, 63, 64, 65, 130, 784, 1023, 1024, 1025, 1100):
            for capture in (False, True):
                for sampler in SAMPLERS[:4:3]:
                    self.compare("binary", dim, sampler, capture)

    def test_chains_do_not_depend_on_others(self):
        for dim, sampler in (*((50, sampler) for sampler in SAMPLERS),
                             (1100, SAMPLERS[0]), (4100, "gwg")):
            few, many = (draw(make("spin", dim, "cuda"), sampler, "cuda",
                              chains=chains).draws for chains in (5, 67))
            self.assertTrue(np.array_equal(few, many[:5]), (dim, sampler))

    def test_laws_are_kept(self):
        for sampler in ("dmala(alpha=0.4)", "gwg",
                        "hiss(eta=1,inner=dmala(alpha=0.4))"):
            verdict = hiss.verify(make("spin", 5, "cuda"), sampler,
                                  device="cuda", replicates=20000)
            self.assertTrue(verdict.device.startswith("cuda:0 ("))
            self.assertTrue(verdict.invariant, sampler)

    def test_what_is_no_number_is_refused(self):
        """At the first states, and on the way from others."""
        for fault, words in ((lambda u, x: torch.where(x[:, 3] > 0,
                                                       torch.nan, u),
                              "U is NaN"),
                             (lambda u, x: u + (x[:, 3] - 1).abs().sqrt(),
                              "gradient is NaN")):
            def log_prob(x):
                return fault(x.sum(1) / 8, x)
            for dim in (70, 1100):
                model = hiss.from_torch(log_prob, dim, "binary",
                                        device="cuda")
                for more in ({}, {"init": np.zeros((300, dim))}):
                    with self.assertRaisesRegex(hiss.NumericError, words):
                        draw(model, "dmala(alpha=0.4)", "cuda", **more)

    def test_many_chains_beside_other_records(self):
        """Records of the caller's own are as good after a run as before it."""
        model = make("binary", 784, "cuda", capture=True)
        x = torch.ones(4096, 784, device="cuda")
        side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
        weight = torch.ones(784, 64, device="cuda")
        with torch.cuda.stream(side):
            (x @ weight).sum(1)
        torch.cuda.synchronize()
        with torch.cuda.graph(graph):
            out = (x @ weight).sum(1)
        for _ in range(3):
            draw(model, "dmala(alpha=0.4)", "cuda", chains=4096)
            for _ in range(20):
                graph.replay()
            torch.cuda.synchronize()
            self.assertTrue((out == 784 * 64).all())


if __name__ == "__main__":
    unittest.main()
