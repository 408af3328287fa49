"""Signs that a training has gone astray, said once each."""
from __future__ import annotations

import warnings

ERROR = 5.0  # of ln Z, beyond which a likelihood says nothing
PATIENCE = 100  # steps that it may stay so: anchors come every 300
SURE = 3.0  # standard errors
LARGEST = 1000.0  # parameters: a single one decides by e to that


class Alarm:
    """Checks every step of a training."""

    def __init__(self):
        self._lost = 0  # steps in a row without ln Z
        self._said = set()

    def look(self, largest, curves, level):
        """largest: parameter; level: frames up to the call that is to be
        named."""
        self._say("parameters", largest > LARGEST, level,
                  f"a parameter is {largest:.3g}: the training diverges; "
                  f"lower the rate, or give it decay")
        if "log_z_error" not in curves:
            return
        error = curves["log_z_error"]
        self._lost = 0 if error <= ERROR else self._lost + 1
        self._say("ln Z", self._lost >= PATIENCE, level,
                  f"the error of ln Z is {error:.3g} since {PATIENCE} steps: "
                  f"the model changes faster than its chains follow, and the "
                  f"likelihood is not known; lower the rate, make more steps "
                  f"or use a sampler that crosses between modes, then "
                  f"anchor()")
        found = curves["log_likelihood"]
        self._say("likelihood", found - SURE * error > 0, level,
                  f"the mean ln p of the data is {found:.3g}, which cannot "
                  f"be: ln Z was lost; anchor() finds it anew")

    def _say(self, name, is_so, level, words):
        if is_so and name not in self._said:
            self._said.add(name)
            warnings.warn(words, RuntimeWarning, stacklevel=level + 1)
