"""The parts of recompute.py: each computes figures of a report from ratings.csv, independently of Factuary's code."""
