"""Persistent chains for a torch module that is U, and a loss to go with it."""
from __future__ import annotations

import numpy as np

from . import _arrays as arrays
from ._annealing import Estimate, schedule, mean_weight
from ._tensors import from_torch
from ._chains import Chains


class TorchTraining:
    """A module that is trained, and chains that follow it.

        >>> run = hiss.train.TorchTraining(module, 784)
        >>> for batch in data:
        ...     loss = run.energy_gap(batch)
        ...     optimizer.zero_grad(); loss.backward(); optimizer.step()

    log_prob: a module or function of torch that takes states, (n, dim), or
        (n, dim, states) one-hot for labels, and returns n values of U, the
        logarithm of an unnormalized probability: less the energy.
    dim, kind, states, device: as of :func:`hiss.from_torch`.
    sampler: what moves the chains, one that no pilot tunes.
    chains, steps: how many, and their steps before each loss.
    """

    def __init__(self, log_prob, dim: int, kind="binary", *, states=None,
                 sampler="dmala(alpha=0.2)", chains: int = 64, steps: int = 10,
                 device="cpu", seed: int = 1, threads: int = 0):
        import torch  # type: ignore

        self.log_prob, self._torch, self._device = log_prob, torch, device
        self._beta = 1.0
        self.model = from_torch(self._scaled, dim, kind, states=states,
                                device=device, name="torch module")
        if kind not in ("binary", "spin", "categorical"):
            raise ValueError(f"kind is {kind!r}, expected 'binary', 'spin' or "
                             f"'categorical'")
        self.kind = kind
        self.steps = arrays.whole("steps", steps, 1)
        self.dim = self.model.dim
        self._values = self.model.values(0)
        count = arrays.whole("chains", chains, 2, 1000000)
        self.chains = Chains(self._uniform(seed, count), sampler, seed,
                             threads)

    def _uniform(self, seed, count):
        rng = np.random.default_rng(np.random.SeedSequence(
            arrays.whole("seed", seed, 0), spawn_key=(0,)))
        return rng.choice(self._values, (count, self.dim))

    def _scaled(self, x):
        u = self.log_prob(x)
        return u if self._beta == 1.0 else self._beta * u

    def _tensor(self, x):
        """Values as the module takes them."""
        torch = self._torch
        x = torch.as_tensor(np.asarray(x, dtype=np.float32)
                            if not torch.is_tensor(x) else x,
                            device=self._device)
        if self.kind == "categorical":
            return torch.nn.functional.one_hot(
                x.long(), len(self._values)).to(torch.float32)
        return x.to(torch.float32)

    def _check(self, data):
        torch = self._torch
        x = data.detach() if torch.is_tensor(data) else \
            torch.as_tensor(arrays.numbers("data", data))
        if x.dim() != 2 or x.shape[1] != self.dim or len(x) == 0:
            raise ValueError(f"data has shape {tuple(x.shape)}, expected "
                             f"(n, {self.dim})")
        known = torch.as_tensor(self._values, device=x.device)
        good = (x.to(known.dtype)[..., None] == known).any(-1)
        if not bool(good.all()):
            row, column = (~good).nonzero()[0].tolist()
            words = ", ".join(f"{value:g}" for value in self._values)
            raise ValueError(f"data[{row}, {column}] is "
                             f"{float(x[row, column]):g}, expected one of "
                             f"{words}")
        return self._tensor(x)

    def _mean(self, x, weights=None):
        u = self.log_prob(x)
        if u.shape != x.shape[:1]:
            raise ValueError(f"log_prob returned shape {tuple(u.shape)}, "
                             f"expected {tuple(x.shape[:1])}")
        if weights is None:
            return u.mean()
        weights = self._torch.as_tensor(weights, dtype=u.dtype,
                                        device=u.device)
        return (u * weights).sum() / weights.sum()

    def energy_gap(self, data, weights=None):
        """Moves the chains, then returns mean U(chains) - mean U(data).

        Its gradient is an estimate of less the gradient of the mean
        log-likelihood of the data: an optimizer that goes down raises the
        likelihood.  The number itself is no likelihood.
        """
        x = self._check(data)
        states = self._tensor(self.chains.advance(self.model, self.steps))
        return self._mean(states) - self._mean(x, weights)

    def log_z(self, betas=1000, chains: int = 64, *, sampler=None,
              steps: int = 1, seed: int = 1) -> Estimate:
        """ln Z by annealed importance sampling from uniform states, as
        :func:`log_z`."""
        betas = schedule(betas)
        count = arrays.whole("chains", chains, 2, 1000000)
        walk = Chains(self._uniform(seed, count),
                      sampler or self.chains.sampler, seed,
                      self.chains.threads)
        weight = np.zeros(count)
        try:
            for before, beta in zip(betas[:-1], betas[1:]):
                with self._torch.no_grad():
                    u = self.log_prob(self._tensor(walk.states))
                weight += (beta - before) * u.cpu().numpy().astype(float)
                self._beta = float(beta)
                if beta < 1:
                    walk.advance(self.model, steps)
        finally:
            self._beta = 1.0
        found = mean_weight(weight)
        return Estimate(found.value + self.dim * np.log(len(self._values)),
                        found.error, found.ess)

    def state_dict(self) -> dict:
        """What the chains go on from; the module and its optimizer have their
        own."""
        return {"levels": self._torch.as_tensor(self.chains.levels),
                "moved": self.chains.counts, "seed": self.chains.seed,
                "sampler": self.chains.sampler.spec}

    def load_state_dict(self, state: dict) -> None:
        """Goes on from there, bit for bit."""
        # wherever torch.load has put it
        levels = self._torch.as_tensor(state["levels"]).cpu().numpy()
        levels = levels.astype(float)
        if levels.ndim != 3 or levels.shape[2] != self.dim:
            raise ValueError(f"levels has shape {levels.shape}, expected "
                             f"(chains, levels, {self.dim})")
        chains = Chains(levels, state["sampler"], state["seed"],
                        self.chains.threads)
        chains.counts = state["moved"]
        self.chains = chains
