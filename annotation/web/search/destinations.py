"""Pages and actions: what a person may open and do. An action leads to the page or form where it is done."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from ...models import Membership, Project
from ...projects.project_settings import CHECKS, SETTINGS
from ..projects.navigation import SETTINGS_PAGES, sections_for
from .entries import MAX_ENTRIES, Entry, Scope, contains_words, label_words


@dataclass(frozen=True)
class Destination:
    """A page or form: its label, the name of its URL, and the place in the page."""

    label: str | Promise
    url_name: str
    fragment: str = ""

    def entry(self, project: Project | None = None) -> Entry:
        """Return its entry, in a project or in the site."""
        url = reverse(self.url_name, args=[project.slug] if project else []) + self.fragment
        return Entry(str(self.label), project.title if project else "", url)


EVERYBODY = [
    Destination(gettext_lazy("Projects"), "home"),
    Destination(gettext_lazy("Notifications"), "notifications"),
    Destination(gettext_lazy("Your account"), "own_account"),
    Destination(gettext_lazy("Accessibility"), "accessibility"),
]
LEADS = [Destination(gettext_lazy("Data sets"), "datasets"), Destination(gettext_lazy("Protocols"), "protocols")]
ADMINS = [
    Destination(gettext_lazy("Judges"), "judges"),
    Destination(gettext_lazy("People"), "people"),
    Destination(gettext_lazy("Status"), "status"),
    Destination(gettext_lazy("All jobs"), "all_jobs"),
]
LEAD_PAGES = [
    Destination(gettext_lazy("Training and checks"), "qualification"),
    Destination(gettext_lazy("Analysis plan"), "analysis_plan"),
]
ACTIONS_OF_ADMINS = [
    Destination(gettext_lazy("New project"), "new_project"),
    Destination(gettext_lazy("Import data set"), "import_dataset"),
    Destination(gettext_lazy("New judge"), "new_judge"),
    Destination(gettext_lazy("Add person"), "people", "#add"),
]
ACTIONS_OF_LEADS = [Destination(gettext_lazy("New protocol"), "new_protocol")]
ACTIONS_OF_EVERYBODY = [Destination(gettext_lazy("Change password"), "account_change_password")]
RATE = Destination(gettext_lazy("Rate responses"), "rate")
LEAD_ACTIONS = [
    Destination(gettext_lazy("Freeze report"), "report", "#freeze"),
    Destination(gettext_lazy("Assign responses"), "reservations"),
    Destination(gettext_lazy("Add member"), "members", "#add"),
    Destination(gettext_lazy("Invite people"), "invite"),
    Destination(gettext_lazy("Edit guidelines"), "guidelines"),
    Destination(gettext_lazy("Export ratings"), "exports", "#ratings"),
    Destination(gettext_lazy("Run judge"), "project_judges", "#run"),
]


def pages(scope: Scope, words: Sequence[str]) -> list[Entry]:
    """Return the matching pages of the site and of the projects in scope."""
    site = [*EVERYBODY, *(LEADS if scope.is_lead else []), *(ADMINS if scope.user.is_admin else [])]
    return _matching(scope, site, _pages_of, words)


def actions(scope: Scope, words: Sequence[str]) -> list[Entry]:
    """Return the matching actions that the user may take."""
    site = [
        *(ACTIONS_OF_ADMINS if scope.user.is_admin else []),
        *(ACTIONS_OF_LEADS if scope.is_lead else []),
        *ACTIONS_OF_EVERYBODY,
    ]

    def actions_of(project: Project) -> Iterator[Entry]:
        if project.pk in scope.memberships and not project.archived_at:
            yield RATE.entry(project)
        if project.role == Membership.Role.LEAD:
            yield from (action.entry(project) for action in LEAD_ACTIONS)
            yield from _settings_of(project)

    return _matching(scope, site, actions_of, words)


def _settings_of(project: Project) -> Iterator[Entry]:
    for key, page in SETTINGS_PAGES.items():
        address = reverse("settings_section", args=[project.slug, key])
        yield Entry(f"Go to settings: {page.label}", project.title, address)
        for heading, name in page.headings.items():
            yield Entry(f"Setting: {name}", project.title, f"{address}#{heading}")
    for setting in SETTINGS.values():
        if setting.page == CHECKS:
            address = f"{reverse('qualification', args=[project.slug])}#id_{setting.name}"
        else:
            address = f"{reverse('settings_section', args=[project.slug, setting.page])}#{setting.path}"
        label = f"Setting: {setting.heading or setting.label}"
        yield Entry(label, project.title, address, synonyms=f"{setting.label} {setting.synonyms}")


def _pages_of(project: Project) -> Iterator[Entry]:
    for section in sections_for(project):
        yield Entry(str(section.label), project.title, reverse(section.name, args=[project.slug]))
    if project.role == Membership.Role.LEAD:
        yield from (page.entry(project) for page in LEAD_PAGES)


def _matching(
    scope: Scope,
    site: Sequence[Destination],
    entries_of: Callable[[Project], Iterator[Entry]],
    words: Sequence[str],
) -> list[Entry]:
    """Return the matching entries with the most words in their label; of equal ones those of the current project first,
    then those of the site."""
    current = [scope.current] if scope.current else []
    others = [project for project in scope.projects if project != scope.current]
    entries = [
        *(entry for project in current for entry in entries_of(project)),
        *(destination.entry() for destination in site),
        *(entry for project in others for entry in entries_of(project)),
    ]
    matching = [entry for entry in entries if contains_words(f"{entry.label} {entry.detail} {entry.synonyms}", words)]
    return sorted(matching, key=lambda entry: -label_words(entry.label, words))[:MAX_ENTRIES]
