"""Files -> data sets, responses and ratings. One reader a format; everything is stored, or nothing."""

from .columns import Columns, columns_from
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
    "Columns",
    "Counts",
    "Format",
    "Rule",
    "SourceFile",
    "columns_from",
    "load_dataset",
    "load_ratings",
    "load_responses",
]
