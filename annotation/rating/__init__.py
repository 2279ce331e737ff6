"""Storing answers, and the definition of the ratings that count."""
