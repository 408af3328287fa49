"""Training of energy models with persistent chains.

    >>> model = hiss.train.RBM(784, 500)
    >>> run = hiss.train.Training(model, data, batch=100,
    ...                           optimizer=hiss.train.Adam(1e-3))
    >>> run.fit(2000)
    >>> run.log_likelihood(), run.check()

docs/training.md has formulas, examples and what was measured.
"""
from ._annealing import (Estimate, even_betas, exact_log_z, independent,
                         log_z)
from ._energy_models import RBM, Boltzmann, EnergyModel, Ising, Potts
from ._optimizers import SGD, Adam
from ._training import Gradient, Training, gradient, resume
from ._training_check import TrainingDiagnosis, coverage
from ._training_torch import TorchTraining

__all__ = ["Adam", "Boltzmann", "EnergyModel", "Estimate", "Gradient",
           "Ising", "Potts", "RBM", "SGD", "TorchTraining", "Training",
           "TrainingDiagnosis", "coverage", "even_betas", "exact_log_z",
           "gradient", "independent", "log_z", "resume"]
