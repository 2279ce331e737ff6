"""What ratings add up to: counted, divided, compared, frozen. A report never changes a rating."""

from .build import MOST_RESAMPLES, RESAMPLES, SEED, agreement_now, as_bytes, build, check_parameters
from .freeze import FREEZE, freeze, freeze_job

__all__ = [
    "FREEZE",
    "MOST_RESAMPLES",
    "RESAMPLES",
    "SEED",
    "agreement_now",
    "as_bytes",
    "build",
    "check_parameters",
    "freeze",
    "freeze_job",
]
