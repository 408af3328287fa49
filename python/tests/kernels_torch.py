"""Transitions as users of torch write them: in single precision, with gradients
of autograd and generators of torch."""
import torch
from kernels import DIM, FIELD, PAIRS, POTTS

W, H = torch.tensor(PAIRS).float(), torch.tensor(FIELD).float()
OWN = torch.tensor(POTTS).float()


def energy(x):
    return 0.5 * torch.einsum("ni,ij,nj->n", x, W, x) + x @ H


def slope(x):
    x = x.detach().requires_grad_(True)
    return torch.autograd.grad(energy(x).sum(), x)[0]


def accept(x, y, log_ratio, generator):
    ok = torch.rand(len(x), generator=generator) < log_ratio.exp()
    return torch.where(ok[:, None], y, x)


def torch_gibbs(x, generator):
    for i in range(DIM):
        chance = torch.sigmoid(x @ W[:, i] + H[i])
        x[:, i] = (torch.rand(len(x), generator=generator) < chance).float()
    return x


def torch_dmala(x, generator, alpha=0.6, has_reverse=True):
    def law(z):
        return torch.distributions.Bernoulli(
            logits=(1 - 2 * z) * slope(z) / 2 - 1 / (2 * alpha))

    flips = (torch.rand(x.shape, generator=generator) < law(x).probs).float()
    y = (x - flips).abs()
    log_ratio = energy(y) - energy(x)
    if has_reverse:
        log_ratio += (law(y).log_prob(flips) - law(x).log_prob(flips)).sum(1)
    return accept(x, y, log_ratio, generator)


def torch_labels(x, generator):
    """Another label for one coordinate, of labels as whole numbers."""
    def u(z):
        return 0.8 * (z[:, 1:] == z[:, :-1]).float().sum(1) + OWN[z].sum(1)

    i = torch.randint(4, (len(x), 1), generator=generator)
    by = torch.randint(1, 3, (len(x), 1), generator=generator)
    y = x.scatter(1, i, (x.gather(1, i) + by) % 3)
    return accept(x, y, u(y) - u(x), generator)


def torch_without_reverse(x, generator):
    return torch_dmala(x, generator, has_reverse=False)


def torch_in_place(x, generator):
    """The energy of x is that of y: both are one tensor."""
    y = x
    i = torch.randint(DIM, (len(x), 1), generator=generator)
    y.scatter_(1, i, 1 - y.gather(1, i))
    return accept(x, y, energy(y) - energy(x), generator)


RIGHT = [("bits", torch_gibbs), ("bits", torch_dmala),
         ("labels", torch_labels)]
WRONG = [("bits", torch_without_reverse, "mass goes to states of higher U"),
         ("bits", torch_in_place, "mass goes to states of lower U")]
