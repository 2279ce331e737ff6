"""Text of a report: Methods paragraph, notes, labels, number formats."""
