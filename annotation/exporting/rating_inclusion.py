"""Which ratings a report was computed from, as columns of an export of ratings.

Four columns come from here: whether a rating is in the report, the report's name of its system (a pair of responses is
a pair of systems), whether the report swaps the pair for that, and the rating's cluster. The rules are those of
`reporting`; a test compares the sums.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import TypedDict

from ..models import Project, Prompt, Rating
from ..protocols import has_sides
from ..rating.evidence import Passage
from ..reporting.choices import ADJUDICATED, DOCUMENT, Choices
from ..reporting.data.responses import name_of_pair, values_of


class FetchedRating(TypedDict):
    """An exported rating with the fields of its item and response; `against` is a pair's second response.

    `rater` is the user's name or pseudonym, `rater_name` the user's name.
    """

    response: str
    against: str | None
    unit: str
    position: int
    rater: str
    rater_name: str
    role: str
    answers: dict[str, str]
    comment: str
    evidence: list[Passage]
    suggestions: str
    verdict_shown: bool
    guidelines: int | None
    seconds: float | None
    rated_at: datetime
    prompt: str
    document: str | None
    system: str
    against_system: str | None
    kind: str
    start: int | None
    end: int | None
    text: str
    by_hand: bool


class Inclusion(TypedDict):
    """The four columns."""

    in_report: bool
    report_system: str
    is_turned: bool
    cluster: str


class InclusionReader:
    """Computes the four columns; `columns_of(ratings)` takes all exported ratings of one item, as `rows` reads them.

    `below_gold`: user names of the raters whom `choices.least_gold` excludes.
    """

    def __init__(self, project: Project, choices: Choices, below_gold: Iterable[str] = ()):
        self.choices, self.has_sides = choices, has_sides(project.protocol.definition)
        self.without = {*choices.without_raters, *below_gold}
        self.prompts = _prompts_with(project, choices) if choices.metadata else None

    def columns_of(self, ratings: list[FetchedRating]) -> list[Inclusion]:
        """Return the columns `in_report`, `report_system`, `is_turned` and `cluster` of each."""
        adjudication = self._adjudication(ratings)
        return [self._columns(rating, adjudication) for rating in ratings]

    def _columns(self, rating: FetchedRating, adjudication: FetchedRating | None) -> Inclusion:
        system, is_turned = self._system(rating)
        return {
            "in_report": self._is_in_report(rating, adjudication),
            "report_system": system,
            "is_turned": is_turned,
            "cluster": self._cluster(rating),
        }

    def _system(self, rating: FetchedRating) -> tuple[str, bool]:
        """Return the report's name of a rating's system, and whether the report swaps the pair."""
        system, against = rating["system"], rating["against_system"]
        return (system, False) if against is None else name_of_pair(system, against, has_sides=self.has_sides)

    def _is_in_report(self, rating: FetchedRating, adjudication: FetchedRating | None) -> bool:
        if self.choices.systems and self._system(rating)[0] not in self.choices.systems:
            return False
        if self.prompts is not None and rating["prompt"] not in self.prompts:
            return False
        if adjudication is not None:
            return rating is adjudication
        return rating["role"] == Rating.Role.RATER and not self._is_excluded(rating)

    def _is_excluded(self, rating: FetchedRating) -> bool:
        least, seconds = self.choices.least_seconds, rating["seconds"]
        too_fast = least is not None and seconds is not None and seconds < least
        return too_fast or rating["rater_name"] in self.without

    def _adjudication(self, ratings: list[FetchedRating]) -> FetchedRating | None:
        """Return the newest adjudication of the item, if the report uses adjudications."""
        if self.choices.answers != ADJUDICATED:
            return None
        adjudications = [rating for rating in ratings if rating["role"] == Rating.Role.ADJUDICATOR]
        return max(adjudications, key=lambda rating: (rating["rated_at"], rating["rater_name"]), default=None)

    def _cluster(self, rating: FetchedRating) -> str:
        """Return the sampling unit (cluster). Prompts without a document are their own clusters."""
        if self.choices.cluster == DOCUMENT and rating["document"] is not None:
            return f"document {rating['document']}"
        return f"prompt {rating['prompt']}"


def _prompts_with(project: Project, choices: Choices) -> set[str]:
    """Return the imported ids of the prompts that have one of the selected values of each key."""
    prompts = Prompt.objects.filter(dataset=project.dataset_id).values_list("key", "metadata")
    required_values = [(key, set(values)) for key, values in choices.metadata]
    return {
        prompt
        for prompt, metadata in prompts.iterator()
        if all(values & set(values_of(metadata.get(key))) for key, values in required_values)
    }
