"""What raters are asked, as data: a TOML file becomes frozen dataclasses, and nothing here knows of Django.

There is one condition form, "each named question was answered with one of these values". It says when a
question is shown, when it must be answered, what a measure counts and among what. The form exists three
times: `holds` here, `as_sql` for PostgreSQL, and `static/js/shared/protocol.js` in the rater's page;
`tests/protocols/test_conditions.py` holds the three together.
"""

from .answer_validation import as_sql, choices, holds, problems, prune, visible_questions
from .loading import ProtocolError, builtin, load
from .messages import translate_message
from .pair_options import are_swapped, as_seen, from_the_other_side, has_sides
from .schema import Answers, Condition, Correlation, Mean, Measure, Option, Protocol, Question, SentAnswers
from .toml_tables import Problem
from .translation import texts_of, translated

__all__ = [
    "Answers",
    "Condition",
    "Correlation",
    "Mean",
    "Measure",
    "Option",
    "Problem",
    "Protocol",
    "ProtocolError",
    "Question",
    "SentAnswers",
    "are_swapped",
    "as_seen",
    "as_sql",
    "builtin",
    "choices",
    "from_the_other_side",
    "has_sides",
    "holds",
    "load",
    "problems",
    "prune",
    "texts_of",
    "translate_message",
    "translated",
    "visible_questions",
]
