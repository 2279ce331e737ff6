"""What needs a lead now: questions, disputes, disagreements, quality alerts, stopped raters, jobs, leases."""

from dataclasses import dataclass
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ... import jobs
from ...accounts.display_names import DisplayNames
from ...i18n.job_names import job_name
from ...i18n.unit_names import counted
from ...models import Job, Project, Slot
from ...projects.overview import QUIET_AFTER, recently_failed
from ...projects.pace import Pace
from ...projects.progress import SlotCounts
from ...qualification.prefetch import is_prefetched
from ...qualification.rules import stopped_raters
from ...reporting import live
from ...reporting.compute.raters import raters_of
from ...reporting.compute.sensitivity import alerted_raters
from ...reviewing.adjudication_replies import count_disputes
from ...reviewing.disagreements import count_reviewable
from ...reviewing.rater_questions import count_questions
from .checklist import people_needed

SOON = timedelta(hours=1)
MAX_NAMED = 3  # stopped raters and failed jobs, a line each


@dataclass(frozen=True)
class Notice:
    """A line: what happened, and the link to where it is dealt with. `icon`: a name of lucide."""

    icon: str
    text: str
    action: str
    url: str
    tone: str = "warning"


def notices(project: Project, progress: SlotCounts, pace: Pace, raters: int) -> list[Notice]:
    """Return what needs a lead now, as far as few queries tell; nothing for an archived project."""
    if project.archived_at:
        return []
    return [
        *_questions(project),
        *_disputes(project),
        *_stopped(project),
        *_jobs(project),
        *_too_few_raters(project, progress, raters),
        *_standstill(project, progress, pace),
        *_expiring_leases(project),
    ]


def notices_from_ratings(project: Project) -> list[Notice]:
    """Return what reading all ratings tells: quality alerts and pending adjudications; nothing for large projects."""
    if project.archived_at or live.is_large(project):
        return []
    return [*_quality_alerts(project), *_pending_adjudications(project)]


def _questions(project: Project) -> list[Notice]:
    counts = count_questions([project]).get(project.pk)
    if not counts or not counts.open:
        return []
    text = ngettext(
        "%(n)s question or report from raters is open.",
        "%(n)s questions or reports from raters are open.",
        counts.open,
    )
    return [Notice("inbox", text % {"n": counts.open}, _("Answer"), reverse("inbox", args=[project.slug]))]


def _disputes(project: Project) -> list[Notice]:
    n = count_disputes(project) if project.shows_decisions else 0
    if not n:
        return []
    text = ngettext("%(n)s adjudication is disputed by a rater.", "%(n)s adjudications are disputed by raters.", n)
    return [
        Notice("gavel", text % {"n": n}, _("Read the replies"), reverse("adjudication_replies", args=[project.slug]))
    ]


def _stopped(project: Project) -> list[Notice]:
    url = f"{reverse('qualification', args=[project.slug])}#raters"
    return [
        Notice(
            "circle-pause", _stop_text(stopped.gate) % {"user": stopped.membership.user}, _("View qualification"), url
        )
        for stopped in stopped_raters([project]).get(project.pk, [])[:MAX_NAMED]
    ]


def _stop_text(gate: str) -> str:
    return _("%(user)s is paused.") if gate == "paused" else _("%(user)s did not pass the qualification test.")


def _jobs(project: Project) -> list[Notice]:
    stalled = Job.objects.filter(jobs.is_silent(), project=project, state__in=Job.OPEN)
    return [_job_notice(job) for job in (recently_failed([project]) | stalled)[:MAX_NAMED]]


def _job_notice(job: Job) -> Notice:
    has_failed = job.state == Job.State.FAILED
    text = _("%(job)s failed.") if has_failed else _("%(job)s is not making progress.")
    url = reverse("job", args=[job.public_id])
    tone = "danger" if has_failed else "warning"
    return Notice("triangle-alert", text % {"job": job_name(job.kind)}, _("View reason"), url, tone)


def _too_few_raters(project: Project, progress: SlotCounts, raters: int) -> list[Notice]:
    has_begun = progress.done or progress.leased
    if raters >= project.overlap or not has_begun or not progress.remaining:
        return []
    text = people_needed(project, raters)
    return [Notice("users", text, _("Add members"), reverse("members", args=[project.slug]))]


def _standstill(project: Project, progress: SlotCounts, pace: Pace) -> list[Notice]:
    active_at = max((rater.active_at for rater in pace.raters if rater.active_at), default=None)
    if not progress.remaining or not active_at or active_at > timezone.now() - QUIET_AFTER:
        return []
    text = _("No ratings since %(day)s.") % {"day": date_format(timezone.localtime(active_at), _("j F"))}
    return [Notice("clock", text, _("View members"), reverse("members", args=[project.slug]))]


def _expiring_leases(project: Project) -> list[Notice]:
    now = timezone.now()
    leased = Slot.objects.filter(project=project, finished_at=None, was_finished_at=None, holder__isnull=False)
    n = leased.filter(~is_prefetched(now), expires_at__range=(now, now + SOON)).count()
    if not n:
        return []
    text = ngettext(
        "%(n)s unfinished response returns to the queue within an hour because its rater is inactive.",
        "%(n)s unfinished responses return to the queue within an hour because their raters are inactive.",
        n,
    )
    url = f"{reverse('project_responses', args=[project.slug])}?state=leased"
    return [Notice("hourglass", text % {"n": n}, _("View responses"), url, "accent")]


def _quality_alerts(project: Project) -> list[Notice]:
    names = alerted_raters(live.live_figures(project, raters_of))
    if not names:
        return []
    text = ngettext("%(names)s has a quality alert.", "%(names)s have quality alerts.", len(names))
    named = get_text_list(list(map(DisplayNames(), names)), _("and"))
    return [Notice("flag", text % {"names": named}, _("Review their answers"), reverse("raters", args=[project.slug]))]


def _pending_adjudications(project: Project) -> list[Notice]:
    n = count_reviewable(project).open
    if not n:
        return []
    text = _("Raters disagree on %(items)s: adjudication is pending.") % {
        "items": counted(n, project.protocol.definition.unit)
    }
    return [Notice("scale", text, _("Adjudicate"), reverse("review", args=[project.slug]), "accent")]
