"""The ratings of one item side by side: a column for each rater, a row for each question and for each passage."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...protocols import Option, Protocol, Question
from .anonymity import Anonymity
from .item_context import ItemRating, Passage


@dataclass(frozen=True)
class RaterColumn:
    """A rating, its choices as JSON, and the letter that chooses them with Shift ("" without one)."""

    item_rating: ItemRating
    choices: str
    key: str


@dataclass(frozen=True)
class AnswerCell:
    """A rater's answer to one question: an option, or a text with the links in it, or neither."""

    rater_name: str
    option: Option | None
    text: str
    links: Sequence[str]


@dataclass(frozen=True)
class AnswerRow:
    """The answers to one question; `differs` if raters who were asked chose different options."""

    question: Question
    cells: list[AnswerCell]
    differs: bool


@dataclass(frozen=True)
class PassageCell:
    """Whether a rater attached a passage: `stance` is empty if not; `is_part` if the rater attached less of it."""

    rater_name: str
    is_attached: bool
    stance: str
    is_part: bool


@dataclass(frozen=True)
class PassageRow:
    """A passage, or several that overlap as one, with who attached it: "Only Rater B", "2 of 3 raters", "All"."""

    passage: Passage
    cells: list[PassageCell]
    attached_by: str
    is_shared: bool


@dataclass(frozen=True)
class RatingComparison:
    """The rows of the table; `has_comments` if any rater wrote one."""

    columns: list[RaterColumn]
    answers: list[AnswerRow]
    passages: list[PassageRow]
    has_comments: bool

    @property
    def has_rater_e(self) -> bool:
        """Whether Shift+E chooses the answers of a rater; otherwise it shows the previous passage."""
        return any(column.key == "E" for column in self.columns)


def compare_ratings(
    ratings: Sequence[ItemRating], protocol: Protocol, paragraphs: Mapping[str, str], anonymity: Anonymity
) -> RatingComparison:
    """Compare the answers and passages of raters. `paragraphs` has the article's texts by id."""
    columns = []
    for item_rating in ratings:
        coded_rater = anonymity.raters.get(item_rating.rating.rater_id)
        letter = coded_rater.letter if coded_rater else ""
        choices = {q.key: item_rating.rating.answers[q.key] for q in protocol.questions if _option(q, item_rating)}
        columns.append(RaterColumn(item_rating, json.dumps(choices), letter if len(letter) == 1 else ""))
    answers = [_answer_row(question, ratings) for question in protocol.questions]
    return RatingComparison(
        columns,
        [row for row in answers if any(cell.option or cell.text for cell in row.cells)],
        [_passage_row(group, ratings, paragraphs) for group in _passage_groups(ratings)],
        any(item_rating.rating.comment for item_rating in ratings),
    )


def _option(question: Question, item_rating: ItemRating) -> Option | None:
    answer = item_rating.rating.answers.get(question.key)
    return next((option for option in question.options if option.key == answer), None)


def _answer_row(question: Question, ratings: Sequence[ItemRating]) -> AnswerRow:
    cells = []
    for item_rating in ratings:
        text, links = next(((text, links) for q, text, links in item_rating.texts if q.key == question.key), ("", []))
        cells.append(AnswerCell(item_rating.rater_name, _option(question, item_rating), text, links))
    keys = {cell.option.key for cell in cells if cell.option}
    return AnswerRow(question, cells, question.kind == "choice" and len(keys) > 1)


def _passage_groups(ratings: Sequence[ItemRating]) -> Iterator[list[Passage]]:
    """Yield the passages of all raters: those that overlap together, others with the same words together."""
    passages = sorted(
        (passage for item_rating in ratings for passage in item_rating.passages),
        key=lambda passage: (not passage.end, passage.paragraph, passage.start, passage.end, passage.words),
    )
    group: list[Passage] = []
    for passage in passages:
        if group and not any(_is_same(passage, other) for other in group):
            yield group
            group = []
        group.append(passage)
    if group:
        yield group


def _is_same(passage: Passage, other: Passage) -> bool:
    if passage.end and other.end:
        return passage.paragraph == other.paragraph and passage.start < other.end and other.start < passage.end
    return (passage.paragraph, passage.words, passage.end) == (other.paragraph, other.words, other.end)


def _passage_row(group: Sequence[Passage], ratings: Sequence[ItemRating], paragraphs: Mapping[str, str]) -> PassageRow:
    start, end = min(passage.start for passage in group), max(passage.end for passage in group)
    paragraph = group[0].paragraph
    whole = Passage.from_text(paragraph, paragraphs[paragraph], start, end) if end else group[0]
    cells, names = [], []
    for item_rating in ratings:
        own = [passage for passage in item_rating.passages if any(passage is member for member in group)]
        is_part = bool(own) and (min(p.start for p in own), max(p.end for p in own)) != (whole.start, whole.end)
        cells.append(PassageCell(item_rating.rater_name, bool(own), own[0].stance if own else "", is_part))
        names += [item_rating.rater_name] if own else []
    attached_by = f"{len(names)} of {len(ratings)} raters"
    if len(ratings) < 2:
        attached_by = ""
    elif len(names) == len(ratings):
        attached_by = "All raters"
    elif len(names) == 1:
        attached_by = f"Only {names[0]}"
    return PassageRow(whole, cells, attached_by, len(names) == len(ratings))
