"""Passages that a rater attached: stored only if they stand in the sheet's own article, to the letter."""

import json
from copy import deepcopy

import pytest

from annotation.models import Assignment, AuditEvent, Document, Item, Rating, RatingEvent
from annotation.projects.project_settings import change_settings
from annotation.qualification.next_work import take_next
from annotation.rating.evidence import evidence_problems, parse_evidence
from annotation.rating.submit import NotAllowed, Outdated, Submission, save
from tests.cast import SEVERE, study

pytestmark = pytest.mark.django_db
RANGE = {"paragraph": "p2", "start": 4, "end": 16, "stance": "supports", "text": "median range"}
GROWN = {"paragraph": "p3", "start": 0, "end": 19, "stance": "contradicts", "text": "It grew to 17.3 km."}


@pytest.fixture(scope="module")
def taken(module_rows) -> Assignment:
    june = study()
    assignment = take_next(june.project, june.people["ravi"])
    assert assignment
    return assignment


@pytest.fixture
def work(taken) -> Assignment:
    return deepcopy(taken)


def put(work: Assignment, base: int = 0, position: int = 0, **more) -> None:
    item = Item.objects.get(response=work.sheet.response, position=position).public_id
    save(work.rater, work.public_id, item, Submission(SEVERE, base, **more))


def test_passages_are_stored_and_kept_in_the_history_and_an_empty_list_takes_them_off_while_none_leaves_them(work):
    put(work, evidence=[RANGE, GROWN])
    put(work, base=1, evidence=[GROWN])
    put(work, base=2)
    with pytest.raises(Outdated) as outdated:
        put(work, base=0, evidence=[RANGE])
    assert outdated.value.evidence == Rating.objects.get().evidence == [GROWN]
    put(work, base=3, evidence=[])
    history = RatingEvent.objects.order_by("version").values_list("evidence", flat=True)
    assert list(history) == [[RANGE, GROWN], [GROWN], [GROWN], []]
    put(work, position=1)
    assert list(Rating.objects.values_list("evidence", "suggestions")) == [([], "")] * 2


def test_a_passage_that_does_not_stand_there_is_refused_with_its_number(work):
    for change, problem in (
        ({"paragraph": "p9"}, "the article has no paragraph 'p9'"),
        ({"end": 30}, "4 to 30 is not in paragraph 'p2', which has 29 characters"),
        ({"start": 16}, "16 to 16 is not in paragraph 'p2', which has 29 characters"),
        ({"start": -1}, "-1 to 16 is not in paragraph 'p2', which has 29 characters"),
        ({"start": 5}, "the text does not match paragraph 'p2' from 5 to 16"),
        ({"text": "Median range"}, "the text does not match paragraph 'p2' from 4 to 16"),
        ({"stance": "maybe"}, "the stance must be supports or contradicts, but is 'maybe'"),
    ):
        with pytest.raises(NotAllowed) as refused:
            put(work, evidence=[GROWN, RANGE | change])
        assert refused.value.errors == {"evidence": [f"passage 2: {problem}"]}
        assert not Rating.objects.exists()


def test_offsets_count_code_points(work):
    document = work.sheet.document
    document.sections[0]["paragraphs"][0]["text"] = "Terns 🐦 fly e\u0301ven\r\nfurther."
    document.save()
    bird = {"paragraph": "p1", "start": 6, "end": 20, "stance": "supports", "text": "🐦 fly e\u0301ven\r\nf"}
    put(work, evidence=[bird])
    assert Rating.objects.get().evidence == [bird]


def test_a_paragraph_of_another_article_is_none_of_this_one_and_without_an_article_there_is_none(work):
    other = Document.objects.exclude(pk=work.sheet.document_id).get()
    other.sections[1]["paragraphs"].append({"id": "p4", "kind": "text", "text": "Elsewhere."})
    other.save()
    elsewhere = {"paragraph": "p4", "start": 0, "end": 9, "stance": "supports", "text": "Elsewhere"}
    assert evidence_problems(work.pk, [elsewhere]) == ["passage 1: the article has no paragraph 'p4'"]
    type(work.sheet).objects.update(document=None)
    assert evidence_problems(work.pk, [RANGE]) == ["passage 1: the article has no paragraph 'p2'"]


def test_one_query_whatever_is_attached_and_none_for_nothing(work, django_assert_num_queries):
    for evidence in ([], [RANGE, GROWN, RANGE]):
        with django_assert_num_queries(min(len(evidence), 1)):
            assert evidence_problems(work.pk, evidence) == []


def test_whether_passages_were_suggested_is_stored_with_the_rating_and_its_history(work):
    for base, more in enumerate(({}, {"suggestions": "on"}, {"suggestions": "used"}, {})):
        put(work, base=base, **more)
    assert Rating.objects.get().suggestions == "used"
    suggestions = RatingEvent.objects.order_by("version").values_list("suggestions", flat=True)
    assert list(suggestions) == ["", "on", "used", "used"]
    with pytest.raises(NotAllowed):
        put(work, base=4, suggestions="perhaps")


def test_a_lead_switches_suggestions_off_and_that_is_noted(work):
    for _again in range(2):
        change_settings(work.project, {"suggestions": False}, actor=work.rater)
    work.project.refresh_from_db()
    assert not work.project.suggestions
    [event] = AuditEvent.objects.filter(action="set suggestions")
    assert (event.before, event.after) == (True, False)


def test_passages_of_a_form_are_read_and_other_json_is_refused() -> None:
    assert parse_evidence("") == []
    assert parse_evidence(json.dumps([RANGE])) == [RANGE]
    for wrong in ("{", "{}", "[1]", '[{"paragraph": "p2"}]', json.dumps([{**RANGE, "start": True}])):
        with pytest.raises(ValueError):
            parse_evidence(wrong)
