"""Exports: ratings as files for other programs, in formats that an import reads again."""

from .rating_columns import Column, columns
from .ratings import FORMATS, RatingsExport

__all__ = ["FORMATS", "Column", "RatingsExport", "columns"]
