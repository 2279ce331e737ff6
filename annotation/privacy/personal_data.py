"""Where personal data is stored: each model with what erasing a person does to its rows.

docs/privacy.md describes the same tables for people; tests compare both with the models, so that a new table is listed.
"""

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib.auth import get_user_model
from django.db.models import Model


@dataclass(frozen=True)
class PersonalData:
    """What erasing does to the rows of one model.

    `deleted_by`: references to a person whose rows are deleted. `texts`: fields of all rows, text or JSON, in which
    the person's names are replaced. `stays`: why rows of the person stay, under the pseudonym.
    """

    deleted_by: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    stays: str = ""


RESULTS = "the ratings, and what was rated when, are the data of studies"
RECORD = "who did what is part of the record of a study, under the pseudonym"
TABLES: dict[str, PersonalData] = {
    "annotation.User": PersonalData(stays="the row is the pseudonym; all else in it is emptied"),
    "annotation.Membership": PersonalData(texts=("pause_reason",), stays="the role belongs to the ratings"),
    "annotation.ApiToken": PersonalData(deleted_by=("user",)),
    "annotation.IdempotentRequest": PersonalData(deleted_by=("user",)),
    "account.EmailAddress": PersonalData(deleted_by=("user",)),
    "account.EmailConfirmation": PersonalData(deleted_by=("email_address__user",)),
    "mfa.Authenticator": PersonalData(deleted_by=("user",)),
    "socialaccount.SocialToken": PersonalData(deleted_by=("account__user",)),
    "socialaccount.SocialAccount": PersonalData(deleted_by=("user",)),
    "usersessions.UserSession": PersonalData(deleted_by=("user",)),
    "sessions.Session": PersonalData(),
    "annotation.SignInCounter": PersonalData(),
    "admin.LogEntry": PersonalData(texts=("object_repr", "change_message"), stays=RECORD),
    "annotation.AuditEvent": PersonalData(stays=RECORD),
    "annotation.Notification": PersonalData(deleted_by=("recipient", "rater")),
    "annotation.Reservation": PersonalData(deleted_by=("rater",), stays="work assigned by the person to others"),
    "annotation.Assignment": PersonalData(stays=RESULTS),
    "annotation.Slot": PersonalData(stays=RESULTS),
    "annotation.VerdictsShown": PersonalData(deleted_by=("person",)),
    "annotation.Attempt": PersonalData(stays=RESULTS),
    "annotation.Bookmark": PersonalData(stays=RESULTS),
    "annotation.Rating": PersonalData(texts=("comment",), stays=RESULTS),
    "annotation.RatingEvent": PersonalData(texts=("comment",), stays="the history of the ratings"),
    "annotation.Reply": PersonalData(texts=("comment",), stays=RESULTS),
    "annotation.RaterQuestion": PersonalData(texts=("text", "answer"), stays=RESULTS),
    "annotation.PayRate": PersonalData(stays="accounting; delete the rates under Hours if they are not needed"),
    "annotation.Project": PersonalData(stays=RECORD),
    "annotation.GuidelineVersion": PersonalData(stays=RECORD),
    "annotation.AnalysisPlanVersion": PersonalData(stays=RECORD),
    "annotation.Exclusion": PersonalData(texts=("reason",), stays=RECORD),
    "annotation.DatasetImport": PersonalData(texts=("options",), stays=RECORD),
    "annotation.Upload": PersonalData(stays="the file of an import, deleted after a week"),
    "annotation.Job": PersonalData(texts=("params", "message", "problems", "result"), stays=RECORD),
    "annotation.Report": PersonalData(stays="the numbers, to the byte"),
    "annotation.ReportLink": PersonalData(texts=("note",), stays=RECORD),
    "annotation.Judge": PersonalData(stays=RECORD),
    "annotation.JudgeRun": PersonalData(stays=RECORD),
    "annotation.GenerationTemplate": PersonalData(stays=RECORD),
    "annotation.Generator": PersonalData(stays=RECORD),
    "annotation.GenerationRun": PersonalData(stays=RECORD),
    "annotation.Webhook": PersonalData(stays=RECORD),
    "annotation.WebhookDelivery": PersonalData(deleted_by=("rater",)),
    "annotation.Export": PersonalData(stays="files that the person made of projects in which they did not rate"),
}
"""By label of the model, in the order of deletion. Users, sessions, audit events, plans, reports and exports have code
of their own in `erase` and `report_names`."""

NO_PERSONAL_DATA = frozenset(
    {
        "annotation.ProtocolVersion",
        "annotation.DataChange",
        "annotation.Dataset",
        "annotation.Document",
        "annotation.Prompt",
        "annotation.System",
        "annotation.Response",
        "annotation.Item",
        "annotation.Sheet",
        "annotation.Tally",
        "annotation.JudgeCall",
        "annotation.SampledItem",
        "annotation.Verdict",
        "annotation.TuningItem",
        "annotation.FactScore",
        "annotation.GenerationCall",
        "annotation.GenerationResult",
        "annotation.MetricScore",
        "auth.Permission",
        "auth.Group",
        "contenttypes.ContentType",
        "socialaccount.SocialApp",
        "pghistory.Context",
        "pghistory.Events",
        "pghistory.MiddlewareEvents",
    }
)
"""Models without data about the people who use the site; the last three have no rows here."""


def references(model: type[Model]) -> list[Any]:
    """Return the fields of a model that refer to a user."""
    fields = [field for field in model._meta.get_fields() if field.concrete and not field.many_to_many]
    return [field for field in fields if field.related_model is get_user_model()]


def model_of(label: str) -> type[Model]:
    """Return the model with this label."""
    return apps.get_model(label)
