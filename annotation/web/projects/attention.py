"""What needs a lead now: questions, disputes, disagreements, quality alerts, stopped raters, jobs, leases; and the
checklist of a new project.
"""

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
from ...projects.checklist import Checklist, StepKey
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
    lines: list[Notice] = []
    questions = count_questions([project]).get(project.pk)
    lines += _questions(project, questions.open if questions else 0)
    if n := count_disputes(project) if project.shows_decisions else 0:
        text = f"{n} adjudication is disputed by a rater." if n == 1 else f"{n} adjudications are disputed by raters."
        lines.append(Notice("gavel", text, "Read the replies", reverse("adjudication_replies", args=[project.slug])))
    lines += stopped_notices(stopped_raters([project]).get(project.pk, []))[:MAX_NAMED]
    stalled = Job.objects.filter(jobs.silent_condition(), project=project, state__in=Job.OPEN)
    for job in (recently_failed([project]) | stalled)[:MAX_NAMED]:
        has_failed, url = job.state == Job.State.FAILED, reverse("job", args=[job.public_id])
        text = f"{job_name(job.kind)} failed." if has_failed else f"{job_name(job.kind)} is not making progress."
        lines.append(Notice("triangle-alert", text, "View reason", url, "danger" if has_failed else "warning"))
    if raters < project.overlap and progress.remaining and (progress.done or progress.leased):
        lines.append(_people_needed(project, raters))
    active_times = filter(None, (rater.active_at for rater in pace.raters))
    lines += _standstill(project, progress.remaining, max(active_times, default=None))
    now = database_now()
    leased = Slot.objects.filter(project=project, finished_at=None, was_finished_at=None, holder__isnull=False)
    if n := leased.filter(~is_prefetched(now), expires_at__range=(now, now + SOON)).count():
        text = (
            f"{n} unfinished response returns to the queue within an hour because its rater is inactive."
            if n == 1
            else f"{n} unfinished responses return to the queue within an hour because their raters are inactive."
        )
        url = f"{reverse('project_responses', args=[project.slug])}?state=leased"
        lines.append(Notice("hourglass", text, "View responses", url, "accent"))
    return lines


def notices_of_state(state: ProjectState, user: User, questions: int, stopped: Iterable[StoppedRater]) -> list[Notice]:
    """Return what the home page tells of a project without further queries; `questions`: open ones."""
    setup: list[Notice] = []
    if not state.responses:
        text = "Nothing to rate: the data set has no responses."
        setup.append(Notice("triangle-alert", text, *import_link(state.project, user)))
    elif state.has_too_few_raters:
        setup.append(_people_needed(state.project, state.raters))
    return [
        *_questions(state.project, questions),
        *setup,
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
    by_chance = chance_sentence(
        live.live_figures(project, agreement_details).agreement, Names(project.protocol.translated)
    )
    agreement_url = reverse("agreement", args=[project.slug])
    return [
        _quality_alerts(project, get_text_list(names, "and") or "none", "warning" if names else "cannot"),
        _pending_adjudications(
            project, counted(n, project.protocol.definition.unit) if n else "none", "accent" if n else "cannot"
        ),
        *([Notice("triangle-alert", by_chance, "View agreement", agreement_url)] if by_chance else []),
    ]


def _has_notices_from_ratings(project: Project) -> bool:
    return not project.archived_at and live.count_ratings(project) <= live.MANY_RATINGS


def _questions(project: Project, n: int) -> list[Notice]:
    if not n:
        return []
    text = (
        f"{n} question or report from raters is open." if n == 1 else f"{n} questions or reports from raters are open."
    )
    return [Notice("inbox", text, "Answer questions", reverse("inbox", args=[project.slug]))]


def stopped_notices(stopped: Iterable[StoppedRater]) -> list[Notice]:
    """Return a line for each rater who cannot continue without a lead."""
    lines = []
    for rater in stopped:
        what_happened = "is paused" if rater.gate == "paused" else "did not pass the qualification test"
        url = f"{reverse('qualification', args=[rater.membership.project.slug])}#raters"
        text = f"{rater.membership.user} {what_happened}."
        lines.append(Notice("circle-pause", text, "View qualification", url))
    return in_shown_order(lines, lambda notice: notice.text)


def _people_needed(project: Project, raters: int) -> Notice:
    url = reverse("members", args=[project.slug])
    return Notice("users", people_needed(project, raters), "Add members", url)


def _standstill(project: Project, remaining: int, active_at: datetime | None) -> list[Notice]:
    if not remaining or not active_at or active_at > database_now() - QUIET_AFTER:
        return []
    text = f"No ratings since {date_format(timezone.localtime(active_at), 'j F')}."
    return [Notice("clock", text, "View members", reverse("members", args=[project.slug]))]


def _quality_alerts(project: Project, raters: str, tone: str = "cannot") -> Notice:
    text = f"Quality alerts: {raters}"
    return Notice("flag", text, "Rater quality", reverse("raters", args=[project.slug]), tone)


def _pending_adjudications(project: Project, items: str, tone: str = "cannot") -> Notice:
    text = f"Pending adjudications: {items}"
    return Notice("scale", text, "Adjudicate disagreements", reverse("review", args=[project.slug]), tone)


OPTIONAL: tuple[StepKey, ...] = ("guidelines", "training", "target", "plan")


@dataclass(frozen=True)
class ChecklistLine:
    """A step: its name, why it is worth taking, and the link to where it is taken."""

    is_done: bool
    is_optional: bool
    name: str
    reason: str
    action: str
    url: str


def checklist_lines(project: Project, checklist: Checklist, user: User, raters: int) -> list[ChecklistLine]:
    """Return the steps of the checklist, in order."""
    own = (project.slug,)
    words: dict[StepKey, tuple[str, str, str, str]] = {
        "data": ("Data", "The data set has no responses to rate yet.", *import_link(project, user)),
        "protocol": (
            "Protocol",
            "The questions that raters answer about each item.",
            "Preview the questions",
            reverse("protocol_preview", args=[project.protocol.slug, project.protocol.version]),
        ),
        "people": ("People", people_needed(project, raters), "Add members", reverse("members", args=own)),
        "guidelines": (
            "Guidelines",
            "Raters read your rules and examples while they rate.",
            "Write guidelines",
            reverse("guidelines", args=own),
        ),
        "training": (
            "Training",
            "Raters practice on responses with gold answers, with feedback, before their work counts.",
            "Set up training",
            reverse("qualification", args=own) + "#sheets",
        ),
        "target": (
            "Precision target",
            "A target margin of error tells you when you have enough ratings.",
            "Set a target",
            reverse("settings_section", args=[project.slug, "quality"]),
        ),
        "plan": (
            "Analysis plan",
            "A plan stored before the first rating shows that the analysis was not chosen after the results.",
            "Write a plan",
            reverse("analysis_plan", args=own),
        ),
        "start": (
            "Start",
            "Raters find the project on their home page. It starts when a rater takes a response.",
            "Choose a response to preview",
            reverse("project_responses", args=own),
        ),
    }
    return [ChecklistLine(is_done, step in OPTIONAL, *words[step]) for step, is_done in checklist.steps.items()]


def import_link(project: Project, user: User) -> tuple[str, str]:
    """Return the words and the address of a link to where responses are imported; for leads to the data set."""
    if user.is_admin:
        return "Import responses", reverse("import_responses", args=[project.dataset.slug])
    return "View data set", reverse("dataset", args=[project.dataset.slug])


def people_needed(project: Project, raters: int) -> str:
    """Return how many raters a response needs, and how many the project has."""
    needed = f"Each response needs {project.overlap} rater{'' if project.overlap == 1 else 's'}."
    if not raters:
        return f"{needed} The project has no rater who can sign in."
    return f"{needed} The project has {raters} rater{'' if raters == 1 else 's'}."
