"""What people disagree about, and what a lead makes of it. A review adds a rating; it never edits a rater's."""
