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


@pytest.fixture
def project(db: None) -> Project:
    """Create a project with two raters for each response."""
    prepared = without_facts()
    Project.objects.update(overlap=2)
    return prepared


@pytest.fixture
def response(project: Project) -> Response:
    created = first_response(project)
    write_facts(project, created, ["It counts 30%."], ["R one.", "R two."])
    return created


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


class TestAFactIsAppended:
    @pytest.fixture
    def work(self, project: Project, response: Response) -> Assignment:
        rate_all(project, "ravi")
        let_be(project, response, "R one.", "R two.", "R three.")
        return again(project)

    def test_the_score_stays_where_it_was_given_and_counts_once(self, project, response, work):
        rate(work, fact(response, "R three."), YES)
        finish(work)
        assert scores(project) == (1, 1.0)

    def test_it_is_changed_there_and_not_given_twice(self, project, response, work):
        with pytest.raises(NotAllowed):
            rate(work, fact(response, "R three."), scored("none"))
        rate(work, fact(response, "R three."), YES)
        rate(work, fact(response, "R two."), scored("none"))
        finish(work)
        assert scores(project) == (1, 0.0)

    def test_it_is_not_dropped_by_an_answer_without_it(self, response, work):
        with pytest.raises(NotAllowed) as caught:
            rate(work, fact(response, "R two."), YES)
        assert caught.value.errors == {key: ["This question needs an answer."] for key in ["precision", "recall"]}

    def test_whoever_comes_later_gives_it_with_the_last_fact(self, project, response, work):
        rate(work, fact(response, "R three."), YES)
        finish(work)
        rate_all(project, "rosa")
        rating = Rating.objects.get(rater=person("rosa"), answers__has_key="recall")
        assert rating.item == fact(response, "R three.")
        assert scores(project) == (2, 1.0)

    def test_verdicts_have_it_where_the_raters_do(self, project, response, work):
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
