"""What the baselines share: the parts of F_alpha and what a model expects of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Guess(NamedTuple):
    """A value and its standard error."""

    value: float
    stderr: float


def parts(alpha: float, c: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Contributions of items to numerator and denominator.

    >>> f, g = parts(0.5, np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.0, 1.0]))
    >>> float(f.sum() / g.sum())
    0.5
    """
    return c * y, alpha * c + (1 - alpha) * y


def expected_value(alpha: float, p: Floats, c: Floats) -> float:
    """F_alpha if the probabilities were right; 1/2 if nothing is expected in the denominator."""
    f, g = parts(alpha, c, p)
    return float(f.sum() / g.sum()) if g.sum() > 0 else 0.5


def residual_moments(alpha: float, p: Floats, c: Floats) -> tuple[Floats, Floats]:
    """Mean and mean square of f - F g for each item under the model's own probabilities."""
    value = expected_value(alpha, p, c)
    one, zero = (f - value * g for f, g in (parts(alpha, c, np.ones_like(p)), parts(alpha, c, np.zeros_like(p))))
    return p * one + (1 - p) * zero, p * one**2 + (1 - p) * zero**2
