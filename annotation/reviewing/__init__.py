"""Review by leads: adjudication, gold answers, boundaries, questions. A review never edits a rater's rating."""
