"""Whether a judge of pairs favors the response that it is shown first.

A judge is shown the responses of a pair in the data's order, raters in a random one. So people's share for the response
that the data has first does not depend on the order, and the judge's share less people's on the same pairs is its bias.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ...protocols import Protocol, Question
from ...protocols.pair_options import FIRST, SECOND, asks_for_side, has_sides
from ..report_parts.judge_comparison import OrderBias
from .judge_groups import rate_difference
from .judge_labels import JudgeLabels

Floats = NDArray[np.float64]


def order_bias(labels: JudgeLabels) -> OrderBias | None:
    """Return the judge's share for the response shown first less people's; None under other protocols."""
    question = _question(labels.protocol)
    if question is None:
        return None
    table = labels.people
    by_set = _shares(labels.protocol, question, table.answer_sets)
    of_rating = by_set[table.answer]
    is_answered, items = np.isfinite(of_rating), len(table.items)
    with np.errstate(invalid="ignore"):
        people = np.bincount(table.item[is_answered], of_rating[is_answered], items) / np.bincount(
            table.item[is_answered], minlength=items
        )
    judge = np.append(_shares(labels.protocol, question, labels.judge.answer_sets), np.nan)[labels.judge.number]
    turned = table.responses.turned[table.items.response]
    people, judge = (np.where(turned, 1 - share, share) for share in (people, judge))
    first = [response.made_by for response in table.responses.rated]
    systems = np.array([first[response] for response in table.items.response.tolist()], dtype=object)
    return OrderBias(
        question=question.key,
        overall=rate_difference(labels, judge, people, np.ones(items, dtype=bool)),
        by_system={name: rate_difference(labels, judge, people, systems == name) for name in sorted(set(first))},
    )


def _question(protocol: Protocol) -> Question | None:
    """Return the question about the two responses that is compared: a checked one, else the first."""
    if not has_sides(protocol):
        return None
    return next(filter(asks_for_side, [*protocol.checked_questions, *protocol.questions]), None)


def _shares(protocol: Protocol, question: Question, answer_sets: list[dict[str, str]]) -> Floats:
    """Return for each set of answers 1 for the first system, 0 for the second, .5 for neither, NaN for no answer."""
    left_out = protocol.left_out(question.key)
    values: Mapping[str, float] = {
        key: {FIRST: 1.0, SECOND: 0.0}.get(key, 0.5) for key in question.option_keys if key not in left_out
    }
    return np.array([values.get(answers.get(question.key, ""), np.nan) for answers in answer_sets], dtype=np.float64)
