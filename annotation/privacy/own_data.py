"""The export of one's own data: a zip with a JSON file for each table that has rows of the person.

Secrets are left out, and what would unblind the work: which responses are hidden gold, and the systems' names. Of other
people there is nothing: a reference to a person is `"you"` or null.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q, QuerySet

from ..audit import record
from ..exporting.writers import Archive
from ..models import AuditEvent, User
from ..site.database_transactions import one_snapshot
from .personal_data import TABLES, model_of, references

ACTION = "download own data"
"""The action of the audit event."""
README = """# Your data

What this site stores about you, by table: one JSON file each, of the moment of the download. Times are in UTC. A
reference to a person is "you", or null for another person. `docs/privacy.md` of Factuary describes the tables.

Left out: secrets (password, keys), which responses are checks, and names of the rated systems.
"""
PATHS = {
    "annotation.User": ("pk",),
    "account.EmailConfirmation": ("email_address__user",),
    "socialaccount.SocialToken": ("account__user",),
    "annotation.Notification": ("recipient",),
    "annotation.Bookmark": ("assignment__rater",),
    "annotation.Judge": ("created_by",),
}
"""How rows refer to their person, where not by all their references to people."""
OMITTED = ("sessions.Session", "annotation.Slot", "annotation.AuditEvent")
"""Tables without a file: the second is in those of assignments, the first only has secrets, the third has two files."""
HIDDEN = {
    "annotation.User": ("password", "groups", "user_permissions"),
    "annotation.ApiToken": ("digest", "password_digest"),
    "annotation.IdempotentRequest": ("key_digest", "answer"),
    "account.EmailConfirmation": ("key",),
    "mfa.Authenticator": ("data",),
    "socialaccount.SocialToken": ("token", "token_secret"),
    "usersessions.UserSession": ("session_key", "data"),
    "admin.LogEntry": ("object_id", "object_repr", "change_message"),
    "annotation.Notification": ("question", "job"),
    "annotation.Reservation": ("sheet",),
    "annotation.Assignment": ("sheet", "purpose"),
    "annotation.VerdictsShown": ("against",),
    "annotation.Rating": ("counted", "assignment", "idempotency_key", "request_sha256"),
    "annotation.RatingEvent": ("pgh_obj", "assignment", "idempotency_key", "request_sha256"),
    "annotation.Upload": ("file",),
    "annotation.Job": ("params", "problems", "result", "report", "uploads"),
    "annotation.Report": ("document", "figures", "provenance"),
    "annotation.ReportLink": ("digest",),
    "annotation.Export": ("file", "job"),
    "annotation.Judge": ("encrypted_key",),
    "annotation.JudgeRun": ("job",),
    "annotation.Generator": ("encrypted_key",),
    "annotation.GenerationRun": ("job",),
    "annotation.Webhook": ("url", "encrypted_secret"),
    "annotation.WebhookDelivery": ("webhook", "payload"),
}
"""Fields that are left out."""
ONLY = {"annotation.Project": ("slug", "title", "created_by", "created_at")}
READABLE = {
    "project": ("slug",),
    "response": ("public_id",),
    "item": ("public_id", "text"),
    "judge": ("name", "version"),
    "generator": ("public_id",),
    "dataset": ("slug",),
}
"""What stands for the row that a field refers to: `project__slug` for `project`."""


def own_data(user: User) -> Iterator[bytes]:
    """Record the download in the audit; return the pieces of the zip."""
    record(user, ACTION, f"user:{user.username}")
    return _pieces(user)


def _pieces(user: User) -> Iterator[bytes]:
    with one_snapshot():
        archive = Archive(f"factuary-{user.username}")
        yield from archive.add("README.md", [README.encode()])
        for name, rows in own_tables(user):
            yield from archive.add(f"{name}.json", _json_array(rows))
        yield from archive.end()


def own_tables(user: User) -> Iterator[tuple[str, Iterable[Mapping[str, Any]]]]:
    """Yield the name of each file with its rows; tables without rows of the person have no file."""
    for label in TABLES:
        rows = own_rows(user, label) if label not in OMITTED else None
        if rows is not None and rows.exists():
            people = [field.name for field in references(model_of(label))]
            yield label, (_without_others(row, people, user) for row in rows.iterator(chunk_size=2_000))
    events = AuditEvent.objects.order_by("at", "pk")
    about = events.filter(target__in=user.audit_targets)
    rows_about = about.values("at", "action", "project__slug", "before", "after").iterator()
    yield (
        "audit-about-you",
        (
            row
            | {
                "after": (
                    {key: value for key, value in row["after"].items() if key != "successor"}
                    if isinstance(row["after"], dict)
                    else row["after"]
                )
            }
            for row in rows_about
        ),
    )
    yield "audit-by-you", events.filter(actor=user).values("at", "action", "project__slug").iterator()


def own_rows(user: User, label: str) -> QuerySet[Any, dict[str, Any]]:
    """Return the rows of the person in a table, with the fields to export."""
    model = model_of(label)
    paths = PATHS.get(label) or [field.name for field in references(model)]
    own = Q(*((path, user.pk) for path in paths), _connector=Q.OR)
    columns = [f"{field}__{part}" if part else field for field in _fields(label) for part in READABLE.get(field, ("",))]
    return model._default_manager.filter(own).order_by("pk").values(*columns)


def _fields(label: str) -> Iterable[str]:
    hidden = HIDDEN.get(label, ())
    every = (field for field in model_of(label)._meta.get_fields() if field.concrete and not field.many_to_many)
    return ONLY.get(label) or [field.name for field in every if field.name not in hidden]


def _without_others(row: Mapping[str, Any], people: Iterable[str], user: User) -> Mapping[str, Any]:
    names = {field: "you" if row[field] == user.pk else None for field in people if field in row}
    return {**row, **names}


def _json_array(rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Yield a JSON array, a line for each row."""
    start = "[\n"
    for row in rows:
        yield (start + json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False)).encode()
        start = ",\n"
    yield b"[]\n" if start == "[\n" else b"\n]\n"
