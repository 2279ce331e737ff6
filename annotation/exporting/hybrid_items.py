"""The items of a project's sample with their probabilities, without and with a judge's answers: files of the bundle."""

from collections.abc import Iterator

from ..judging.judges import find_judge
from ..models import Item, Project
from ..protocols import Protocol
from ..reporting.choices import Choices
from ..reporting.data.judge_answers import JudgeAnswers, read_judge_answers, tuning_items
from ..reporting.data.reader import read_responses
from ..reporting.data.sample import FrameItem, SampleFrame, read_sample_frame
from .rating_columns import Column, cluster_name
from .writers import write_values

HYBRID_FILE, SAMPLE_FILE = "hybrid_items.csv", "sample_items.csv"
RATED, FAILED, TUNED = "rated", "failed", "tuned"
SAMPLE_COLUMNS = (
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
)
VERDICT = Column(
    "verdict", "text", "rated or failed; tuned: the item tuned the prompt and is not used; empty without a verdict"
)


def read_hybrid_items(project: Project, choices: Choices) -> tuple[SampleFrame, JudgeAnswers]:
    """Return the sample's frame and the judge's answers under the choices of a report."""
    judge = find_judge(choices.judge)
    frame = read_sample_frame(project, choices, choices.cluster)
    return frame.with_tuned(tuning_items(judge)), read_judge_answers(judge, project)


def write_sample_items(project: Project, choices: Choices) -> Iterator[bytes]:
    """Yield the sample as CSV, in the order of imported ids."""
    items = read_sample_frame(project, choices, choices.cluster).items
    yield from write_values(SAMPLE_COLUMNS, (_sample_values(item, choices) for item in items))


def write_hybrid_items(project: Project, choices: Choices) -> Iterator[bytes]:
    """Yield the sample with the judge's answers as CSV, in the order of imported ids."""
    frame, judge = read_hybrid_items(project, choices)
    answers = {row.item_id: row.answers for row in judge.rows}
    keys = [question.key for question in project.protocol.definition.questions if question.kind == "choice"]
    rows = []
    for item in frame.items:
        item_answers = None if item.is_tuned else answers.get(item.item_id)
        without_answers = TUNED if item.is_tuned else FAILED if item.item_id in judge.failed else None
        verdict = without_answers if item_answers is None else RATED
        rows.append((*_sample_values(item, choices), verdict, *((item_answers or {}).get(key) for key in keys)))
    answer_columns = (Column(f"answers.{key}", "text", "the judge's answer") for key in keys)
    yield from write_values((*SAMPLE_COLUMNS, VERDICT, *answer_columns), rows)


def _sample_values(item: FrameItem, choices: Choices) -> tuple[object, ...]:
    response, prompt = item.response, item.response.prompt
    return (
        prompt.key,
        response.key,
        response.against,
        item.unit,
        item.position,
        response.system,
        response.is_turned,
        cluster_name(prompt.key, prompt.document, choices.cluster),
        item.probability,
        item.is_drawn,
    )


JUDGE_FILE = "judge_items.csv"


def judge_columns(protocol: Protocol) -> list[Column]:
    choices = [question for question in protocol.questions if question.kind == "choice"]
    return [
        Column("response", "text", "imported id of the response"),
        Column("against", "text", "of a pair, the imported id of the second response"),
        Column("unit", "text", "what one item is"),
        Column("item", "whole", "its position in the response, from 0"),
        Column("is_turned", "truth", "1: the report names the second response of the pair first"),
        Column("probability", "number", "with which the item was drawn; empty if it was not, or without a sample"),
        Column("verdict", "text", "rated or failed; tuned: the item tuned the prompt and is not compared"),
        Column("confidence", "number", "of the judge; empty without one"),
        *(Column(f"answers.{question.key}", "text", "the judge's answer") for question in choices),
    ]


def judge_item_rows(project: Project, choices: Choices) -> Iterator[list[str]]:
    """Yield the cells of each item that the judge of the choices answered or failed, in the order of imported ids."""
    judge, protocol = find_judge(choices.judge), project.protocol.definition
    answers, tuned = read_judge_answers(judge, project), tuning_items(judge)
    by_item = {row.item_id: row for row in answers.rows}
    drawn = project.sampled_items.filter(is_drawn=True).values_list("item_id", "probability")
    probability = {item: repr(each) for item, each in drawn.iterator()}
    fields = ("id", "response_id", "against_id", "unit", "position")
    stored = list(Item.objects.filter(pk__in=by_item.keys() | answers.failed).values_list(*fields))
    responses = read_responses({(response, against) for _, response, against, *_ in stored}, protocol)
    keys = [question.key for question in protocol.questions if question.kind == "choice"]
    rows = []
    for item, response_id, against_id, unit, position in stored:
        response, answer = responses[response_id, against_id], by_item.get(item)
        is_used = answer is not None and item not in tuned
        verdict = FAILED if answer is None else RATED if is_used else TUNED
        given = answer.answers if answer is not None and is_used else {}
        confidence = "" if answer is None or answer.confidence is None else repr(answer.confidence)
        about = [response.key, response.against or "", unit, str(position), str(int(response.is_turned))]
        cells = [*about, probability.get(item, ""), verdict, confidence, *(given.get(key, "") for key in keys)]
        rows.append(((*response.sort_key, unit, position), cells))
    yield from (cells for _, cells in sorted(rows, key=lambda row: row[0]))
