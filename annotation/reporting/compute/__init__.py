"""Computations of a report over arrays of ratings: proportions, comparisons, agreement, raters."""
