"""The tables, one file for each group of nouns. Tables only: what changes data is a verb in a room."""

from .audit import AuditEvent
from .changes import Change
from .checks import Attempt, Reply
from .guidance import GuidelineVersion, Inquiry, Mark
from .items import Item
from .outputs import Export, Job, Report, ReportLink, Tally, Upload
from .people import ApiToken, Membership, User
from .projects import Project, ProtocolVersion
from .ratings import Rating, RatingEvent
from .sources import Dataset, Document, Load, Prompt, Response, System
from .work import Assignment, Place, Purpose, Reservation, Sheet

__all__ = [
    "ApiToken",
    "Assignment",
    "Attempt",
    "AuditEvent",
    "Change",
    "Dataset",
    "Document",
    "Export",
    "GuidelineVersion",
    "Inquiry",
    "Item",
    "Job",
    "Load",
    "Mark",
    "Membership",
    "Place",
    "Project",
    "Prompt",
    "ProtocolVersion",
    "Purpose",
    "Rating",
    "RatingEvent",
    "Reply",
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
