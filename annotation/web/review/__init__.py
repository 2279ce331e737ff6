"""Disagreements worst first, deciding them, and what raters say to decisions."""
