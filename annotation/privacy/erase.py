"""Erase a person: the account becomes a pseudonym, and the ratings stay under it.

All changes are one transaction. Names in the audit are replaced by a function of the database (migration 0023), because
the site's role may not update audit events. `personal_data` lists what happens to each table.
"""

import hmac
from functools import partial
from hashlib import sha256
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Exists, JSONField, OuterRef, Q
from psycopg import sql

from ..accounts.names import PersonError, free_key, save_name
from ..accounts.users import check_not_judge, set_active
from ..audit import record
from ..jobs import Progress, Refused
from ..models import Export, Job, Project, User
from ..reporting.cache import delete_results
from ..site.database_clock import database_now
from ..site.database_transactions import ignored_triggers
from ..site.secret_key import secret_key
from .personal_data import TABLES, model_of, references
from .receipts import ERASE, make_receipt
from .report_names import Rename, rename_in_plans, rename_in_reports, reports_of

ERASE_JOB = "erase_person"
"""The kind of the job."""
PREFIX = "erased-"
_HISTORY = (
    "annotation.Rating:update_update",
    "annotation.RatingEvent:append_only",
    "annotation.AuditEvent:audit_is_append_only",
)
"""Triggers that record the former texts, or forbid to change them."""


@transaction.atomic
def erase_person(user: User, *, actor: User | None = None, job: Job | None = None) -> dict[str, Any]:
    """Erase the person and return the receipt. Raises PersonError for an erased one, the last admin, and `actor`.

    `job`: the one that does this; other open jobs that read the person's ratings start again.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    check_erasable(user, actor)
    with connection.cursor() as cursor:  # user name, display name and addresses, former ones too; none that others have
        cursor.execute("SELECT annotation_names_of(%s)", [user.pk])
        rename = Rename(list(cursor.fetchone()[0]), pseudonym_of(user))
    in_data = Rename([*rename.names, user.name_in_data], rename.pseudonym)
    projects = list(Project.objects.filter(Q(ratings__rater=user) | Q(assignments__rater=user)).distinct())
    # Open jobs of these projects start again: what they have read has the name. Beat queues them within 30 s.
    others = Job.objects.exclude(pk=job.pk if job else 0).filter(state__in=Job.OPEN)
    concerned = others.filter(Q(project__in=projects) | Q(started_by=user))
    concerned.update(state=Job.State.QUEUED, heartbeat_at=None)
    set_active(user, False, actor=actor)
    reports = reports_of(user, in_data.names)
    deleted = _delete_rows(user, projects)
    replaced = _replace_names(user, rename)
    # The account keeps the pseudonym and the date of the erasure.
    key, user.original_name, user.former_names = user.name_key, None, []
    user.username, user.first_name, user.last_name, user.email = rename.pseudonym, "", "", ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login, user.notification_mail, user.mail_language = None, User.Mail.OFF, ""
    user.date_joined = user.erased_at = database_now()
    user.set_unusable_password()
    save_name(user)
    free_key(key)
    user.groups.clear()
    user.user_permissions.clear()
    plan_hashes = rename_in_plans(in_data)
    replaced["annotation.AnalysisPlanVersion"] = len(plan_hashes)
    replaced["annotation.Report"] = rename_in_reports(reports, in_data, plan_hashes)
    rest = {"annotation.User": (1, TABLES["annotation.User"].stays)}
    for label, data in TABLES.items():
        fields = [field.name for field in references(model_of(label))]
        own = Q(*((name, user) for name in fields), _connector=Q.OR)
        if fields and data.stays:
            rest[label] = (model_of(label)._default_manager.filter(own).count(), data.stays)
    receipt = make_receipt(rename.pseudonym, deleted, replaced, rest)
    record(actor, ERASE, f"user:{rename.pseudonym}", after=receipt)
    transaction.on_commit(delete_results)
    return receipt


def preview_erasure(user: User) -> dict[str, Any]:
    """Return the receipt that erasing the person would give, and change nothing. Raises PersonError."""
    with transaction.atomic():
        receipt = erase_person(user)
        transaction.set_rollback(True)
    return receipt


def erase_person_job(job: Job, progress: Progress) -> dict[str, Any]:
    """Run a job of kind `erase_person`. A repeated one whose person is erased already ends. Raises Refused."""
    user = User.objects.get(pk=job.params["user"])
    if user.erased_at is None:
        try:
            with transaction.atomic():
                erase_person(user, actor=job.started_by, job=job)
                progress.lock_job()
        except PersonError as error:
            raise Refused([f"{error}"]) from None
    return {}


@transaction.atomic
def check_erasable(user: User, actor: User | None = None) -> None:
    """Raise PersonError if the person is erased already, is the last admin, is `actor`, or is a judge."""
    if user.erased_at:
        raise PersonError(f"{user.username!r} is erased already")
    check_not_judge(user)
    if user == actor:
        raise PersonError("you cannot erase yourself: ask another admin")
    admins = User.objects.select_for_update().filter(is_active=True, is_superuser=True)
    if user.is_admin and list(admins) == [user]:
        raise PersonError(f"{user.username!r} is the only admin: make another person an admin first")


def pseudonym_of(user: User) -> str:
    """Return the pseudonym: a keyed hash of the account's number, so it is the same again after a restored backup and
    says nothing about the name. Raises PersonError without the server's SECRET_KEY.
    """
    if not (secret := secret_key()):
        raise PersonError("SECRET_KEY is not set: set it to the server's, with which the pseudonym is made")
    scope = f"factuary.erased:{user.pk}"
    return f"{PREFIX}{hmac.digest(secret.encode(), scope.encode(), sha256).hex()[:12]}"


def _delete_rows(user: User, projects: list[Project]) -> dict[str, int]:
    """Delete the rows of the person, and stored files of exported ratings, which can be made again. Return how many."""
    exports = list(Export.objects.filter(project__in=projects))
    for export in exports:
        transaction.on_commit(partial(export.file.storage.delete, str(export.file.name)))
    Export.objects.filter(pk__in=[export.pk for export in exports]).delete()
    # `end_sessions` does not know the sessions from before it existed.
    unknown = Session.objects.filter(~Exists(UserSession.objects.filter(session_key=OuterRef("pk"))))
    own = [row.pk for row in unknown.iterator() if row.get_decoded().get("_auth_user_id") == str(user.pk)]
    deleted = {
        "annotation.Export": len(exports),
        "sessions.Session": Session.objects.filter(pk__in=own).delete()[0],
    }
    for label, data in TABLES.items():
        if data.deleted_by:
            is_own = Q(*((field, user) for field in data.deleted_by), _connector=Q.OR)
            deleted[label] = model_of(label)._default_manager.filter(is_own).delete()[1].get(label, 0)
    return deleted


def _replace_names(user: User, rename: Rename) -> dict[str, int]:
    """Replace the names in the texts of all tables. Return the numbers of changed rows."""
    own = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk))
    own.update(object_repr=rename.pseudonym)
    with ignored_triggers(*_HISTORY), connection.cursor() as cursor:
        cursor.execute("SELECT annotation_erase_names_in_audit(%s, %s)", [user.pk, rename.pseudonym])
        replaced = {"annotation.AuditEvent": int(cursor.fetchone()[0])}
        for label, data in TABLES.items():
            if data.texts:
                values: list[Any] = [list(rename.names), rename.pseudonym] * len(data.texts)
                options = model_of(label)._meta
                columns = [
                    sql.Identifier(name) for name in data.texts
                ]  # texts are stored under the names of their fields
                types = [
                    sql.SQL("jsonb" if isinstance(options.get_field(name), JSONField) else "text")
                    for name in data.texts
                ]
                new_value = sql.SQL("{column} = annotation_without_names({column}::{type}, %s::text[], %s::text)")
                new_values = [
                    new_value.format(column=column, type=type) for column, type in zip(columns, types, strict=True)
                ]
                statement = sql.SQL(
                    "UPDATE {table} SET {values} WHERE EXISTS (SELECT FROM unnest(%s::text[]) name"
                    " WHERE strpos(lower(concat_ws(' ', {columns})), lower(name)) > 0)"
                ).format(
                    table=sql.Identifier(options.db_table),
                    values=sql.SQL(", ").join(new_values),
                    columns=sql.SQL(", ").join(columns),
                )
                cursor.execute(statement.as_string(None), [*values, list(rename.names)])
                replaced[label] = int(cursor.rowcount)
    return replaced
