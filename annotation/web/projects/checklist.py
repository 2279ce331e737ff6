"""The words and links of a new project's checklist."""

from dataclasses import dataclass

from django.urls import reverse

from ...models import Project, User
from ...projects.checklist import Checklist, StepKey

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
    words = _words(project, user, raters)
    return [ChecklistLine(is_done, step in OPTIONAL, *words[step]) for step, is_done in checklist.steps.items()]


def _words(project: Project, user: User, raters: int) -> dict[StepKey, tuple[str, str, str, str]]:
    """Return name, reason, action and address of each step."""
    own = (project.slug,)
    return {
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


def import_link(project: Project, user: User) -> tuple[str, str]:
    """Return the words and the address of a link to where responses are imported; for leads to the data set."""
    if user.is_admin:
        return "Import responses", reverse("import_responses", args=[project.dataset.slug])
    return "View data set", reverse("dataset", args=[project.dataset.slug])


def people_needed(project: Project, raters: int) -> str:
    """Return how many raters a response needs, and how many the project has."""
    needed = (
        "Each response needs %(overlap)s rater." if project.overlap == 1 else "Each response needs %(overlap)s raters."
    )
    present = (
        ("The project has %(raters)s rater." if raters == 1 else "The project has %(raters)s raters.")
        if raters
        else "The project has no rater who can sign in."
    )
    return f"{needed} {present}" % {"overlap": project.overlap, "raters": raters}
