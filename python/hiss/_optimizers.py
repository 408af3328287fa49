"""Steps along a gradient that is to be climbed: SGD with momentum, Adam."""
from __future__ import annotations

import numpy as np

from . import _arrays as arrays


def _share(name, value):
    value = arrays.number(name, value)
    if not 0 <= value < 1:
        raise ValueError(f"{name} is {value:g}, expected a number in [0, 1)")
    return value


class Optimizer:
    """What SGD and Adam share; `rate` may be changed between steps."""

    options: tuple = ()  # arguments that make it again
    slots: tuple = ()  # what it remembers of each parameter

    def __init__(self, rate):
        self.rate = arrays.positive("rate", rate)
        self.steps = 0
        self.memory: dict = {}

    def as_dict(self):
        return {name: getattr(self, name) for name in self.options}

    def __repr__(self):
        words = ", ".join(f"{name}={value!r}"
                          for name, value in self.as_dict().items())
        return f"{type(self).__name__}({words})"

    def slot(self, name, parameter, like):
        key = f"{name}.{parameter}"
        if key not in self.memory:
            self.memory[key] = np.zeros_like(like)
        return self.memory[key]

    def climb(self, params, gradient):
        """Changes params, arrays by name, in place."""
        self.steps += 1
        for parameter, value in params.items():
            self._climb(parameter, value, gradient[parameter])

    def _climb(self, parameter, value, gradient):
        raise NotImplementedError


class SGD(Optimizer):
    """value += rate * velocity, velocity = momentum * velocity + gradient."""

    options, slots = ("rate", "momentum"), ("velocity",)

    def __init__(self, rate: float = 0.01, momentum: float = 0.0):
        super().__init__(rate)
        self.momentum = _share("momentum", momentum)

    def _climb(self, parameter, value, gradient):
        if self.momentum:
            velocity = self.slot("velocity", parameter, value)
            velocity *= self.momentum
            velocity += gradient
            gradient = velocity
        value += value.dtype.type(self.rate) * gradient


class Adam(Optimizer):
    """Adam [Kingma & Ba 2015], with its correction of the first steps."""

    options, slots = ("rate", "beta1", "beta2", "eps"), ("mean", "square")

    def __init__(self, rate: float = 1e-3, beta1: float = 0.9,
                 beta2: float = 0.999, eps: float = 1e-8):
        super().__init__(rate)
        self.beta1, self.beta2 = _share("beta1", beta1), _share("beta2", beta2)
        self.eps = arrays.positive("eps", eps)

    def _climb(self, parameter, value, gradient):
        mean = self.slot("mean", parameter, value)
        square = self.slot("square", parameter, value)
        number = value.dtype.type
        step = np.multiply(gradient, number(1 - self.beta1), dtype=value.dtype)
        mean *= number(self.beta1)
        mean += step
        np.multiply(gradient, gradient, out=step)
        step *= number(1 - self.beta2)
        square *= number(self.beta2)
        square += step
        # the corrections of both means, as factors of rate and eps
        late = np.sqrt(1 - self.beta2 ** self.steps)
        np.sqrt(square, out=step)
        step += number(self.eps * late)
        np.divide(mean, step, out=step)
        step *= number(self.rate * late / (1 - self.beta1 ** self.steps))
        value += step


KINDS = {kind.__name__: kind for kind in (SGD, Adam)}
