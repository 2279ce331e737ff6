"""What ratings add up to: counted, divided, compared, frozen. A report never changes a rating."""

from .build import as_bytes, build
from .choices import MOST_RESAMPLES, RESAMPLES, SEED, Choices
from .freeze import FREEZE, freeze, freeze_job

__all__ = [
    "FREEZE",
    "MOST_RESAMPLES",
    "RESAMPLES",
    "SEED",
    "Choices",
    "as_bytes",
    "build",
    "freeze",
    "freeze_job",
]
