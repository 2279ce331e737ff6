"""Stored things among the results: projects, people, responses. Raters find no more than their own work."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.db.models import Case, Q, Value, When
from django.urls import reverse
from django.utils.text import Truncator

from ...access import assignments_for
from ...accounts.names import is_named
from ...models import Membership, Sheet, User
from ...reporting.text.names import show_direction_marks
from ...site.database_transactions import custom_plans
from ..rendering.markdown import texts_of
from .entries import MAX_ENTRIES, Entry, Scope, contains_words

MIN_WORD_OF_PEOPLE, MIN_WORD_OF_RESPONSES = 2, 3  # characters of the longest word
PROMPT_LENGTH = 100


def projects(scope: Scope, words: Sequence[str]) -> list[Entry]:
    matching = [project for project in scope.projects if contains_words(f"{project.title} {project.slug}", words)]
    return [Entry(p.title, p.slug, reverse("project", args=[p.slug])) for p in matching[:MAX_ENTRIES]]


def people(scope: Scope, words: Sequence[str]) -> list[Entry]:
    """Return the matching accounts for admins, and for leads the members of their projects."""
    if not scope.is_lead or not _has_word(words, MIN_WORD_OF_PEOPLE):
        return []
    if scope.user.is_admin:
        people = User.objects.filter(is_named(words, by_address=True), judge=None)
        rows = people.order_by("-is_active", "username")[:MAX_ENTRIES]
        return [Entry(str(row), row.username, _with_query("people", find=row.username)) for row in rows]
    # Who are the members of a project that hides its raters, a lead does not find out by name.
    in_reach = Q(project__in=scope.led) & (Q(project__hides_raters=False) | Q(role=Membership.Role.LEAD))
    members = Membership.objects.filter(in_reach, is_named(words, "user__")).select_related("user", "project")
    return [
        Entry(
            str(member.user),
            _joined(member.get_role_display(), member.project.title),
            f"{reverse('members', args=[member.project.slug])}#member-{member.user.pk}",
        )
        for member in members.order_by("user__username", "-project__created_at")[:MAX_ENTRIES]
    ]


def _joined(*names: str) -> str:
    """Return the names in one line. None of them changes the direction of the names after it."""
    return show_direction_marks(" · ".join(names))


def responses(scope: Scope, words: Sequence[str]) -> list[Entry]:
    """Return the matching responses of projects that the user leads, then responses that the user rates or rated."""
    if not _has_word(words, MIN_WORD_OF_RESPONSES):
        return []
    with custom_plans():  # how many responses have the words decides where to begin
        entries = _led_responses(scope, words) if scope.is_lead else []
        return (entries + _own_responses(scope, words))[:MAX_ENTRIES]


def _led_responses(scope: Scope, words: Sequence[str]) -> list[Entry]:
    sheets = Sheet.objects.all() if scope.user.is_admin else Sheet.objects.filter(project__in=scope.led)
    for word in words:
        is_found = Q(response__prompt__text__icontains=word) | Q(response__key__icontains=word)
        sheets = sheets.filter(is_found | Q(response__prompt__key__icontains=word))
    is_current = Case(When(project=scope.current, then=Value(0)), default=Value(1))
    rows = sheets.select_related("project", "response__prompt", "response__system").defer(
        "response__text", "response__prompt__metadata"
    )
    return [
        Entry(
            _shortened(sheet.response.prompt.text),
            _joined(sheet.response.system.name, sheet.project.title),
            _with_query("project_responses", sheet.project.slug, words=sheet.response.key),
        )
        for sheet in rows.order_by(is_current, "-project", "rank")[:MAX_ENTRIES]
    ]


def _own_responses(scope: Scope, words: Sequence[str]) -> list[Entry]:
    """Return responses by their prompt alone: raters see neither systems nor ids."""
    assignments = assignments_for(scope.user).filter(Q(finished_at__isnull=False) | Q(slot__isnull=False))
    for word in words:
        assignments = assignments.filter(sheet__response__prompt__text__icontains=word)
    rows = assignments.select_related("project", "sheet__response__prompt").defer("sheet__response__text")
    return [
        Entry(
            _shortened(assignment.sheet.response.prompt.text),
            assignment.project.title,
            reverse("assignment", args=[assignment.public_id]),
        )
        for assignment in rows.order_by("-taken_at")[:MAX_ENTRIES]
    ]


def _has_word(words: Sequence[str], length: int) -> bool:
    return any(len(word) >= length for word in words)


def _shortened(text: str) -> str:
    return Truncator(texts_of(text)).chars(PROMPT_LENGTH)


def _with_query(url_name: str, *args: str, **query: str) -> str:
    return f"{reverse(url_name, args=args)}?{urlencode(query)}"
