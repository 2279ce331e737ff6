"""Errors of changes to a project and its work."""


class ProjectError(ValueError):
    """The project cannot be created or changed as requested; the message says why and what to do."""
