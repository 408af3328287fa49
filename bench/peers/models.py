"""The models of the comparison in PyTorch: U = ln of the unnormalized probability.

States are 0 and 1, float, [chains, dim]; spins are s = 2x - 1.  energy(x) is
differentiable and written as one would write it down.  both(x) gives U and
its gradient in closed form, without autograd, for those who count their time.
"""
import torch

HIDDEN = 100
CHUNK = 256  # cases at a time: their hidden units stay in the cache


class Bernoulli:
    """Four bits whose 16 states have given probabilities; U is multilinear."""

    dim = 4

    def __init__(self):
        p = torch.full((16,), 5.882e-6)
        p[0], p[14], p[15] = 0.588204, 0.294102, 0.117641
        self.log_p = p.log()
        states = torch.arange(16)
        self.place = torch.tensor([8, 4, 2, 1])  # the first bit counts most
        self.corner = (states[:, None] // self.place % 2).float()
        high = states[:, None] | self.place
        self.slope = self.log_p[high] - self.log_p[high - self.place]

    def energy(self, x):
        x = x[:, None, :]
        weight = (self.corner * x + (1 - self.corner) * (1 - x)).prod(-1)
        return weight @ self.log_p

    def both(self, x):
        state = x.long() @ self.place
        return self.log_p[state], self.slope[state]


class Ising:
    """U = 1/2 s'Js + b sum s; J is a full matrix, its diagonal included."""

    def __init__(self, j, b):
        self.j, self.b, self.dim = j, b, len(j)

    def energy(self, x):
        s = 2 * x - 1
        return 0.5 * ((s @ self.j) * s).sum(-1) + self.b * s.sum(-1)

    def both(self, x):
        s = 2 * x - 1
        field = s @ self.j
        return ((0.5 * field + self.b) * s).sum(-1), 2 * (field + self.b)


def cross():
    """The paper's 3 x 3 model: 10 on both diagonals of W, J = W, b = 0.1."""
    j = 10 * torch.maximum(torch.eye(9), torch.eye(9).flip(0))
    return Ising(j, 0.1)


class Lattice(Ising):
    """A periodic square lattice; energy() takes the full matrix, as the paper
    does for its Ising models, both() sums four neighbors."""

    def __init__(self, side, beta):
        at = torch.arange(side * side).view(side, side)
        j = torch.zeros(side * side, side * side)
        for axis in (0, 1):
            other = at.roll(1, axis)
            j[at.flatten(), other.flatten()] += beta
            j[other.flatten(), at.flatten()] += beta
        super().__init__(j, 0.0)
        self.side, self.beta = side, beta

    def both(self, x):
        s = (2 * x - 1).view(-1, self.side, self.side)
        field = s.roll(1, 1).add_(s.roll(-1, 1)).add_(s.roll(1, 2))
        field.add_(s.roll(-1, 2)).mul_(self.beta)
        return 0.5 * (field * s).sum((1, 2)), (2 * field).flatten(1)


class Network:
    """Inputs -> 100 tanh -> sigmoid, all weights and biases -1 or 1;
    U = -100 * mean squared error.  Bits: W1 input by input, b1, w2, b2."""

    def __init__(self, inputs, targets):
        self.z, self.y = inputs, targets
        self.cases, self.inputs = inputs.shape
        self.dim = (self.inputs + 2) * HIDDEN + 1

    def parts(self, s):
        cut = self.inputs * HIDDEN
        return (s[:, :cut].view(-1, self.inputs, HIDDEN),
                s[:, cut:cut + HIDDEN], s[:, cut + HIDDEN:-1], s[:, -1])

    def energy(self, x):
        w1, b1, w2, b2 = self.parts(2 * x - 1)
        hidden = torch.tanh(self.z @ w1 + b1[:, None, :])
        out = (hidden @ w2[:, :, None]).squeeze(-1) + b2[:, None]
        return -100 * (torch.sigmoid(out) - self.y).square().mean(-1)

    def both(self, x):
        networks = len(x)
        w1, b1, w2, b2 = self.parts(2 * x - 1)
        wide = w1.permute(1, 0, 2).reshape(self.inputs, -1)
        u, grad = torch.zeros(networks), torch.zeros_like(x)
        g_wide, (_, g_b1, g_w2, g_b2) = torch.zeros_like(wide), self.parts(grad)
        for z, y in zip(self.z.split(CHUNK), self.y.split(CHUNK)):
            hidden = torch.addmm(b1.reshape(1, -1), z, wide).tanh_()
            hidden = hidden.view(-1, networks, HIDDEN)
            f = torch.einsum("ncj,cj->nc", hidden, w2).add_(b2).sigmoid_()
            error = f - y[:, None]
            u -= error.square().sum(0)
            slope = error.mul_(f).mul_(1 - f)
            g_w2 += torch.einsum("nc,ncj->cj", slope, hidden)
            g_b2 += slope.sum(0)
            back = hidden.square_().neg_().add_(1).mul_(w2)
            back = back.mul_(slope[:, :, None]).view(len(z), -1)
            g_b1 += back.sum(0).view_as(g_b1)
            g_wide.addmm_(z.t(), back)
        self.parts(grad)[0].copy_(
            g_wide.view(self.inputs, networks, HIDDEN).permute(1, 0, 2))
        # dU/dx = 2 dU/ds, and 2 of the square
        return u * (100 / self.cases), grad.mul_(-400 / self.cases)


def read_cases(path):
    """What `bench_speed cases` wrote."""
    with open(path, "rb") as f:
        data = f.read()
    cases, inputs = torch.frombuffer(bytearray(data[:8]), dtype=torch.int32).tolist()
    numbers = torch.frombuffer(bytearray(data[8:]), dtype=torch.float32)
    return (numbers[:cases * inputs].view(cases, inputs).contiguous(),
            numbers[cases * inputs:].contiguous())
