"""A rater's next work: pauses, training, qualification and hidden gold precede the queue."""
