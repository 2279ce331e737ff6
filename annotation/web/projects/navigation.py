"""The navigation inside a project: its sections by the reader's rights, and the projects to switch to."""

from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.functional import Promise

from ...access import projects_for
from ...models import Membership, Project, User

FILTERED_FROM = 9  # projects; with fewer, the switcher needs no field to filter them
MAX_LISTED = 100  # projects in the switcher; the home page has all


@dataclass(frozen=True)
class Section:
    """A section: the name of its URL, and the names of the URLs of pages below it."""

    name: str
    label: str | Promise
    below: tuple[str, ...] = ()


@dataclass(frozen=True)
class SectionLink:
    """A link of the navigation. `current` is the value of aria-current, empty if the page is in another section."""

    label: str | Promise
    url: str
    current: str


OVERVIEW = Section("project", "Overview", ("introduction", "training"))
GUIDELINES = Section("guidelines", "Guidelines", ("guidelines_version", "reoffer_guidelines", "guidelines_drawer"))
OWN_RESPONSES = Section("own_responses", "My responses")
DECISIONS = Section("adjudications", "Adjudications", ("adjudication_reply",))
FACTS = Section("facts", "Facts", ("facts_of_response",))
LEAD_SECTIONS = (
    OVERVIEW,
    Section(
        "project_responses",
        "Responses",
        ("preview", "reservations", "change_responses", "rater_response"),
    ),
    Section("members", "Members", ("invite", "replace_rater")),
    GUIDELINES,
    Section("inbox", "Inbox", ("rater_question", "change_sentence_boundaries")),
    Section(
        "review",
        "Review",
        (
            "review_item", "review_gold_items", "adjudicated_proportions", "adjudication_replies",
            "withdraw_adjudication", "set_gold", "remove_gold",
        ),
    ),
    Section(
        "project_judges",
        "Judges",
        ("judge_verdicts", "judge_requests", "judge_comparison", "fact_qa", "fact_qa_requests"),
    ),
    Section("agreement", "Agreement", ("project_metrics",)),
    Section("raters", "Raters", ("rater",)),
    Section("hours", "Hours"),
    Section(
        "report",
        "Report",
        ("frozen_report", "report_comparison", "report_links", "reproduce_report", "compute_report", "freeze_report"),
    ),
    Section("planner", "Planner"),
    Section("exports", "Exports"),
    Section(
        "project_settings",
        "Settings",
        ("settings_section", "project_overlap", "qualification", "analysis_plan", "delete_project", "webhook"),
    ),
)  # fmt: skip


def sections_for(project: Project) -> list[Section]:
    """Return the sections of `project`, from access.project_for, that the reader may open."""
    if project.role == Membership.Role.LEAD:
        has_facts = project.protocol.definition.unit == "fact"
        return [*LEAD_SECTIONS[:2], *([FACTS] if has_facts else []), *LEAD_SECTIONS[2:]]
    return [OVERVIEW, OWN_RESPONSES, GUIDELINES, *([DECISIONS] if project.shows_decisions else [])]


def section_links(project: Project, url_name: str) -> list[SectionLink]:
    """Return the links of the navigation for the page with this URL name."""
    return [
        SectionLink(
            section.label,
            reverse(section.name, args=[project.slug]),
            "page" if url_name == section.name else "true" if url_name in section.below else "",
        )
        for section in sections_for(project)
    ]


def projects_to_switch_to(user: User) -> list[tuple[str, str]]:
    """Return slug and title of the user's projects that are not archived, by title. One query."""
    projects = projects_for(user).filter(archived_at=None).order_by("title", "slug")
    return list(projects.values_list("slug", "title")[:MAX_LISTED])


@dataclass(frozen=True)
class SettingsPage:
    """A page of the settings: its label, what is on it, and what the search finds on it besides settings, by the ids of
    headings.
    """

    label: str
    contents: str
    headings: dict[str, str] = field(default_factory=dict)


SETTINGS_PAGES = {
    "general": SettingsPage(
        "General",
        "Title, data set, protocol, plan, hidden raters",
        {"data": "Data set, protocol and analysis plan"},
    ),
    "workload": SettingsPage(
        "Work",
        "Overlap, assignments, pay rates, suggestions, verdicts, claim-free items",
        {"assignments": "Assignments", "pay-rates": "Pay rates", "queue": "Queue seed"},
    ),
    "quality": SettingsPage(
        "Quality",
        "Target, training, qualification, hidden gold",
        {"checks": "Training, qualification, hidden gold"},
    ),
    "offline": SettingsPage("Offline", "Prefetched responses"),
    "webhooks": SettingsPage("Webhooks", "Other programs that are told of events", {"webhooks": "Webhooks"}),
    "danger": SettingsPage(
        "Archive or delete",
        "Archive, delete",
        {"archiving": "Archive project", "deletion": "Delete project"},
    ),
}
"""The pages by the last part of their address, in the order of the side navigation."""


def settings_context(section: str, *, is_below: bool = False) -> dict[str, object]:
    """Return the context of projects/settings/base.html, for a page of the settings or one below it."""
    links = [(key, page.label, page.contents) for key, page in SETTINGS_PAGES.items()]
    label = SETTINGS_PAGES[section].label
    return {"settings_sections": links, "section": section, "section_label": label, "is_below": is_below}
