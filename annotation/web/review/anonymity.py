"""Anonymous reviews: raters are letters, systems and judges hidden until a lead shows them. The session stores this."""

from dataclasses import dataclass
from functools import cached_property

from ...models import Project, Rating, System, User
from ...pseudonyms import Pseudonyms, active
from ..authentication import Request

RATERS, SYSTEMS, JUDGES = KINDS = ("raters", "systems", "judges")
_SESSION = "review_shows"


@dataclass(frozen=True)
class CodedRater:
    """A rater: `code` is the pseudonym of the project's exports, `letter` its position among the pseudonyms."""

    user: User
    code: str
    letter: str


class Anonymity:
    """Labels of raters and systems in a project: names, or letters while the lead's session hides them.

    `shows_judges`: whether ratings of judges are shown also before the lead has decided.
    """

    def __init__(self, request: Request, project: Project):
        visible = request.session.get(_SESSION, [])
        self.project = project
        self.shows_raters, self.shows_systems = RATERS in visible, SYSTEMS in visible
        self.shows_judges = JUDGES in visible

    @cached_property
    def raters(self) -> dict[int, CodedRater]:
        """The raters of the project by database id, in the order of their letters."""
        rated = Rating.objects.filter(project=self.project, role=Rating.Role.RATER).order_by().values("rater")
        pseudonyms = Pseudonyms(self.project)
        codes_and_users = sorted(
            (pseudonyms.pseudonym(user.name_in_data), user) for user in User.objects.filter(pk__in=rated.distinct())
        )
        return {user.pk: CodedRater(user, code, _letter(n)) for n, (code, user) in enumerate(codes_and_users)}

    def rater(self, user: User) -> str:
        """Return "Rater B", or the name."""
        coded_rater = self.raters.get(user.pk)
        return str(user) if self.shows_raters or coded_rater is None else f"Rater {coded_rater.letter}"

    def rater_value(self, coded_rater: CodedRater) -> str:
        """Return the value of the address parameter that names a rater."""
        return coded_rater.user.username if self.shows_raters and not active() else coded_rater.code

    def rater_named(self, value: str) -> CodedRater | None:
        """Return the rater with this pseudonym or, unless names are hidden, user name."""
        return next(
            (
                coded_rater
                for coded_rater in self.raters.values()
                if value == coded_rater.code or (value == coded_rater.user.username and not active())
            ),
            None,
        )

    def system(self, system: System) -> str:
        """Return the system's name; "" while it is hidden."""
        return system.name if self.shows_systems else ""


def set_visibility(request: Request, kind: str, visible: bool) -> None:
    """Store in the session whether one of KINDS is shown; any other `kind` changes nothing."""
    if kind not in KINDS:
        return
    kinds = set(request.session.get(_SESSION, []))
    request.session[_SESSION] = sorted(kinds | {kind} if visible else kinds - {kind})


def _letter(n: int) -> str:
    """Name a number: 0 -> A, 25 -> Z, 26 -> AA."""
    first, last = divmod(n, 26)
    return (_letter(first - 1) if first else "") + chr(ord("A") + last)
