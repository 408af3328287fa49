"""Samplers of the literature in PyTorch, written as one would write them down.

Autograd at every state whose weights are needed, both energies again at the
decision, batched over chains, for states of 0 and 1: what `Straightforward` of
samplers.py is for DMALA and GWG.  All leave exp(U) invariant (check.py).
"""
import itertools
import math

import torch
from torch.nn.functional import logsigmoid

from samplers import Straightforward, flip_where


class Collection(Straightforward):
    def gains(self, x):
        """To first order, which is exact where U is linear in each bit."""
        return (1 - 2 * x) * self.gradient(self.model.energy, x)

    def informed(self, steps):
        """Zanella 2020 with Barker's balancing function."""
        for _ in range(steps):
            self.path(1, logsigmoid)

    def pas(self, length, steps):
        """Sun et al. 2022."""
        for _ in range(steps):
            self.path(int(torch.randint(1, 2 * length, ())), lambda z: z / 2)

    def path(self, length, balance):
        energy, y, log_q = self.model.energy, self.x, 0.0
        weights = balance(self.gains(y)).log_softmax(-1)
        for _ in range(length):
            site = torch.multinomial(weights.exp(), 1)
            y = y.scatter(1, site, 1 - y.gather(1, site))
            log_q = log_q - weights.gather(1, site).squeeze(1)
            weights = balance(self.gains(y)).log_softmax(-1)
            log_q = log_q + weights.gather(1, site).squeeze(1)
        with torch.no_grad():
            self.accept(y, energy(y) - energy(self.x) + log_q)

    def pafs(self, length, steps):
        """Sun et al. 2022 with weights at both ends alone."""
        def log_q(logits, sites):
            """Of sites in this order, each once."""
            chosen = logits.gather(1, sites)
            weight = chosen.exp()
            left = 1 - weight.cumsum(-1) + weight
            return (chosen - left.clamp(min=1e-12).log()).sum(-1)

        energy = self.model.energy
        for _ in range(steps):
            count = min(int(torch.randint(1, 2 * length, ())), self.model.dim)
            forward = (self.gains(self.x) / 2).log_softmax(-1)
            sites = torch.multinomial(forward.exp(), count)
            y = self.x.scatter(1, sites, 1 - self.x.gather(1, sites))
            reverse = (self.gains(y) / 2).log_softmax(-1)
            with torch.no_grad():
                self.accept(y, energy(y) - energy(self.x)
                            + log_q(reverse, sites.flip(-1)) - log_q(forward, sites))

    def dlmc(self, tau, steps):
        """Sun et al. 2023, g = sqrt."""
        def flips_at(x):
            z = self.gains(x)
            nu = torch.sigmoid(z)
            return nu * (1 - torch.exp(-tau * torch.exp(z / 2) / nu))

        def log_q(p, flips):
            return torch.where(flips, p.log(), torch.log1p(-p)).sum(-1)

        energy = self.model.energy
        for _ in range(steps):
            forward = flips_at(self.x)
            flips = torch.rand_like(self.x) < forward
            y = flip_where(self.x, flips)
            reverse = flips_at(y)
            with torch.no_grad():
                self.accept(y, energy(y) - energy(self.x)
                            + log_q(reverse, flips) - log_q(forward, flips))

    def hamming(self, block, radius, updates):
        """Titsias & Yau 2017: the ball as a batch."""
        dim, chains = self.model.dim, len(self.x)
        ball = [c for r in range(radius + 1) for c in itertools.combinations(range(block), r)]
        masks = torch.zeros(len(ball), block)
        for row, change in enumerate(ball):
            masks[row, list(change)] = 1
        for _ in range(updates):
            first = int(torch.randint(dim, ()))
            sites = (first + torch.arange(block)) % dim
            shift = masks[torch.randint(len(ball), (chains,))]
            u = self.x.clone()
            u[:, sites] = (u[:, sites] - shift).abs()
            states = u[:, None, :].repeat(1, len(ball), 1)
            states[:, :, sites] = (states[:, :, sites] - masks).abs()
            with torch.no_grad():
                energy = self.model.energy(states.reshape(-1, dim)).reshape(chains, -1)
            pick = torch.multinomial(energy.softmax(-1), 1)[:, 0]
            self.x = states[torch.arange(chains), pick]

    def edlp(self, eta, alpha, steps):
        """Mohanty et al. 2025, Gibbs-like updates of the copy."""
        for _ in range(steps):
            copy = self.x + eta ** 0.5 * torch.randn_like(self.x)

            def conditional(x, copy=copy):
                return self.model.energy(x) - ((x - copy) ** 2).sum(-1) / (2 * eta)

            self.dmala_step(conditional, alpha)

    def smc(self, betas, alpha, steps):
        """Population annealing (Hukushima & Iba 2003), moved by DMALA."""
        size, before, self.log_z = len(self.x), 0.0, self.model.dim * math.log(2)
        self.x = torch.randint(2, self.x.shape).float()
        for beta in betas:
            with torch.no_grad():
                log_w = (beta - before) * self.model.energy(self.x)
            self.log_z += (log_w.logsumexp(0) - math.log(size)).item()
            places = (torch.rand(()) + torch.arange(size)) / size
            pick = torch.searchsorted(log_w.softmax(0).cumsum(0), places)
            self.x = self.x[pick.clamp(max=size - 1)]
            for _ in range(steps):
                self.dmala_step(lambda x, b=beta: b * self.model.energy(x), alpha)
            before = beta


# Chains, and the arguments of a sample's call, on the 24 x 24 lattice.
CASES = {
    "informed_ising24": (16, "informed", (20,)),
    "pas_ising24": (16, "pas", (3, 20)),
    "pafs_ising24": (16, "pafs", (5, 20)),
    "dlmc_ising24": (16, "dlmc", (0.1, 20)),
    "hamming_ising24": (16, "hamming", (8, 2, 72)),
    "edlp_ising24": (16, "edlp", (1.0, 0.2, 20)),
    "smc_ising24": (256, "smc", ([n / 40 for n in range(1, 41)], 0.2, 1)),
}
