"""Discrete sites of NumPyro: a gibbs_fn for HMCGibbs, and whole models.

    gibbs = hiss.numpyro.gibbs_fn(model, data)
    kernel = HMCGibbs(NUTS(model), gibbs_fn=gibbs, gibbs_sites=gibbs.sites)

    hiss.sample(hiss.numpyro.from_numpyro(model, data))   # all discrete
"""
from __future__ import annotations

import numpy as np

from ._bridge import need
from ._model import Model
from ._step import as_kernel

need("numpyro")

import jax  # type: ignore  # noqa: E402  comes with NumPyro
import jax.numpy as jnp  # type: ignore  # noqa: E402
from numpyro import handlers  # type: ignore  # noqa: E402
from numpyro.distributions import Independent  # type: ignore  # noqa: E402

from ._jax import Terms  # noqa: E402

__all__ = ["from_numpyro", "gibbs_fn"]

PRIOR = 3  # draws of the prior used in the search for scopes


def _latent(site):
    return site["type"] == "sample" and not site["is_observed"]


def _elements(fn):
    """The law of each element: to_event() only sums their log-densities."""
    while isinstance(fn, Independent):
        fn = fn.base_dist
    return fn


def _scaled(scale, part, fn):
    """scale is that of a batch, of which part has the elements."""
    scale = jnp.asarray(scale)
    if scale.ndim:
        scale = scale.reshape(scale.shape + (1,) * (
            part.ndim - len(fn.batch_shape)))
    return scale * part


class Sites:
    """Discrete sites of a model as coordinates, and its terms."""

    def __init__(self, model, args, kwargs, sites, fixed):
        self.model, self.args, self.kwargs = model, args, kwargs
        self.fixed = fixed  # names of sites that are given
        if not callable(model):
            raise TypeError(f"model is a {type(model).__name__}, expected a "
                            f"function with NumPyro's sites")
        if isinstance(sites, str):
            sites = [sites]
        found = self.prior(0, {})
        for name, site in found.items():
            if site["type"] == "plate" and \
                    site["args"][1] not in (None, site["args"][0]):
                raise ValueError(f"plate {name!r} has a subsample of "
                                 f"{site['args'][1]} of {site['args'][0]}, "
                                 f"expected all of them")
        latent = {name: site for name, site in found.items() if _latent(site)}
        for name in fixed:
            if name not in latent:
                raise ValueError(f"given has {name!r}, expected one of "
                                 f"{', '.join(latent)}")
        free = {name: site for name, site in latent.items()
                if name not in fixed and
                (sites is None and site["fn"].support.is_discrete or
                 sites is not None and name in sites)}
        for name in sites or ():
            if name not in free:
                raise ValueError(f"sites has {name!r}, expected one of "
                                 f"{', '.join(latent)}")
        if not free:
            raise ValueError("the model has no free discrete site")
        self.names = list(free)
        self.others = [name for name in latent if name not in free]
        self.shapes, self.types, self.low, self.states = {}, {}, [], []
        for name, site in free.items():
            self._add(name, site)
        self._ends = np.cumsum([int(np.prod(shape))
                                for shape in self.shapes.values()])

    def _add(self, name, site):
        fn = _elements(site["fn"])
        try:
            values = np.asarray(fn.enumerate_support(expand=False))
        except NotImplementedError:
            raise ValueError(f"site {name!r} is {type(fn).__name__}, whose "
                             f"values cannot be enumerated") from None
        values = values.ravel().astype(np.int64)
        if (np.diff(values) != 1).any():
            raise ValueError(f"site {name!r} has values "
                             f"{values.tolist()}, expected numbers that "
                             f"follow each other")
        value = jnp.asarray(site["value"])
        self.shapes[name], self.types[name] = value.shape, value.dtype
        self.low += [int(values[0])] * value.size
        self.states += [len(values)] * value.size

    def prior(self, seed, values):
        """The trace of a draw of the prior, but for these values."""
        seeded = handlers.seed(handlers.substitute(self.model, data=values),
                               jax.random.PRNGKey(seed))
        return handlers.trace(seeded).get_trace(*self.args, **self.kwargs)

    def split(self, x):
        """{name: values} of a state, from 0."""
        values = x + jnp.asarray(self.low, x.dtype)
        return {name: part.reshape(self.shapes[name]).astype(self.types[name])
                for name, part in zip(self.names, jnp.split(
                    values, self._ends[:-1]))}

    def join(self, values):
        flat = jnp.concatenate([jnp.ravel(values[name]).astype(int)
                                for name in self.names])
        return flat - jnp.asarray(self.low, flat.dtype)

    def terms(self, x, given):
        """Of the log-density, an element each."""
        values = {**given, **self.split(x)}
        out = []
        for name, site in self.prior(0, values).items():
            if site["type"] != "sample":
                continue
            if _latent(site) and name not in values:
                raise ValueError(f"site {name!r} has no value")
            if site["intermediates"]:
                part = site["fn"].log_prob(site["value"],
                                           site["intermediates"])
            else:
                part = _elements(site["fn"]).log_prob(site["value"])
            if site["scale"] is not None:
                part = _scaled(site["scale"], part, site["fn"])
            out.append(jnp.ravel(part))
        return jnp.concatenate(out)


def gibbs_fn(model, *args, sites=None, sampler=None, steps: int = 1,
             **kwargs):
    """A gibbs_fn for numpyro.infer.HMCGibbs which draws discrete sites.

    model, *args, **kwargs: as they are given to MCMC.run.
    sites: names; all discrete latent ones if left out.
    sampler: one that no pilot tunes, such as "gibbs" or "hiss(eta=4)"; None:
        labels that are independent given the other sites are drawn at once,
        exactly and within JAX; others by elimination where that is quick,
        which is forward filtering and backward sampling on a chain; else by
        Gibbs.
    steps: of that sampler.

    ``gibbs_sites=`` of HMCGibbs is the attribute `sites` of what is returned.
    Which sites share a term is found at draws of the prior; where that missed
    something the law is kept by a Metropolis step, as long as the sampler is
    reversible.
    """
    if sampler is not None:
        sampler = as_kernel(sampler)
    parts = Sites(model, args, kwargs, sites, ())
    terms = _learnt(parts, [{}] * PRIOR, sampler, steps)
    if not terms.is_tabulated:
        raise ValueError("a term joins too many discrete sites for tables of "
                         "their values: leave some of them out (sites=)")

    def draw(rng_key, gibbs_sites, hmc_sites):
        for name in parts.others:
            if name not in hmc_sites:
                raise ValueError(f"site {name!r} has no value: a site that is "
                                 f"summed out cannot stand beside those that "
                                 f"are drawn")
        given = {name: jnp.asarray(hmc_sites[name]) for name in parts.others}
        x, _ = terms.step(rng_key, parts.join(gibbs_sites), given)
        return {**gibbs_sites, **parts.split(x)}

    draw.sites = parts.names
    return draw


def _learnt(parts, givens, sampler, steps):
    """Terms whose scopes were found, where nothing is given at draws of the
    prior."""
    drawn = []
    for seed, given in enumerate(givens):
        trace = parts.prior(seed, given)
        drawn.append({name: given.get(name, trace[name]["value"])
                      for name in parts.others})
    terms = Terms(parts.terms, parts.states, drawn[0], sampler, steps,
                  parts.low)
    terms.learn(drawn)
    return terms


def from_numpyro(model, *args, given: dict | None = None, **kwargs) -> Model:
    """A NumPyro model of discrete sites as a model of hiss.

    model, *args, **kwargs: as they are given to MCMC.run, with the data.
    given: {name: value} of latent sites that are not free; all continuous
        ones must be here.

    Coordinates have the names, shapes and values of the sites.
    """
    given = {name: jnp.asarray(value) for name, value in (given or {}).items()}
    parts = Sites(model, args, kwargs, None, tuple(given))
    for name in parts.others:
        if name not in given:
            raise ValueError(f"site {name!r} is continuous: give it a value "
                             f"(given=), or sample with HMCGibbs and "
                             f"hiss.numpyro.gibbs_fn")
    terms = _learnt(parts, [given], None, 1)
    terms.learn([terms.given], bases=3)
    return terms.conditional.model().arrange(parts.shapes)
