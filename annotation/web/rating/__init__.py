"""The rater's workspace and what it is given."""
