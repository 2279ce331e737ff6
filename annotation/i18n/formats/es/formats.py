"""Spanish number formats as in browsers, so that a page and its scripts agree: 12.345,6."""

THOUSAND_SEPARATOR = "."
