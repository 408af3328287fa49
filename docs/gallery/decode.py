"""Logical errors of surface codes: matching against the exact decision."""
import importlib.util
import itertools
import os
import sys
import time

from common import OUT, ROOT, Figure, claim, skip

sys.path.insert(0, os.path.join(os.path.dirname(
    os.environ.get("HISS") or ROOT / "build/release/hiss"), "python"))
for module in ("stim", "pymatching", "numpy", "hiss"):
    if not importlib.util.find_spec(module):
        skip(f"{module} is not installed")

import hiss  # noqa: E402
import numpy as np  # noqa: E402
import pymatching  # noqa: E402
import stim  # noqa: E402

SHOTS = 4000
DISTANCES, NOISE = (3, 5, 7), (0.08, 0.09, 0.10, 0.11, 0.12)


def error_model(distance, p):
    """stim's rotated code with bit flips of data qubits before one round."""
    circuit = stim.Circuit()
    for part in stim.Circuit.generated(
            "surface_code:rotated_memory_z", distance=distance, rounds=1,
            before_round_data_depolarization=p):
        if part.name == "DEPOLARIZE1":
            circuit.append("X_ERROR", part.targets_copy(), p)
        else:
            circuit.append(part)
    return circuit.detector_error_model()


class Code:
    def __init__(self, distance, p):
        self.file = OUT / f"surface-{distance}-{p:g}.dem"
        self.dem = error_model(distance, p)
        self.dem.to_file(str(self.file))
        parts = [e for e in self.dem.flattened() if e.type == "error"]
        self.p = np.array([e.args_copy()[0] for e in parts])
        self.flips = np.zeros((len(parts), self.dem.num_detectors), int)
        self.logical = np.zeros(len(parts), int)
        for j, part in enumerate(parts):
            for target in part.targets_copy():
                if target.is_logical_observable_id():
                    self.logical[j] ^= 1
                else:
                    self.flips[j, target.val] ^= 1
        self.known = {}

    def flipped(self, seen):
        """P(the logical bit flipped | these detections), by hiss.exact."""
        key = " ".join(f"D{k}" for k in np.flatnonzero(seen))
        if key not in self.known:
            model = hiss.model(f'decode({self.file},detections="{key}")')
            self.known[key] = hiss.exact(model).means()[model.labels.index("L0")]
        return self.known[key]

    def rates(self, detections, weights):
        """Failures of matching and of the exact decision: (mean, its
        standard error) of both and of their difference."""
        began = time.process_time()
        chance = np.array([self.flipped(seen) for seen in detections])
        middle = time.process_time()
        matching = pymatching.Matching(self.dem).decode_batch(
            detections.astype(np.uint8))[:, 0]
        self.spent = middle - began, time.process_time() - middle
        fails = np.where(matching == 1, 1 - chance, chance)
        both = fails, np.minimum(chance, 1 - chance)
        both += (both[0] - both[1],)
        return [(weights @ f, np.std(f) / np.sqrt(len(f))) for f in both]

    def sampled(self, shots, rng):
        errors = rng.random((shots, len(self.p))) < self.p
        return self.rates(errors @ self.flips % 2, np.full(shots, 1 / shots))

    def enumerated(self):
        """All errors: the rates without any sampling, and the largest gap
        between the probabilities of hiss and the sums of this function."""
        errors = np.array(list(itertools.product((0, 1), repeat=len(self.p))))
        mass = np.prod(np.where(errors, self.p, 1 - self.p), 1)
        seen, which = np.unique(errors @ self.flips % 2, axis=0,
                                return_inverse=True)
        total = np.bincount(which.ravel(), mass)
        flipped = np.bincount(which.ravel(), mass * (errors @ self.logical % 2))
        gap = max(abs(self.flipped(s) - f / t)
                  for s, f, t in zip(seen, flipped, total))
        return [mean for mean, _ in self.rates(seen, total)], gap


def draw(table):
    figure = Figure("What matching loses on the rotated surface code",
                    (0.078, 0.122), (0, 4), "probability of a flip",
                    "more logical errors than the best decision, %")
    for number, d in enumerate(DISTANCES):
        rows = [table[d, p] for p in NOISE]
        figure.points(NOISE, [100 * r[2][0] / r[1][0] for r in rows], number,
                      joined=True,
                      errors=[100 * r[2][1] / r[1][0] for r in rows])
    figure.legend(*(f"distance {d}" for d in DISTANCES))
    figure.save("decode.svg")


def main():
    rng, table = np.random.default_rng(2026), {}
    print("flip  distance  matching  exact decision  difference")
    for p in NOISE:
        for d in DISTANCES:
            code = Code(d, p)
            table[d, p] = r = code.sampled(SHOTS, rng)
            print(f"{p:.2f}{d:10}{r[0][0]:10.4f}{r[1][0]:16.4f}"
                  f"{r[2][0]:10.4f} +- {r[2][1]:.4f}", flush=True)
    print(f"one shot of the last row: matching {1e3 * code.spent[1] / SHOTS:.4f}"
          f" ms, exact {1e3 * code.spent[0] / SHOTS:.2f} ms")
    draw(table)
    true, gap = Code(3, NOISE[2]).enumerated()
    print(f"distance 3, flip 0.10, all 128 errors: matching {true[0]:.6f}, "
          f"exact {true[1]:.6f}")
    claim(gap < 1e-12, "probabilities of hiss equal enumeration to 1e-12")
    claim(all(abs(r[0] - t) < 4 * r[1] + 1e-12
              for r, t in zip(table[3, NOISE[2]], true)),
          "the shots agree with enumeration within 4 errors")
    claim(all(r[2][0] > 3 * r[2][1] for (d, _), r in table.items() if d == 7),
          "at distance 7 the exact decision is better by 3 errors and more")
    claim(table[7, 0.08][1][0] < table[3, 0.08][1][0]
          and table[7, 0.12][1][0] > table[3, 0.12][1][0],
          "a larger code helps at 0.08 and does not at 0.12")


if __name__ == "__main__":
    main()
