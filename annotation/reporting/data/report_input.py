"""The input of a report under the lead's choices."""

from dataclasses import dataclass
from functools import cached_property

from ...models import Project, Rating
from ...protocols import Protocol
from ...rating.counting import left_out
from ..choices import DEFAULT, Choices
from .data_hash import hash_in_database, hash_table
from .filters import FILTERED, below_gold, select, select_from_tally
from .reader import read_ratings, read_tally
from .table import RatingTable


@dataclass(frozen=True)
class ReportInput:
    """The ratings that count under some choices (`table`), the raters' own answers, which adjudications do not replace
    (`by_raters`), and how many ratings are excluded, by reason. `is_complete`: every rating that counts is in `table`.
    """

    project: Project
    table: RatingTable
    by_raters: RatingTable
    left_out: dict[str, int]
    is_complete: bool

    @cached_property
    def sha256(self) -> str:
        """The hash of the ratings that count; read it in the snapshot in which they were read.

        Choice answers are hashed here, as there are few sets of them; free text is hashed in the database.
        """
        if has_only_choices(self.project.protocol.definition):
            return hash_table(self.table)
        rating_ids = None if self.is_complete else self.table.rating_id.tolist()
        return hash_in_database(self.project, self.table.responses, rating_ids)


def read_report_input(project: Project, choices: Choices = DEFAULT) -> ReportInput:
    """Read the ratings of `project` under `choices`. The number of queries does not depend on the data."""
    selection = select(read_ratings(project, choices.cluster), choices, project.protocol.definition)
    reasons = left_out(project) | selection.left_out
    if selection.counted.adjudicators:
        reasons[Rating.Role.ADJUDICATOR.value] -= int((selection.counted.rater < 0).sum())
    return ReportInput(project, selection.counted, selection.by_raters, _in_order(reasons), selection.is_complete)


def read_counts(project: Project, choices: Choices = DEFAULT) -> tuple[RatingTable, dict[str, int]]:
    """Return the counts of the tally, without single ratings, and how many ratings are excluded, by reason.

    Takes as long with 30 ratings per item as with 3. Choices that need single ratings are not applied.
    """
    table, filtered = select_from_tally(read_tally(project, choices.cluster), choices)
    return table, _in_order(left_out(project) | {FILTERED: filtered})


def data_sha256(project: Project, choices: Choices = DEFAULT) -> str:
    """Return the hash of the ratings that count under `choices`, as the report has it."""
    return read_report_input(project, choices).sha256


def raters_below_gold(project: Project, least: float) -> list[str]:
    """Return the user names of the raters whose accuracy on gold answers is below `least`, in order."""
    table = read_ratings(project)
    return [table.raters[number] for number in below_gold(table, project.protocol.definition, least).tolist()]


def has_only_choices(protocol: Protocol) -> bool:
    """Return whether no question is answered in free text."""
    return all(question.kind == "choice" for question in protocol.questions)


def _in_order(reasons: dict[str, int]) -> dict[str, int]:
    """Return the reasons with ratings, in order."""
    return {reason: reasons[reason] for reason in sorted(reasons) if reasons[reason]}
