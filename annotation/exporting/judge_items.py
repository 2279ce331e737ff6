"""The items that a judge has answered with its answers, confidence and probabilities: a file of the bundle."""

from collections.abc import Iterator

from ..judging.judges import find_judge
from ..models import Item, Project
from ..protocols import Protocol
from ..reporting.choices import Choices
from ..reporting.data.judge_answers import read_judge_answers, tuning_items
from ..reporting.data.tally import read_responses
from .hybrid_items import FAILED, RATED, TUNED
from .rating_columns import Column

JUDGE_FILE = "judge_items.csv"


def judge_columns(protocol: Protocol) -> list[Column]:
    """Return the columns of the file."""
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
