"""Data sets and their documents, and loading them."""
