"""The settings of a project, each declared once in `SETTINGS`, and the one function that changes them.

Type, bounds, choices and default of a setting are those of its field of `Project`. Its form, fields of the API, audit
event, entry in the search and line in docs/settings.md follow from the two (docs/decisions/project-settings.md).
"""

import enum
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models, transaction

from ..access import require_admin
from ..audit import record
from ..models import AnalysisPlanVersion, Judge, Notification, Project, Rating, User, Verdict
from ..queue.errors import ProjectError
from ..queue.slots import lock_project
from .claim_free import fit_slots_to_skipping
from .overlap import fit_slots_to_overlap

ALREADY_RATED = (
    "this project already has ratings, so what is rated cannot change: create a new project for another choice"
)
CHECKS = "checks"
"""The page of the settings for training, qualification and hidden gold, which are changed together."""


class When(enum.Enum):
    """When a setting can be changed."""

    AT_ANY_TIME = "at any time"
    WHILE_OPEN = "while the project is not archived"
    UNTIL_RATED = "until the first rating"


class SettingError(ProjectError):
    """The setting cannot be changed to the value."""

    def __init__(self, setting: "Setting", reason: object):
        super().__init__(reason)
        self.setting = setting


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A setting: the name of its field, and what the field does not say.

    `page`: the page of the settings that has it. `heading`: what its card and its entry in the search are called, if
    that is not the label of the field. `address`: the last part of the address that changes it, and the id of its card.
    `action`: its audit event. `has_own_card`: a template of the page shows it, not the card that all others share.
    `rows`: what a reference can point to. `complete`: completes the new values of a project, and returns why they are
    refused, if they are. `apply`: runs after the change is stored, with the project before and after; what it returns
    is recorded, too. `recorded`: what the audit shows of it.
    """

    name: str
    page: str
    label: str
    help: str = ""
    heading: str = ""
    synonyms: str = ""
    address: str = ""
    action: str = ""
    for_admins: bool = False
    when: When = When.AT_ANY_TIME
    in_percent: bool = False
    has_own_card: bool = False
    rows: "Callable[[Project], models.QuerySet[Any]] | None" = None
    saved: Callable[[Project], str] = lambda _project: "The setting is saved."
    complete: Callable[[Project], str] | None = None
    apply: Callable[[Project, Project], Mapping[str, object] | None] | None = None
    recorded: Callable[[Project], object] | None = None

    @property
    def field(self) -> "models.Field[Any, Any]":
        field: models.Field[Any, Any] = Project._meta.get_field(self.name)  # type: ignore[assignment]
        return field

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The least and the largest number, both allowed."""
        limits = {type(validator): validator.limit_value for validator in self.field.validators
                  if isinstance(validator, MinValueValidator | MaxValueValidator)}  # fmt: skip
        return (limits[MinValueValidator], limits[MaxValueValidator]) if len(limits) == 2 else None

    @property
    def is_switch(self) -> bool:
        return isinstance(self.field, models.BooleanField)

    @property
    def event(self) -> str:
        """The action of its audit event; the rules for training and checks have one together."""
        if self.page == CHECKS:
            return "set checks"
        return self.action or f"set {self.name.replace('_', ' ')}"

    @property
    def path(self) -> str:
        """The last part of the address that changes it, and the id of its card."""
        return self.address or self.name.replace("_", "-")

    def can_change(self, project: Project) -> bool:
        """Return whether the project's state allows a change."""
        if self.when is When.AT_ANY_TIME:
            return True
        return not project.archived_at and not (self.when is When.UNTIL_RATED and has_ratings(project))

    @property
    def expected(self) -> str:
        """What a valid value is, for the message about another one."""
        if self.field.choices:
            return f"choose one of {', '.join(key for key, _label in self.field.flatchoices)}"
        if self.bounds:
            return "choose a number from {} to {}".format(*self.bounds)
        return f"use a {self.name.replace('_', ' ')} of 1 to {self.field.max_length} characters"

    def clean(self, value: object) -> object:
        """Return a value as it is stored. Raises SettingError."""
        problem = f"{self.name.replace('_', ' ')} {value}: {self.expected}"
        if self.field.choices:
            if value not in [key for key, _label in self.field.flatchoices]:
                raise SettingError(self, problem)
        elif isinstance(self.field, models.CharField):
            value = " ".join(str(value).split())
            if not 1 <= len(value) <= (self.field.max_length or 0):
                raise SettingError(self, self.expected)
        elif self.bounds and not (value is None and self.field.null):
            low, high = self.bounds
            if not isinstance(value, int | float) or not low <= value <= high:
                raise SettingError(self, problem)
        return value


@transaction.atomic
def change_settings(project: Project, values: Mapping[str, object], *, actor: User | None = None) -> Project:
    """Change the named settings, all or none, and return the project with them.

    Settings with the same event are recorded together, those that do not change not at all. `actor`: None for a
    command. Raises SettingError, or PermissionDenied for a setting that only admins may change.
    """
    before = lock_project(project)
    after = copy(before)
    requested = [setting for setting in SETTINGS.values() if setting.name in values]
    for setting in requested:
        if setting.for_admins and actor:
            require_admin(actor)
        if setting.when is not When.AT_ANY_TIME and before.archived_at:
            raise SettingError(setting, "this project is archived: unarchive it first")
        setattr(after, setting.name, setting.clean(values[setting.name]))
    for setting in requested:
        if setting.complete and (reason := setting.complete(after)):
            raise SettingError(setting, reason)
    changed = [setting for setting in SETTINGS.values() if _stored(before, setting) != _stored(after, setting)]
    for setting in changed:
        if setting.when is When.UNTIL_RATED and has_ratings(project):
            raise SettingError(setting, ALREADY_RATED)
    if changed:
        after.save(update_fields=[setting.name for setting in changed])
    # Also of settings that stay as they are: the same overlap again deletes slots that have become free since.
    details = {setting.event: setting.apply(before, after) for setting in requested if setting.apply}
    for event in dict.fromkeys(setting.event for setting in changed):
        together = [setting for setting in changed if setting.event == event]
        state = _recorded(after, together)
        if detail := details.get(event):
            state = {together[0].name: state, **detail}
        target = f"project:{project.slug}"
        record(actor, event, target, project=project, before=_recorded(before, together), after=state)
    for setting in SETTINGS.values():
        setattr(project, setting.field.attname, _stored(after, setting))
    return project


def has_ratings(project: Project) -> bool:
    """Return whether anything is rated in the project: by a person, a judge or an import."""
    return Rating.objects.filter(project=project).exists()


def _stored(project: Project, setting: Setting) -> object:
    return getattr(project, setting.field.attname)


def _recorded(project: Project, settings: list[Setting]) -> object:
    """Return what the audit shows of settings with one event: a value, or the values by name on the page of checks."""
    if settings[0].recorded:
        return settings[0].recorded(project)
    values = {setting.name: getattr(project, setting.name) for setting in settings}
    return values if settings[0].page == CHECKS else values[settings[0].name]


def _complete_verdicts(project: Project) -> str:
    """Require a judge with verdicts where they are shown, and none where they are not."""
    if project.verdict_visibility == Project.VerdictVisibility.NEVER:
        project.shown_judge = None
    elif not judges_with_verdicts(project).filter(pk=project.shown_judge_id or 0).exists():
        return "Choose a judge that has rated items of this project."
    return ""


def judges_with_verdicts(project: Project) -> models.QuerySet[Judge]:
    """Return the judges that have rated items of the project."""
    has_verdicts = models.Exists(Verdict.objects.filter(judge=models.OuterRef("pk"), project=project))
    return Judge.objects.filter(has_verdicts)


def _recorded_verdicts(project: Project) -> dict[str, str | None]:
    judge = project.shown_judge
    return {"visibility": project.verdict_visibility, "judge": judge.label if judge else None}


def _saved_verdicts(project: Project) -> str:
    return {
        Project.VerdictVisibility.NEVER: "Raters do not see verdicts of judges.",
        Project.VerdictVisibility.AFTER: f"Raters see the verdicts of {project.shown_judge} in responses they have "
        "finished.",
        Project.VerdictVisibility.BEFORE: f"Raters see the verdicts of {project.shown_judge} before they answer, and "
        "each rating records it.",
    }[Project.VerdictVisibility(project.verdict_visibility)]


def _require_no_named_raters(project: Project) -> str:
    """Refuse to hide raters whom a version of the analysis plan names: the versions stay."""
    versions = AnalysisPlanVersion.objects.filter(project=project)
    if project.hides_raters and any(version.definition.exclusions.without_raters for version in versions):
        return "the analysis plan names raters, and its versions stay: the raters cannot be hidden"
    return ""


def _forget_target_notification(before: Project, after: Project) -> None:
    """Let leads be notified of a new target: they are once of each."""
    if before.target_half_width != after.target_half_width:
        Notification.objects.filter(project=after, kind=Notification.Kind.TARGET).delete()


def _saved_prefetch_limit(project: Project) -> str:
    n = project.prefetch_limit
    return f"Raters’ pages now prefetch {n} response{'' if n == 1 else 's'}."


_DECLARED = (
    Setting(
        name="title",
        page="general",
        label="Title",
        help="Raters see it. Frozen reports keep the title that they have.",
        synonyms="name rename",
        has_own_card=True,
        saved=lambda _project: "The title is saved.",
    ),
    Setting(
        name="hides_raters",
        page="general",
        label="Hidden raters",
        help="Leads see a pseudonym for each rater, and only admins change the members.",
        synonyms="pseudonyms for leads names anonymous",
        address="hidden-raters",
        action="hide raters",
        for_admins=True,
        has_own_card=True,
        complete=_require_no_named_raters,
        saved=lambda project: (
            "Raters are hidden: leads see pseudonyms, and only admins change the members."
            if project.hides_raters
            else "Leads see the names of the raters again."
        ),
    ),
    Setting(
        name="overlap",
        page="workload",
        label="Overlap (raters per response)",
        help="How many raters annotate each response.",
        synonyms="redundancy annotators",
        action="change overlap",
        when=When.WHILE_OPEN,
        has_own_card=True,
        apply=fit_slots_to_overlap,
        saved=lambda project: f"Each response is now annotated by {project.overlap}.",
    ),
    Setting(
        name="suggestions",
        page="workload",
        label="Suggested passages",
        help="Raters see the passages of the article that are most relevant to each sentence.",
        synonyms="suggestions highlights evidence",
        has_own_card=True,
        saved=lambda project: (
            "Suggestions are on: raters see the most relevant passages of the article for each sentence."
            if project.suggestions
            else "Suggestions are off: raters find passages themselves."
        ),
    ),
    Setting(
        name="verdict_visibility",
        page="workload",
        label="When raters see verdicts",
        help="Verdicts that raters see before they answer may lead them.",
        heading="Verdicts of judges",
        synonyms="shown to raters model",
        has_own_card=True,
        complete=_complete_verdicts,
        recorded=_recorded_verdicts,
        saved=_saved_verdicts,
    ),
    Setting(
        name="shown_judge",
        page="workload",
        label="Judge",
        heading="Judge whose verdicts raters see",
        help="Whose verdicts raters see: one that has rated items of the project.",
        address="verdict-visibility",
        action="set verdict visibility",
        has_own_card=True,
        rows=judges_with_verdicts,
        complete=_complete_verdicts,
        recorded=_recorded_verdicts,
    ),
    Setting(
        name="skips_claim_free",
        page="workload",
        label="Likely claim-free items",
        help="Raters are not asked about items marked as likely free of claims.",
        synonyms="skip claims questions courtesy",
        address="claim-free",
        when=When.UNTIL_RATED,
        has_own_card=True,
        apply=fit_slots_to_skipping,
        saved=lambda project: (
            "Raters are not asked about items marked as likely free of claims."
            if project.skips_claim_free
            else "Raters are asked about all items."
        ),
    ),
    Setting(
        name="target_half_width",
        page="quality",
        label="Target margin of error, ± points",
        help="Half the width of a 95 % interval that all measures should reach. Empty: no target.",
        heading="Precision target",
        synonyms="half-width confidence interval",
        address="target",
        action="set target",
        in_percent=True,
        has_own_card=True,
        apply=_forget_target_notification,
        saved=lambda project: f"The target is {'removed' if project.target_half_width is None else 'saved'}.",
    ),
    Setting(
        name="pass_mark",
        page=CHECKS,
        label="Pass mark, percent",
        help="The share of the qualification test that must be correct.",
        synonyms="training qualification threshold",
        in_percent=True,
    ),
    Setting(
        name="tries",
        page=CHECKS,
        label="Attempts",
        help="How often a rater may take the qualification test.",
        synonyms="qualification test",
    ),
    Setting(
        name="gold_every",
        page=CHECKS,
        label="Hidden-gold frequency: one in n responses",
        help="With 20, one in twenty responses is hidden gold. Empty: none.",
        synonyms="attention checks",
    ),
    Setting(
        name="least_gold",
        page=CHECKS,
        label="Pause below, percent",
        help="A rater with a lower accuracy on hidden gold is paused. Empty: no rater is paused.",
        synonyms="attention checks",
        in_percent=True,
    ),
    Setting(
        name="fewest_gold",
        page=CHECKS,
        label="Minimum hidden-gold answers",
        help="With fewer answers on hidden gold, no rater is paused.",
        synonyms="attention checks",
    ),
    Setting(
        name="shows_decisions",
        page=CHECKS,
        label="Show raters the adjudications of their answers; they may agree or dispute once",
        help="Raters see their own answer, the adjudication and its reason; no names, and no answers of others.",
        synonyms="decisions disputes",
    ),
    Setting(
        name="prefetch_limit",
        page="offline",
        label="Prefetched responses",
        help="How many responses a rater’s page fetches ahead.",
        heading="Offline work",
        synonyms="prefetched responses ahead network",
        address="prefetch",
        action="set ahead",
        has_own_card=True,
        saved=_saved_prefetch_limit,
    ),
)
SETTINGS = {setting.name: setting for setting in _DECLARED}
"""The settings by name, in the order of the pages."""
