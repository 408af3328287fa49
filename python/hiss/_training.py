"""Training: parameters climb the log-likelihood, chains persist."""
from __future__ import annotations

import errno
import hashlib
import json
import os
import zipfile

import numpy as np

from . import _arrays as arrays
from . import _optimizers as optimizers
from ._annealing import (ISLANDS, Estimate, Witnesses, anneal,
                         as_energy_model, exact_log_z, schedule)
from ._chains import Chains
from ._energy_models import KINDS, EnergyModel
from ._errors import FormatError
from ._training_alarm import Alarm
from ._training_check import check

FORMAT = 1  # of files
CURVES = ("gradient_norm", "gradient_noise", "log_likelihood", "log_z",
          "log_z_error")
WEIGHT_LEAST, WEIGHT_MOST = 1e-100, 1e100  # of the largest: sums are finite
ANCHOR = 100  # betas for a model that has just been made
RENEWED = 300  # and for one under way,
RESTLESS = 0.5  # where islands of witnesses differ so much in ln Z


class Gradient:
    """Of the mean log-likelihood by each parameter, with standard errors.

    values, errors: arrays by name.  norm: of all values together; noise: the
    norm that errors alone would give, so that norm² - noise² is about the
    squared norm of the truth.
    """

    def __init__(self, values, errors, norm, noise):
        self.values, self.errors = values, errors
        self.norm, self.noise = norm, noise

    def __repr__(self):
        return f"<hiss.train.Gradient: norm {self.norm:.4g}, " \
               f"noise {self.noise:.4g}>"


def gradient(model, data, states, weights=None) -> Gradient:
    """Of the mean log-likelihood of data, from draws of the model.

    data: (n, dim), with weights (n,) if given; states: independent draws of
    the model, (m, dim).  Errors count the draws' alone: the data are given.
    """
    model = as_energy_model(model)
    data, weights = as_data(model, data, weights)
    given = model.moments(data, weights)
    drawn = model.moments(model.states("states", states), errors=True)
    values = {name: given.mean[name] - drawn.mean[name]
              for name in model.params}
    errors = {name: np.sqrt(drawn.variance[name] / drawn.number)
              for name in model.params}
    return Gradient(values, errors, np.sqrt(model.square(values)),
                    np.sqrt(drawn.noise))


def as_data(model, data, weights):
    data = model.states("data", data)
    if weights is not None:
        weights = arrays.numbers("weights", weights, (len(data),))
        if (weights < 0).any() or not weights.any():
            raise ValueError("weights has a negative number, or is 0 "
                             "everywhere")
        if not WEIGHT_LEAST <= weights.max() <= WEIGHT_MOST:
            raise ValueError(f"weights is {weights.max():g} at most, expected "
                             f"{WEIGHT_LEAST:g} to {WEIGHT_MOST:g}")
    return data, weights


class Training:
    """Persistent chains of a model, and its ascent to the data's likelihood.

    model: an Ising, Boltzmann, Potts or RBM; its arrays change in place.
    data: states, (n, dim); weights: of each, or None.
    sampler: what moves the chains; one that no pilot tunes, parallel tempering
        included: "gibbs", "pt(base=gibbs,ladder=[1,2,4])".
    chains, steps: how many, and their steps between two gradients.
    batch: rows of the data for each gradient, or None: all of them.  With
        weights they are drawn by these, with replacement.
    optimizer: SGD or Adam.
    decay: λ of a penalty λ/2 |couplings|², which is subtracted from the
        log-likelihood.
    centre: gradients of coordinates less their means in the data, which makes
        couplings and fields learn apart; what is approached is the same.
    start: where chains begin: "random" states, or those of the "data".
    track: chains apart that follow ln Z from step to step, a multiple of 8;
        0: it is not followed.
    seed: the same seed gives the same training, bit for bit on one machine.
    """

    def __init__(self, model, data, sampler=None, *, chains: int = 128,
                 steps: int = 1, batch: int | None = None, optimizer=None,
                 decay: float = 0.0, centre: bool = False, weights=None,
                 start: str = "random", track: int = 64, seed: int = 1,
                 threads: int = 0):
        self.model: EnergyModel = as_energy_model(model)
        self.data, self.weights = as_data(model, data, weights)
        self.optimizer = optimizers.SGD() if optimizer is None else optimizer
        if not isinstance(self.optimizer, optimizers.Optimizer):
            raise TypeError(f"optimizer is a {type(optimizer).__name__}, "
                            f"expected an SGD or Adam of hiss.train")
        self.steps = arrays.whole("steps", steps, 1)
        self.batch = None if batch is None else \
            arrays.whole("batch", batch, 1, len(self.data))
        self.decay = arrays.number("decay", decay)
        if self.decay < 0:
            raise ValueError(f"decay is {decay:g}, expected at least 0")
        self.centre = bool(centre)
        self.track = arrays.whole("track", track, 0, 1000000)
        if self.track % ISLANDS:
            raise ValueError(f"track is {track}, expected a multiple of "
                             f"{ISLANDS}")
        self.seed = arrays.whole("seed", seed, 0, 2**63)
        count = arrays.whole("chains", chains, 2, 1000000)
        self.chains = Chains(self._first(start, count),
                             sampler or model.sampler, self.seed, threads)
        self.step = 0
        self.history: dict = {name: [] for name in CURVES}
        self._mean = model.field_mean(self.data, self.weights)
        self._order = (-1, None)  # of an epoch
        self._witnesses, self._anchored = None, 0
        self._alarm = Alarm()
        if self.track:
            self.anchor(ANCHOR)

    def _random(self, *key):
        return np.random.default_rng(
            np.random.SeedSequence(self.seed, spawn_key=key))

    def _first(self, start, count):
        if start == "random":
            return self.model.random_states(self._random(0), count)
        if start == "data":
            rows = self._random(0).integers(0, len(self.data), count)
            return self.data[rows]
        raise ValueError(f"start is {start!r}, expected 'random' or 'data'")

    # --- steps -------------------------------------------------------------

    def _rows(self):
        """The batch of this step: data in an order of their own each epoch;
        with weights each row is drawn by them, or the mean over batches would
        not be that of the data."""
        if self.batch is None:
            return self.data, self.weights
        if self.weights is not None:
            share = self.weights / self.weights.sum()
            rows = self._random(1, self.step).choice(len(self.data),
                                                     self.batch, p=share)
            return self.data[rows], None
        each = len(self.data) // self.batch
        epoch, at = divmod(self.step, each)
        if self._order[0] != epoch:
            order = self._random(1, epoch).permutation(len(self.data))
            self._order = epoch, order
        rows = self._order[1][at * self.batch:(at + 1) * self.batch]
        return self.data[rows], None

    def _ascent(self, given, drawn):
        """What the optimizer is given."""
        model = self.model
        g = {name: given.mean[name] - drawn.mean[name]
             for name in model.params}
        size = np.sqrt(model.square(g))
        if self.centre:
            g = model.centred(g, self._mean, given.mean.get("c"))
        if self.decay:
            for name in model.couplings:
                g[name] = g[name] - self.decay * model.params[name]
        return g, size

    def fit(self, steps: int = 1) -> Training:
        """So many steps: chains move, parameters follow the gradient.

        Warns, once, where parameters have become huge, or the error of ln Z
        has been so for 100 steps; raises ArithmeticError where a parameter is
        no number any more.
        """
        for _ in range(arrays.whole("steps", steps, 1)):
            self._fit()
        return self

    def _fit(self):
        model = self.model
        if self.track and self._is_restless():
            self.anchor(RENEWED)
        now = model.model()
        x = self.chains.advance(now, self.steps).astype(model._dtype)
        rows, weights = self._rows()
        given, drawn = model.moments(rows, weights), model.moments(x)
        g, size = self._ascent(given, drawn)
        curves = {"gradient_norm": size, "gradient_noise":
                  np.sqrt(drawn.noise + (given.noise if self.batch else 0))}
        if self.track:
            z, u = self.log_z, model.u_at(model.parts(rows), 1.0)
            curves["log_likelihood"] = np.average(u, weights=weights) - \
                z.value
            curves["log_z"], curves["log_z_error"] = z.value, z.error
            self._witnesses.move(now, self.steps)
            seen = self._witnesses.states(model)
            before = model.u_at(model.parts(seen), 1.0)
        self.optimizer.climb(model.params, g)
        largest = model.largest()
        if self.track:
            self._witnesses.weight += \
                model.u_at(model.parts(seen), 1.0) - before
        self._alarm.look(largest, curves, 4)
        self.step += 1
        for name in CURVES:
            self.history[name].append(float(curves.get(name, np.nan)))

    # --- ln Z and the likelihood -------------------------------------------

    def _is_restless(self):
        """Not so soon after the last anchor that most time would go there."""
        return self.step >= self._anchored + RENEWED and \
            self._witnesses.spread > RESTLESS

    def anchor(self, betas=1000) -> Estimate:
        """ln Z of the model as it is: the chains that follow it begin anew,
        on the way from independent coordinates with the data's means."""
        model = self.model
        if not self.track:
            raise ValueError("ln Z is not followed: track is 0")
        base = model.independent(self._mean, len(self.data))
        seed = int(self._random(3, self.step).integers(2**62))
        found = Witnesses(model, base, self.track, seed, self.chains.threads)
        anneal(model, base, schedule(betas), found)
        self._witnesses, self._anchored = found, self.step
        return self.log_z

    @property
    def log_z(self) -> Estimate:
        """ln Z as it was followed since the last anchor.  Its error grows on
        the way, and more so with chains that do not cross between modes;
        when it has become large, `fit` anchors anew, if the last time was
        300 steps ago."""
        if not self.track:
            raise ValueError("ln Z is not followed: track is 0")
        return self._witnesses.estimate()

    def log_likelihood(self, data=None, weights=None) -> Estimate:
        """Mean ln p of the training data, or of others, with log_z."""
        data, weights = (self.data, self.weights) if data is None else \
            as_data(self.model, data, weights)
        u = self.model.u_at(self.model.parts(data), 1.0)
        z = self.log_z
        return Estimate(float(np.average(u, weights=weights)) - z.value,
                        z.error)

    def exact_log_likelihood(self, data=None, weights=None) -> float:
        """The same with ln Z by enumeration or elimination."""
        data, weights = (self.data, self.weights) if data is None else \
            as_data(self.model, data, weights)
        u = self.model.u_at(self.model.parts(data), 1.0)
        return float(np.average(u, weights=weights)) - \
            exact_log_z(self.model, self.chains.threads)

    def gradient(self) -> Gradient:
        """Of the mean log-likelihood of all data, at the chains' states."""
        return gradient(self.model, self.data, self.chains.states,
                        self.weights)

    def check(self, samples: int = 100, **options):
        """Whether the chains can be trusted: a :class:`hiss.Diagnosis`."""
        return check(self, arrays.whole("samples", samples, 4), **options)

    def __repr__(self):
        words = [f"step {self.step}", f"{len(self.chains)} chains by "
                 f"{self.chains.sampler}"]
        if self.step:
            words.append(f"gradient {self.history['gradient_norm'][-1]:.3g}, "
                         f"noise {self.history['gradient_noise'][-1]:.3g}")
        if self.track:
            words.append(f"ln Z {self.log_z!r}")
        return f"<hiss.train.Training of {type(self.model).__name__}: " \
               f"{'; '.join(words)}>"

    # --- to a file and back ------------------------------------------------

    def save(self, path, replace: bool = True) -> None:
        """All that goes on from here, but for the data; see resume."""
        about = {
            "format": FORMAT, "model": type(self.model).__name__,
            "optimizer": type(self.optimizer).__name__,
            "options": self.optimizer.as_dict(),
            "climbed": self.optimizer.steps,
            "sampler": self.chains.sampler.spec, "moved": self.chains.counts,
            "steps": self.steps, "batch": self.batch, "decay": self.decay,
            "centre": self.centre, "track": self.track, "seed": self.seed,
            "threads": self.chains.threads, "step": self.step,
            "data": fingerprint(self.data, self.weights),
        }
        parts = {"levels": self.chains.levels}
        if self.track:
            found = self._witnesses
            about["anchored"] = self._anchored
            about["witness"] = [found.chains.seed,
                                found.chains.counts]
            parts.update({"witness.levels": found.chains.levels,
                          "witness.weight": found.weight,
                          "witness.before": found.before})
        parts["about"] = np.array(json.dumps(about))
        for kind, found in (("model", self.model.as_dict()),
                            ("memory", self.optimizer.memory),
                            ("history", self.history)):
            parts.update({f"{kind}.{name}": np.asarray(value)
                          for name, value in found.items()})
        write(arrays.path("path", path), replace, parts)


def write(path, replace, parts):
    """The file appears under its name only when it is whole."""
    name = os.fsdecode(path)
    if not replace and os.path.exists(name):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)
    part = f"{name}.{os.getpid()}.part"
    try:
        with open(part, "wb") as file:
            np.savez(file, **parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, name)
    except BaseException:
        if os.path.exists(part):
            os.unlink(part)
        raise


def fingerprint(data, weights):
    """Of the data that a training goes on with."""
    h = hashlib.sha256(repr(data.shape).encode())
    h.update(np.ascontiguousarray(data))
    if weights is not None:
        h.update(np.ascontiguousarray(weights))
    return h.hexdigest()


def _part(parts, kind):
    start = f"{kind}."
    return {name[len(start):]: value for name, value in parts.items()
            if name.startswith(start)}


def resume(path, data, weights=None) -> Training:
    """A training from a file of :meth:`Training.save`, with the same data; it
    goes on bit for bit as if it had not been interrupted."""
    name = os.fsdecode(arrays.path("path", path))
    try:
        with np.load(name, allow_pickle=False) as file:
            parts = {key: file[key] for key in file.files}
        about = json.loads(str(parts["about"]))
        if about["format"] != FORMAT:
            raise FormatError(f"{name}: its format is {about['format']}, "
                              f"expected {FORMAT}")
        return _restore(name, about, parts, data, weights)
    except _BadData as found:
        raise found.fault from None
    except (KeyError, TypeError, ValueError, EOFError,
            zipfile.BadZipFile) as fault:
        if isinstance(fault, FormatError):
            raise
        raise FormatError(f"{name} is no training of hiss, or is damaged: "
                          f"{fault}") from None


class _BadData(Exception):
    """The data are at fault, not the file."""

    def __init__(self, fault):
        super().__init__(fault)
        self.fault = fault


def _restore(name, about, parts, data, weights):
    model = KINDS[about["model"]](**_part(parts, "model"))
    optimizer = optimizers.KINDS[about["optimizer"]](**about["options"])
    optimizer.steps = about["climbed"]
    optimizer.memory = _part(parts, "memory")
    try:
        data, weights = as_data(model, data, weights)
    except (TypeError, ValueError) as fault:
        raise _BadData(fault) from None
    if fingerprint(data, weights) != about["data"]:
        raise _BadData(ValueError(f"{name} was trained with other data or "
                                  f"weights"))
    levels = parts["levels"]
    if levels.ndim != 3 or levels.shape[2] != model.dim:
        raise ValueError(f"its chains have shape {levels.shape}")
    run = Training(model, data, about["sampler"], chains=len(levels),
                   steps=about["steps"], batch=about["batch"],
                   optimizer=optimizer, decay=about["decay"],
                   centre=about["centre"], weights=weights, track=0,
                   seed=about["seed"], threads=about["threads"])
    run.chains = Chains(levels, about["sampler"], about["seed"],
                        about["threads"])
    run.chains.counts, run.step = about["moved"], about["step"]
    run.track = about["track"]
    if run.track:
        run._anchored = about["anchored"]
        run._witnesses = Witnesses.again(
            model, about["threads"], *about["witness"],
            **_part(parts, "witness"))
    run.history = {key: value.tolist()
                   for key, value in _part(parts, "history").items()}
    return run
