"""Imports: files become data sets, responses and ratings. One reader per format; an import stores all or nothing."""

from .column_mapping import Columns, columns_from
from .dataset import load_dataset
from .formats import FORMATS, Format
from .import_counts import ImportCounts
from .input_files import SourceFile
from .ratings import load_ratings
from .responses import load_responses
from .subsets import RULES, Rule

__all__ = [
    "FORMATS",
    "RULES",
    "Columns",
    "Format",
    "ImportCounts",
    "Rule",
    "SourceFile",
    "columns_from",
    "load_dataset",
    "load_ratings",
    "load_responses",
]
