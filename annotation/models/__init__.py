"""The tables, one file for each group of nouns. Tables only: what changes data is a verb in a room."""

from .audit import AuditEvent
from .changes import Change
from .items import Item
from .outputs import Export, Job, Report, ReportLink, Tally, Upload
from .people import ApiToken, Membership, User
from .projects import Project, ProtocolVersion
from .ratings import Rating, RatingEvent
from .sources import Dataset, Document, Load, Prompt, Response, System
from .work import Assignment, Place, Reservation, Sheet

__all__ = [
    "ApiToken",
    "Assignment",
    "AuditEvent",
    "Change",
    "Dataset",
    "Document",
    "Export",
    "Item",
    "Job",
    "Load",
    "Membership",
    "Place",
    "Project",
    "Prompt",
    "ProtocolVersion",
    "Rating",
    "RatingEvent",
    "Report",
    "ReportLink",
    "Reservation",
    "Response",
    "Sheet",
    "System",
    "Tally",
    "Upload",
    "User",
]
