"""Disagreements, adjudication, and raters' replies to decisions."""
