"""What is cut anew in a response that raters are checked with keeps a gold answer."""

import pytest

from annotation.access import assignments_for
from annotation.models import Attempt, Item, Rating, Sheet
from annotation.qualification.attempts import compare_attempt
from annotation.qualification.sheet_purposes import count_gold
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.reviewing.gold import remove_gold, set_gold
from annotation.reviewing.sentence_boundaries import BoundaryChangeRefused, merge, split

from ..cast import ACCURATE, SEVERE, Study, study
from ..gold_studies import REASON, gold_sheets_for, make_gold, start_attempt, take_work
from ..web.pages import text_of

pytestmark = pytest.mark.django_db
IN_TWO = ["Sentence number 1", "of heron."]


@pytest.fixture
def june() -> Study:
    """Create two responses of three sentences; the first is for training, each sentence severe."""
    prepared = study(prompts=2)
    gold_sheets_for(prepared, "training", 0)
    return prepared


def gold_of(items: list[Item]) -> list[tuple[dict, str]]:
    ratings = Rating.objects.filter(role="gold", item__in=items).order_by("item__position")
    return list(ratings.values_list("answers", "comment"))


def test_the_parts_of_a_training_sentence_have_its_gold_answer_and_the_feedback_counts_as_the_text_reads(june, ravi):
    rater, done = june.people["ravi"], split(june.project, june.items()[0], IN_TWO, actor=june.people["lena"])
    assert done.gold == 2
    assert gold_of(done.new_items) == [(SEVERE, REASON)] * 2
    [candidate] = count_gold(june.project, Sheet.objects.filter(purpose="training"))
    assert candidate.is_whole
    start_attempt(june.project, rater, "training")
    work = take_work(june.project, rater)
    as_they_stand = [*done.new_items, *june.items()[1:3]]
    for number, item in enumerate(as_they_stand, start=1):
        save(rater, work.public_id, item.public_id, Submission(SEVERE, 0))
        address = f"/assignments/{work.public_id}/items/{item.public_id}/feedback/"
        assert f"Sentence {number}: correct." in text_of(ravi.get(address))
    finish(assignments_for(rater).get(pk=work.pk))
    assert [checked.item for checked in compare_attempt(june.project, Attempt.objects.get())] == as_they_stand


def test_two_are_merged_where_their_gold_answers_agree_and_have_both_reasons(june):
    lena, (first, second, _) = june.people["lena"], june.items()
    set_gold(june.project, second, ACCURATE, lena)
    with pytest.raises(BoundaryChangeRefused, match="Their gold answers differ"):
        merge(june.project, first, second, actor=lena)
    assert not Item.objects.filter(retired_at__isnull=False).exists()
    set_gold(june.project, second, SEVERE, lena, "And so says Table 2.")
    done = merge(june.project, first, second, actor=lena)
    assert gold_of(done.new_items) == [(SEVERE, f"{REASON}\nAnd so says Table 2.")]


def test_where_nothing_is_set_aside_or_agreed_on_nothing_is_taken_over(june):
    lena = june.people["lena"]
    make_gold(june, 1)
    assert split(june.project, june.items(1)[0], IN_TWO, actor=lena).gold == 0
    remove_gold(june.project, june.items()[0], lena)
    assert split(june.project, june.items()[0], IN_TWO, actor=lena).gold == 0
