"""Samplers of the literature in PyTorch, written as one would write them down.

Autograd at every state whose weights are needed, both energies again at the
decision, batched over chains, for states of 0 and 1: what `Straightforward` of
samplers.py is for DMALA and GWG.  All leave exp(U) invariant (check.py).
"""
import itertools
import math

import torch
from torch.nn.functional import logsigmoid, softplus

from samplers import Straightforward, flip_where


class Collection(Straightforward):
    def gains(self, x):
        """To first order, which is exact where U is linear in each bit."""
        return (1 - 2 * x) * self.gradient(self.model.energy, x)

    def hessian(self):
        return torch.autograd.functional.hessian(
            lambda x: self.model.energy(x[None, :]).sum(), self.x[0])

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

    def ab(self, sigma, rank, steps):
        """Sun et al. 2023, with B from the Hessian and a = (1 + e^(-1/2 sigma)) / 2."""
        if not hasattr(self, "b"):
            value, vector = torch.linalg.eigh(self.hessian())
            self.b = vector[:, -rank:] * value[-rank:].clamp(min=0).sqrt()
            self.bend = (self.b ** 2).sum(-1) / 2
        a = (1 + math.exp(-1 / (2 * sigma))) / 2

        def logits(x, xi):
            slope = self.gradient(self.model.energy, x) + xi @ self.b.T
            return a * ((1 - 2 * x) * slope - self.bend) - 1 / (2 * sigma)

        def log_q(z, flips):
            return torch.where(flips, logsigmoid(z), logsigmoid(-z)).sum(-1)

        energy = self.model.energy
        for _ in range(steps):
            xi = torch.randn(len(self.x), rank)
            forward = logits(self.x, xi)
            flips = torch.rand_like(self.x) < torch.sigmoid(forward)
            y = flip_where(self.x, flips)
            other = xi + (self.x - y) @ self.b
            reverse = logits(y, other)
            with torch.no_grad():
                self.accept(y, energy(y) - energy(self.x)
                            + ((xi ** 2).sum(-1) - (other ** 2).sum(-1)) / 2
                            + log_q(reverse, flips) - log_q(forward, flips))

    def chromatic(self, sweeps):
        """Gonzalez et al. 2011: colors by the Hessian, one after the other."""
        if not hasattr(self, "colors"):
            near = self.hessian() != 0
            color = torch.full((self.model.dim,), -1)
            for i in range(self.model.dim):
                used = set(color[near[i]].tolist())
                color[i] = next(c for c in itertools.count() if c not in used)
            self.colors = [color == c for c in range(int(color.max()) + 1)]
        for _ in range(sweeps):
            for chosen in self.colors:
                p = torch.sigmoid(self.gains(self.x))
                self.x = flip_where(self.x, (torch.rand_like(self.x) < p) & chosen)

    def jumps(self, time, steps):
        """Zanella 2020 in continuous time, g = sqrt."""
        for _ in range(steps):
            self.process(time, lambda z: z / 2)

    def tgs(self, time, power, steps):
        """Zanella & Roberts 2019 in continuous time."""
        def log_rate(z):
            return power * z - 2 * softplus(power * z) + softplus(z)

        for _ in range(steps):
            self.process(time, log_rate)

    def process(self, time, log_rate):
        left = torch.full((len(self.x),), float(time))
        while True:
            rates = log_rate(self.gains(self.x)).exp()
            left = left - torch.empty_like(left).exponential_() / rates.sum(-1)
            if not bool((left > 0).any()):
                return
            site = torch.multinomial(rates, 1)
            y = self.x.scatter(1, site, 1 - self.x.gather(1, site))
            self.x = torch.where((left > 0)[:, None], y, self.x)

    def tabu(self, time, steps):
        """Power & Goldman 2019, g = sqrt, with fresh signs at every step."""
        for _ in range(steps):
            left = torch.full((len(self.x),), float(time))
            is_open = torch.rand_like(self.x) < 0.5
            while True:
                rates = (self.gains(self.x) / 2).exp()
                some = (rates * is_open).sum(-1)
                most = torch.maximum(some, (rates * ~is_open).sum(-1))
                left = left - torch.empty_like(left).exponential_() / most
                goes = left > 0
                if not bool(goes.any()):
                    break
                jumps = goes & (torch.rand_like(left) < some / most)
                site = torch.multinomial(rates * is_open + 1e-30, 1)
                y = self.x.scatter(1, site, 1 - self.x.gather(1, site))
                self.x = torch.where(jumps[:, None], y, self.x)
                shut = is_open.scatter(1, site, False)
                is_open = torch.where(jumps[:, None], shut,
                                      torch.where(goes[:, None], ~is_open, is_open))

    def mtm(self, tries, steps):
        """Gagnon, Maire & Zanella 2023, one flip per try, g = sqrt."""
        energy, dim, chains = self.model.energy, self.model.dim, len(self.x)

        def try_from(x, count):
            sites = torch.randint(dim, (chains, count))
            flips = torch.nn.functional.one_hot(sites, dim)
            return sites, (x[:, None, :] - flips).abs()

        with torch.no_grad():
            for _ in range(steps):
                here = energy(self.x)
                sites, y = try_from(self.x, tries)
                weights = (energy(y.reshape(-1, dim)).reshape(chains, -1) - here[:, None]) / 2
                pick = torch.multinomial(weights.softmax(-1), 1)[:, 0]
                y = y[torch.arange(chains), pick]
                there = energy(y)
                _, z = try_from(y, tries - 1)
                back = torch.cat([energy(z.reshape(-1, dim)).reshape(chains, -1),
                                  here[:, None]], 1)
                back = (back - there[:, None]) / 2
                self.accept(y, weights.logsumexp(-1) - back.logsumexp(-1))

    def pthr(self, ladder, copies, alpha, steps):
        """Parallel tempering with Houdayer moves at every temperature, moved by DMALA."""
        levels = len(ladder)
        beta = 1 / torch.tensor(ladder)
        own = beta.repeat_interleave(copies)
        for n in range(steps):
            self.dmala_step(lambda x: own * self.model.energy(x), alpha)
            order = torch.rand(levels, copies).argsort(-1)
            x = self.x[(order + copies * torch.arange(levels)[:, None]).flatten()]
            a, b = x[0::2], x[1::2]
            part = self.cluster(a != b)
            x = torch.stack([torch.where(part, b, a), torch.where(part, a, b)], 1)
            x = x.reshape(levels, copies, -1)
            with torch.no_grad():
                u = self.model.energy(x.flatten(0, 1)).reshape(levels, copies)
            for t in range(n % 2, levels - 1, 2):
                take = torch.rand(copies).log() < (beta[t] - beta[t + 1]) * (u[t + 1] - u[t])
                cold, hot = x[t].clone(), x[t + 1].clone()
                x[t] = torch.where(take[:, None], hot, cold)
                x[t + 1] = torch.where(take[:, None], cold, hot)
            self.x = x.flatten(0, 1)

    def cluster(self, differ):
        """Of a random site where two states differ, grown over the lattice."""
        side = math.isqrt(self.model.dim)
        seed = torch.multinomial(differ.float() + 1e-12, 1)
        part = torch.zeros_like(differ).scatter(1, seed, True) & differ
        while True:
            grid = part.reshape(-1, side, side)
            grown = grid.clone()
            for axis, way in ((1, 1), (1, -1), (2, 1), (2, -1)):
                grown |= grid.roll(way, axis)
            grown = grown.flatten(1) & differ
            if torch.equal(grown, part):
                return part
            part = grown


# Chains, and the arguments of a sample's call, on the 24 x 24 lattice.
CASES = {
    "informed_ising24": (16, "informed", (20,)),
    "pas_ising24": (16, "pas", (3, 20)),
    "pafs_ising24": (16, "pafs", (5, 20)),
    "dlmc_ising24": (16, "dlmc", (0.1, 20)),
    "hamming_ising24": (16, "hamming", (8, 2, 72)),
    "edlp_ising24": (16, "edlp", (1.0, 0.2, 20)),
    "pthr_ising24": (16, "pthr", ([1, 1.2, 1.5, 2], 4, 0.2, 20)),
    "smc_ising24": (256, "smc", ([n / 40 for n in range(1, 41)], 0.2, 1)),
    "chromatic_ising24": (16, "chromatic", (20,)),
    "jumps_ising24": (16, "jumps", (0.04, 5)),
    "tgs_ising24": (16, "tgs", (0.04, 0.5, 5)),
    "tabu_ising24": (16, "tabu", (0.04, 5)),
    "mtm_ising24": (16, "mtm", (8, 20)),
    "ab_ising24": (16, "ab", (0.25, 4, 20)),
}
