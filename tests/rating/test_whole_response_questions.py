"""What a protocol asks once a response is asked, and taken, with its last item only."""

import pytest

from annotation.models import Item, Project, Rating
from annotation.qualification.next_work import take_next
from annotation.rating.bulk_storage import CannotStore, NewRating, store_ratings
from annotation.rating.submit import NotAllowed, Submission, save
from annotation.rating.whole_response_questions import last_items, protocol_for_item
from annotation.reviewing.sentence_boundaries import split
from tests.cast import Study, newest_version, study

pytestmark = pytest.mark.django_db
CLAIM = {
    "support": "complete", "informativeness": "very_relevant", "worthiness": "yes", "correctness": "unsure",
    "reliability": "reliable",
}  # fmt: skip


@pytest.fixture
def claims() -> Study:
    """Create a response of three claims."""
    prepared = study()
    Item.objects.update(unit="claim", kind="claim")
    Project.objects.update(protocol=newest_version("claim-attribution"))
    prepared.project = Project.objects.get(pk=prepared.project.pk)
    return prepared


def test_the_last_item_is_the_last_that_raters_are_asked_about(claims: Study) -> None:
    _, second, third = claims.items()
    every = [item.pk for item in claims.items()]
    assert list(last_items(claims.project, every)) == [third]
    Item.objects.filter(pk=third.pk).update(rate=False)
    assert second in last_items(claims.project, every)


def test_the_last_sentence_is_the_last_in_the_text_also_when_others_were_cut_by_hand() -> None:
    june = study()
    first, second, third = june.items()
    done = split(june.project, first, [first.text[:8], first.text[8:]], actor=june.people["lena"])
    assert max(item.position for item in done.new_items) > third.position
    assert list(last_items(june.project, [item.pk for item in [*done.new_items, second, third]])) == [third]


def test_a_rater_answers_for_the_whole_with_the_last_claim_and_must(claims: Study) -> None:
    ravi = claims.people["ravi"]
    work = take_next(claims.project, ravi)
    assert work
    first, _, third = claims.items()
    assert save(ravi, work.public_id, first.public_id, Submission(CLAIM, 0)).answers == CLAIM
    with pytest.raises(NotAllowed) as caught:
        save(ravi, work.public_id, third.public_id, Submission(CLAIM, 0))
    assert caught.value.errors == {"usefulness": ["This question needs an answer."]}
    whole = CLAIM | {"usefulness": "useful", "revised_answer": "Shorter."}
    assert save(ravi, work.public_id, third.public_id, Submission(whole, 0)).answers == whole
    with pytest.raises(NotAllowed, match="cannot be saved"):
        save(ravi, work.public_id, first.public_id, Submission(whole, 1))


def test_an_import_may_have_gaps_where_the_protocol_says_so_but_nothing_wrong(claims: Study) -> None:
    first, second, third = claims.items()
    ravi = claims.people["ravi"]
    ratings = [NewRating(first, ravi, {"support": "missing"}), NewRating(third, ravi, {"usefulness": "useful"})]
    assert store_ratings(claims.project, ratings).new == 2
    with pytest.raises(CannotStore, match="not one of the options"):
        store_ratings(claims.project, [NewRating(second, ravi, {"support": "perhaps"})])
    with pytest.raises(CannotStore, match="no question is answered"):
        store_ratings(claims.project, [NewRating(second, ravi, {})])


def test_a_protocol_that_asks_nothing_once_costs_no_query(django_assert_num_queries) -> None:
    june = study()
    protocol = june.project.protocol.definition
    with django_assert_num_queries(0):
        assert protocol_for_item(june.project, protocol, june.responses[0].pk, Rating.objects.all()) is protocol
