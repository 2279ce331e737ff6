"""The rater's workspace and its data."""
