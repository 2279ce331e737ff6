"""A notification as a sentence, and the address of what it is about."""

from collections.abc import Callable, Mapping

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..i18n.unit_names import job_name
from ..models import Job, Membership, Notification, RaterQuestion
from ..pseudonyms import as_seen_by, shown_rater

IMPORTS = ("load_dataset", "load_responses", "find_labels", "load_project")
Kind = Notification.Kind


def sentence(notification: Notification) -> str:
    """Return what happened, in the active language, to the recipient."""
    kind, n = Kind(notification.kind), notification.count
    if kind in _COUNTED:
        return _COUNTED[kind](n) % {"n": number_format(n, force_grouping=True)}
    with as_seen_by(notification.recipient, notification.project):
        if kind is Kind.ANSWERED:
            is_split = notification.question and notification.question.kind == RaterQuestion.Kind.SPLIT
            return _("Your report of a boundary error is answered.") if is_split else _("Your question is answered.")
        if kind is Kind.JOB:
            assert notification.job
            text = _("%(job)s failed.") if notification.job.state == Job.State.FAILED else _("%(job)s is done.")
            return text % {"job": job_name(notification.job.kind)}
        return {
            Kind.ALERT: _("%(user)s has a quality alert."),
            Kind.PAUSED: _("%(user)s is paused."),
            Kind.FAILED: _("%(user)s did not pass the qualification test."),
            Kind.TARGET: _("The precision target is reached."),
        }[kind] % {"user": notification.rater}


_COUNTED: Mapping[Kind, Callable[[int], str]] = {
    Kind.ASSIGNED: lambda n: ngettext("%(n)s response is assigned to you.", "%(n)s responses are assigned to you.", n),
    Kind.REOPENED: lambda n: ngettext(
        "%(n)s of your responses was reopened.", "%(n)s of your responses were reopened.", n
    ),
    Kind.ADJUDICATED: lambda n: ngettext(
        "%(n)s of your answers was adjudicated.", "%(n)s of your answers were adjudicated.", n
    ),
    Kind.ASKED: lambda n: ngettext(
        "%(n)s question or report from raters.", "%(n)s questions or reports from raters.", n
    ),
    Kind.DISPUTED: lambda n: ngettext("%(n)s adjudication is disputed.", "%(n)s adjudications are disputed.", n),
}


def url(notification: Notification) -> str:
    """Return the address of the page that shows it."""
    kind, project = Kind(notification.kind), notification.project
    if kind is Kind.JOB:
        assert notification.job
        return reverse("import_job" if notification.job.kind in IMPORTS else "job", args=[notification.job.public_id])
    assert project
    if kind is Kind.ANSWERED:
        assert notification.question
        question = notification.question.public_id
        leads = Membership.objects.filter(project=project, user=notification.recipient_id, role=Membership.Role.LEAD)
        if leads.exists():  # a lead who asked has only the leads' page about it
            return reverse("rater_question", args=[project.slug, question])
        return f"{reverse('project', args=[project.slug])}#question-{question}"
    if kind is Kind.ALERT:
        assert notification.rater
        with as_seen_by(notification.recipient, project):
            return reverse("rater", args=[project.slug, shown_rater(notification.rater.username)])
    name, fragment = _PAGES[kind]
    return reverse(name, args=[project.slug]) + fragment


_PAGES: Mapping[Kind, tuple[str, str]] = {
    Kind.ASSIGNED: ("project", ""),
    Kind.REOPENED: ("own_responses", ""),
    Kind.ADJUDICATED: ("adjudications", ""),
    Kind.ASKED: ("inbox", ""),
    Kind.DISPUTED: ("adjudication_replies", ""),
    Kind.PAUSED: ("qualification", "#raters"),
    Kind.FAILED: ("qualification", "#raters"),
    Kind.TARGET: ("project", "#precision"),
}
