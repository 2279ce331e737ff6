"""Ratings -> files that others can read, and that an import reads back."""

from .rating_columns import Column, columns
from .ratings import FORMATS, RatingsExport

__all__ = ["FORMATS", "Column", "RatingsExport", "columns"]
