"""The members of a project, under the names of earlier versions."""

from .projects import Members
from .records import Invitation, Member

__all__ = ["Invitation", "Member", "Members"]
