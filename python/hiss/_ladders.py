"""What a run over temperatures found: tempering, populations, weights."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Tempering:
    """What parallel tempering found; arrays go from the target to the hottest
    level."""

    beta: np.ndarray
    swap: np.ndarray  # acceptance of exchanges with the next level
    energy: np.ndarray  # mean U
    barrier: float
    round_trips: float
    is_absolute: bool  # the hottest is beta = 0: log_z is that of the target
    log_z: float
    log_z_se: float
    log_z_thermodynamic: float
    log_z_settled: bool  # enough round trips; without them log_z_se is NaN
    path_share: np.ndarray  # of log p, on the reference path; empty without one
    path_swap: np.ndarray  # acceptance with the neighbor nearer the target
    path_barrier: float
    path_log_z: float  # log Z, estimated along the reference path
    path_log_z_se: float
    path_agrees: bool  # both paths give the same log Z

    def __getattr__(self, name):
        """Names of before 0.3: leg_share is path_share."""
        if name.startswith("leg_"):
            return getattr(self, "path_" + name[4:])
        raise AttributeError(name)


@dataclass(frozen=True)
class Phases:
    """What multicanonical sampling found: log p in cells of equal width.
    Without two phases, what is about them is NaN."""

    u: np.ndarray  # log p in the middle of each cell
    histogram: np.ndarray  # share of the steps under the weights
    target: np.ndarray  # the target's probability of each cell
    has_phases: bool
    phases: tuple[float, float]  # log p at the two maxima of the target
    valley: float  # log p that is least likely between them
    barrier: float  # ln of the lower maximum over the valley
    share: float  # of the target above the valley
    share_se: float
    gap: float  # mean log p above the valley minus that below it
    round_trips: float
    log_z: float
    log_z_se: float  # NaN from one chain, and where it is not settled
    log_z_settled: bool
    is_absolute: bool  # log_z is that of the target


@dataclass(frozen=True)
class Population:
    """What smc found.  Every chain is a population of its own; its draws are
    replicas, resampled to equal weights and ordered by families."""

    replicas: int  # of a population
    beta: np.ndarray  # 1 / temperature, rising to 1
    counts: np.ndarray  # share of the replicas that count behind each step
    resampled: np.ndarray  # share of the chains that were, there
    energy: np.ndarray  # weighted mean U
    log_z: float
    log_z_se: float  # NaN from one chain
    chain_log_z: np.ndarray  # pooled draws weigh as exp of it
    ess: np.ndarray  # of each chain: share that counted at the end
    rho_t: np.ndarray  # of each chain: mean squared family size
    rho_s: np.ndarray  # the same by entropy
    families: np.ndarray  # of each chain: that are left


@dataclass(frozen=True)
class NetworkWeights:
    """The network of sampler network, and the weights p/q of its proposals,
    which are independent: Z is their mean, without bias."""

    bond: int  # the limit that was given or chosen
    largest: int  # the largest bond that was needed within it
    frontier: int  # variables between what is drawn and what is not
    layers: int
    discarded: float  # shares of squared weight that compression left out
    proposals: float
    acceptance: float  # of the Metropolis tests
    effective: float  # share of the proposals that count as weighted draws
    log_z: float
    log_z_se: float  # NaN where too few proposals count


@dataclass(frozen=True)
class Particles:
    """The replicas of smc at the target, before they were resampled to draws:
    views, as those of the result."""

    states: np.ndarray  # (chain, replica, coordinate)
    lp: np.ndarray  # (chain, replica)
    weights: np.ndarray  # (chain, replica): those of a chain add up to 1
    chain_log_z: np.ndarray  # of each chain

    @property
    def pooled_weights(self) -> np.ndarray:
        """Of all chains together, each of which weighs as its Z; they add up
        to 1."""
        share = np.exp(self.chain_log_z - self.chain_log_z.max())
        return self.weights * (share / share.sum())[:, None]
