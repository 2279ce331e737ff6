"""Spanish numbers as browsers write them, so that a page and its scripts have the same: 12.345,6."""

THOUSAND_SEPARATOR = "."
