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
    rows = [_answer_row(question, ratings) for question in protocol.questions]
    return RatingComparison(
        [_column(item_rating, protocol, anonymity) for item_rating in ratings],
        [row for row in rows if any(cell.option or cell.text for cell in row.cells)],
        [_passage_row(group, ratings, paragraphs) for group in _passage_groups(ratings)],
        any(item_rating.rating.comment for item_rating in ratings),
    )


def _column(item_rating: ItemRating, protocol: Protocol, anonymity: Anonymity) -> RaterColumn:
    coded_rater = anonymity.raters.get(item_rating.rating.rater_id)
    letter = coded_rater.letter if coded_rater else ""
    choices = {q.key: item_rating.rating.answers[q.key] for q in protocol.questions if _option(q, item_rating)}
    return RaterColumn(item_rating, json.dumps(choices), letter if len(letter) == 1 else "")


def _option(question: Question, item_rating: ItemRating) -> Option | None:
    answer = item_rating.rating.answers.get(question.key)
    return next((option for option in question.options if option.key == answer), None)


def _answer_row(question: Question, ratings: Sequence[ItemRating]) -> AnswerRow:
    cells = [_answer_cell(question, item_rating) for item_rating in ratings]
    keys = {cell.option.key for cell in cells if cell.option}
    return AnswerRow(question, cells, question.kind == "choice" and len(keys) > 1)


def _answer_cell(question: Question, item_rating: ItemRating) -> AnswerCell:
    text, links = next(((text, links) for q, text, links in item_rating.texts if q.key == question.key), ("", []))
    return AnswerCell(item_rating.rater_name, _option(question, item_rating), text, links)


def _passage_groups(ratings: Sequence[ItemRating]) -> Iterator[list[Passage]]:
    """Yield the passages of all raters: those that overlap together, others with the same words together."""
    passages = sorted((passage for item_rating in ratings for passage in item_rating.passages), key=_order)
    group: list[Passage] = []
    for passage in passages:
        if group and not any(_is_same(passage, other) for other in group):
            yield group
            group = []
        group.append(passage)
    if group:
        yield group


def _order(passage: Passage) -> tuple[bool, str, int, int, str]:
    return not passage.end, passage.paragraph, passage.start, passage.end, passage.words


def _is_same(passage: Passage, other: Passage) -> bool:
    if passage.end and other.end:
        return passage.paragraph == other.paragraph and passage.start < other.end and other.start < passage.end
    return (passage.paragraph, passage.words, passage.end) == (other.paragraph, other.words, other.end)


def _passage_row(group: Sequence[Passage], ratings: Sequence[ItemRating], paragraphs: Mapping[str, str]) -> PassageRow:
    start, end = min(passage.start for passage in group), max(passage.end for passage in group)
    paragraph = group[0].paragraph
    whole = Passage.from_text(paragraph, paragraphs[paragraph], start, end) if end else group[0]
    cells = [_passage_cell(item_rating, group, whole) for item_rating in ratings]
    names = [cell.rater_name for cell in cells if cell.is_attached]
    return PassageRow(whole, cells, _attached_by(names, len(ratings)), len(names) == len(ratings))


def _passage_cell(item_rating: ItemRating, group: Sequence[Passage], whole: Passage) -> PassageCell:
    own = [passage for passage in item_rating.passages if any(passage is member for member in group)]
    stance = own[0].stance if own else ""
    covered = (min(p.start for p in own), max(p.end for p in own)) if own else None
    return PassageCell(
        item_rating.rater_name, bool(own), stance, covered is not None and covered != (whole.start, whole.end)
    )


def _attached_by(names: Sequence[str], raters: int) -> str:
    if raters < 2:
        return ""
    if len(names) == raters:
        return "All raters"
    if len(names) == 1:
        return f"Only {names[0]}"
    return f"{len(names)} of {raters} raters"
