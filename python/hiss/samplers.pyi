# Made by `python -m hiss._stubs` from the tables of the library.
from collections.abc import Sequence as _Sequence
from typing import Any, Literal, Union

_Sampler = Union["Sampler", str]

class Sampler:
    def __init__(self, spec: str) -> None: ...
    @property
    def spec(self) -> str: ...
    @property
    def is_exact(self) -> bool: ...
    @property
    def is_reversible(self) -> bool: ...
    @property
    def replicas(self) -> int: ...
    def explain(self) -> str: ...

def as_sampler(value: _Sampler) -> Sampler: ...
def tables() -> list[dict[str, Any]]: ...
def class_name(name: str) -> str: ...
def _document(row: dict[str, Any]) -> str: ...
def _is_list(option: dict[str, Any]) -> bool: ...
def write(value: object) -> str: ...

__all__ = [
    "Sampler",
    "AB",
    "ACS",
    "Auto",
    "Blocks",
    "Bridge",
    "Chromatic",
    "Cluster",
    "DLMC",
    "DMALA",
    "DULA",
    "EDLP",
    "GWG",
    "Gibbs",
    "Hamming",
    "HiSS",
    "Hidden",
    "Independent",
    "Informed",
    "Jumps",
    "MTM",
    "Metropolis",
    "Mix",
    "Multicanonical",
    "PAFS",
    "PAS",
    "PT",
    "Pthr",
    "Replicas",
    "Sequence",
    "Smc",
    "TGS",
    "Tabu",
    "TensorNetwork",
    "Tour",
]

class Auto(Sampler):
    """A pilot chooses: local moves, clusters, blocks, jumps, tempering.

    base: local moves; gibbs becomes hidden where there are hidden units, dmala where single sites are expensive to update, and blocks where constraints stop it at every temperature (sampler; usually gibbs)
    pilot: evaluations that may be spent on choosing, and at most a fifth of --evals (real; [1000,1e12]; usually 200000)
    independent: draw all coordinates at once where elimination can (independent) (yes|no; usually yes)
    """
    def __init__(
        self,
        base: _Sampler | None = None,
        pilot: float | None = None,
        independent: bool | None = None,
    ) -> None: ...

class HiSS(Sampler):
    """Logistic bridging: noise, denoise, jump, then refine.

    eta: scale of the noise; auto: as `tune` says (real|auto; (0,inf); usually auto)
    sweeps: sweeps per step (G of the paper) (integer; [1,1000000]; usually 1)
    inner: kernel that refines; if not given, of a mixture: the plain one that fits the model (sampler; usually dmala)
    steps: inner steps per sweep (L of the paper); auto: 2, or of a mixture 1 and jumps as often as they are worth it (real|auto; [0,1000000]; usually auto)
    kernel: shape of the noise; learned: beside independent noise, along what a pilot finds modes to differ in (choice; logistic|gaussian|learned; usually logistic)
    adjust: Metropolis test of jumps; no: accept every jump, not exact (yes|no; usually yes)
    tilt: how inner proposals see the noise (choice; exact|gradient; usually exact)
    block: coordinates noised per sweep; 0: all; auto: all, 4 or 16, tuned with eta=auto, tune=jump (real|auto; [0,2147483647]; usually 0)
    order: palindrome: refine before and after, reversible (choice; paper|palindrome; usually paper)
    tune: of eta=auto: mix: scales and blocks drawn from a mixture that a pilot learns; accept: a jump acceptance of 0.234; jump: the scale, of ten, whose accepted jumps go farthest (choice; mix|accept|jump; usually mix)
    """
    def __init__(
        self,
        eta: float | Literal["auto"] | None = None,
        sweeps: int | None = None,
        inner: _Sampler | None = None,
        steps: float | Literal["auto"] | None = None,
        kernel: Literal["logistic", "gaussian", "learned"] | None = None,
        adjust: bool | None = None,
        tilt: Literal["exact", "gradient"] | None = None,
        block: float | Literal["auto"] | None = None,
        order: Literal["paper", "palindrome"] | None = None,
        tune: Literal["mix", "accept", "jump"] | None = None,
    ) -> None: ...

class DMALA(Sampler):
    """Discrete Metropolis-adjusted Langevin: all coordinates at once.

    alpha: step size; auto: tuned by a pilot to an acceptance of 0.574 (real|auto; (0,inf); usually auto)
    adjust: no: without the Metropolis step, not exact (= dula) (yes|no; usually yes)
    """
    def __init__(
        self,
        alpha: float | Literal["auto"] | None = None,
        adjust: bool | None = None,
    ) -> None: ...

class GWG(Sampler):
    """Gibbs with gradients: one coordinate per step, informed.
    """
    def __init__(
        self,
    ) -> None: ...

class Gibbs(Sampler):
    """Heat bath, coordinate by coordinate.

    scan: order in which coordinates are visited (choice; systematic|random; usually systematic)
    updates: coordinates per step of a random scan; 0: all (integer; [0,1000000000]; usually 0)
    packed: couplings J or -J, or clauses: sixteen chains as the bits of a word, with draws of their own (yes|no; usually no)
    """
    def __init__(
        self,
        scan: Literal["systematic", "random"] | None = None,
        updates: int | None = None,
        packed: bool | None = None,
    ) -> None: ...

class Metropolis(Sampler):
    """Metropolis, coordinate by coordinate.

    scan: order in which coordinates are visited (choice; systematic|random; usually systematic)
    updates: proposals per step, at random; 0: as many as coordinates (integer; [0,1000000000]; usually 0)
    """
    def __init__(
        self,
        scan: Literal["systematic", "random"] | None = None,
        updates: int | None = None,
    ) -> None: ...

class Chromatic(Sampler):
    """Heat bath, all coordinates of a color at once.

    colors: file with a number per coordinate, checked; found if omitted (text)
    scan: every color once, or drawn at random (choice; systematic|random; usually systematic)
    updates: colors per step of a random scan; 0: as many as exist (integer; [0,1000000]; usually 0)
    """
    def __init__(
        self,
        colors: str | None = None,
        scan: Literal["systematic", "random"] | None = None,
        updates: int | None = None,
    ) -> None: ...

class Hamming(Sampler):
    """Hamming ball: blocks, from all states a few changes away.

    block: neighboring coordinates of a block, from a random one on (integer; [1,1000]; usually 8)
    radius: coordinates of the block that a ball may differ in (integer; [1,8]; usually 2)
    updates: blocks per step; 0: as many as cover all coordinates (integer; [0,1000000]; usually 0)
    """
    def __init__(
        self,
        block: int | None = None,
        radius: int | None = None,
        updates: int | None = None,
    ) -> None: ...

class Blocks(Sampler):
    """Heat bath on blocks of coordinates, by elimination.

    table: entries of the largest table of a block (integer; [1,1048576]; usually 1024)
    bond: of truncated networks, for blocks whose tables would have `table` times its square entries; 0: tables alone (integer; [0,256]; usually 0)
    """
    def __init__(
        self,
        table: int | None = None,
        bond: int | None = None,
    ) -> None: ...

class Independent(Sampler):
    """Independent draws by elimination or counting, where memory is enough.
    """
    def __init__(
        self,
    ) -> None: ...

class TensorNetwork(Sampler):
    """Independent draws from a truncated tensor network, tested.

    bond: matrix size of the tensor train; auto: doubled from 8 on until trial draws are accepted (real|auto; [1,256]; usually auto)
    """
    def __init__(
        self,
        bond: float | Literal["auto"] | None = None,
    ) -> None: ...

class Cluster(Sampler):
    """Turns whole clusters of joined sites over; models of pairs.

    update: all clusters (Swendsen-Wang), or that of a random site (Wolff) (choice; all|one; usually all)
    """
    def __init__(
        self,
        update: Literal["all", "one"] | None = None,
    ) -> None: ...

class Hidden(Sampler):
    """All coordinates at once, given hidden units drawn anew.
    """
    def __init__(
        self,
    ) -> None: ...

class Bridge(Sampler):
    """Jumps between modes that a pilot has found.

    swap: probability to exchange two modes' values instead of carrying over (real; [0,1]; usually 0)
    components: probability to exchange connected components in which two modes differ (real; [0,1]; usually 0)
    sites: coordinates that say which mode a state is in, at most (integer; [1,64]; usually 64)
    modes: file with a state of each mode per line; without it a pilot finds them (text)
    learn: no: the states of the file are taken as they are (yes|no; usually yes)
    """
    def __init__(
        self,
        swap: float | None = None,
        components: float | None = None,
        sites: int | None = None,
        modes: str | None = None,
        learn: bool | None = None,
    ) -> None: ...

class Tour(Sampler):
    """2-opt and or-opt moves of a tour, Metropolis.

    updates: moves per step; 0: as many as cities (integer; [0,1000000000]; usually 0)
    or_opt: share of moves that carry up to 3 cities elsewhere; the others reverse a part of the tour (2-opt) (real; [0,1]; usually 0.5)
    turn: end a step with a random start and direction of the same closed tour (yes|no; usually yes)
    """
    def __init__(
        self,
        updates: int | None = None,
        or_opt: float | None = None,
        turn: bool | None = None,
    ) -> None: ...

class PT(Sampler):
    """Parallel tempering with even/odd exchanges of levels.

    base: kernel of every replica (sampler; usually dmala)
    levels: temperatures, the target's 1 included; auto: these and their number are tuned by a pilot (real|auto; [1,1024]; usually 5)
    max_temperature: the hottest, geometric in between; auto: 20, or infinite when levels are tuned (real|auto; [1,inf]; usually auto)
    ladder: the temperatures themselves, as in [1,2,4] (list of reals; [1,inf])
    swap_every: steps between exchanges (integer; [1,1000000]; usually 1)
    houdayer: steps between Houdayer moves (isoenergetic clusters); 0: never (integer; [0,1000000]; usually 0)
    reference: a second path of levels ends in a distribution that a pilot learns: independent coordinates, or a mixture of these over the modes; uniform: no second path; network: none, and the hottest level is drawn from a truncated network of its temperature (choice; uniform|product|modes|network; usually uniform)
    path: shares of log p on that path, falling to 0, as in [0.6,0.2,0]; without it a pilot places them (list of reals; [0,1))
    """
    def __init__(
        self,
        base: _Sampler | None = None,
        levels: float | Literal["auto"] | None = None,
        max_temperature: float | Literal["auto"] | None = None,
        ladder: _Sequence[float] | None = None,
        swap_every: int | None = None,
        houdayer: int | None = None,
        reference: Literal["uniform", "product", "modes", "network"] | None = None,
        path: _Sequence[float] | None = None,
    ) -> None: ...

class Replicas(Sampler):
    """Several independent replicas per chain at the target.

    base: kernel of every replica (sampler; usually gibbs)
    count: replicas of a chain; with 4 chains, 4 of them fill the sixteen lanes (integer; [1,1024]; usually 4)
    """
    def __init__(
        self,
        base: _Sampler | None = None,
        count: int | None = None,
    ) -> None: ...

class Multicanonical(Sampler):
    """Replicas under learned weights of log p, for first-order transitions.

    base: kernel of every replica: gibbs, metropolis, or one that is reversible chain by chain, such as cluster or dmala (sampler; usually gibbs)
    replicas: replicas of a chain; all but one are under w (integer; [2,16]; usually 4)
    range: log p where w begins and ends, as in [300,2500]; a pilot finds it (list of reals)
    phases: log p of two phases, between which round trips are counted; without them, the ends of the range (list of reals)
    slopes: slope of w in equal parts of the range, the first one 0; a pilot learns them (list of reals)
    """
    def __init__(
        self,
        base: _Sampler | None = None,
        replicas: int | None = None,
        range: _Sequence[float] | None = None,
        phases: _Sequence[float] | None = None,
        slopes: _Sequence[float] | None = None,
    ) -> None: ...

class Smc(Sampler):
    """A population led from infinite temperature to the target, with weights and log Z.

    base: kernel that moves the replicas (sampler; usually gibbs)
    steps: steps of it at each temperature (integer; [0,1000000]; usually 5)
    resample: replicas are resampled where less than this share of them counts (ESS); 1: at every temperature (population annealing), 0: never (annealed importance sampling) (real; [0,1]; usually 0.5)
    ess: a pilot places temperatures such that this share counts behind a step from one to the next (conditional ESS) (real; [0.05,0.999]; usually 0.9)
    betas: 1 / temperature of each, rising to 1, as in [0.2,0.5,1]; without them a pilot places them (list of reals; (0,1])
    """
    def __init__(
        self,
        base: _Sampler | None = None,
        steps: int | None = None,
        resample: float | None = None,
        ess: float | None = None,
        betas: _Sequence[float] | None = None,
    ) -> None: ...

class Mix(Sampler):
    """A random one of several samplers per step.

    kernels: the samplers to choose from (samplers)
    weights: one weight per sampler; equal if left out (list of reals; [0,inf))
    """
    def __init__(
        self,
        *kernels: _Sampler,
        weights: _Sequence[float] | None = None,
    ) -> None: ...

class Sequence(Sampler):
    """Several samplers one after the other.

    kernels: the samplers, in order (samplers)
    """
    def __init__(
        self,
        *kernels: _Sampler,
    ) -> None: ...

class Informed(Sampler):
    """One coordinate per step, by a locally balanced weight.

    balance: g(t) of a change: sqrt(t), t/(1+t), min(1,t), max(1,t) (choice; sqrt|barker|min|max; usually sqrt)
    gain: ln t: to first order; exact; auto: exact where that is cheap (choice; gradient|exact|auto; usually auto)
    """
    def __init__(
        self,
        balance: Literal["sqrt", "barker", "min", "max"] | None = None,
        gain: Literal["gradient", "exact", "auto"] | None = None,
    ) -> None: ...

class PAS(Sampler):
    """Path-auxiliary: several informed changes, one decision.

    length: changes of a path, on average; uniform from 1 to twice this less 1 (integer; [1,1000]; usually 3)
    balance: g(t) of a change: sqrt(t), t/(1+t), min(1,t), max(1,t) (choice; sqrt|barker|min|max; usually sqrt)
    gain: ln t: to first order; exact; auto: exact where that is cheap (choice; gradient|exact|auto; usually auto)
    """
    def __init__(
        self,
        length: int | None = None,
        balance: Literal["sqrt", "barker", "min", "max"] | None = None,
        gain: Literal["gradient", "exact", "auto"] | None = None,
    ) -> None: ...

class PAFS(Sampler):
    """Path-auxiliary, fast: several changes weighed at both ends.

    length: changes per step, on average; auto: tuned to an acceptance of 0.574 (real|auto; [1,1000000]; usually auto)
    balance: g(t) of a change: sqrt(t), t/(1+t), min(1,t), max(1,t) (choice; sqrt|barker|min|max; usually sqrt)
    gain: ln t: to first order; exact; auto: exact where that is cheap (choice; gradient|exact|auto; usually auto)
    """
    def __init__(
        self,
        length: float | Literal["auto"] | None = None,
        balance: Literal["sqrt", "barker", "min", "max"] | None = None,
        gain: Literal["gradient", "exact", "auto"] | None = None,
    ) -> None: ...

class Jumps(Sampler):
    """Jump process by locally balanced rates, at fixed times.

    time: of a step; auto: tuned by a pilot to some 8 jumps, at most 16 (real|auto; (0,1e6]; usually auto)
    balance: g(t) of the rates: sqrt(t), t/(1+t), min(1,t), max(1,t) (choice; sqrt|barker|min|max; usually sqrt)
    """
    def __init__(
        self,
        time: float | Literal["auto"] | None = None,
        balance: Literal["sqrt", "barker", "min", "max"] | None = None,
    ) -> None: ...

class TGS(Sampler):
    """Tempered Gibbs, with holding times in place of weights.

    time: of a step; auto: tuned by a pilot to some 8 jumps, at most 16 (real|auto; (0,1e6]; usually auto)
    power: of the tempered conditional; 0: uniform, 1: Gibbs (real; [0,1]; usually 0.5)
    """
    def __init__(
        self,
        time: float | Literal["auto"] | None = None,
        power: float | None = None,
    ) -> None: ...

class Tabu(Sampler):
    """Jump process that does not undo what it has done.

    time: of a step; auto: tuned by a pilot to some 8 jumps, at most 16 (real|auto; (0,1e6]; usually auto)
    balance: g(t) of the rates: sqrt(t), t/(1+t), min(1,t), max(1,t) (choice; sqrt|barker|min|max; usually sqrt)
    """
    def __init__(
        self,
        time: float | Literal["auto"] | None = None,
        balance: Literal["sqrt", "barker", "min", "max"] | None = None,
    ) -> None: ...

class MTM(Sampler):
    """Multiple-try Metropolis by locally balanced weights.

    tries: changes of a coordinate to choose from (integer; [1,10000]; usually 8)
    balance: g(t) of a try: sqrt(t), t/(1+t), min(1,t), max(1,t) (choice; sqrt|barker|min|max; usually sqrt)
    """
    def __init__(
        self,
        tries: int | None = None,
        balance: Literal["sqrt", "barker", "min", "max"] | None = None,
    ) -> None: ...

class ACS(Sampler):
    """Automatic cyclical sampler: Langevin with a cyclic step size.

    alpha: mean step size when it is not tuned (real; (0,inf); usually 0.2)
    balance: balance of the largest step when it is not tuned (real; [0.5,1]; usually 0.5)
    floor: smallest step size when it is not tuned (real; (0,inf); usually 0.2)
    cycle: number of step sizes in a cycle (integer; [1,10000]; usually 4)
    hold: steps with each step size (integer; [1,1000000]; usually 1)
    tune: find step sizes and balance in a pilot; no: the paper's setting (yes|no; usually yes)
    """
    def __init__(
        self,
        alpha: float | None = None,
        balance: float | None = None,
        floor: float | None = None,
        cycle: int | None = None,
        hold: int | None = None,
        tune: bool | None = None,
    ) -> None: ...

class DLMC(Sampler):
    """Discrete Langevin Monte Carlo: all coordinates, by rates.

    time: of the jumps; auto: tuned by a pilot to an acceptance of 0.574 (real|auto; (0,inf); usually auto)
    balance: g(t) of the rates: sqrt(t), t/(1+t), min(1,t), max(1,t) (choice; sqrt|barker|min|max; usually sqrt)
    solver: law of a coordinate after that time, or first step (choice; interpolate|euler; usually interpolate)
    """
    def __init__(
        self,
        time: float | Literal["auto"] | None = None,
        balance: Literal["sqrt", "barker", "min", "max"] | None = None,
        solver: Literal["interpolate", "euler"] | None = None,
    ) -> None: ...

class AB(Sampler):
    """Any-scale balanced: Langevin by a quadratic approximation.

    sigma: scale of steps; auto: tuned by a pilot to an acceptance of 0.574 (real|auto; (0,inf); usually auto)
    balance: weight of the gain, 1/2 for small steps to 1; auto: by sigma (real|auto; [0,1]; usually auto)
    rank: directions of W, where U bends most; 0: no W (integer; [0,64]; usually 4)
    """
    def __init__(
        self,
        sigma: float | Literal["auto"] | None = None,
        balance: float | Literal["auto"] | None = None,
        rank: int | None = None,
    ) -> None: ...

class EDLP(Sampler):
    """Entropic discrete Langevin: moves near a Gaussian copy.

    eta: variance of the copy, in the squared units of the coordinates (real; (0,inf); usually 1)
    inner: kernel that moves the state at a fixed copy (sampler; usually dmala)
    steps: inner steps per copy (integer; [1,1000000]; usually 1)
    """
    def __init__(
        self,
        eta: float | None = None,
        inner: _Sampler | None = None,
        steps: int | None = None,
    ) -> None: ...

class Pthr(Sampler):
    """Parallel tempering, Houdayer moves between several replicas at every temperature.

    base: kernel of every replica (sampler; usually gibbs)
    copies: replicas at every temperature (integer; [2,64]; usually 4)
    levels: temperatures, the target's 1 included; auto: these and their number are tuned by a pilot, as for pt (real|auto; [1,512]; usually 5)
    max_temperature: the hottest, geometric in between; auto: 20, or infinite when levels are tuned (real|auto; [1,inf]; usually auto)
    ladder: the temperatures themselves, as in [1,2,4] (list of reals; [1,inf])
    swap_every: steps between exchanges of levels (integer; [1,1000000]; usually 1)
    clusters: steps between Houdayer moves (integer; [1,1000000]; usually 1)
    """
    def __init__(
        self,
        base: _Sampler | None = None,
        copies: int | None = None,
        levels: float | Literal["auto"] | None = None,
        max_temperature: float | Literal["auto"] | None = None,
        ladder: _Sequence[float] | None = None,
        swap_every: int | None = None,
        clusters: int | None = None,
    ) -> None: ...

class DULA(Sampler):
    """Discrete unadjusted Langevin: biased, for comparison.

    alpha: step size; the bias grows with it (real; (0,inf); usually 0.2)
    """
    def __init__(
        self,
        alpha: float | None = None,
    ) -> None: ...
