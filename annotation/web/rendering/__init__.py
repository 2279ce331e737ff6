"""Texts of articles and responses as safe HTML."""
