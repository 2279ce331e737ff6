"""The scores of a response are asked once: each rater has one of each, whatever facts come and go."""

import pytest

from annotation.models import Assignment, Item, Project, Rating, Response
from annotation.qualification.next_work import take_next
from annotation.rating.bulk_storage import CannotStore, NewRating, store_ratings
from annotation.rating.finish import StillOpen, finish, open_items
from annotation.rating.submit import NotAllowed, Submission, save
from annotation.reporting.build import build
from annotation.reviewing.adjudication import adjudicate
from annotation.reviewing.facts import save_facts, version_token
from annotation.reviewing.gold import set_gold
from tests.cast import person
from tests.fact_projects import first_response, rate_all, without_facts, write_facts

pytestmark = pytest.mark.django_db
YES = {"in_response": "supported"}


def scored(option: str) -> dict[str, str]:
    """Return the answers about a fact with the scores of the response."""
    return YES | {"precision": option, "recall": option}


@pytest.fixture(scope="module")
def project(module_rows: None) -> Project:
    """Create a project with two raters for each response, one of which has facts."""
    prepared = without_facts()
    Project.objects.update(overlap=2)
    write_facts(prepared, first_response(prepared), ["It counts 30%."], ["R one.", "R two."])
    return prepared


@pytest.fixture
def response(project: Project) -> Response:
    return first_response(project)


def fact(response: Response, text: str) -> Item:
    return Item.objects.get(response=response, text=text, retired_at=None)


def let_be(project: Project, response: Response, *reference: str) -> None:
    lines = {"fact": ["It counts 30%."], "reference_fact": reference}
    save_facts(project, response, lines, version_token(response), actor=person("lena"))


def again(project: Project) -> Assignment:
    work = take_next(project, person("ravi"))
    assert work
    return work


def rate(work: Assignment, item: Item, answers: dict) -> None:
    rating = Rating.objects.filter(item=item, rater=work.rater).first()
    save(work.rater, work.public_id, item.public_id, Submission(answers, rating.version if rating else 0))


def scores(project: Project) -> tuple[int, float | None]:
    """Return how many scores are counted, and their mean."""
    overall = build(project).to_dict()["overall"]
    return sum(overall["questions"]["recall"].values()), overall["means"]["human_f1"]["value"]


@pytest.fixture
def appended(project: Project, response: Response) -> Assignment:
    """Return the work of Ravi, who had finished the response before a fact was appended to it."""
    rate_all(project, "ravi")
    let_be(project, response, "R one.", "R two.", "R three.")
    return again(project)


def test_the_score_stays_where_it_was_given_and_whoever_comes_later_gives_it_with_the_last_fact(
    project, response, appended
):
    with pytest.raises(NotAllowed):
        rate(appended, fact(response, "R three."), scored("none"))
    rate(appended, fact(response, "R three."), YES)
    finish(appended)
    assert scores(project) == (1, 1.0)
    rate_all(project, "rosa")
    rating = Rating.objects.get(rater=person("rosa"), answers__has_key="recall")
    assert rating.item == fact(response, "R three.")
    assert scores(project) == (2, 1.0)


def test_the_score_is_changed_where_it_was_given_and_not_dropped_by_an_answer_without_it(project, response, appended):
    with pytest.raises(NotAllowed) as caught:
        rate(appended, fact(response, "R two."), YES)
    assert caught.value.errors == {key: ["This question needs an answer."] for key in ["precision", "recall"]}
    rate(appended, fact(response, "R three."), YES)
    rate(appended, fact(response, "R two."), scored("none"))
    finish(appended)
    assert scores(project) == (1, 0.0)


@pytest.mark.usefixtures("appended")
def test_verdicts_have_the_score_where_the_raters_do(project, response):
    lena, old = person("lena"), fact(response, "R two.")
    set_gold(project, fact(response, "R three."), YES, lena)
    set_gold(project, old, scored("part"), lena)
    adjudicate(project, old, scored("part"), "It misses one.", lena)
    assert Rating.objects.filter(answers__has_key="recall").count() == 3


def test_an_open_page_from_before_the_fact_came_is_not_refused(project: Project, response: Response):
    work = again(project)
    let_be(project, response, "R one.", "R two.", "R three.")
    rate(work, fact(response, "R two."), scored("all"))
    for text in ("R one.", "R three."):
        rate(work, fact(response, text), YES)
    rate(work, fact(response, "It counts 30%."), {"in_reference": "supported"})
    finish(work)
    assert scores(project) == (1, 1.0)


def test_where_the_fact_with_the_score_is_taken_out_it_is_asked_with_the_last(project: Project, response: Response):
    rate_all(project, "ravi")
    let_be(project, response, "R one.")
    work, last = again(project), fact(response, "R one.")
    assert open_items(work) == [last]
    with pytest.raises(StillOpen):
        finish(work)
    rate(work, last, scored("part"))
    finish(work)
    assert scores(project) == (1, 0.5)


def test_an_import_has_one_score_a_rater_with_any_fact(project: Project, response: Response):
    ravi, first, second = person("ravi"), fact(response, "R one."), fact(response, "R two.")
    with pytest.raises(CannotStore, match="another fact of the response"):
        store_ratings(project, [NewRating(each, ravi, scored("all")) for each in (first, second)])
    assert store_ratings(project, [NewRating(first, ravi, scored("all")), NewRating(second, ravi, YES)]).new == 2
    with pytest.raises(CannotStore, match="another fact of the response"):
        store_ratings(project, [NewRating(second, ravi, scored("all"))], replace=True)
    assert scores(project) == (1, 1.0)
