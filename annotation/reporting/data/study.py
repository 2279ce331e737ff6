"""The ratings of a project under a lead's choices: what every section of a report is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ...jobs import Progress
from ...judging.fact_scores import judges_with_scores
from ...judging.judges import find_judge
from ...model_calls.errors import ModelError
from ...models import Judge, Project, Rating
from ...protocols import Measure, Protocol
from ...rating.counting import left_out
from ..choices import DEFAULT, DOCUMENT, PROMPT, Choices
from .arrays import Indices
from .data_hash import hash_in_database, hash_table
from .filters import FILTERED, below_gold, select, select_from_tally
from .groups import CellName, Cells, Groups, cells_of
from .judge_answers import (
    Comparable,
    ItemTexts,
    JudgeAnswers,
    adjudicated_after_verdicts,
    comparable,
    ratings_verdict_shown,
    read_judge_answers,
    tuning_items,
)
from .reader import read_ratings, read_tally
from .response_scores import FactScores, MetricScores, read_fact_scores, read_scores_of_rated
from .sample import NO_JUDGE, NoFrame, SampleFrame, read_sample_frame
from .table import RatingTable


@dataclass(frozen=True)
class Study:
    """The ratings that count under some choices, and what belongs to them, read or computed when first asked for.

    `ratings`: those that count; `by_raters`: the raters' own answers, which adjudications do not replace. Both are
    counts without single ratings where they come from the tally. `left_out`: how many ratings are excluded, by reason;
    `is_complete`: none that counts is. `is_slow`: figures that take long are wanted, as for freezing; they report to
    `progress`, which stops them when the job is canceled.
    """

    project: Project
    choices: Choices
    ratings: RatingTable
    by_raters: RatingTable
    left_out: dict[str, int]
    is_complete: bool
    is_slow: bool = False
    progress: Progress = field(default_factory=Progress)

    @property
    def protocol(self) -> Protocol:
        return self.project.protocol.definition

    @cached_property
    def cells(self) -> Cells:
        """The computation of cells; without resamples, every interval is a closed form."""
        return cells_of(self.protocol, self.ratings, self.choices)

    @cached_property
    def all_ratings(self) -> Groups:
        counts = self.ratings.counts
        return Groups([CellName()], np.zeros_like(counts.n), counts, shares=True)

    @cached_property
    def by_system(self) -> Groups:
        responses, counts = self.ratings.responses, self.ratings.counts
        cells = [CellName(system=name) for name in responses.systems]
        return Groups(cells, responses.system_of[counts.response], counts, shares=True)

    @cached_property
    def counts_by_prompt(self) -> dict[str, tuple[Indices, Indices]]:
        """k and n of each measure and score by system and prompt, both of shape (systems, prompts)."""
        responses, counts, ratios = self.ratings.responses, self.ratings.counts, self.cells.ratios
        groups = replace(self.by_system, counts=replace(counts, cluster=responses.prompt_of[counts.response]))
        k, n = replace(self.cells, clusters=len(responses.prompts)).by_cluster(groups, ratios)
        return {ratio.key: (k[:, i], n[:, i]) for i, ratio in enumerate(ratios)}

    def counts_by_system(self, measure: Measure) -> tuple[Indices, Indices]:
        """Return k and n of a measure by system and cluster, both of shape (systems, clusters)."""
        k, n = map(self.ratings.responses.sum_by_cluster, self.counts_by_prompt[measure.key])
        return k, n

    @cached_property
    def by_prompt(self) -> "Study | None":
        """The same with prompts as the sampling unit; None where they are it already."""
        return self.in_clusters(PROMPT) if self.ratings.responses.cluster == DOCUMENT else None

    def in_clusters(self, cluster: str) -> "Study":
        return self.of(self.ratings.keep_responses(np.ones(len(self.ratings.responses), dtype=bool), cluster))

    def of(self, ratings: RatingTable) -> "Study":
        """Return the same for other ratings, or for the same ones in other clusters."""
        return replace(self, ratings=ratings)

    @cached_property
    def sha256(self) -> str:
        """The hash of the ratings that count; read it in the snapshot in which they were read.

        Choice answers are hashed here, as there are few sets of them; free text is hashed in the database.
        """
        if has_only_choices(self.protocol):
            return hash_table(self.ratings)
        rating_ids = None if self.is_complete else self.ratings.rating_id.tolist()
        return hash_in_database(self.project, self.ratings.responses, rating_ids)

    @cached_property
    def texts(self) -> ItemTexts:
        return ItemTexts()

    @cached_property
    def fact_scores(self) -> Sequence[FactScores]:
        """The scores of the newest version of each judge with Fact-QA that has any."""
        judges = judges_with_scores(self.project)
        return [read_fact_scores(self.project, judge, self.choices) for judge in judges]

    @cached_property
    def metric_scores(self) -> MetricScores:
        return read_scores_of_rated(self.project, self.ratings.responses.rated)

    @cached_property
    def judge(self) -> Judge:
        """The judge NAME or NAME@N of the choices. Raises NoFrame where there is none."""
        try:
            return find_judge(self.choices.judge)
        except ModelError as error:
            raise NoFrame(NO_JUDGE) from error

    @cached_property
    def judge_answers(self) -> JudgeAnswers:
        return read_judge_answers(self.judge, self.project)

    @cached_property
    def tuned(self) -> set[int]:
        """The items (database ids) that tuned the judge's prompt."""
        return tuning_items(self.judge)

    @cached_property
    def verdict_shown(self) -> list[int]:
        """The counted ratings (database ids) that were given or changed after verdicts were shown."""
        return ratings_verdict_shown(self.project)

    @cached_property
    def adjudicated_after_verdicts(self) -> list[int]:
        """The items (database ids) whose newest adjudication was made after verdicts were shown."""
        return adjudicated_after_verdicts(self.project, self.by_raters)

    @cached_property
    def frame(self) -> SampleFrame:
        """The frame of the sample, whatever the judge. Raises NoFrame."""
        return read_sample_frame(self.project, self.choices, self.ratings.responses.cluster)

    def comparable(self, ratings: RatingTable) -> Comparable:
        verdict_shown, adjudicated = self.verdict_shown, self.adjudicated_after_verdicts
        return comparable(ratings, self.judge_answers, verdict_shown, adjudicated, self.tuned)


def read_study(
    project: Project, choices: Choices = DEFAULT, *, is_slow: bool = False, progress: Progress | None = None
) -> Study:
    """Read the ratings of `project` under `choices`. The number of queries does not depend on the data."""
    selection = select(read_ratings(project, choices.cluster), choices, project.protocol.definition)
    reasons = left_out(project) | selection.left_out
    if selection.counted.adjudicators:
        reasons[Rating.Role.ADJUDICATOR.value] -= int((selection.counted.rater < 0).sum())
    return Study(
        project,
        choices,
        selection.counted,
        selection.by_raters,
        _in_order(reasons),
        selection.is_complete,
        is_slow,
        progress or Progress(),
    )


def read_counts(project: Project, choices: Choices = DEFAULT) -> Study:
    """Read the counts of the tally, without single ratings.

    Takes as long with 30 ratings per item as with 3. Choices that need single ratings are not applied.
    """
    counts, filtered = select_from_tally(read_tally(project, choices.cluster), choices)
    reasons = left_out(project) | {FILTERED: filtered}
    return Study(project, choices, counts, counts, _in_order(reasons), is_complete=not filtered)


def data_sha256(project: Project, choices: Choices = DEFAULT) -> str:
    """Return the hash of the ratings that count under `choices`, as the report has it."""
    return read_study(project, choices).sha256


def raters_below_gold(project: Project, least: float) -> list[str]:
    """Return the user names of the raters whose accuracy on gold answers is below `least`, in order."""
    table = read_ratings(project)
    return [table.raters[number] for number in below_gold(table, project.protocol.definition, least).tolist()]


def has_only_choices(protocol: Protocol) -> bool:
    return all(question.kind == "choice" for question in protocol.questions)


def _in_order(reasons: dict[str, int]) -> dict[str, int]:
    """Return the reasons with ratings, in order."""
    return {reason: reasons[reason] for reason in sorted(reasons) if reasons[reason]}
