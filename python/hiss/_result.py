"""What a run drew, and what can be asked of it."""
from __future__ import annotations

import errno
import json
import os
from dataclasses import asdict, dataclass

import numpy as np

from . import _arrays as arrays
from ._diagnosis import Diagnosis, Finding
from ._errors import ArgumentError, check, new_error, take, text
from ._ladders import (NetworkWeights, Particles, Phases, Population,
                       Tempering)
from ._native import ffi, lib
from ._progress import watched
from ._structs import new_settings, struct, structs
from ._table import Table
from ._variables import usual

# "done", "stopped", "evals", ...: the words of the enumeration
ENDED = {number: name[len("HISS_ENDED_"):].lower() for number, name
         in ffi.typeof("hiss_ended").elements.items()}
ELEMENTS = {lib.HISS_INT8: np.int8, lib.HISS_INT16: np.int16,
            lib.HISS_FLOAT32: np.float32}
STATES = {lib.HISS_VARIES: "varies", lib.HISS_CONSTANT: "constant so far",
          lib.HISS_STUCK: "stuck", lib.HISS_TOO_SHORT: "too short",
          lib.HISS_NOT_FINITE: "not finite"}
FIGURES = ("mean", "sd", "mcse", "ess_bulk", "ess_tail", "rhat")


MODES_WORK = 10.0  # priced seconds, as of the command
THOROUGH = 10.0    # times the usual work, as of the command


def _interruptibly(call, settings):
    """The status of a call that Ctrl-C ends at once."""
    status = lib.HISS_OK

    def make():
        nonlocal status
        status = call()

    if watched(make, settings, False, "").asked_to_stop:
        raise KeyboardInterrupt
    return status


@dataclass(frozen=True)
class RunInfo:
    """Counts and timings of a run."""

    chains: int
    dim: int
    replicas: int
    samples: int  # kept per chain
    warmup: int  # steps
    warmup_samples: int  # draws of the warm-up per chain, if kept
    thin: int
    seed: int
    threads: int
    seconds: float
    energy_evals: float  # all chains and replicas, warm-up included
    gradient_evals: float
    is_exact: bool
    ended: str  # "done", "stopped", "evals", "time", ...


@dataclass(frozen=True)
class Temperature:
    """The inverse temperature of draws."""

    beta: float  # of the model without beta=; NaN: the draws do not tell
    error: float
    model: float  # that of the model
    draws: int  # that were used


@dataclass(frozen=True)
class Warmup:
    """Draws of the warm-up: views, as those of the result."""

    draws: np.ndarray  # (chain, draw, coordinate)
    lp: np.ndarray  # (chain, draw)
    acceptance_rate: np.ndarray | None  # (chain, draw)


class Result:
    """Draws, counts and diagnostics of a run, or of a file (:func:`load`)."""

    def __init__(self, handle, model=None):
        self._c = ffi.gc(handle, lib.hiss_result_destroy)
        self._draws = self._lp = self._rates = None
        self.model = model
        raw = struct("hiss_run_info")
        lib.hiss_result_info(self._c, raw)
        self._dtype = np.dtype(ELEMENTS[raw.element])
        self.info = RunInfo(
            raw.chains, raw.dim, raw.replicas, raw.samples, raw.warmup,
            raw.warmup_samples, raw.thin, raw.seed, raw.threads, raw.seconds,
            raw.energy_evals,
            raw.gradient_evals, bool(raw.is_exact), ENDED[raw.ended])

    # --- the draws ---------------------------------------------------------

    def _view(self, data, dtype, shape, is_shared=False):
        """An array on memory of C, which it keeps alive; read-only unless
        is_shared."""
        dtype = np.dtype(dtype)
        size = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
        if size == 0:
            return np.zeros(shape, dtype)
        owner = self._c

        def release(_):
            nonlocal owner
            owner = None

        data = ffi.gc(ffi.cast("char *", data), release)
        # of memory that is read-only an array cannot be made writable
        memory = memoryview(ffi.buffer(data, size))
        if not is_shared:
            memory = memory.toreadonly()
        return np.frombuffer(memory, dtype).reshape(shape)

    @property
    def draws(self) -> np.ndarray:
        """Values by (chain, draw, coordinate), without a copy; read-only."""
        if self._draws is None:
            self._draws = self._draws_at(False)
        return self._draws

    def _draws_at(self, is_shared):
        info = self.info
        return self._view(lib.hiss_result_draws(self._c), self._dtype,
                          (info.chains, info.samples, info.dim), is_shared)

    def __dlpack__(self, **options):
        """``torch.from_dlpack(run)``, ``jax.numpy.from_dlpack(run)``: the draws
        as a tensor, without a copy.  They are the run's own: not to be
        written to."""
        return self._draws_at(True).__dlpack__(**options)

    def __dlpack_device__(self):
        return self.draws.__dlpack_device__()

    @property
    def lp(self) -> np.ndarray:
        """U, the unnormalized log-probability, by (chain, draw)."""
        if self._lp is None:
            self._lp = self._view(lib.hiss_result_lp(self._c), np.float64,
                                  (self.info.chains, self.info.samples))
        return self._lp

    @property
    def acceptance_rate(self) -> np.ndarray | None:
        """Of the steps that led to a draw, by (chain, draw), or None."""
        if self._rates is None:
            data = lib.hiss_result_accept(self._c)
            if data != ffi.NULL:
                self._rates = self._view(
                    data, np.float32, (self.info.chains, self.info.samples))
        return self._rates

    @property
    def warmup(self) -> Warmup | None:
        """Draws of the warm-up, of a run with ``save_warmup``, or None."""
        raw = struct("hiss_warmup")
        if not lib.hiss_result_warmup(self._c, raw):
            return None
        shape = (self.info.chains, raw.samples)
        rates = None if raw.accept == ffi.NULL else \
            self._view(raw.accept, np.float32, shape)
        return Warmup(
            self._view(raw.draws, self._dtype, (*shape, self.info.dim)),
            self._view(raw.lp, np.float64, shape), rates)

    def __reduce__(self):
        raise TypeError("a Result of hiss cannot be pickled: it is memory of "
                        "the library; use save() and hiss.load(), or pickle "
                        "its arrays")

    def __len__(self):
        return self.info.chains * self.info.samples

    def __getitem__(self, name):
        """Draws of a variable (:meth:`Model.arrange`), by (chain, draw, its
        own axes); x is all of them, unless a label is so called; or of the
        coordinate with that label, if it is no number, by (chain, draw).  Read-only, without a copy."""
        parts = self._variables().split(self.draws)
        labels = None if self.model is None else self.model.labels
        is_label = labels is not None and not hasattr(name, "__index__") \
            and not isinstance(name, np.ndarray) and name in labels
        if is_label and self.model._variables is None:
            return self.draws[:, :, labels.index(name)]
        if isinstance(name, str) and name in parts:
            return parts[name]
        if is_label:
            return self.draws[:, :, labels.index(name)]
        more = "" if labels is None else \
            f", or a label of the model, such as {labels[0]!r}"
        raise KeyError(f"{name!r}, expected one of {', '.join(parts)}{more}")

    def _variables(self):
        if self.model is not None:
            return self.model.variables
        has_names = lib.hiss_result_coordinate_name(self._c, 0) != ffi.NULL
        return usual(self.info.dim, self._names() if has_names else None)

    def best(self) -> tuple[np.ndarray, float]:
        """The draw with the largest U, and its U."""
        chain, draw = np.unravel_index(int(np.argmax(self.lp)), self.lp.shape)
        return self.draws[chain, draw], float(self.lp[chain, draw])

    def marginal(self, coordinate) -> np.ndarray:
        """P(x_i = v) for each value v, over every step of the run; of a
        coordinate by its number, or by a label that is a text."""
        i = arrays.whole("coordinate", coordinate, 0, self.info.dim - 1) \
            if self.model is None else self.model._coordinate(coordinate)
        out = np.zeros(lib.hiss_result_states(self._c, i))
        lib.hiss_result_marginal(self._c, i, arrays.pointer("double", out))
        return out

    def observable(self, words: str) -> np.ndarray:
        """A number of every draw, by (chain, draw), from a text.

        As in ``"mean(x == 1)"``, ``"|m|"`` or ``"binder"``; coordinates count
        from 1, and docs/observables.md has the names.  Overlaps such as ``q``
        have a row for each pair of chains.
        """
        out = np.zeros((self.info.chains, self.info.samples))
        error, chains = new_error(), ffi.new("int *")
        model = ffi.NULL if self.model is None else self.model._c
        check(lib.hiss_result_series(
            self._c, model, arrays.words("words", words),
            arrays.pointer("double", out), chains, error), error)
        return out[:chains[0]]

    def observables(self, *words: str) -> Table:
        """Mean, error, effective draws and R-hat of observables; without
        words, of those that the model shows by default."""
        if not words:
            model = ffi.NULL if self.model is None else self.model._c
            usual_words = text(lib.hiss_result_observables(self._c, model))
            words = tuple(usual_words.split(";")) if usual_words else ()
        rows = []
        for one in words:
            series = np.ascontiguousarray(self.observable(one))
            column, error = struct("hiss_column"), new_error()
            check(lib.hiss_describe(arrays.pointer("double", series),
                                    *series.shape, column, error), error)
            rows.append((one, column.mean, column.mcse, column.sd,
                         column.ess_bulk, column.rhat))
        names = ("name", "mean", "mcse", "sd", "ess_bulk", "rhat")
        return Table({name: np.array(values) for name, values in
                      zip(names, zip(*rows) if rows else [()] * len(names))})

    # --- the summary of the run  -------------------------------------------

    @property
    def acceptance(self) -> dict[str, float]:
        """Acceptance rate of each kernel."""
        name, rate = ffi.new("const char **"), ffi.new("double *")
        out: dict[str, float] = {}
        while lib.hiss_result_acceptance(self._c, len(out), name, rate):
            word, number = text(name[0]), 2
            while word in out:
                word, number = f"{text(name[0])} ({number})", number + 1
            out[word] = rate[0]
        return out

    @property
    def tuning(self) -> str | None:
        """What the pilot tuned, or None."""
        return text(lib.hiss_result_tuning(self._c))

    @property
    def warning(self) -> str | None:
        """What went wrong beside the draws, or None."""
        return text(lib.hiss_result_warning(self._c))

    @property
    def tempering(self) -> Tempering | None:
        """Levels, swaps and log Z of parallel tempering, or None."""
        raw = struct("hiss_tempering")
        if not lib.hiss_result_tempering(self._c, raw):
            return None

        def copy(data, count=raw.levels):
            if count == 0:
                return np.empty(0)
            return np.frombuffer(ffi.buffer(data, 8 * count)).copy()

        return Tempering(copy(raw.beta), copy(raw.swap), copy(raw.energy),
                         raw.barrier, raw.round_trips, bool(raw.is_absolute),
                         raw.log_z, raw.log_z_se, raw.log_z_thermodynamic,
                         bool(raw.log_z_settled),
                         copy(raw.leg_share, raw.leg),
                         copy(raw.leg_swap, raw.leg), raw.leg_barrier,
                         raw.leg_log_z, raw.leg_log_z_se,
                         bool(raw.leg_agrees))

    @property
    def multicanonical(self) -> Phases | None:
        """Histogram of log p, phases and log Z of multicanonical sampling, or
        None."""
        raw = struct("hiss_multicanonical")
        if not lib.hiss_result_multicanonical(self._c, raw):
            return None

        def copy(data):
            return np.frombuffer(ffi.buffer(data, 8 * raw.cells)).copy()

        return Phases(
            copy(raw.u), copy(raw.histogram), copy(raw.target),
            bool(raw.has_phases), (raw.phase[0], raw.phase[1]), raw.valley,
            raw.barrier, raw.share, raw.share_se, raw.gap, raw.round_trips,
            raw.log_z, raw.log_z_se, bool(raw.log_z_settled),
            bool(raw.is_absolute))

    @property
    def population(self) -> Population | None:
        """Temperatures, weights, families and log Z of smc, or None."""
        raw = struct("hiss_population")
        if not lib.hiss_result_population(self._c, raw):
            return None

        def copy(data, count):
            return np.frombuffer(ffi.buffer(data, 8 * count)).copy()

        steps = [copy(a, raw.temperatures)
                 for a in (raw.beta, raw.counts, raw.resampled, raw.energy)]
        chains = [copy(a, raw.chains)
                  for a in (raw.chain_log_z, raw.ess, raw.rho_t, raw.rho_s,
                            raw.families)]
        return Population(raw.replicas, *steps, raw.log_z, raw.log_z_se,
                          *chains)

    @property
    def network_weights(self) -> NetworkWeights | None:
        """Bonds, weights of proposals and log Z of sampler network, or
        None."""
        raw = struct("hiss_network_weights")
        if not lib.hiss_result_network_weights(self._c, raw):
            return None
        return NetworkWeights(raw.bond, raw.largest, raw.frontier, raw.layers,
                              raw.discarded, raw.proposals, raw.acceptance,
                              raw.effective, raw.log_z, raw.log_z_se)

    @property
    def particles(self) -> Particles | None:
        """All replicas of smc with their weights, of a run with
        ``particles``, or None."""
        raw = struct("hiss_particles")
        if not lib.hiss_result_particles(self._c, raw):
            return None
        shape = (raw.chains, raw.replicas)
        return Particles(
            self._view(raw.states, self._dtype, (*shape, self.info.dim)),
            self._view(raw.lp, np.float64, shape),
            self._view(raw.weight, np.float64, shape),
            self.population.chain_log_z)

    @property
    def resolved(self) -> str | None:
        """The sampler with what a pilot found written out."""
        return text(lib.hiss_result_resolved(self._c)) or \
            text(lib.hiss_result_text(self._c, b"resolved"))

    @property
    def device(self) -> str | None:
        """Who made the steps, and why where that was "auto"; None for a result
        from a file."""
        return text(lib.hiss_result_device(self._c))

    @property
    def pilot(self) -> str | None:
        """What a pilot found and decided, or None."""
        return text(lib.hiss_result_pilot(self._c)) or \
            text(lib.hiss_result_text(self._c, b"pilot"))

    @property
    def sampler(self) -> str | None:
        """The spec of the sampler, every default written out."""
        return text(lib.hiss_result_text(self._c, b"sampler"))

    @property
    def manifest(self) -> dict:
        """All that is needed to repeat the run."""
        return json.loads(take(lib.hiss_result_manifest(self._c)) or "{}")

    # --- can it be believed? -----------------------------------------------

    def _names(self):
        labels = None if self.model is None else self.model.labels
        if labels is not None:
            return list(labels)
        return [text(lib.hiss_result_coordinate_name(self._c, i))
                or f"x.{i + 1}" for i in range(self.info.dim)]

    def energy(self) -> dict[str, float | str]:
        """Mean, spread and trust of U."""
        column, error = struct("hiss_column"), new_error()
        check(lib.hiss_result_energy(self._c, column, error), error)
        return _figures(column)

    def summary(self, coordinates=None) -> Table:
        """Mean, sd, mcse, ess and R-hat of coordinates; all if left out."""
        wanted = range(self.info.dim) if coordinates is None else coordinates
        wanted = arrays.ints([
            arrays.whole("coordinates", i, 0, self.info.dim - 1)
            for i in np.atleast_1d(np.asarray(wanted, dtype=object))])
        columns = structs("hiss_column", len(wanted))
        error = new_error()
        check(lib.hiss_result_coordinates(
            self._c, len(wanted), arrays.pointer("int", wanted), 0, columns,
            error), error)
        names = self._names()
        rows = [{"name": names[i], **_figures(columns[k])}
                for k, i in enumerate(wanted)]
        return Table({key: _column([row[key] for row in rows])
                      for key in ("name", *FIGURES, "state")})

    def modes(self, most: int = 20, *, model=None, exact=None,
              time_limit: float | None = None, full: bool = False) -> Table:
        """Local optima that draws ascend to, by falling mass.

        `exact` (of :func:`exact`) adds the exact mass of each mode and, in a
        small model, modes that no draw belongs to.  Of very many draws
        evenly spaced ones are checked, as many as ten seconds (or half of
        the run's, if that is longer) have room for by a table of prices, and
        the title says how many; `full` checks every draw.  `time_limit`
        seconds are a hard stop.
        """
        from ._exact import Exact
        model = self._model(model)
        most = arrays.whole("most", most, 1)
        if exact is not None and not isinstance(exact, Exact):
            raise TypeError(f"exact is a {type(exact).__name__}, expected "
                            f"what hiss.exact() returns")
        settings = new_settings("hiss_modes_settings")
        settings.is_full = bool(full)
        if time_limit is not None:
            settings.seconds = arrays.positive("time_limit", time_limit)
        elif not full:
            settings.work = max(MODES_WORK, 0.5 * self.info.seconds)
        out, error = ffi.new("hiss_modes **"), model._error()
        status = _interruptibly(lambda: lib.hiss_modes_look(
            out, self._c, model._c,
            ffi.NULL if exact is None else exact._c, settings, error),
            settings)
        modes = ffi.gc(out[0], lib.hiss_modes_destroy)
        model._check(status, error)
        one, state = struct("hiss_mode"), np.zeros(self.info.dim)
        count = min(most, lib.hiss_modes_count(modes))
        rows = []
        for number in range(count):
            lib.hiss_modes_get(modes, number, one,
                               arrays.pointer("double", state))
            rows.append({
                "mass": one.mass, "exact": one.exact, "u": one.u,
                "draws": one.draws, "chains": one.chains,
                "distance": lib.hiss_modes_distance(modes, 0, number),
                "state": state.astype(self._dtype)})
        keys = ["mass", "exact", "u", "draws", "chains", "distance", "state"]
        if exact is None:
            keys.remove("exact")
        found = lib.hiss_modes_found(modes)
        title = f"{found} mode{'' if found == 1 else 's'}, " \
                f"{lib.hiss_modes_transitions(modes):.3g} transitions per " \
                f"1000 draws"
        if lib.hiss_modes_ended(modes) == lib.HISS_ENDED_TIME:
            title += f", from {lib.hiss_modes_looked(modes)} of " \
                     f"{self.info.samples} draws per chain: work limit"
        return Table({key: _column([row[key] for row in rows])
                      for key in keys}, title)

    def diagnose(self, *, model=None, blind: bool = False, probe: int = 16,
                 search: float = 2e5, thorough: bool = False,
                 time_limit: float | None = None,
                 threads: int = 0) -> Diagnosis:
        """Whether the draws can be trusted.

        blind: do not compare with exact answers.  probe: fresh chains that are
        compared with the run.  search: evaluations of a search for modes that
        the run has missed; without one the verdict is not decided.  Work is
        limited to what sampling took, by a table of prices and not by a clock,
        and to two seconds at least; `thorough` makes it ten times as much.
        time_limit: seconds after which all of it stops; what is left is
        unchecked, and the verdict not decided.
        """
        settings = new_settings("hiss_diagnose_settings")
        settings.voice = lib.HISS_PYTHON
        settings.blind = bool(blind)
        settings.probe = arrays.whole("probe", probe, 0, 1000000)
        if thorough:
            settings.effort = THOROUGH
        settings.search = float(search)
        settings.threads = arrays.whole("threads", threads, 0, 1024)
        if time_limit is not None:
            settings.seconds = arrays.positive("time_limit", time_limit)
        model = self.model if model is None else self._model(model)
        out = ffi.new("hiss_diagnosis **")
        error = new_error() if model is None else model._error()
        status = _interruptibly(lambda: lib.hiss_diagnose(
            out, self._c, ffi.NULL if model is None else model._c, settings,
            error), settings)
        diagnosis = ffi.gc(out[0], lib.hiss_diagnosis_destroy)
        check(status, error) if model is None else \
            model._check(status, error)
        raw = struct("hiss_finding")
        findings: list[Finding] = []
        while lib.hiss_diagnosis_finding(diagnosis, len(findings), raw):
            findings.append(Finding(text(raw.name),
                                    text(lib.hiss_outcome_word(raw.outcome)),
                                    raw.value, raw.limit, text(raw.text),
                                    text(raw.remedy), bool(raw.is_wrong)))
        return Diagnosis(
            text(lib.hiss_opinion_word(lib.hiss_diagnosis_opinion(diagnosis))),
            text(lib.hiss_diagnosis_headline(diagnosis)), findings)

    def temperature(self, model=None) -> Temperature:
        """The inverse temperature of the draws, by maximum pseudo-likelihood.

        It needs no exact answers, and is right for draws that miss modes, too.
        """
        model = self._model(model)
        raw = struct("hiss_temperature")
        error = model._error()
        model._check(lib.hiss_result_temperature(self._c, model._c, raw,
                                                 error), error)
        return Temperature(raw.beta, raw.error, raw.model, raw.draws)

    def _model(self, model):
        from ._model import as_model
        if model is None:
            model = self.model
        if model is None:
            raise ArgumentError("model is missing: a result from a file does "
                                "not have one")
        return as_model(model)

    # --- to other places ---------------------------------------------------

    def save(self, path, replace: bool = False) -> None:
        """Writes a file of the kind that its suffix names: .nc, .csv, ...

        It appears only when it is whole; an existing one is kept unless
        `replace`.
        """
        name = arrays.path("path", path)
        if not replace and os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST),
                                  os.fspath(path))
        error = new_error()
        check(lib.hiss_result_write(self._c, name, bool(replace), error), error)

    def to_netcdf(self, path, replace: bool = False) -> None:
        """Writes a netCDF file that ArviZ and xarray open."""
        if not os.fspath(path).endswith((".nc", ".netcdf")):
            raise ValueError(f"path is {os.fspath(path)!r}, expected a name "
                             f"that ends in .nc")
        self.save(path, replace)

    def _groups(self):
        """Names and contents of the groups that ArviZ knows."""
        out = {}
        for prefix, part in (("", self), ("warmup_", self.warmup)):
            if part is None:
                continue
            stats = {"lp": part.lp}
            if part.acceptance_rate is not None:
                stats["acceptance_rate"] = part.acceptance_rate
            out[f"{prefix}posterior"] = self._variables().split(part.draws)
            out[f"{prefix}sample_stats"] = stats
        return out

    def to_arviz(self):
        """As ArviZ wants it: an InferenceData, or a DataTree from 1.0 on.

        Variables have the names, shapes, dimensions and coordinates of
        :meth:`Model.arrange`; without it all is one variable, x, whose
        coordinates are the model's labels or count from 1.
        Draws of the warm-up, if there are any, are groups of their own.
        """
        import arviz  # type: ignore
        coords, dims = self._variables().coords, self._variables().dims
        attrs = {"inference_library": "hiss",
                 "inference_library_version": text(lib.hiss_version()),
                 "sampling_time": self.info.seconds,
                 "tuning_steps": self.info.warmup,
                 "sampler": self.sampler or ""}
        groups = self._groups()
        if int(arviz.__version__.split(".")[0]) < 1:
            return arviz.from_dict(
                **groups, coords=coords, dims=dims, posterior_attrs=attrs,
                sample_stats_attrs=attrs, save_warmup=True)
        return arviz.from_dict(groups, coords=coords, dims=dims,
                               attrs={name: attrs for name in groups},
                               save_warmup=True)

    def to_xarray(self):
        """An xarray.Dataset: variables by chain and draw, and lp."""
        import xarray  # type: ignore
        variables = self._variables()
        data = {name: (("chain", "draw", *variables.dims[name]), values)
                for name, values in variables.split(self.draws).items()}
        data["lp"] = ("chain", "draw"), self.lp
        coords = {"chain": range(self.info.chains),
                  "draw": range(self.info.samples), **variables.coords}
        return xarray.Dataset(data, coords=coords,
                              attrs={"sampler": self.sampler or ""})

    def to_pandas(self):
        """A pandas.DataFrame: a row per draw, indexed by chain and draw, a
        column per coordinate, and lp."""
        import pandas  # type: ignore
        chains, samples, dim = self.draws.shape
        index = pandas.MultiIndex.from_product(
            [range(chains), range(samples)], names=["chain", "draw"])
        frame = pandas.DataFrame(self.draws.reshape(-1, dim), index=index,
                                 columns=self._names())
        frame["lp"] = self.lp.ravel()
        return frame

    def _objective(self):
        """(name, scale, shift) of what the model's file speaks of."""
        scale, shift = ffi.new("double *"), ffi.new("double *")
        name = text(lib.hiss_result_objective(self._c, scale, shift))
        return (name, scale[0], shift[0]) if name else ("log p", 1.0, 0.0)

    def plot(self, axes=None):
        """Panels that suit the model, by matplotlib: traces and ranks of log p,
        its objective, marginals or the overlap of chains, modes.  Each is
        also a figure of its own, as `plot_trace()`."""
        from . import _plot
        return _plot.plot(self, axes)

    def plot_trace(self, axes=None):
        """log p of every chain, draw by draw."""
        from . import _plot
        return _plot.trace(self, axes)

    def plot_rank(self, axes=None):
        """Ranks of log p: chains that mix have flat lines."""
        from . import _plot
        return _plot.rank(self, axes)

    def plot_energy(self, axes=None):
        """Distribution of the objective of the model's file, or of log p."""
        from . import _plot
        return _plot.energy(self, axes)

    def plot_marginal(self, axes=None):
        """Means of the coordinates that are known worst, with two errors."""
        from . import _plot
        return _plot.marginal(self, axes)

    def plot_modes(self, axes=None):
        """Share of the draws in each mode."""
        from . import _plot
        return _plot.modes(self, axes)

    def plot_overlap(self, axes=None):
        """P(q), the distribution of the overlap of two chains."""
        from . import _plot
        return _plot.overlap(self, axes)

    def __repr__(self):
        info = self.info
        ended = "" if info.ended == "done" else f", ended: {info.ended}"
        if not info.is_exact:
            ended += ", NOT EXACT"
        return f"<hiss.Result: {info.chains} chains of {info.samples} draws " \
               f"of {info.dim} coordinates in {info.seconds:.3g} s{ended}>"

    def _repr_html_(self):
        from ._html import page
        return page(self)

    def as_dict(self) -> dict:
        """Counts and timings, for a log."""
        return asdict(self.info)


def _figures(column):
    out = {key: getattr(column, key) for key in FIGURES}
    out["state"] = STATES[column.state]
    return out


def _column(values):
    """Numbers as an array, anything else as a list."""
    if values and all(isinstance(value, (int, float)) for value in values):
        return np.array(values)
    return list(values)
