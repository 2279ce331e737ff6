"""What needs a lead now: questions, disputes, disagreements, quality alerts, stopped raters, jobs, leases."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import get_text_list

from ... import jobs
from ...accounts.names import DisplayNames
from ...i18n.unit_names import counted, job_name
from ...models import Job, Project, Slot, User
from ...projects.overview import ProjectState, recently_failed
from ...projects.pace import Pace
from ...projects.progress import SlotCounts
from ...pseudonyms import in_shown_order
from ...qualification.prefetch import is_prefetched
from ...qualification.rules import StoppedRater, stopped_raters
from ...reporting import live
from ...reporting.sections.agreement.figures import agreement_details
from ...reporting.sections.raters.figures import raters_of
from ...reporting.sections.sensitivity.figures import alerted_raters
from ...reporting.text.names import Names
from ...reporting.text.notes import chance_sentence
from ...reviewing.adjudication_replies import count_disputes
from ...reviewing.disagreements import count_reviewable
from ...reviewing.rater_questions import count_questions
from ...site.database_clock import database_now
from .checklist import import_link, people_needed

SOON = timedelta(hours=1)
QUIET_AFTER = timedelta(days=3)
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
    """Return what needs a lead now, as far as few queries tell; nothing for an archived project.

    `awaited_notices` or `notices_from_ratings` follow it in the list.
    """
    if project.archived_at:
        return []
    questions = count_questions([project]).get(project.pk)
    active_times = [rater.active_at for rater in pace.raters]
    return [
        *_questions(project, questions.open if questions else 0),
        *_disputes(project),
        *stopped_notices(stopped_raters([project]).get(project.pk, []))[:MAX_NAMED],
        *_jobs(project),
        *_too_few_raters(project, progress, raters),
        *_standstill(project, progress.remaining, max(filter(None, active_times), default=None)),
        *_expiring_leases(project),
    ]


def notices_of_state(state: ProjectState, user: User, questions: int, stopped: Iterable[StoppedRater]) -> list[Notice]:
    """Return what the home page tells of a project without further queries; `questions`: open ones."""
    return [
        *_questions(state.project, questions),
        *_incomplete_setup(state, user),
        *_standstill(state.project, state.remaining, state.active_at),
        *stopped_notices(stopped),
    ]


def awaited_notices(project: Project) -> list[Notice]:
    """Return the lines that `notices_from_ratings` replaces, as many and as long: nothing moves when it is loaded."""
    if not _has_notices_from_ratings(project):
        return []
    calculating = "calculating …"
    return [_quality_alerts(project, calculating), _pending_adjudications(project, calculating)]


def notices_from_ratings(project: Project) -> list[Notice]:
    """Return what reading all ratings tells: quality alerts and pending adjudications, a line each, also for none."""
    if not _has_notices_from_ratings(project):
        return []
    names = in_shown_order(map(DisplayNames(), alerted_raters(live.live_figures(project, raters_of))), str)
    n = count_reviewable(project).open
    none = "none"
    by_chance = chance_sentence(
        live.live_figures(project, agreement_details).agreement, Names(project.protocol.translated)
    )
    agreement_url = reverse("agreement", args=[project.slug])
    return [
        _quality_alerts(project, get_text_list(names, "and") or none, "warning" if names else "cannot"),
        _pending_adjudications(
            project, counted(n, project.protocol.definition.unit) if n else none, "accent" if n else "cannot"
        ),
        *([Notice("triangle-alert", by_chance, "View agreement", agreement_url)] if by_chance else []),
    ]


def _has_notices_from_ratings(project: Project) -> bool:
    return not project.archived_at and live.count_ratings(project) <= live.MANY_RATINGS


def _questions(project: Project, n: int) -> list[Notice]:
    if not n:
        return []
    text = (
        "%(n)s question or report from raters is open."
        if n == 1
        else "%(n)s questions or reports from raters are open."
    )
    return [Notice("inbox", text % {"n": n}, "Answer questions", reverse("inbox", args=[project.slug]))]


def _disputes(project: Project) -> list[Notice]:
    n = count_disputes(project) if project.shows_decisions else 0
    if not n:
        return []
    text = "%(n)s adjudication is disputed by a rater." if n == 1 else "%(n)s adjudications are disputed by raters."
    return [Notice("gavel", text % {"n": n}, "Read the replies", reverse("adjudication_replies", args=[project.slug]))]


def stopped_notices(stopped: Iterable[StoppedRater]) -> list[Notice]:
    """Return a line for each rater who cannot continue without a lead."""
    return in_shown_order(map(_stopped, stopped), lambda notice: notice.text)


def _stopped(rater: StoppedRater) -> Notice:
    is_paused = rater.gate == "paused"
    text = "%(user)s is paused." if is_paused else "%(user)s did not pass the qualification test."
    url = f"{reverse('qualification', args=[rater.membership.project.slug])}#raters"
    return Notice("circle-pause", text % {"user": rater.membership.user}, "View qualification", url)


def _jobs(project: Project) -> list[Notice]:
    stalled = Job.objects.filter(jobs.silent_condition(), project=project, state__in=Job.OPEN)
    return [_job_notice(job) for job in (recently_failed([project]) | stalled)[:MAX_NAMED]]


def _job_notice(job: Job) -> Notice:
    has_failed = job.state == Job.State.FAILED
    text = "%(job)s failed." if has_failed else "%(job)s is not making progress."
    url = reverse("job", args=[job.public_id])
    tone = "danger" if has_failed else "warning"
    return Notice("triangle-alert", text % {"job": job_name(job.kind)}, "View reason", url, tone)


def _too_few_raters(project: Project, progress: SlotCounts, raters: int) -> list[Notice]:
    has_begun = progress.done or progress.leased
    if raters >= project.overlap or not has_begun or not progress.remaining:
        return []
    return [_people_needed(project, raters)]


def _people_needed(project: Project, raters: int) -> Notice:
    url = reverse("members", args=[project.slug])
    return Notice("users", people_needed(project, raters), "Add members", url)


def _incomplete_setup(state: ProjectState, user: User) -> list[Notice]:
    if not state.responses:
        text = "Nothing to rate: the data set has no responses."
        return [Notice("triangle-alert", text, *import_link(state.project, user))]
    return [_people_needed(state.project, state.raters)] if state.has_too_few_raters else []


def _standstill(project: Project, remaining: int, active_at: datetime | None) -> list[Notice]:
    if not remaining or not active_at or active_at > database_now() - QUIET_AFTER:
        return []
    text = f"No ratings since {date_format(timezone.localtime(active_at), 'j F')}."
    return [Notice("clock", text, "View members", reverse("members", args=[project.slug]))]


def _expiring_leases(project: Project) -> list[Notice]:
    now = database_now()
    leased = Slot.objects.filter(project=project, finished_at=None, was_finished_at=None, holder__isnull=False)
    n = leased.filter(~is_prefetched(now), expires_at__range=(now, now + SOON)).count()
    if not n:
        return []
    text = (
        "%(n)s unfinished response returns to the queue within an hour because its rater is inactive."
        if n == 1
        else "%(n)s unfinished responses return to the queue within an hour because their raters are inactive."
    )
    url = f"{reverse('project_responses', args=[project.slug])}?state=leased"
    return [Notice("hourglass", text % {"n": n}, "View responses", url, "accent")]


def _quality_alerts(project: Project, raters: str, tone: str = "cannot") -> Notice:
    text = f"Quality alerts: {raters}"
    return Notice("flag", text, "Rater quality", reverse("raters", args=[project.slug]), tone)


def _pending_adjudications(project: Project, items: str, tone: str = "cannot") -> Notice:
    text = f"Pending adjudications: {items}"
    return Notice("scale", text, "Adjudicate disagreements", reverse("review", args=[project.slug]), tone)
