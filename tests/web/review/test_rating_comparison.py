"""The ratings of an item side by side: answers that differ, and who attached which passage."""

import pytest
from django.http import HttpRequest
from django.utils import timezone

from annotation.models import Item, Rating
from annotation.rating.evidence import paragraph_texts
from annotation.web.review.anonymity import Anonymity
from annotation.web.review.item_context import item_ratings
from annotation.web.review.rating_comparison import RatingComparison, compare_ratings
from tests.cast import ACCURATE, SEVERE, Study

NAMES = ("ravi", "rosa", "tom", "tina", "uma")
pytestmark = [pytest.mark.django_db, pytest.mark.study(sentences=1, raters=NAMES)]


def passage(start: int, end: int, stance: str = "supports", paragraph: str = "p2") -> dict:
    return {"paragraph": paragraph, "start": start, "end": end, "stance": stance, "text": ""}


def rate(june: Study, name: str, answers: dict, evidence: list) -> None:
    Rating.objects.create(
        project=june.project, item=Item.objects.get(rate=True), rater=june.people[name], answers=answers,
        choices=answers, counted=True, rated_at=timezone.now(), evidence=evidence,
    )  # fmt: skip


def compare(june: Study) -> RatingComparison:
    request = HttpRequest()
    request.session = {"review_shows": ["raters"]}
    anonymity, item = Anonymity(request, june.project), Item.objects.get(rate=True)
    paragraphs = paragraph_texts(item.response.prompt.document)
    ratings = item_ratings(june.project, item, anonymity, paragraphs)
    return compare_ratings(ratings.raters, june.project.protocol.translated, paragraphs, anonymity)


def test_rows_are_marked_where_raters_chose_different_options_and_none_is_of_a_question_without_answers(june):
    rate(june, "ravi", ACCURATE, [])
    rate(june, "rosa", ACCURATE, [])
    assert [(row.question.key, row.differs) for row in compare(june).answers] == [("accuracy", False)]
    june.people["rosa"].ratings.update(answers=SEVERE, choices=SEVERE)
    comparison = compare(june)
    assert [(row.question.key, row.differs) for row in comparison.answers] == [("accuracy", True), ("severity", False)]
    labels = [[cell.option.label if cell.option else "" for cell in row.cells] for row in comparison.answers]
    assert labels == [["Accurate", "Inaccurate"], ["", "Severe"]]
    assert [column.choices for column in comparison.columns] == [
        '{"accuracy": "accurate"}', '{"accuracy": "inaccurate", "severity": "severe"}',
    ]  # fmt: skip
    assert sorted(column.key for column in comparison.columns) == ["A", "B"]


def test_each_rater_has_a_key(june):
    for name in NAMES[:4]:
        rate(june, name, ACCURATE, [])
    assert not compare(june).has_rater_e
    rate(june, NAMES[4], SEVERE, [])
    comparison = compare(june)
    assert sorted(column.key for column in comparison.columns) == ["A", "B", "C", "D", "E"]
    assert comparison.has_rater_e


def test_passages_say_who_attached_them(june):
    rate(june, "ravi", ACCURATE, [passage(4, 16), passage(0, 3)])
    rate(june, "rosa", SEVERE, [passage(4, 16, "contradicts"), passage(17, 20, "contradicts")])
    rate(june, "tom", SEVERE, [passage(4, 16, "contradicts"), passage(17, 22, "contradicts")])
    rows = compare(june).passages
    assert [row.attached_by for row in rows] == ["Only ravi", "All raters", "2 of 3 raters"]
    assert [row.is_shared for row in rows] == [False, True, False]
    assert [cell.stance for cell in rows[1].cells] == ["supports", "contradicts", "contradicts"]
    assert rows[1].passage.words == "median range"


def test_overlapping_passages_are_one_row_which_marks_the_parts(june):
    rate(june, "ravi", ACCURATE, [passage(0, 16)])
    rate(june, "rosa", SEVERE, [passage(4, 16)])
    (row,) = compare(june).passages
    assert (row.passage.start, row.passage.end, row.attached_by) == (0, 16, "All raters")
    assert [(cell.is_attached, cell.is_part) for cell in row.cells] == [(True, False), (True, True)]


def test_references_of_an_import_without_a_place_are_compared_by_their_words(june):
    rate(june, "ravi", ACCURATE, ["Smith 2020", {"paragraph": "p2"}])
    rate(june, "rosa", ACCURATE, ["Smith 2020", "Jones 2021"])
    rows = {row.passage.words[:10]: row.attached_by for row in compare(june).passages}
    assert rows["Smith 2020"] == "All raters" and rows["Jones 2021"] == "Only rosa"
    assert len(rows) == 3 and all(not row.passage.end for row in compare(june).passages)
