"""Undefined results: 0/0 and NaN become None."""

import math
from typing import SupportsFloat


def quotient(numerator: float, denominator: float) -> float | None:
    """Return `numerator / denominator` as a float, or None when the denominator is 0.

    Integers are divided as they are (Python rounds the exact quotient once), so that equal fractions are
    equal floats: 2/6 == 1/3.
    """
    if not denominator:
        return None
    return float(numerator / denominator)


def defined(value: SupportsFloat | None) -> float | None:
    """Return a Python float, or None for None, NaN and infinities. NumPy scalars become Python floats."""
    if value is None:
        return None
    number = float(value)
    return number if math.isfinite(number) else None
