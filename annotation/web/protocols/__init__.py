"""Protocol files and how a rater would see them."""
