"""The steps from a new project to the first rating. Nothing is stored: each step is done when the data say so."""

from dataclasses import dataclass
from typing import Literal

from ..models import AnalysisPlanVersion, Project, Purpose, Sheet
from .progress import SlotCounts

StepKey = Literal["data", "protocol", "people", "guidelines", "training", "target", "plan", "start"]


@dataclass(frozen=True)
class Checklist:
    """Which steps are done, in the order in which a lead takes them; and whether a rater has finished a response."""

    steps: dict[StepKey, bool]
    has_finished_work: bool

    @property
    def done(self) -> int:
        return sum(self.steps.values())

    @property
    def is_complete(self) -> bool:
        return all(self.steps.values())

    @property
    def is_shown(self) -> bool:
        """Whether the page has the list: until every step is done or the first response is finished."""
        return not (self.is_complete or self.has_finished_work)

    @property
    def has_started(self) -> bool:
        return self.steps["start"]


def project_checklist(project: Project, progress: SlotCounts, raters: int, *, ratings: int) -> Checklist:
    """Return the project's checklist. `raters`: active ones; `ratings`: by raters so far. Two or three
    queries.

    A protocol is pinned when a project is created, so this step is always done.
    """
    training = Sheet.objects.filter(project=project, purpose__in=(Purpose.TRAINING, Purpose.QUALIFICATION))
    return Checklist(
        {
            "data": progress.slots > 0,
            "protocol": True,
            "people": raters >= project.overlap,
            "guidelines": project.guidelines.exists(),
            "training": progress.set_aside > 0 and training.exists(),
            "target": project.target_half_width is not None,
            "plan": AnalysisPlanVersion.objects.filter(project=project).exists(),
            "start": bool(ratings or progress.done or progress.leased),
        },
        has_finished_work=progress.done > 0,
    )
