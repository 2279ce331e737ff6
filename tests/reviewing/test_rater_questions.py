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
    """Create one response that Ravi and Rosa hold."""
    prepared = study()
    for name in ("ravi", "rosa"):
        rates(prepared.people[name], prepared.project, sentences=0)
    return prepared


def assignment_of(june: Study, name: str) -> Assignment:
    return Assignment.objects.select_related("project__protocol", "sheet").get(rater=june.people[name])


def ask(june: Study, text: str = "Is it?", kind: str = "question", name: str = "ravi", item: int = 1) -> RaterQuestion:
    return ask_leads(june.people[name], assignment_of(june, name).public_id, june.items()[item].public_id, text, kind)


def test_the_leads_see_a_question_and_other_raters_its_answer_while_it_is_published(june):
    question = ask(june)
    assert [entry.text for entry in inbox(june.project)] == ["Is it?"]
    [shown] = panel_contents(assignment_of(june, "ravi"))["questions"]
    assert (shown["text"], shown["own"], shown["new"]) == ("Is it?", True, False)
    assert shown["item"] == june.items()[1].public_id
    assert panel_contents(assignment_of(june, "rosa"))["questions"] == []
    for is_published, visible in ((True, 1), (False, 0)):
        answer_question(june.project, question.public_id, "Yes.", is_published=is_published, actor=june.people["lena"])
        questions = panel_contents(assignment_of(june, "rosa"))["questions"]
        assert len(questions) == published_answers(june.project).count() == visible
        assert "ravi" not in str(questions)
    assert AuditEvent.objects.filter(action="answer").count() == 2


def test_only_a_sentence_can_be_reported_as_cut_wrongly(june):
    Item.objects.update(unit="claim", kind="claim")
    Project.objects.update(protocol=newest_version("claim-attribution"))
    with pytest.raises(NotAllowed) as refused:
        ask(june, "Two claims in one.", "split")
    assert refused.value.errors == {"kind": ["Only sentences can be edited: a claim stays as the data set has it."]}
    assert ask(june, "Are these two claims in one?").kind == "question"


def test_an_answer_is_new_to_the_asker_until_it_was_read(june):
    ravi, question = june.people["ravi"], ask(june)
    answer_question(june.project, question.public_id, "Yes.", actor=june.people["lena"])
    assert count_new_answers(ravi, [june.project]) == {june.project.pk: 1}
    assert mark_read(june.people["rosa"], june.project, [question.public_id]) == 0
    assert mark_read(ravi, june.project, [question.public_id]) == 1
    assert count_new_answers(ravi, [june.project]) == {}
    answer_question(june.project, question.public_id, "Yes!", actor=june.people["lena"])
    assert [each["new"] for each in panel_contents(assignment_of(june, "ravi"))["questions"]] == [True]


def test_the_same_words_again_are_the_same_question_and_a_question_needs_words_but_a_report_does_not(june):
    with pytest.raises(NotAllowed):
        ask(june, "  ")
    assert ask(june, "", "split").kind == "split"
    assert ask(june) == ask(june)
    for n in range(MAX_OPEN - 2):
        ask(june, f"And {n}?")
    with pytest.raises(NotAllowed, match="cannot be saved"):
        ask(june, "One more?")
    assert count_questions([june.project])[june.project.pk].open == MAX_OPEN


def test_only_items_of_an_own_sheet_can_be_asked_about(june):
    theirs = assignment_of(june, "rosa").public_id
    with pytest.raises(NoSuchItem):
        ask_leads(june.people["ravi"], theirs, june.items()[0].public_id, "Is it?")
    with pytest.raises(NoSuchRaterQuestion):
        answer_question(june.project, theirs, "Yes.", actor=june.people["lena"])
    archive(june.project)
    with pytest.raises(ProjectArchived):
        ask(june)


def test_what_was_asked_about_a_cut_sentence_stands_at_what_is_there_now(june):
    first, item, last = june.items()
    question = ask(june, "", "split")
    new = split(june.project, item, ["Sentence number 2", "of heron."], actor=june.people["lena"]).new_items
    panel = panel_contents(assignment_of(june, "ravi"))
    assert [(each["id"], each["item"]) for each in panel["questions"]] == [(question.public_id, new[0].public_id)]
    assert panel["items"] == [each.public_id for each in (first, *new, last)]


def test_flags_are_the_raters_own_and_flagging_is_safe_to_repeat(june):
    ravi, assignment, items = june.people["ravi"], assignment_of(june, "ravi"), june.items()
    for item in (items[2], items[0], items[2]):
        add_bookmark(ravi, assignment.public_id, item.public_id)
    marks = panel_contents(assignment)["marks"]
    assert marks == [{"item": items[number].public_id, "why": "unsure"} for number in (0, 2)]
    assert panel_contents(assignment_of(june, "rosa"))["marks"] == []
    for _ in range(2):
        remove_bookmark(ravi, assignment.public_id, items[0].public_id)
    assert [bookmark.item for bookmark in bookmarks_of(ravi, june.project)] == [items[2]]
    with pytest.raises(NoSuchItem):
        add_bookmark(june.people["rosa"], assignment.public_id, items[0].public_id)
    ask(june)
    delete_project(june.project)
    assert not RaterQuestion.objects.exists() and not Bookmark.objects.exists()
