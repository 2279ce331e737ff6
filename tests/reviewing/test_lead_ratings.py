"""Adjudications and gold answers: what is stored and what is refused, who stands, and two leads at once."""

import pytest
from django.utils import timezone

from annotation.models import AuditEvent, Item, Project, Rating, RatingEvent, User
from annotation.queue.errors import ProjectArchived
from annotation.rating.counting import counted_ratings, left_out
from annotation.rating.submit import NotAllowed
from annotation.reviewing.adjudication import adjudicate, withdraw
from annotation.reviewing.gold import gold_items, make_adjudication_gold, remove_gold, set_gold
from annotation.reviewing.lead_ratings import (
    NOTHING,
    NoSuchItem,
    ReviewedMeanwhile,
    current_rating,
    item_for_review,
    version_token,
)
from tests.cast import ACCURATE, SEVERE, person, study
from tests.qualification.at_once import together
from tests.reporting.project_rows import Row, project_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(heading=True)]
WHY = "The article says 11.8 km."


@pytest.fixture
def item(june) -> Item:
    return june.items()[1]


def ratings_in_role(role: str) -> list[tuple[str, dict, str]]:
    rows = Rating.objects.filter(role=role).order_by("rater__username", "pk")
    return list(rows.values_list("rater__username", "answers", "comment"))


def test_an_adjudication_is_a_rating_of_its_own_without_hidden_answers_that_never_counts(june, item):
    rating = adjudicate(june.project, item, ACCURATE | {"severity": "severe"}, f"  {WHY} ", june.people["lena"])
    assert (rating.role, rating.answers, rating.choices) == ("adjudicator", ACCURATE, ACCURATE)
    assert (rating.comment, rating.counted) == (WHY, False)
    assert not counted_ratings(june.project).exists()
    assert left_out(june.project) == {"adjudicator": 1}


OPTIONS = "accurate, disputed, unsupported, inaccurate, cannot_assess"
PASSAGE = {"paragraph": "p2", "start": 4, "end": 16, "stance": "contradicts", "text": "median range"}
TOO_MANY = "Attach at most 100 passages with 20,000 characters in total."
UNSTORABLE = "The text contains a character that cannot be stored (NUL, or half of a surrogate pair)."


@pytest.mark.parametrize(
    ("wrong", "field", "message"),
    [
        ({"answers": {"accuracy": "inaccurate"}}, "severity", "This question needs an answer."),
        ({"answers": {}}, "accuracy", "This question needs an answer."),
        ({"answers": {"accuracy": "true"}}, "accuracy", f"'true' is not one of the options: {OPTIONS}."),
        ({"reason": " \n"}, "reason", "Enter a reason: it is stored with the adjudication, and others can read it."),
        ({"reason": "x" * 10_001}, "reason", "Use at most 10,000 characters; this has 10,001."),
        ({"reason": "a\0b"}, "reason", UNSTORABLE),
        ({"evidence": [PASSAGE, PASSAGE | {"text": "mean range"}]}, "evidence", "passage 2"),
        ({"evidence": [PASSAGE, PASSAGE | {"paragraph": "p99"}]}, "evidence", "passage 2"),
        ({"evidence": [PASSAGE, PASSAGE | {"end": 4000}]}, "evidence", "passage 2"),
        ({"evidence": [PASSAGE, PASSAGE | {"stance": "mentions"}]}, "evidence", "passage 2"),
        ({"evidence": [PASSAGE] * 101}, "evidence", TOO_MANY),
    ],
)
def test_what_is_not_allowed_is_named_and_nothing_is_stored(june, item, wrong, field, message):
    with pytest.raises(NotAllowed) as refused:
        adjudicate(june.project, item, **{"answers": ACCURATE, "reason": WHY} | wrong, actor=june.people["lena"])
    [(named, [said])] = refused.value.errors.items()
    assert named == field and (message in said if message == "passage 2" else message == said)
    assert not Rating.objects.exists() and not AuditEvent.objects.filter(action="adjudicate").exists()


def test_the_same_decision_twice_is_stored_once_and_passages_belong_to_it(june, item):
    for _ in range(2):
        adjudicate(june.project, item, SEVERE, WHY, person("lena"), expected_version=NOTHING, evidence=[PASSAGE])
    assert RatingEvent.objects.count() == AuditEvent.objects.filter(action="adjudicate").count() == 1
    assert Rating.objects.get(role="adjudicator").evidence == [PASSAGE]
    adjudicate(june.project, item, SEVERE, WHY, person("lena"))
    assert Rating.objects.get(role="adjudicator").evidence == []


def test_what_is_not_rated_in_the_project_is_not_adjudicated(june):
    heading, sentence = june.items()[:2]
    elsewhere = study("other").items()[0]
    Item.objects.filter(pk=sentence.pk).update(retired_at=timezone.now())
    for wrong in (heading, elsewhere, sentence):
        with pytest.raises(NoSuchItem):
            adjudicate(june.project, wrong, ACCURATE, WHY, june.people["lena"])
        with pytest.raises(NoSuchItem):
            item_for_review(june.project, wrong.public_id)


def test_an_archived_project_is_not_reviewed(june, item):
    Project.objects.update(archived_at=timezone.now())
    lena = june.people["lena"]
    for verb in (
        lambda: adjudicate(june.project, item, ACCURATE, WHY, lena),
        lambda: withdraw(june.project, item, lena),
        lambda: set_gold(june.project, item, ACCURATE, lena),
        lambda: remove_gold(june.project, item, lena),
    ):
        with pytest.raises(ProjectArchived, match="Unarchive it to review it"):
            verb()


def test_the_same_person_changes_their_own_and_the_history_keeps_both(june, item):
    first = adjudicate(june.project, item, SEVERE, WHY, june.people["lena"], expected_version=NOTHING)
    second = adjudicate(
        june.project, item, ACCURATE, "I misread it.", june.people["lena"], expected_version=version_token(first)
    )
    assert ratings_in_role("adjudicator") == [("lena", ACCURATE, "I misread it.")]
    assert (second.pk, second.version) == (first.pk, 2)
    assert list(RatingEvent.objects.order_by("pgh_id").values_list("answers", flat=True)) == [SEVERE, ACCURATE]
    event = AuditEvent.objects.filter(action="adjudicate").first()
    assert (event.actor, event.target, event.project) == (june.people["lena"], f"item:{item.public_id}", june.project)
    assert event.before == {"by": "lena", "answers": SEVERE, "comment": WHY}
    assert event.after == {"by": "lena", "answers": ACCURATE, "comment": "I misread it."}


def test_another_leads_newer_one_stands_and_withdrawing_it_lets_the_earlier_stand_again(june, item):
    lena = june.people["lena"]
    first = adjudicate(june.project, item, SEVERE, WHY, lena)
    second = adjudicate(june.project, item, ACCURATE, "No.", person("ines"), expected_version=version_token(first))
    assert current_rating(june.project, item, "adjudicator") == second
    for seen, stands in ((second, first), (first, None), (first, None)):
        assert withdraw(june.project, item, lena, expected_version=version_token(seen)) == stands
    assert ratings_in_role("adjudicator") == []
    assert AuditEvent.objects.filter(action="withdraw adjudication").count() == 2


def test_nobody_overwrites_what_they_have_not_seen(june, item):
    hers = adjudicate(june.project, item, SEVERE, WHY, person("ines"), expected_version=NOTHING)
    for late in (
        lambda: adjudicate(june.project, item, ACCURATE, "Mine.", june.people["lena"], expected_version=NOTHING),
        lambda: withdraw(june.project, item, june.people["lena"], expected_version="1.1"),
        lambda: make_adjudication_gold(june.project, item, june.people["lena"], expected_version=NOTHING),
    ):
        with pytest.raises(ReviewedMeanwhile) as refusal:
            late()
        assert refusal.value.current == hers
    assert ratings_in_role("adjudicator") == [("ines", SEVERE, WHY)]
    seen = version_token(hers)
    adjudicate(june.project, item, ACCURATE, "I misread it.", person("ines"), expected_version=seen)
    with pytest.raises(ReviewedMeanwhile):
        adjudicate(june.project, item, SEVERE, "Mine.", june.people["lena"], expected_version=seen)
    assert ratings_in_role("adjudicator") == [("ines", ACCURATE, "I misread it.")]


def test_an_item_has_one_gold_answer_whoever_gave_it(june, item):
    first = set_gold(june.project, item, SEVERE, person("ines"), "Table 2")
    set_gold(june.project, item, ACCURATE, june.people["lena"], expected_version=version_token(first))
    assert ratings_in_role("gold") == [("lena", ACCURATE, "")]
    with pytest.raises(ReviewedMeanwhile):
        set_gold(june.project, item, SEVERE, person("ines"), expected_version=version_token(first))
    with pytest.raises(NotAllowed):
        set_gold(june.project, item, {"accuracy": "disputed"}, june.people["lena"])
    for _ in range(2):
        remove_gold(june.project, item, june.people["lena"])
    assert ratings_in_role("gold") == []
    actions = AuditEvent.objects.filter(action__contains="gold").order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["set gold", "set gold", "remove gold"]
    decided = adjudicate(june.project, item, SEVERE, WHY, person("ines"))
    make_adjudication_gold(june.project, item, june.people["lena"], expected_version=version_token(decided))
    assert ratings_in_role("gold") == [("lena", SEVERE, WHY)], "an adjudication with its reason"
    assert ratings_in_role("adjudicator") == [("ines", SEVERE, WHY)]
    withdraw(june.project, item, june.people["lena"])
    with pytest.raises(ReviewedMeanwhile):
        make_adjudication_gold(june.project, item, june.people["lena"], expected_version=NOTHING)


def test_gold_items_say_what_raters_answered_and_the_newest_comes_first():
    rows = [("q1", "ravi", ACCURATE), ("q1", "rosa", SEVERE), ("q2", "ravi", ACCURATE)]
    project = project_of([Row(prompt, "heron", name, answers) for prompt, name, answers in rows])
    for item in Item.objects.order_by("pk"):
        set_gold(project, item, SEVERE, person("lena"))
    golds = gold_items(project)
    assert golds.total == 2
    assert [
        (row.item.response.prompt.text, row.raters, {vote.choices["accuracy"]: vote.n for vote in row.votes})
        for row in golds.rows
    ] == [("q2", 1, {"accurate": 1}), ("q1", 2, {"accurate": 1, "inaccurate": 1})]
    assert [row.item.response.prompt.text for row in gold_items(project, offset=1).rows] == ["q1"]


@pytest.mark.django_db(transaction=True)
def test_of_two_leads_at_the_same_moment_one_is_told():
    prepared = study()
    item, leads = prepared.items()[0], [person("lena"), person("ines")]

    def decide(lead: User) -> Rating:
        return adjudicate(prepared.project, item, SEVERE, f"By {lead}", lead, expected_version=NOTHING)

    outcomes = together(*[lambda lead=lead: decide(lead) for lead in leads])
    assert {type(outcome) for outcome in outcomes} == {Rating, ReviewedMeanwhile}
    assert Rating.objects.filter(role="adjudicator").count() == 1
