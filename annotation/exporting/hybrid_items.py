"""The items of a project's sample with their probabilities, without and with a judge's answers: files of the bundle."""

from collections.abc import Iterator

from ..judging.judges import find_judge
from ..models import Project
from ..protocols import Protocol
from ..reporting.choices import DOCUMENT, Choices
from ..reporting.data.judge_answers import JudgeAnswers, read_judge_answers, tuning_items
from ..reporting.data.sample import FrameItem, SampleFrame, read_sample_frame
from .rating_columns import Column

HYBRID_FILE, SAMPLE_FILE = "hybrid_items.csv", "sample_items.csv"
RATED, FAILED, TUNED = "rated", "failed", "tuned"


SAMPLE_COLUMNS = [
    Column("prompt", "text", "imported id of the prompt"),
    Column("response", "text", "imported id of the response"),
    Column("against", "text", "of a pair, the imported id of the second response"),
    Column("unit", "text", "what one item is"),
    Column("item", "whole", "its position in the response, from 0"),
    Column("report_system", "text", "the system, as report.json calls it"),
    Column("is_turned", "truth", "1: the report names the second response of the pair first"),
    Column("cluster", "text", "the sampling unit of the report"),
    Column("probability", "number", "with which the design draws the item"),
    Column("is_drawn", "truth", "1: raters were asked about it"),
]


def hybrid_columns(protocol: Protocol) -> list[Column]:
    """Return the columns of the file with a judge's answers."""
    choices = [question for question in protocol.questions if question.kind == "choice"]
    return [
        *SAMPLE_COLUMNS,
        Column(
            "verdict",
            "text",
            "rated or failed; tuned: the item tuned the prompt and is not used; empty without a verdict",
        ),
        *(Column(f"answers.{question.key}", "text", "the judge's answer") for question in choices),
    ]


def read_hybrid_items(project: Project, choices: Choices) -> tuple[SampleFrame, JudgeAnswers]:
    """Return the sample's frame and the judge's answers under the choices of a report."""
    judge = find_judge(choices.judge)
    return read_sample(project, choices).with_tuned(tuning_items(judge)), read_judge_answers(judge, project)


def read_sample(project: Project, choices: Choices) -> SampleFrame:
    """Return the sample's frame under the choices of a report, whether or not it has a judge."""
    return read_sample_frame(project, choices, choices.cluster)


def sample_item_rows(project: Project, choices: Choices) -> Iterator[list[str]]:
    """Yield the cells of each item in SAMPLE_COLUMNS, in the order of imported ids."""
    return (_item_cells(item, choices) for item in read_sample(project, choices).items)


def hybrid_item_rows(project: Project, choices: Choices) -> Iterator[list[str]]:
    """Yield the cells of each item, in the order of imported ids."""
    frame, judge = read_hybrid_items(project, choices)
    answers = {row.item_id: row.answers for row in judge.rows}
    keys = [question.key for question in project.protocol.definition.questions if question.kind == "choice"]
    for item in frame.items:
        item_answers = None if item.is_tuned else answers.get(item.item_id)
        without_answers = TUNED if item.is_tuned else FAILED if item.item_id in judge.failed else ""
        verdict = without_answers if item_answers is None else RATED
        yield [*_item_cells(item, choices), verdict, *((item_answers or {}).get(key, "") for key in keys)]


def _item_cells(item: FrameItem, choices: Choices) -> list[str]:
    response, document = item.response, item.response.prompt.document
    is_by_document = choices.cluster == DOCUMENT and document is not None
    return [
        response.prompt.key,
        response.key,
        response.against or "",
        item.unit,
        str(item.position),
        response.system,
        str(int(response.is_turned)),
        f"document {document}" if is_by_document else f"prompt {response.prompt.key}",
        repr(item.probability),
        str(int(item.is_drawn)),
    ]
