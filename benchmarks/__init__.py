"""Benchmarks: the `run()` of each module yields figures, and `make bench` prints them."""
