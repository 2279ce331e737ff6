"""Files -> data sets, responses and ratings. One reader a format; everything is stored, or nothing."""

from .counts import Counts
from .dataset import load_dataset
from .files import SourceFile
from .formats import FORMATS, Format
from .ratings import load_ratings
from .responses import load_responses
from .subsets import RULES, Rule

__all__ = [
    "FORMATS",
    "RULES",
    "Counts",
    "Format",
    "Rule",
    "SourceFile",
    "load_dataset",
    "load_ratings",
    "load_responses",
]
