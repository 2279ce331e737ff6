"""What the parts of a report about a judge and a sample are computed from, each read once."""

from dataclasses import dataclass
from functools import cached_property

from ..judging.judges import find_judge
from ..model_calls.errors import ModelError
from ..models import Judge, Project
from .choices import Choices
from .data.comparable import Comparable, adjudicated_after_verdicts, comparable, ratings_verdict_shown, tuning_items
from .data.report_input import ReportInput
from .data.sample_frame import NO_JUDGE, NoFrame, SampleFrame, read_sample_frame
from .data.table import RatingTable
from .data.verdicts import JudgeAnswers, read_judge_answers


@dataclass(frozen=True)
class JudgeInput:
    """The data of a report, and what its choice of a judge and its sample add, read when first asked for."""

    data: ReportInput
    choices: Choices

    @property
    def project(self) -> Project:
        return self.data.project

    @cached_property
    def judge(self) -> Judge:
        """The judge NAME or NAME@N of the choices. Raises NoFrame where there is none."""
        try:
            return find_judge(self.choices.judge)
        except ModelError as error:
            raise NoFrame(NO_JUDGE) from error

    @cached_property
    def answers(self) -> JudgeAnswers:
        """All answers of the judge."""
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
        return adjudicated_after_verdicts(self.project, self.data.by_raters)

    @cached_property
    def frame(self) -> SampleFrame:
        """The frame of the sample, whatever the judge. Raises NoFrame."""
        return read_sample_frame(self.project, self.choices, self.data.table.responses.cluster)

    def comparable(self, ratings: RatingTable) -> Comparable:
        """Return what of these ratings and the judge's answers can be compared."""
        return comparable(ratings, self.answers, self.verdict_shown, self.adjudicated_after_verdicts, self.tuned)
