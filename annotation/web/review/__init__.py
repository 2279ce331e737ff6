"""Disagreements, worst first, their adjudication, and raters' replies to decisions."""
