"""Celery tasks: ids in, one call to a package of `annotation`, a line in the log, no logic."""
