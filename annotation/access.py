"""Access control: fetching a row through this module is the permission check.

People who are not members get 404, members without the right 403. An admin has a lead's rights in every project.
"""

from typing import Literal
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.http import Http404
from django.utils.translation import gettext as _

from . import protocols, pseudonyms
from .models import (
    Assignment,
    AuditEvent,
    Dataset,
    Document,
    Export,
    Job,
    Membership,
    Project,
    ProtocolVersion,
    Report,
    Sheet,
    User,
    Webhook,
    WebhookDelivery,
)
from .models.queue import NOT_WORK, Purpose
from .site.composed_queries import ComposedQuery

Needs = Literal["member", "rater", "lead"]
_GATES = [Purpose.TRAINING, Purpose.QUALIFICATION]
HAS_GATES = Exists(Sheet.objects.filter(NOT_WORK, project=OuterRef("project"), purpose__in=_GATES))
"""Annotation of memberships: whether the project has training or qualification."""


def projects_for(user: User) -> QuerySet[Project]:
    """Return the projects that `user` may see."""
    projects = Project.objects.all()
    return projects if user.leads_all_projects else projects.filter(memberships__user=user)


def projects_led_by(user: User) -> QuerySet[Project]:
    """Return the projects that `user` leads, for an admin all."""
    projects = Project.objects.all()
    return projects if user.leads_all_projects else projects.filter(memberships__user=user, memberships__role="lead")


def _memberships(slug: Value, user: Value) -> QuerySet[Membership]:
    memberships = Membership.objects.select_related("project__protocol", "project__dataset")
    return memberships.filter(project__slug=slug, user=user)


_MEMBERSHIP = ComposedQuery(_memberships, 2)
_LOCKED_MEMBERSHIP = ComposedQuery(
    lambda slug, user: _memberships(slug, user).select_for_update(of=("self",)).annotate(has_gates=HAS_GATES), 2
)


def project_for(user: User, slug: str, needs: Needs = "member", *, lock: bool = False) -> Project:
    """Return the project with this slug, `.role` set to the user's role in it. Raises Http404 or PermissionDenied.

    `needs="rater"` requires a membership of either role (a lead may rate too), `needs="lead"` a lead or an admin. With
    `lock` the membership is locked until the transaction ends, so that a person's requests run one at a time, and
    `.locked_membership` is that membership, with `has_gates`. In a project that hides raters, other people are shown to
    the user by pseudonym from then on (see `pseudonyms`).
    """
    membership = (_LOCKED_MEMBERSHIP if lock else _MEMBERSHIP).first(slug, user.pk)
    if membership:
        project = membership.project
    else:
        projects = Project.objects.select_related("protocol", "dataset")
        own = projects.filter(slug=slug).first() if user.leads_all_projects else None
        if own is None:
            raise Http404(_("There is no project %(slug)s, or you are not a member of it.") % {"slug": repr(slug)})
        project = own
    role = Membership.Role.LEAD if user.leads_all_projects or membership is None else membership.role
    if needs == "lead" and role != Membership.Role.LEAD:
        raise PermissionDenied(_("Only leads of this project may do this."))
    if needs == "rater" and membership is None:
        raise PermissionDenied(_("You are not a rater of this project. Add yourself as a rater first."))
    project.role, project.locked_membership = role, membership if lock else None
    pseudonyms.activate(project, user)
    return project


def project_with_members_for(user: User, slug: str) -> Project:
    """Return a project whose members the user may change. Raises Http404 or PermissionDenied.

    Whoever adds a person by name, or removes one, knows which pseudonym comes or goes with the name.
    """
    project = project_for(user, slug, needs="lead")
    if project.hides_raters and not user.is_admin:
        raise PermissionDenied(_("Only admins may change the members of a project that hides its raters."))
    return project


def assignments_for(user: User | Value) -> QuerySet[Assignment]:
    """Return the user's assignments with their sheets, without those in projects that the user has left."""
    assignments = Assignment.objects.select_related("project__protocol", "sheet", "slot")
    return assignments.filter(rater=user, project__memberships__user=user)


_ASSIGNMENT = ComposedQuery(lambda rater, public_id: assignments_for(rater).filter(public_id=public_id), 2)


OWN_ASSIGNMENT = """
    a.rater_id = %(rater)s
    AND EXISTS (SELECT FROM annotation_membership m WHERE m.project_id = a.project_id AND m.user_id = a.rater_id)
"""
"""SQL condition on an assignment `a`, equal to `assignments_for`, for the fast query of a save."""


def assignment_for(user: User, public_id: UUID | str) -> Assignment:
    """Return one of `assignments_for`. Raises Http404."""
    assignment = _ASSIGNMENT.first(user.pk, public_id)
    if assignment is None:
        raise Http404(_("You have no such assignment."))
    assignment.rater = user
    return assignment


def document_for(user: User, public_id: UUID | str) -> Document:
    """Return a document that the user may read. Raises Http404.

    Raters may read it once they have had a response about it, also leads of a project on its data set, and admins.
    """
    document = Document.objects.filter(public_id=public_id).first()
    if document is not None and user.leads_all_projects:
        return document
    if document is not None:
        # Two EXISTS queries use an index each; a join took 19 s for 32,000 sheets.
        memberships = Membership.objects.filter(user=user)
        leads = memberships.filter(role=Membership.Role.LEAD, project__dataset=document.dataset_id)
        assignments = Assignment.objects.filter(rater=user, project=OuterRef("project"), sheet__document=document)
        if leads.exists() or memberships.filter(Exists(assignments)).exists():
            return document
    raise Http404(_("There is no such document."))


def report_for(user: User, public_id: UUID | str) -> Report:
    """Return a frozen report of a project that the user leads. Raises Http404 or PermissionDenied."""
    report = Report.objects.select_related("project").filter(public_id=public_id).first()
    if report is None:
        raise Http404(_("There is no such report."))
    report.project = project_for(user, report.project.slug, needs="lead")
    return report


def export_for(user: User, public_id: UUID | str) -> Export:
    """Return an exported file of a project that the user leads. Raises Http404 or PermissionDenied."""
    export = Export.objects.select_related("project").filter(public_id=public_id).first()
    if export is None:
        raise Http404(_("There is no such file, or it was deleted: files are kept for a week."))
    export.project = project_for(user, export.project.slug, needs="lead")
    return export


def webhook_for(user: User, slug: str, public_id: UUID | str) -> Webhook:
    """Return a webhook of a project that the user leads. Raises Http404 or PermissionDenied."""
    project = project_for(user, slug, needs="lead")
    webhook = Webhook.objects.filter(project=project, public_id=public_id).first()
    if webhook is None:
        raise Http404(_("The project has no such webhook."))
    webhook.project = project
    return webhook


def delivery_for(user: User, slug: str, webhook_id: UUID | str, public_id: UUID | str) -> WebhookDelivery:
    """Return a delivery of a webhook of a project that the user leads. Raises Http404 or PermissionDenied."""
    webhook = webhook_for(user, slug, webhook_id)
    delivery = WebhookDelivery.objects.filter(webhook=webhook, public_id=public_id).first()
    if delivery is None:
        raise Http404(_("The webhook has no such delivery, or it was deleted."))
    delivery.webhook = webhook
    return delivery


def job_for(user: User, public_id: UUID | str) -> Job:
    """Return a job of a project that the user leads; jobs without a project (imports) are for admins."""
    job = Job.objects.select_related("project", "report").filter(public_id=public_id).first()
    if job is None or (job.project is None and not user.is_admin):
        raise Http404(_("There is no such job."))
    if job.project is not None:
        project_for(user, job.project.slug, needs="lead")
    return job


def datasets_for(user: User) -> QuerySet[Dataset]:
    """Return all data sets for admins, for others those of the projects that they lead."""
    if user.is_admin:
        return Dataset.objects.all()
    return Dataset.objects.filter(projects__in=projects_led_by(user)).distinct()


def dataset_for(user: User, slug: str) -> Dataset:
    """Return a data set that the user may see. Raises Http404."""
    dataset = datasets_for(user).filter(slug=slug).first()
    if dataset is None:
        raise Http404(_("There is no data set %(slug)s.") % {"slug": repr(slug)})
    return dataset


PROTOCOL_STORED = "load protocol"
"""The audit action with which a user stores a version of a protocol."""


def protocol_versions_for(user: User) -> QuerySet[ProtocolVersion]:
    """Return all protocol versions for admins; for leads those of built-in protocols, of protocols that their projects
    use, and of protocols of which they, or a command for the site, stored a version. Raises PermissionDenied for
    others.
    """
    require_lead(user)
    if user.is_admin:
        return ProtocolVersion.objects.all()
    by_user_or_site = Q(actor=user) | Q(actor=None)
    stored = AuditEvent.objects.filter(by_user_or_site, action=PROTOCOL_STORED).values_list("target", flat=True)
    slugs = {*protocols.builtin(), *(target.removeprefix("protocol:") for target in stored)}
    used = projects_led_by(user).order_by().values("protocol__slug")
    return ProtocolVersion.objects.filter(Q(slug__in=slugs) | Q(slug__in=used))


def require_admin(user: User) -> None:
    """Raise PermissionDenied unless the user is an admin."""
    if not user.is_admin:
        raise PermissionDenied(_("Only admins may do this."))


def require_lead(user: User) -> None:
    """Raise PermissionDenied unless the user is an admin or leads a project."""
    if not projects_led_by(user).exists() and not user.is_admin:
        raise PermissionDenied(_("Only leads and admins may do this."))
