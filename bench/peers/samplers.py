"""HiSS, DMALA and GWG in PyTorch, batched over chains, for states of 0 and 1.

Two versions of the same kernels [Mohanty & Zhang 2026; Zhang et al. 2022;
Grathwohl et al. 2021]:
  Straightforward  asks autograd at the state and at the proposal and then
                   computes both energies again: 4 evaluations per step of
                   DMALA and GWG, 2 per jump, as the paper counts;
  Efficient        keeps U and gradient with the state, takes them in closed
                   form, and the tilt's exact difference once per sweep:
                   1 evaluation per step and per jump.
Both leave exp(U) invariant (check.py).
"""
import torch
from torch.nn.functional import logsigmoid, softplus


def flip_where(x, mask):
    return torch.where(mask, 1 - x, x)


def uniform(like):
    return torch.rand_like(like).clamp_(1e-7, 1 - 1e-7)


def log_cosh(z):
    z = z.abs()
    return z + torch.log1p(torch.exp(-2 * z)) - 0.6931471805599453


class Straightforward:
    def __init__(self, model, x):
        self.model, self.x = model, x

    def accept(self, y, log_ratio):
        keep = torch.rand(len(y)).log() < log_ratio
        self.x = torch.where(keep[:, None], y, self.x)

    @staticmethod
    def gradient(target, x):
        x = x.detach().requires_grad_()
        return torch.autograd.grad(target(x).sum(), x)[0]

    def dmala_step(self, target, alpha):
        def logits(x):
            return -(2 * x - 1) * self.gradient(target, x) / 2 - 1 / (2 * alpha)

        def log_q(z, flips):
            return torch.where(flips, logsigmoid(z), logsigmoid(-z)).sum(-1)

        x = self.x
        forward = logits(x)
        flips = torch.rand_like(x) < torch.sigmoid(forward)
        y = flip_where(x, flips)
        reverse = logits(y)
        with torch.no_grad():
            self.accept(y, target(y) - target(x)
                        + log_q(reverse, flips) - log_q(forward, flips))

    def dmala(self, alpha, steps):
        for _ in range(steps):
            self.dmala_step(self.model.energy, alpha)

    def gwg(self, steps):
        energy = self.model.energy
        for _ in range(steps):
            x = self.x
            forward = -(2 * x - 1) * self.gradient(energy, x) / 2
            site = torch.multinomial(forward.softmax(-1), 1)
            y = x.scatter(1, site, 1 - x.gather(1, site))
            reverse = -(2 * y - 1) * self.gradient(energy, y) / 2
            with torch.no_grad():
                log_q = [z.log_softmax(-1).gather(1, site).squeeze(1)
                         for z in (forward, reverse)]
                self.accept(y, energy(y) - energy(x) + log_q[1] - log_q[0])

    def hiss(self, eta, alpha, sweeps, steps):
        energy = self.model.energy
        for _ in range(sweeps):
            u = uniform(self.x)
            a = self.x + eta * torch.log(u / (1 - u))
            zero, one = (-2 * log_cosh((a - v) / (2 * eta)) for v in (0, 1))
            y = (torch.rand_like(a) < torch.sigmoid(one - zero)).float()
            with torch.no_grad():
                self.accept(y, energy(y) - energy(self.x))

            def conditional(x, a=a):
                return energy(x) - 2 * log_cosh((a - x) / (2 * eta)).sum(-1)

            for _ in range(steps):
                self.dmala_step(conditional, alpha)


class Efficient:
    def __init__(self, model, x):
        self.model, self.x = model, x
        self.u, self.g = model.both(x)

    def accept(self, y, u, g, log_ratio):
        keep = torch.rand(len(y)).log_() < log_ratio
        self.u = torch.where(keep, u, self.u)
        keep = keep[:, None]
        self.x = torch.where(keep, y, self.x)
        self.g = torch.where(keep, g, self.g)

    def dmala_step(self, alpha, tilt):
        """tilt: phi(1) - phi(0) of every coordinate, or 0.

        With z the logits, ln q(y|x) is the sum of z over the flips less that
        of ln(1 + e^z) over all."""
        x = self.x
        away = 1 - 2 * x
        forward = (self.g + tilt).mul_(away).mul_(0.5).sub_(1 / (2 * alpha))
        flips = torch.rand_like(x) < torch.sigmoid(forward)
        y = flip_where(x, flips)
        u, g = self.model.both(y)
        reverse = (g + tilt).mul_(1 - 2 * y).mul_(0.5).sub_(1 / (2 * alpha))
        change = (reverse - forward).add_(away * tilt).mul_(flips)
        change += softplus(forward) - softplus(reverse)
        self.accept(y, u, g, u - self.u + change.sum(-1))

    def dmala(self, alpha, steps):
        for _ in range(steps):
            self.dmala_step(alpha, 0.0)

    def gwg(self, steps):
        for _ in range(steps):
            x = self.x
            forward = (1 - 2 * x).mul_(self.g).mul_(0.5).log_softmax(-1)
            site = torch.multinomial(forward.exp(), 1)
            y = x.scatter(1, site, 1 - x.gather(1, site))
            u, g = self.model.both(y)
            reverse = (1 - 2 * y).mul_(g).mul_(0.5).log_softmax(-1)
            log_q = (reverse - forward).gather(1, site).squeeze(1)
            self.accept(y, u, g, u - self.u + log_q)

    def hiss(self, eta, alpha, sweeps, steps):
        for _ in range(sweeps):
            a = torch.logit(uniform(self.x)).mul_(eta).add_(self.x)
            a.div_(2 * eta)
            tilt = 2 * (log_cosh(a) - log_cosh(a - 1 / (2 * eta)))
            y = (torch.rand_like(a) < torch.sigmoid(tilt)).float()
            u, g = self.model.both(y)
            self.accept(y, u, g, u - self.u)
            for _ in range(steps):
                self.dmala_step(alpha, tilt)


VERSIONS = {"straightforward": Straightforward, "efficient": Efficient}
