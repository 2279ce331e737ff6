"""Passages that a rater attached: stored only if they stand in the sheet's own article, to the letter."""

import json

import pytest

from annotation.models import Assignment, AuditEvent, Document, Item, Rating, RatingEvent
from annotation.projects.suggestions import set_suggestions
from annotation.qualification.next_work import take_next
from annotation.rating.evidence import evidence_problems, parse_evidence
from annotation.rating.submit import NotAllowed, Outdated, Submission, save
from tests.cast import ACCURATE, SEVERE, study

pytestmark = pytest.mark.django_db
RANGE = {"paragraph": "p2", "start": 4, "end": 16, "stance": "supports", "text": "median range"}
GROWN = {"paragraph": "p3", "start": 0, "end": 19, "stance": "contradicts", "text": "It grew to 17.3 km."}


@pytest.fixture
def work() -> Assignment:
    june = study()
    assignment = take_next(june.project, june.people["ravi"])
    assert assignment
    return assignment


def put(work: Assignment, base: int = 0, **more) -> None:
    item = Item.objects.get(response=work.sheet.response, position=0).public_id
    save(work.rater, work.public_id, item, Submission(SEVERE, base, **more))


def test_passages_for_and_against_are_stored_and_kept_in_the_history(work):
    put(work, evidence=[RANGE, GROWN])
    put(work, base=1, evidence=[GROWN])
    assert Rating.objects.get().evidence == [GROWN]
    assert list(RatingEvent.objects.order_by("version").values_list("evidence", flat=True)) == [
        [RANGE, GROWN],
        [GROWN],
    ]


def test_an_empty_list_takes_them_off_and_none_leaves_them(work):
    put(work, evidence=[RANGE])
    put(work, base=1)
    assert Rating.objects.get().evidence == [RANGE]
    put(work, base=2, evidence=[])
    assert Rating.objects.get().evidence == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"paragraph": "p9"}, "passage 2: the article has no paragraph 'p9'"),
        ({"end": 30}, "passage 2: 4 to 30 is not in paragraph 'p2', which has 29 characters"),
        ({"start": 16}, "passage 2: 16 to 16 is not in paragraph 'p2', which has 29 characters"),
        ({"start": -1}, "passage 2: -1 to 16 is not in paragraph 'p2', which has 29 characters"),
        ({"start": 5}, "passage 2: the text does not match paragraph 'p2' from 5 to 16"),
        ({"text": "Median range"}, "passage 2: the text does not match paragraph 'p2' from 4 to 16"),
        ({"stance": "maybe"}, "passage 2: the stance must be supports or contradicts, but is 'maybe'"),
    ],
)
def test_a_passage_that_does_not_stand_there_is_refused_with_its_number(work, change, message):
    with pytest.raises(NotAllowed) as refused:
        put(work, evidence=[GROWN, RANGE | change])
    assert refused.value.errors == {"evidence": [message]}
    assert not Rating.objects.exists()


def test_offsets_count_code_points(work):
    document = work.sheet.document
    document.sections[0]["paragraphs"][0]["text"] = "Terns 🐦 fly e\u0301ven\r\nfurther."
    document.save()
    bird = {"paragraph": "p1", "start": 6, "end": 20, "stance": "supports", "text": "🐦 fly e\u0301ven\r\nf"}
    put(work, evidence=[bird])
    assert Rating.objects.get().evidence == [bird]


def test_a_paragraph_of_another_article_is_none_of_this_one(work):
    other = Document.objects.exclude(pk=work.sheet.document_id).get()
    other.sections[1]["paragraphs"].append({"id": "p4", "kind": "text", "text": "Elsewhere."})
    other.save()
    elsewhere = {"paragraph": "p4", "start": 0, "end": 9, "stance": "supports", "text": "Elsewhere"}
    assert evidence_problems(work.pk, [elsewhere]) == ["passage 1: the article has no paragraph 'p4'"]


def test_without_an_article_there_is_nothing_to_attach(work):
    type(work.sheet).objects.update(document=None)
    assert evidence_problems(work.pk, [RANGE]) == ["passage 1: the article has no paragraph 'p2'"]


@pytest.mark.parametrize(("evidence", "queries"), [([], 0), ([RANGE, GROWN, RANGE], 1)])
def test_one_query_whatever_is_attached_and_none_for_nothing(work, django_assert_num_queries, evidence, queries):
    with django_assert_num_queries(queries):
        assert evidence_problems(work.pk, evidence) == []


def test_who_was_faster_is_told_with_the_passages(work):
    put(work, evidence=[RANGE])
    with pytest.raises(Outdated) as outdated:
        put(work, base=0, evidence=[GROWN])
    assert outdated.value.evidence == [RANGE]


def test_whether_passages_were_suggested_is_stored_with_the_rating_and_its_history(work):
    put(work)
    put(work, base=1, suggestions="on")
    put(work, base=2, suggestions="used")
    put(work, base=3)
    assert Rating.objects.get().suggestions == "used"
    suggestions = RatingEvent.objects.order_by("version").values_list("suggestions", flat=True)
    assert list(suggestions) == ["", "on", "used", "used"]
    with pytest.raises(NotAllowed):
        put(work, base=4, suggestions="perhaps")


def test_a_lead_switches_suggestions_off_and_that_is_noted(work):
    set_suggestions(work.project, False, actor=work.rater)
    set_suggestions(work.project, False, actor=work.rater)
    work.project.refresh_from_db()
    assert not work.project.suggestions
    [event] = AuditEvent.objects.filter(action="set suggestions")
    assert (event.before, event.after) == (True, False)


def test_an_answer_without_evidence_is_as_before(work):
    item = Item.objects.get(response=work.sheet.response, position=1).public_id
    save(work.rater, work.public_id, item, Submission(ACCURATE, 0))
    assert (Rating.objects.get().evidence, Rating.objects.get().suggestions) == ([], "")


def test_passages_of_a_form_are_read_and_other_json_is_refused() -> None:
    assert parse_evidence("") == []
    assert parse_evidence(json.dumps([RANGE])) == [RANGE]
    for wrong in ("{", "{}", "[1]", '[{"paragraph": "p2"}]', json.dumps([{**RANGE, "start": True}])):
        with pytest.raises(ValueError):
            parse_evidence(wrong)
