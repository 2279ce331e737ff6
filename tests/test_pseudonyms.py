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
from tests.cast import ACCURATE, Study, person, study
from tests.database_plans import nodes

pytestmark = pytest.mark.django_db


def hiding(slug: str, **options: object) -> Study:
    """Create a study whose raters are hidden."""
    prepared = study(slug, **options)
    prepared.project.hides_raters = True
    prepared.project.save()
    return prepared


@pytest.fixture
def june() -> Study:
    reset()
    return hiding("june")


def test_names_are_hidden_from_all_but_admins_except_those_of_leads_admins_and_oneself(june):
    ada = person("ada", admin=True)
    lena, ravi, rosa = (june.people[name] for name in ("lena", "ravi", "rosa"))
    assert names_for(june.project, lena) and names_for(june.project, ravi)
    names = HiddenNames(june.project, ravi)
    assert [names.of_user(user) for user in (lena, ada, ravi)] == ["lena", "ada", "ravi"]
    assert names.of_user(rosa) == Pseudonyms(june.project).pseudonym("rosa")
    assert names_for(june.project, ada) is None
    june.project.hides_raters = False
    assert names_for(june.project, lena) is None


def test_a_pseudonym_is_another_one_in_another_project_and_leads_back_in_its_own(june):
    names = HiddenNames(june.project, june.people["lena"])
    shown = names.pseudonym("rosa")
    assert names.pseudonym(shown) == shown
    assert names.username(shown) == "rosa"
    assert shown != Pseudonyms(study("other", raters=()).project).pseudonym("rosa")
    assert names.pseudonym("???rosa").startswith("rater-"), "an imported name"
    for given in ("rosa", "nobody", "?rosa", "rater-000000000000"):
        name = names.username(given)
        assert len(name) > User._meta.get_field("username").max_length, "no account has it"
        assert names.pseudonym(name) == given


def test_people_have_names_again_after_the_context_and_those_of_another_project_within_its_own(june):
    lena, rosa, other = june.people["lena"], june.people["rosa"], study("other").project
    with as_seen_by(lena, june.project):
        shown = str(rosa)
        assert shown == shown_rater("rosa") != "rosa"
        assert username_of(shown) == "rosa"
        with as_seen_by(lena, other):
            assert str(rosa) == "rosa"
        assert str(rosa) == shown
    assert str(rosa) == shown_rater("rosa") == "rosa"
    assert active() is None


def test_people_of_a_project_are_found_by_index_whatever_the_number_of_ratings(june):
    """The last has rated in an import, without membership or work."""
    imported, names = person("imported"), ["ravi", "rosa"]
    Item.objects.bulk_create(
        Item(response=june.responses[0], unit="sentence", position=1_000 + n, kind="sentence", start=0, end=1, text="T")
        for n in range(1_000)
    )
    items = Item.objects.filter(position__gte=1_000)
    given = {"project": june.project, "answers": ACCURATE, "choices": ACCURATE, "rated_at": timezone.now()}
    rows = [(item, june.people[name]) for item in items for name in names] + [(items[0], imported)]
    Rating.objects.bulk_create(Rating(item=item, rater=rater, **given) for item, rater in rows)
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
    other = hiding("other", raters=("tom",)).project
    add_member(other, ravi, "lead")
    activate(june.project, lena)
    first = active()
    activate(june.project, lena)
    assert active() is first, "the same project is not read again"
    in_june = shown_rater("rosa")
    activate(other, lena)
    assert str(ravi).startswith("rater-"), "ravi leads the other project, but is a hidden rater of the first"
    assert str(rosa).startswith("rater-") and str(lena) == "lena"
    assert shown_rater(in_june) == in_june and username_of(in_june) == "rosa"
    assert username_of(shown_rater("tom")) == "tom"
    assert username_of("ravi") != "ravi" and username_of("nobody") != "nobody"
    reset()
    assert str(rosa) == "rosa"
    ada = person("ada", admin=True)
    for project in (june.project, other, june.project):
        activate(project, ada)
    assert disclosed() == ((ada, june.project), (ada, other))
    reset()
    assert disclosed() == ()


def test_errors_name_no_hidden_rater(june):
    eva, selection, lena = person("eva"), Selection("random", n=1, seed=1), june.people["lena"]
    for refused in (
        lambda: reserve(june.project, [eva], selection, actor=lena),
        lambda: pause_rater(june.project, eva, actor=lena),
    ):
        with as_seen_by(lena, june.project), pytest.raises(ProjectError) as error:
            refused()
        assert "eva" not in str(error.value)
