"""Pseudonyms of raters, and who sees names."""

import pytest
from django.db import connection
from django.utils import timezone

from annotation import pseudonyms
from annotation.models import Item, Rating, User
from annotation.projects.members import add_member
from annotation.pseudonyms import (
    HiddenNames,
    Pseudonyms,
    activate,
    active,
    as_seen_by,
    disclosed,
    names_for,
    reset,
    shown_rater,
    username_of,
    usernames_of,
)
from annotation.qualification.pausing import pause_rater
from annotation.queue.errors import ProjectError
from annotation.queue.reservations import Selection, reserve
from tests.cast import ACCURATE, person, study
from tests.database_plans import nodes

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


def test_people_of_a_project_are_found_by_index_whatever_the_number_of_ratings(june):
    """The last has rated in an import, without membership or work."""
    imported, names = person("imported"), ["ravi", "rosa"]
    Item.objects.bulk_create(
        Item(response=june.responses[0], unit="sentence", position=1_000 + n, kind="sentence", start=0, end=1, text="T")
        for n in range(1_000)
    )
    items = Item.objects.filter(position__gte=1_000)
    Rating.objects.bulk_create(
        Rating(
            project=june.project, item=item, rater=person(name), answers=ACCURATE, choices=ACCURATE,
            rated_at=timezone.now(),
        )
        for item in items for name in names
    )  # fmt: skip
    Rating.objects.create(
        project=june.project, item=items[0], rater=imported, answers=ACCURATE, choices=ACCURATE, rated_at=timezone.now()
    )
    person("stranger")
    assert sorted(usernames_of(june.project)) == ["imported", "lena", "ravi", "rosa"]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE annotation_rating")
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {pseudonyms._USERNAMES}", {"project": june.project.pk})
        plan = list(nodes(cursor.fetchone()[0][0]["Plan"]))
    of_large = [node for node in plan if node.get("Relation Name") == "annotation_rating"]
    assert {node["Index Name"] for node in of_large} == {"ratings_by_rater"}
    assert all(node["Actual Rows"] <= 1 and not node.get("Rows Removed by Filter") for node in of_large)


def test_what_one_project_of_a_request_hides_another_does_not_show(june):
    lena, ravi, rosa = (june.people[name] for name in ("lena", "ravi", "rosa"))
    other = study("other", raters=("tom",)).project
    other.hides_raters = True
    other.save()
    add_member(other, ravi, "lead")
    reset()
    activate(june.project, lena)
    in_june = shown_rater("rosa")
    activate(other, lena)
    assert str(ravi).startswith("rater-"), "ravi leads the other project, but is a hidden rater of the first"
    assert str(rosa).startswith("rater-") and str(lena) == "lena"
    assert shown_rater(in_june) == in_june and username_of(in_june) == "rosa"
    assert username_of(shown_rater("tom")) == "tom"
    assert username_of("ravi") != "ravi" and username_of("nobody") != "nobody"
    reset()
    assert str(rosa) == "rosa"


def test_the_same_project_again_is_not_read_again(june):
    reset()
    activate(june.project, june.people["lena"])
    first = active()
    activate(june.project, june.people["lena"])
    assert active() is first
    reset()


def test_an_admin_sees_the_names_of_each_project_of_a_request(june):
    ada, other = person("ada", admin=True), study("other").project
    other.hides_raters = True
    other.save()
    reset()
    for project in (june.project, other, june.project):
        activate(project, ada)
    assert disclosed() == ((ada, june.project), (ada, other))
    reset()
    assert disclosed() == ()


def test_errors_name_no_hidden_rater(june):
    eva, selection = person("eva"), Selection("random", n=1, seed=1)
    with as_seen_by(june.people["lena"], june.project), pytest.raises(ProjectError) as error:
        reserve(june.project, [eva], selection, actor=june.people["lena"])
    assert "eva" not in str(error.value)
    with as_seen_by(june.people["lena"], june.project), pytest.raises(ProjectError) as error:
        pause_rater(june.project, eva, actor=june.people["lena"])
    assert "eva" not in str(error.value)
