"""Who is named in a review. Raters are letters and systems are hidden until a lead asks for names, so that an answer is
judged and not its giver. What was asked for is kept in the session.
"""

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from ...exporting.pseudonyms import Pseudonyms
from ...models import Project, Rating, System, User
from ..authentication import Request

RATERS, SYSTEMS = KINDS = ("raters", "systems")
_SESSION = "review_shows"


@dataclass(frozen=True)
class Known:
    """A rater: `code` is the pseudonym of the project's exports, `letter` the place among the pseudonyms."""

    user: User
    code: str
    letter: str


class Names:
    """What a lead sees in the place of names, in one project and session."""

    def __init__(self, request: Request, project: Project):
        visible = request.session.get(_SESSION, [])
        self.project = project
        self.shows_raters, self.shows_systems = RATERS in visible, SYSTEMS in visible

    @cached_property
    def raters(self) -> dict[int, Known]:
        """Everybody who has rated in the project, by database id, in the order of their letters."""
        rated = Rating.objects.filter(project=self.project, role=Rating.Role.RATER).order_by().values("rater")
        codes = Pseudonyms(self.project)
        coded = sorted((codes.of(user.username), user) for user in User.objects.filter(pk__in=rated.distinct()))
        return {user.pk: Known(user, code, _letter(n)) for n, (code, user) in enumerate(coded)}

    def rater(self, user: User) -> str:
        """Rater B, or the name."""
        named = self.raters.get(user.pk)
        return str(user) if self.shows_raters or named is None else _("Rater %(letter)s") % {"letter": named.letter}

    def rater_value(self, named: Known) -> str:
        """What stands for a rater in an address."""
        return named.user.username if self.shows_raters else named.code

    def rater_named(self, value: str) -> Known | None:
        """The rater for whom this stands: a user name, or a pseudonym."""
        return next((named for named in self.raters.values() if value in (named.user.username, named.code)), None)

    def system(self, system: System) -> str:
        """The system's name, or nothing."""
        return system.name if self.shows_systems else ""


def show_names(request: Request, kind: str, visible: bool) -> None:
    """Keep in the session whether raters' or systems' names are shown; another `kind` changes nothing."""
    if kind not in KINDS:
        return
    kinds = set(request.session.get(_SESSION, []))
    request.session[_SESSION] = sorted(kinds | {kind} if visible else kinds - {kind})


def _letter(n: int) -> str:
    """0 -> A, 25 -> Z, 26 -> AA."""
    first, last = divmod(n, 26)
    return (_letter(first - 1) if first else "") + chr(ord("A") + last)
