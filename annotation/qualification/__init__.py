"""What a rater gets next: pauses, training, qualification and hidden gold come before the queue."""
