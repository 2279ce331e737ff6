"""Files of a bundle with a row for each item: the sample without and with a judge's answers, and what a judge answered.

Rows are in the order of imported ids.
"""

from collections.abc import Iterable, Iterator, Mapping

from ..judging.judges import find_judge
from ..models import Item, Project
from ..protocols import Protocol
from ..reporting.choices import Choices
from ..reporting.data.judge_answers import JudgeAnswers, read_judge_answers, tuning_items
from ..reporting.data.reader import read_responses
from ..reporting.data.sample import FrameItem, SampleFrame, read_sample_frame
from .rating_columns import ANSWERS, ITEM_COLUMNS, Column, Row, cluster_name

HYBRID_FILE, SAMPLE_FILE, JUDGE_FILE = "hybrid_items.csv", "sample_items.csv", "judge_items.csv"
RATED, FAILED, TUNED = "rated", "failed", "tuned"
IS_TURNED = Column("is_turned", "truth", "1: the report names the second response of the pair first")
VERDICT = Column(
    "verdict", "text", "rated or failed; tuned: the item tuned the prompt and is not used; empty without a verdict"
)
SAMPLE_COLUMNS = (
    Column("prompt", "text", "imported id of the prompt"),
    *ITEM_COLUMNS,
    Column("report_system", "text", "the system, as report.json calls it"),
    IS_TURNED,
    Column("cluster", "text", "the sampling unit of the report"),
    Column("probability", "number", "with which the design draws the item"),
    Column("is_drawn", "truth", "1: raters were asked about it"),
)


def hybrid_columns(protocol: Protocol) -> tuple[Column, ...]:
    return (*SAMPLE_COLUMNS, VERDICT, *_answer_columns(protocol))


def judge_columns(protocol: Protocol) -> tuple[Column, ...]:
    return (
        *ITEM_COLUMNS,
        IS_TURNED,
        Column("probability", "number", "with which the item was drawn; empty if it was not, or without a sample"),
        VERDICT,
        Column("confidence", "number", "of the judge; empty without one"),
        *_answer_columns(protocol),
    )


def _answer_columns(protocol: Protocol) -> Iterator[Column]:
    for question in protocol.questions:
        if question.kind == "choice":
            yield Column(f"{ANSWERS}.{question.key}", "text", "the judge's answer")


def read_hybrid_items(project: Project, choices: Choices) -> tuple[SampleFrame, JudgeAnswers]:
    """Return the sample's frame and the judge's answers under the choices of a report."""
    judge = find_judge(choices.judge)
    frame = read_sample_frame(project, choices, choices.cluster)
    return frame.with_tuned(tuning_items(judge)), read_judge_answers(judge, project)


def sample_rows(items: Iterable[FrameItem], choices: Choices) -> Iterator[Row]:
    for item in items:
        response, prompt = item.response, item.response.prompt
        yield {
            "prompt": prompt.key,
            "response": response.key,
            "against": response.against,
            "unit": item.unit,
            "item": item.position,
            "report_system": response.system,
            "is_turned": response.is_turned,
            "cluster": cluster_name(prompt.key, prompt.document, choices.cluster),
            "probability": item.probability,
            "is_drawn": item.is_drawn,
        }


def hybrid_rows(project: Project, choices: Choices) -> Iterator[Row]:
    frame, judge = read_hybrid_items(project, choices)
    answers = {row.item_id: row.answers for row in judge.rows}
    for item, row in zip(frame.items, sample_rows(frame.items, choices), strict=True):
        item_answers = None if item.is_tuned else answers.get(item.item_id)
        without_answers = TUNED if item.is_tuned else FAILED if item.item_id in judge.failed else None
        yield {**row, "verdict": without_answers if item_answers is None else RATED, **_flat(item_answers or {})}


def judge_rows(project: Project, choices: Choices) -> Iterator[Row]:
    """Yield the items that the judge of the choices answered or failed."""
    judge = find_judge(choices.judge)
    answers, tuned = read_judge_answers(judge, project), tuning_items(judge)
    by_item = {row.item_id: row for row in answers.rows}
    drawn = project.sampled_items.filter(is_drawn=True).values_list("item_id", "probability")
    probability = dict(drawn.iterator())
    fields = ("id", "response_id", "against_id", "unit", "position")
    stored = list(Item.objects.filter(pk__in=by_item.keys() | answers.failed).values_list(*fields))
    pairs = {(response, against) for _, response, against, *_ in stored}
    responses = read_responses(pairs, project.protocol.definition)
    stored.sort(key=lambda row: (responses[row[1], row[2]].sort_key, row[3], row[4]))
    for item, response_id, against_id, unit, position in stored:
        response, answer = responses[response_id, against_id], by_item.get(item)
        is_used = answer is not None and item not in tuned
        yield {
            "response": response.key,
            "against": response.against,
            "unit": unit,
            "item": position,
            "is_turned": response.is_turned,
            "probability": probability.get(item),
            "verdict": FAILED if answer is None else RATED if is_used else TUNED,
            "confidence": answer and answer.confidence,
            **(_flat(answer.answers) if answer and is_used else {}),
        }


def _flat(answers: Mapping[str, str]) -> dict[str, str]:
    return {f"{ANSWERS}.{key}": answer for key, answer in answers.items()}
