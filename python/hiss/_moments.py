"""Means of what parameters multiply, over states, with their errors."""
from __future__ import annotations


class Moments:
    """Means of dU by each parameter over some states.

    mean: by parameter.  number: of states, or what weighted ones are worth.
    spread: the sum of the variances of all parameters' terms, so that the
    squared error of the means together is spread / number.
    variance: of each term, by parameter, where it was asked for.
    """

    def __init__(self, mean, number, square, norm, variance=None):
        self.mean, self.number = mean, number
        self.spread = max(0.0, float(square) - norm(mean))
        self.variance = variance

    @property
    def noise(self):
        """The squared error of all means together."""
        return self.spread / self.number


def worth(weights, count):
    """Of how many equal ones they are worth."""
    return count if weights is None else \
        float(weights.sum()) ** 2 / float((weights ** 2).sum())
