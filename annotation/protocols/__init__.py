"""Protocols, the questions for raters: a TOML file becomes frozen dataclasses. No Django is imported here.

There is one form of condition (`conditions`). It is implemented three times: in Python, in SQL, and for pages in
`static/js/shared/protocol.js`; `tests/protocols/test_conditions.py` compares the three.
"""

from .answer_validation import choices, problems, prune, visible_questions
from .conditions import Condition, as_sql, holds
from .figure_definitions import is_share
from .loading import ProtocolError, builtin, earlier_builtin, load, read
from .pair_options import are_swapped, has_sides, in_rater_order, swap_sides
from .schema import (
    Answers,
    Correlation,
    Example,
    ExampleItem,
    Mean,
    Measure,
    Option,
    Protocol,
    Question,
    Score,
    SentAnswers,
)
from .toml_tables import Problem
from .translation import texts_of, translate_message, translate_texts

__all__ = [
    "Answers",
    "Condition",
    "Correlation",
    "Example",
    "ExampleItem",
    "Mean",
    "Measure",
    "Option",
    "Problem",
    "Protocol",
    "ProtocolError",
    "Question",
    "Score",
    "SentAnswers",
    "are_swapped",
    "as_sql",
    "builtin",
    "choices",
    "earlier_builtin",
    "has_sides",
    "holds",
    "in_rater_order",
    "is_share",
    "load",
    "problems",
    "prune",
    "read",
    "swap_sides",
    "texts_of",
    "translate_message",
    "translate_texts",
    "visible_questions",
]
