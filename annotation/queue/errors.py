"""Errors of changes to a project and its work."""

from django.utils.translation import gettext_lazy

ARCHIVED = gettext_lazy("This project is archived, so nothing is saved in it any more. Your earlier answers are kept.")
"""The message of ProjectArchived where a rater saves an answer."""


class ProjectError(ValueError):
    """The project cannot be created or changed as requested; the message says why and what to do."""


class LeaseLost(Exception):
    """The slot has another holder now. The answers given so far are kept."""


class RaterPaused(ValueError):
    """The rater is paused, and their leases are free. The answers given so far are kept."""


class ProjectArchived(ValueError):
    """Nobody rates in an archived project. Answers given before are kept."""


class AlreadyFinished(ValueError):
    """Finished work cannot be given back."""


class NotFinished(ValueError):
    """Only finished work can be opened again."""


class ProjectBusy(Exception):
    """Somebody else changes the project just now."""
