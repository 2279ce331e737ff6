"""The tables, one file for each group of nouns. Tables only: what changes data is a verb in a room."""

from .audit import AuditEvent
from .changes import Change
from .datasets import Dataset, Document, Load, Prompt, Response, System
from .guidance import GuidelineVersion, Inquiry, Mark
from .items import Item
from .projects import Project, ProtocolVersion
from .qualification import Attempt, Reply
from .queue import Assignment, Place, Purpose, Reservation, Sheet
from .ratings import Rating, RatingEvent
from .reports import Export, Job, Report, ReportLink, Tally, Upload
from .users import ApiToken, Membership, User

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
