"""Questions to the leads: who sees what, and when an answer is new."""

import pytest

from annotation.models import Assignment, AuditEvent, Bookmark, Item, Project, RaterQuestion
from annotation.projects.archiving import archive
from annotation.projects.deleting import delete_project
from annotation.queue.errors import ProjectArchived
from annotation.rating.bookmarks import add_bookmark, bookmarks_of, remove_bookmark
from annotation.rating.submit import NoSuchItem, NotAllowed
from annotation.reviewing.rater_questions import (
    MAX_OPEN,
    NoSuchRaterQuestion,
    answer_question,
    ask_leads,
    count_new_answers,
    count_questions,
    inbox,
    mark_read,
    published_answers,
)
from annotation.reviewing.sentence_boundaries import split
from annotation.reviewing.side_panel import panel_contents
from tests.cast import Study, newest_version, study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db


@pytest.fixture
def june() -> Study:
    """One response that Ravi and Rosa hold."""
    made = study()
    for name in ("ravi", "rosa"):
        rates(made.people[name], made.project, sentences=0)
    return made


def held(june: Study, name: str) -> Assignment:
    return Assignment.objects.select_related("project__protocol", "sheet").get(rater=june.people[name])


def asks(june: Study, text: str = "Is it?", kind: str = "question", name: str = "ravi", item: int = 1) -> RaterQuestion:
    return ask_leads(june.people[name], held(june, name).public_id, june.items()[item].public_id, text, kind)


def test_the_leads_see_a_question_and_other_raters_do_not(june):
    asks(june)
    assert [one.text for one in inbox(june.project)] == ["Is it?"]
    [seen] = panel_contents(held(june, "ravi"))["questions"]
    assert (seen["text"], seen["own"], seen["new"], seen["item"]) == ("Is it?", True, False, june.items()[1].public_id)
    assert panel_contents(held(june, "rosa"))["questions"] == []


def test_only_a_sentence_can_be_reported_as_cut_wrongly(june):
    Item.objects.update(unit="claim", kind="claim")
    Project.objects.update(protocol=newest_version("claim-attribution"))
    with pytest.raises(NotAllowed) as refused:
        asks(june, "Two claims in one.", "split")
    assert refused.value.errors == {"kind": ["Only sentences are cut by hand: a claim stays as the data set has it."]}
    assert asks(june, "Are these two claims in one?").kind == "question"


def test_an_answer_is_new_to_the_asker_until_it_was_read(june):
    ravi, one = june.people["ravi"], asks(june)
    answer_question(june.project, one.public_id, "Yes.", actor=june.people["lena"])
    assert count_new_answers(ravi, [june.project]) == {june.project.pk: 1}
    assert mark_read(june.people["rosa"], june.project, [one.public_id]) == 0
    assert mark_read(ravi, june.project, [one.public_id]) == 1
    assert count_new_answers(ravi, [june.project]) == {}
    answer_question(june.project, one.public_id, "Yes!", actor=june.people["lena"])
    assert [each["new"] for each in panel_contents(held(june, "ravi"))["questions"]] == [True]


def test_a_published_answer_is_for_all_and_can_be_withdrawn(june):
    one = asks(june)
    for is_published, seen in ((True, 1), (False, 0)):
        answer_question(june.project, one.public_id, "Yes.", is_published=is_published, actor=june.people["lena"])
        questions = panel_contents(held(june, "rosa"))["questions"]
        assert len(questions) == published_answers(june.project).count() == seen
    assert "ravi" not in str(questions)
    assert AuditEvent.objects.filter(action="answer").count() == 2


def test_the_same_words_again_are_the_same_question(june):
    assert asks(june) == asks(june)
    for n in range(MAX_OPEN - 1):
        asks(june, f"And {n}?")
    with pytest.raises(NotAllowed, match="cannot be saved"):
        asks(june, "One more?")
    assert count_questions([june.project])[june.project.pk].open == MAX_OPEN


def test_a_question_needs_words_and_a_report_of_a_split_does_not(june):
    with pytest.raises(NotAllowed):
        asks(june, "  ")
    assert asks(june, "", "split").kind == "split"


def test_only_items_of_an_own_sheet_can_be_asked_about(june):
    theirs = held(june, "rosa").public_id
    with pytest.raises(NoSuchItem):
        ask_leads(june.people["ravi"], theirs, june.items()[0].public_id, "Is it?")
    with pytest.raises(NoSuchRaterQuestion):
        answer_question(june.project, theirs, "Yes.", actor=june.people["lena"])
    archive(june.project)
    with pytest.raises(ProjectArchived):
        asks(june)


def test_what_was_asked_about_a_cut_sentence_stands_at_what_is_there_now(june):
    item = june.items()[1]
    one = asks(june, "", "split")
    done = split(june.project, item, ["Sentence number 2", "of heron."], actor=june.people["lena"])
    told = panel_contents(held(june, "ravi"))
    assert [(each["id"], each["item"]) for each in told["questions"]] == [(one.public_id, done.new_items[0].public_id)]
    assert told["items"] == [
        june.items()[0].public_id, *(item.public_id for item in done.new_items), june.items()[2].public_id
    ]  # fmt: skip


def test_the_pile_is_the_raters_own_and_marking_is_safe_to_repeat(june):
    ravi, assignment, items = june.people["ravi"], held(june, "ravi"), june.items()
    for item in (items[2], items[0], items[2]):
        add_bookmark(ravi, assignment.public_id, item.public_id)
    assert panel_contents(assignment)["marks"] == [
        {"item": items[0].public_id, "why": "unsure"}, {"item": items[2].public_id, "why": "unsure"}
    ]  # fmt: skip
    assert panel_contents(held(june, "rosa"))["marks"] == []
    for _ in range(2):
        remove_bookmark(ravi, assignment.public_id, items[0].public_id)
    assert [one.item for one in bookmarks_of(ravi, june.project)] == [items[2]]
    with pytest.raises(NoSuchItem):
        add_bookmark(june.people["rosa"], assignment.public_id, items[0].public_id)


def test_a_project_goes_with_all_that_was_asked_in_it(june):
    asks(june)
    add_bookmark(june.people["ravi"], held(june, "ravi").public_id, june.items()[0].public_id)
    delete_project(june.project)
    assert not RaterQuestion.objects.exists() and not Bookmark.objects.exists()
