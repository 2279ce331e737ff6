"""The one door for answers, and the one definition of what counts."""
