"""Data of a report: tallies and ratings read into arrays, filters, data hash, snapshot."""
