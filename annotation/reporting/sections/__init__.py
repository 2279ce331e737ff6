"""The sections of a report: each a folder of one shape."""
