"""The parts of a protocol, frozen: a project pins one version, so that its ratings keep their meaning."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from .conditions import ALWAYS, Condition, holds

Answers = Mapping[str, str]
"""Question key to answer, as stored."""
SentAnswers = Mapping[str, object]
"""Question key to answer, as it came in JSON: a string where the answer is valid, anything where it is not."""

UNITS = ("sentence", "claim", "fact", "response", "pair")
KINDS = ("choice", "text", "urls")
WRITTEN = ("text", "urls")
"""Kinds whose answer is typed in: one text; of `urls` one web address a line."""
TONES = ("accurate", "disputed", "unsupported", "inaccurate", "cannot", "neutral")
BETTER = ("higher", "lower", "neither")
_CONDITION = re.compile(
    r"(?:If you (?:selected|chose|answered)|Si .*(?:seleccionó|eligió|respondió))\b.*, (?P<rest>[^,]+\?)"
)
_ARTICLE = re.compile(r"\b(article|document|passage|syllabus|artículo|documento|pasaje|temario)\b", re.IGNORECASE)
HUNDREDTHS = 100
"""Weights of a score are computed as whole hundredths, so that sums are exact."""


@dataclass(frozen=True)
class Option:
    """One answer to a choice question."""

    key: str
    label: str
    definition: str = ""  # the full wording, shown next to the short label
    shortcut: str = ""  # a single key
    sign: str = ""  # a glyph, so that color is never the only mark
    tone: str = "neutral"  # the name of the color token


@dataclass(frozen=True)
class Question:
    """One question to raters. It needs an answer if it is shown, `required` and `require_when` holds."""

    key: str
    text: str
    kind: str = "choice"
    options: tuple[Option, ...] = ()
    show_when: Condition = ALWAYS
    require_when: Condition = ALWAYS
    required: bool = True
    help: str = ""
    max_length: int | None = None  # code points of a written answer
    shortcut: str = ""  # a single key that focuses the text field
    once: bool = False  # asked once for each response, with its last item
    kinds: tuple[str, ...] = ()  # asked about items of these kinds only; empty: about all

    @property
    def option_keys(self) -> tuple[str, ...]:
        return tuple(option.key for option in self.options)

    @property
    def short_text(self) -> str:
        """Return the text without a leading "If you selected …, ", which `show_when` makes sure of."""
        match = _CONDITION.fullmatch(self.text) if self.show_when else None
        return re.sub(r"\w", lambda letter: letter[0].upper(), match["rest"], count=1) if match else self.text

    @property
    def mentions_article(self) -> bool:
        """Return whether the text names the article or document of the prompt."""
        return _ARTICLE.search(self.text) is not None

    def option(self, key: str) -> Option:
        """Return the option with this key; KeyError if there is none."""
        return {option.key: option for option in self.options}[key]

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "text": self.text,
            "kind": self.kind,
            "help": self.help,
            "required": self.required,
            "show_when": self.show_when.as_json(),
            "require_when": self.require_when.as_json(),
            "max_length": self.max_length,
            "shortcut": self.shortcut,
            "once": self.once,
            "kinds": list(self.kinds),
            "options": [asdict(option) for option in self.options],
        }


@dataclass(frozen=True)
class Measure:
    """A proportion: of the ratings for which `among` holds, those for which `counts` holds too."""

    key: str
    label: str
    counts: Condition
    among: Condition = ALWAYS
    description: str = ""
    better: str = "neither"


@dataclass(frozen=True)
class Mean:
    """A mean over responses, of a number that each response has.

    The number is the response's own proportion under the measure `of`, or its value in an earlier mean, or the harmonic
    mean of two of these; or the mean of what its raters answered to `question`, each option worth its value.
    """

    key: str
    label: str
    of: tuple[str, ...] = ()
    question: str = ""
    values: tuple[tuple[str, float], ...] = ()
    description: str = ""
    better: str = "neither"


@dataclass(frozen=True)
class Weight:
    """The weight of a rating for which `when` holds."""

    when: Condition
    weight: float


@dataclass(frozen=True)
class Score:
    """A weighted sum of errors per 100 ratings: among the ratings for which `among` holds.

    The first of `weights` whose condition holds counts; a rating for which none holds weighs 0.
    """

    key: str
    label: str
    weights: tuple[Weight, ...]
    among: Condition = ALWAYS
    description: str = ""
    better: str = "lower"

    def points(self, answers: Mapping[str, object]) -> int | None:
        """Return the weight of a rating in hundredths; None where it is not `among`."""
        if not holds(self.among, answers):
            return None
        weight = next((entry.weight for entry in self.weights if holds(entry.when, answers)), 0.0)
        return round(weight * HUNDREDTHS)


@dataclass(frozen=True)
class Correlation:
    """A correlation between two means over responses."""

    key: str
    label: str
    between: tuple[str, str]
    description: str = ""


@dataclass(frozen=True)
class ExampleItem:
    """An item with its answers and the reason for them. `against`: of a pair, the text of the second response."""

    text: str
    answers: tuple[tuple[str, str], ...]
    explanation: str
    against: str = ""
    kind: str = ""  # of the item; decides with which questions it is asked


@dataclass(frozen=True)
class Example:
    """What raters see before their first work: a worked example, and an item to practice on.

    `response` is the text of the response where the items, in their order, are not its text.
    """

    prompt: str
    items: tuple[ExampleItem, ...]
    passage: str = ""
    response: str = ""
    practice: ExampleItem | None = None


@dataclass(frozen=True)
class Protocol:
    """Questions and measures about items of one unit, with their source text."""

    slug: str
    version: str
    title: str
    unit: str
    intro: str
    questions: tuple[Question, ...]
    measures: tuple[Measure, ...]
    imports_may_have_gaps: bool = False  # imported ratings may omit answers that raters must give
    source: str = ""  # the TOML text, line ends LF
    sha256: str = ""  # SHA-256 of that text in UTF-8, hexadecimal
    means: tuple[Mean, ...] = ()
    correlations: tuple[Correlation, ...] = ()
    scores: tuple[Score, ...] = ()
    shows_reference: bool = False  # raters see the prompt's reference answer next to the response
    example: Example | None = None

    def question(self, key: str) -> Question:
        """Return the question with this key; KeyError if there is none."""
        return {question.key: question for question in self.questions}[key]

    def measure(self, key: str) -> Measure:
        """Return the measure with this key; KeyError if there is none."""
        return {measure.key: measure for measure in self.measures}[key]

    @property
    def sheet_unit(self) -> str:
        """Return the unit of a sheet: a pair of responses, or one response with its items."""
        return "pair" if self.unit == "pair" else "response"

    @property
    def asks_once(self) -> bool:
        """Return whether a question is asked about the whole response, with its last item."""
        return any(question.once for question in self.questions)

    @property
    def once_keys(self) -> list[str]:
        """Return the keys of the questions that are asked once per response."""
        return [question.key for question in self.questions if question.once]

    @property
    def asks_by_kind(self) -> bool:
        """Return whether a question is asked about items of some kinds only."""
        return any(question.kinds for question in self.questions)

    @property
    def varies_by_item(self) -> bool:
        """Return whether the questions differ between items."""
        return self.asks_once or self.asks_by_kind

    def for_item(self, *, is_last: bool, kind: str) -> "Protocol":
        """Return the questions about one item of this kind, `once` questions only with a response's last item."""
        if not (self.asks_once and not is_last) and not self.asks_by_kind:
            return self
        return self._narrowed.setdefault((is_last, kind), self._asking(is_last, kind))

    @cached_property
    def _narrowed(self) -> dict[tuple[bool, str], "Protocol"]:
        return {}

    def _asking(self, last: bool, kind: str) -> "Protocol":
        visible = (q for q in self.questions if (last or not q.once) and (not q.kinds or kind in q.kinds))
        return replace(self, questions=tuple(visible))

    def mean(self, key: str) -> Mean:
        """Return the mean with this key; KeyError if there is none."""
        return {mean.key: mean for mean in self.means}[key]

    @property
    def first_measured_question(self) -> Question:
        """Return the first question that a measure counts; `options` and `assessed` of a report refer to it."""
        return next(q for q in self.questions if any(q.key in measure.counts for measure in self.measures))

    @cached_property
    def checked_questions(self) -> tuple[Question, ...]:
        """Return the questions that decide whether an answer equals the gold answer: the first one counted by a measure
        with a direction, as earlier ones only lead to it; without such a measure, the first measured question. Of
        questions about items of some kinds only, the first for each of these kinds.
        """
        judged = [measure for measure in self.measures if measure.better != "neither"] or list(self.measures)
        first, *others = [q for q in self.questions if any(q.key in measure.counts for measure in judged)]
        checked = [first]
        for question in others:
            kinds = {kind for each in checked for kind in each.kinds}
            if kinds and question.kinds and kinds.isdisjoint(question.kinds):
                checked.append(question)
        return tuple(checked)

    @property
    def may_skip_checked(self) -> bool:
        """Return whether earlier answers decide if a checked question is asked: a skipped question is then an
        answer."""
        return any(question.show_when for question in self.checked_questions)

    def checked_answer(self, answers: Answers) -> str | None:
        """Return the answer to the checked question of the item's kind; None if not asked or not answered."""
        return next((answers[q.key] for q in self.checked_questions if answers.get(q.key) is not None), None)

    def left_out(self, question: str) -> tuple[str, ...]:
        """Return the options of a question that no measure counting it has in its `among`, such as "can't assess".

        A report's `assessed` excludes them from the answers to the first measured question; agreement treats them as
        missing.
        """
        amongs = [measure.among for measure in self.measures if question in measure.counts]
        if not all(question in among for among in amongs):
            return ()
        counted = {value for among in amongs for value in among[question]}
        return tuple(key for key in self.question(question).option_keys if amongs and key not in counted)

    def as_json(self) -> dict[str, Any]:
        """Return the protocol for a rater's page or an API client: all but measures and source."""
        return {
            "slug": self.slug,
            "version": self.version,
            "sha256": self.sha256,
            "title": self.title,
            "unit": self.unit,
            "intro": self.intro,
            "questions": [question.as_json() for question in self.questions],
        }
