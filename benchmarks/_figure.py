"""A figure as benchmarks print it, with the bounds of its ratio."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A measured value beside its baseline. `n`: how many measurements or things it is of.

    A run fails if value / baseline is above `at_most` or below `at_least`. A budget is a baseline with the bound 1.
    """

    name: str
    value: float
    baseline: float
    unit: str
    n: int
    at_most: float = math.inf
    at_least: float = -math.inf

    @property
    def ratio(self) -> float | None:
        """value / baseline; None without a baseline."""
        return self.value / self.baseline if self.baseline else None

    def to_dict(self) -> dict[str, object]:
        """Return what is printed, numbers with six digits."""
        return {
            "name": self.name,
            "value": _six_digits(self.value),
            "unit": self.unit,
            "baseline": _six_digits(self.baseline),
            "ratio": None if self.ratio is None else _six_digits(self.ratio),
            "n": self.n,
        }

    def problem(self) -> str:
        """Return in one line which bound the ratio breaks, "" for none."""
        if self.ratio is None or self.at_least <= self.ratio <= self.at_most:
            return ""
        is_above = self.ratio > self.at_most
        bound = f"at most {self.at_most:g}" if is_above else f"at least {self.at_least:g}"
        return (
            f"{self.name}: {self.value:.6g} {self.unit} is {self.ratio:.4g} times the baseline of {self.baseline:.6g},"
            f" which must be {bound}"
        )


def _six_digits(number: float) -> float:
    return number if isinstance(number, int) else float(f"{number:.6g}")
