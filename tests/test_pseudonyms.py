"""Pseudonyms of raters, and who sees names."""

import pytest

from annotation.models import User
from annotation.pseudonyms import HiddenNames, Pseudonyms, active, as_seen_by, names_for, shown_rater, username_of
from annotation.qualification.pausing import pause_rater
from annotation.queue.errors import ProjectError
from annotation.queue.reservations import Selection, reserve
from tests.cast import person, study

pytestmark = pytest.mark.django_db


@pytest.fixture
def june():
    june = study("june")
    june.project.hides_raters = True
    june.project.save()
    return june


def test_names_are_hidden_from_all_but_admins(june):
    assert names_for(june.project, june.people["lena"])
    assert names_for(june.project, june.people["ravi"])
    assert names_for(june.project, person("ada", admin=True)) is None
    june.project.hides_raters = False
    assert names_for(june.project, june.people["lena"]) is None


def test_leads_admins_and_oneself_are_named(june):
    names = HiddenNames(june.project, june.people["ravi"])
    ada = person("ada", admin=True)
    assert [names.of_user(user) for user in (june.people["lena"], ada, june.people["ravi"])] == ["lena", "ada", "ravi"]
    assert names.of_user(june.people["rosa"]) == Pseudonyms(june.project).pseudonym("rosa")


def test_a_pseudonym_is_another_one_in_another_project_and_leads_back_in_its_own(june):
    names = HiddenNames(june.project, june.people["lena"])
    shown = names.pseudonym("rosa")
    assert names.pseudonym(shown) == shown
    assert names.username(shown) == "rosa"
    assert shown != Pseudonyms(study("other", raters=()).project).pseudonym("rosa")


@pytest.mark.parametrize("given", ["rosa", "nobody", "?rosa", "rater-000000000000"])
def test_what_is_no_pseudonym_of_the_project_leads_to_no_account(june, given):
    names = HiddenNames(june.project, june.people["lena"])
    name = names.username(given)
    assert len(name) > User._meta.get_field("username").max_length
    assert names.pseudonym(name) == given


def test_an_imported_name_with_question_marks_is_hidden(june):
    assert HiddenNames(june.project, june.people["lena"]).pseudonym("???rosa").startswith("rater-")


def test_people_have_names_again_after_the_context(june):
    rosa = june.people["rosa"]
    with as_seen_by(june.people["lena"], june.project):
        shown = str(rosa)
        assert shown == shown_rater("rosa") != "rosa"
        assert username_of(shown) == "rosa"
    assert str(rosa) == shown_rater("rosa") == "rosa"
    assert active() is None


def test_another_project_of_the_request_shows_its_own_names(june):
    lena, rosa, other = june.people["lena"], june.people["rosa"], study("other").project
    with as_seen_by(lena, june.project):
        hidden = str(rosa)
        with as_seen_by(lena, other):
            assert str(rosa) == "rosa"
        assert str(rosa) == hidden != "rosa"


def test_errors_name_no_hidden_rater(june):
    eva, selection = person("eva"), Selection("random", n=1, seed=1)
    with as_seen_by(june.people["lena"], june.project), pytest.raises(ProjectError) as error:
        reserve(june.project, [eva], selection, actor=june.people["lena"])
    assert "eva" not in str(error.value)
    with as_seen_by(june.people["lena"], june.project), pytest.raises(ProjectError) as error:
        pause_rater(june.project, eva, actor=june.people["lena"])
    assert "eva" not in str(error.value)
