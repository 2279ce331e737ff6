"""Review of disagreement by leads: adjudication, gold answers, boundaries, questions. A review adds ratings and never
edits a rater's."""
