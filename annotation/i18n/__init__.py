"""Numbers, units and protocols in the reader's language."""
