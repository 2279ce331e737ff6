"""A project's analysis plan: stored in numbered versions that never change and are never deleted.

Each version says whether it was stored before the project's first rating. A change afterwards is another version.
"""

from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction
from django.db.models import F, Func

from ..audit import record
from ..models import AnalysisPlanVersion, Project, Prompt, Purpose, Rating, RatingEvent, User
from ..protocols.analysis_plan import PlanNames, figure_keys, load_plan, plan_sha256
from ..queue.slots import lock_project
from .project_settings import change_settings

STARTING_TEXT = """\
measures = [%(measures)s]
unit = "auto"           # the sampling unit: auto, prompt or document
comparisons = "all"     # "all", or pairs of systems: [["a", "b"], ["a", "c"]]
family = "measure"      # tests that Holm covers: measure, report or planned
%(target)sseed = 1
resamples = 10000
hypotheses = ""
notes = ""
"""
NOT_WORK = (Purpose.TRAINING, Purpose.QUALIFICATION, Purpose.GOLD)


@transaction.atomic
def set_plan(project: Project, source: str, *, actor: User | None = None) -> tuple[AnalysisPlanVersion, bool]:
    """Store `source` (TOML) as the next version of the plan; return it and whether it is new.

    The target of a plan from before the first rating becomes that of a project without one. The text of the newest
    version again stores nothing. Raises PlanError with all problems of the text.
    """
    plan = load_plan(source, plan_names(project))
    lock_project(project)
    newest = newest_plan(project)
    if newest and newest.source == source:
        return newest, False
    version = AnalysisPlanVersion.objects.create(
        project=project,
        number=newest.number + 1 if newest else 1,
        source=source,
        sha256=plan_sha256(source),
        before_first_rating=not has_been_rated(project),
        created_by=actor,
    )
    after = {"version": version.number, "sha256": version.sha256, "before_first_rating": version.before_first_rating}
    record(actor, "set analysis plan", f"project:{project.slug}", project=project, after=after)
    if plan.target is not None and project.target_half_width is None and version.before_first_rating:
        change_settings(project, {"target_half_width": plan.target}, actor=actor)
    return version, True


def plan_names(project: Project) -> PlanNames:
    """Return the names that the project's plan can use."""
    prompts = Prompt.objects.filter(dataset=project.dataset_id).order_by()
    keys = prompts.values_list(Func(F("metadata"), function="jsonb_object_keys"), flat=True)
    names = PlanNames.of(project.protocol.definition, systems_of(project), sorted(set(keys.distinct())))
    return replace(names, hides_raters=project.hides_raters)


def systems_of(project: Project) -> list[str]:
    """Return the names of the systems whose responses the project has, in order."""
    pairs = project.sheets.order_by().values_list("response__system__name", "against__system__name").distinct()
    return sorted({name for pair in pairs for name in pair if name})


def plan_versions(project: Project) -> Sequence[AnalysisPlanVersion]:
    """Return all versions, newest first."""
    return list(AnalysisPlanVersion.objects.filter(project=project).select_related("created_by").order_by("-number"))


def newest_plan(project: Project) -> AnalysisPlanVersion | None:
    """Return the newest version, or None."""
    return AnalysisPlanVersion.objects.filter(project=project).order_by("-number").first()


def starting_text(project: Project) -> str:
    """Return a text to begin a plan with: all measures of the protocol, the project's target, no exclusions."""
    keys = ", ".join(f'"{key}"' for key in figure_keys(project.protocol.definition))
    half_width = project.target_half_width
    target = "" if half_width is None else f"target = {half_width:g}  # half-width of the intervals, a share\n"
    return STARTING_TEXT % {"measures": keys, "target": target}


def has_been_rated(project: Project) -> bool:
    """Return whether a rater has ever rated in the project, also if no such rating is left.

    Training, qualification and hidden gold are no ratings of the project's work.
    """
    ratings = [rows.objects.filter(project=project, role=Rating.Role.RATER) for rows in (Rating, RatingEvent)]
    return any(rows.exclude(assignment__purpose__in=NOT_WORK).exists() for rows in ratings)
