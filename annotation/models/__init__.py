"""Database models, grouped by topic. Functions that change data are in the other packages."""

from .analysis_plans import AnalysisPlanVersion
from .api_tokens import ApiToken
from .audit import AuditEvent, IdempotentRequest, SignInCounter
from .data_changes import DataChange
from .datasets import Dataset, DatasetImport, Document, Prompt, Response, System
from .generation import GenerationCall, GenerationResult, GenerationRun, GenerationTemplate, Generator
from .guidance import Bookmark, GuidelineVersion, RaterQuestion
from .items import Item, SampledItem
from .jobs import Job, Upload
from .judges import FactScore, Judge, JudgeCall, JudgeRun, TuningItem, Verdict, VerdictsShown
from .metrics import MetricScore
from .notifications import Notification
from .pay_rates import PayRate
from .projects import Project, ProtocolVersion
from .qualification import Attempt, Reply
from .queue import Assignment, Exclusion, Purpose, Reservation, Sheet, Slot
from .ratings import Rating, RatingEvent
from .reports import Export, Report, ReportLink, Tally
from .users import Membership, User
from .webhooks import Webhook, WebhookDelivery

__all__ = [
    "AnalysisPlanVersion",
    "ApiToken",
    "Assignment",
    "Attempt",
    "AuditEvent",
    "Bookmark",
    "DataChange",
    "Dataset",
    "DatasetImport",
    "Document",
    "Exclusion",
    "Export",
    "FactScore",
    "GenerationCall",
    "GenerationResult",
    "GenerationRun",
    "GenerationTemplate",
    "Generator",
    "GuidelineVersion",
    "IdempotentRequest",
    "Item",
    "Job",
    "Judge",
    "JudgeCall",
    "JudgeRun",
    "Membership",
    "MetricScore",
    "Notification",
    "PayRate",
    "Project",
    "Prompt",
    "ProtocolVersion",
    "Purpose",
    "RaterQuestion",
    "Rating",
    "RatingEvent",
    "Reply",
    "Report",
    "ReportLink",
    "Reservation",
    "Response",
    "SampledItem",
    "Sheet",
    "SignInCounter",
    "Slot",
    "System",
    "Tally",
    "TuningItem",
    "Upload",
    "User",
    "Verdict",
    "VerdictsShown",
    "Webhook",
    "WebhookDelivery",
]
