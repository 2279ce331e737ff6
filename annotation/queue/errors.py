"""Errors of changes to a project and its work."""

from django.utils.translation import gettext_lazy

ARCHIVED = gettext_lazy("This project is archived, so nothing more is saved. Your earlier answers are kept.")
"""The message of ProjectArchived where a rater saves an answer."""


class ProjectError(ValueError):
    """The project cannot be created or changed as requested; the message names the reason and the remedy."""


class SampleError(ProjectError):
    """The sample cannot be drawn as requested."""


class LeaseLost(Exception):
    """Another rater holds the slot now. The answers stay stored."""


class RaterPaused(ValueError):
    """The rater is paused, and their leases are free. The answers stay stored."""


class ProjectArchived(ValueError):
    """An archived project accepts no ratings. Earlier answers stay stored."""


class AlreadyFinished(ValueError):
    """A finished assignment cannot be released."""


class NotFinished(ValueError):
    """Only a finished assignment can be reopened."""


class ProjectBusy(Exception):
    """Another transaction is changing the project."""
