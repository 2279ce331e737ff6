"""Filters and tags that format values. They compute nothing."""
