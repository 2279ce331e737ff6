"""Numbers of results that a run has stored."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ResultCounts:
    """Numbers of valid results and of failed ones."""

    valid: int = 0
    failed: int = 0

    def __add__(self, other: "ResultCounts") -> "ResultCounts":
        return ResultCounts(self.valid + other.valid, self.failed + other.failed)
