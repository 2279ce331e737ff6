"""Reports of ratings: filters, proportions, comparisons, agreement, freezing. A report never changes a rating."""

from .build import build
from .choices import MAX_RESAMPLES, RESAMPLES, SEED, Choices
from .freeze import FREEZE, freeze, freeze_job

__all__ = [
    "FREEZE",
    "MAX_RESAMPLES",
    "RESAMPLES",
    "SEED",
    "Choices",
    "build",
    "freeze",
    "freeze_job",
]
