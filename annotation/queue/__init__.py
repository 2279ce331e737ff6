"""Sheets, their slots, and the raters' leases on them."""
