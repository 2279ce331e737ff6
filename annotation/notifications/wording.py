"""A notification as a sentence, and the address of what it is about."""

from collections.abc import Callable, Mapping

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..i18n.job_names import job_name
from ..models import Job, Membership, Notification, RaterQuestion
from ..pseudonyms import as_seen_by, shown_rater

IMPORTS = ("load_dataset", "load_responses", "find_labels", "load_project")
Kind = Notification.Kind


def sentence(notification: Notification) -> str:
    """Return what happened, in the active language, to the recipient."""
    with as_seen_by(notification.recipient, notification.project):
        return _SENTENCES[Kind(notification.kind)](notification)


def url(notification: Notification) -> str:
    """Return the address of the page that shows it."""
    return _URLS[Kind(notification.kind)](notification)


def _assigned(notification: Notification) -> str:
    n = notification.count
    text = ngettext("%(n)s response is assigned to you.", "%(n)s responses are assigned to you.", n)
    return text % {"n": number_format(n, force_grouping=True)}


def _reopened(notification: Notification) -> str:
    n = notification.count
    text = ngettext("%(n)s of your responses was reopened.", "%(n)s of your responses were reopened.", n)
    return text % {"n": number_format(n, force_grouping=True)}


def _asked(notification: Notification) -> str:
    n = notification.count
    text = ngettext("%(n)s question or report from raters.", "%(n)s questions or reports from raters.", n)
    return text % {"n": number_format(n, force_grouping=True)}


def _disputed(notification: Notification) -> str:
    n = notification.count
    text = ngettext("%(n)s adjudication is disputed.", "%(n)s adjudications are disputed.", n)
    return text % {"n": number_format(n, force_grouping=True)}


def _adjudicated(notification: Notification) -> str:
    n = notification.count
    text = ngettext("%(n)s of your answers was adjudicated.", "%(n)s of your answers were adjudicated.", n)
    return text % {"n": number_format(n, force_grouping=True)}


def _answered(notification: Notification) -> str:
    assert notification.question
    is_split = notification.question.kind == RaterQuestion.Kind.SPLIT
    return _("Your report of a boundary error is answered.") if is_split else _("Your question is answered.")


def _job(notification: Notification) -> str:
    assert notification.job
    failed = notification.job.state == Job.State.FAILED
    text = _("%(job)s failed.") if failed else _("%(job)s is done.")
    return text % {"job": job_name(notification.job.kind)}


def _job_url(notification: Notification) -> str:
    job = notification.job
    assert job
    return reverse("import_job" if job.kind in IMPORTS else "job", args=[job.public_id])


def _question_url(notification: Notification) -> str:
    """Return the place on the rater's overview; a lead who asked has only the leads' page about it."""
    assert notification.project
    assert notification.question
    slug, question = notification.project.slug, notification.question.public_id
    leads = Membership.objects.filter(
        project=notification.project_id, user=notification.recipient_id, role=Membership.Role.LEAD
    )
    if leads.exists():
        return reverse("rater_question", args=[slug, question])
    return f"{reverse('project', args=[slug])}#question-{question}"


def _project_page(name: str, fragment: str = "") -> Callable[[Notification], str]:
    def page(notification: Notification) -> str:
        assert notification.project
        return reverse(name, args=[notification.project.slug]) + fragment

    return page


def _rater_url(notification: Notification) -> str:
    assert notification.project
    assert notification.rater
    with as_seen_by(notification.recipient, notification.project):
        return reverse("rater", args=[notification.project.slug, shown_rater(notification.rater.username)])


_SENTENCES: Mapping[Kind, Callable[[Notification], str]] = {
    Kind.ASSIGNED: _assigned,
    Kind.REOPENED: _reopened,
    Kind.ADJUDICATED: _adjudicated,
    Kind.ANSWERED: _answered,
    Kind.ASKED: _asked,
    Kind.DISPUTED: _disputed,
    Kind.ALERT: lambda row: _("%(user)s has a quality alert.") % {"user": row.rater},
    Kind.PAUSED: lambda row: _("%(user)s is paused.") % {"user": row.rater},
    Kind.FAILED: lambda row: _("%(user)s did not pass the qualification test.") % {"user": row.rater},
    Kind.TARGET: lambda row: _("The precision target is reached."),
    Kind.JOB: _job,
}
_URLS: Mapping[Kind, Callable[[Notification], str]] = {
    Kind.ASSIGNED: _project_page("project"),
    Kind.REOPENED: _project_page("own_responses"),
    Kind.ADJUDICATED: _project_page("adjudications"),
    Kind.ANSWERED: _question_url,
    Kind.ASKED: _project_page("inbox"),
    Kind.DISPUTED: _project_page("adjudication_replies"),
    Kind.ALERT: _rater_url,
    Kind.PAUSED: _project_page("qualification", "#raters"),
    Kind.FAILED: _project_page("qualification", "#raters"),
    Kind.TARGET: _project_page("project", "#precision"),
    Kind.JOB: _job_url,
}
