"""Facts written by people: what is new, what goes with its ratings, what stays, who may, and who is asked again."""

from pathlib import Path

import pytest

from annotation.importing import load_responses
from annotation.models import AuditEvent, Item, Project, Rating, Response
from annotation.projects.archiving import archive
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.qualification.next_work import take_next
from annotation.qualification.pausing import lift_pause, pause_rater
from annotation.rating.finish import StillOpen, finish
from annotation.reviewing.facts import FactChangeRefused, propose_reference_facts, save_facts, version_token
from annotation.reviewing.gold import set_gold
from tests.cast import person
from tests.fact_projects import OWN, fact_texts, first_response, rate_all, without_facts, write_facts
from tests.importing.files import lines, refusal_of

pytestmark = pytest.mark.django_db
SUPPORTED = {"in_reference": "supported"}


@pytest.fixture(scope="module")
def project(module_rows: None) -> Project:
    return without_facts()


@pytest.fixture
def response(project: Project) -> Response:
    return first_response(project)


def test_a_response_with_facts_can_be_rated_and_those_of_the_reference_answer_are_proposed_to_others(project, response):
    assert take_next(project, person("ravi")) is None
    done = write_facts(project, response, ["", "  It  counts 30%. ", "It may be long.", "It may be long."], by="ravi")
    assert (len(done.new_items), done.retired) == (3, [])
    assert fact_texts(response) == [*OWN, "It is worth 30%."]
    rate_all(project, "ravi")
    assert Rating.objects.filter(counted=True).count() == 3
    assert AuditEvent.objects.filter(action="change facts").count() == 1
    other = response.prompt.responses.exclude(pk=response.pk).get()
    assert propose_reference_facts(other) == ["It is worth 30%."]
    assert propose_reference_facts(response) == []


def test_a_changed_line_is_a_new_fact_and_the_others_keep_their_ratings(project, response):
    write_facts(project, response, OWN)
    done = write_facts(project, response, list(reversed(OWN)))
    assert (done.new_items, done.retired) == ([], [])
    rate_all(project, "ravi")
    done = write_facts(project, response, ["It counts 30%.", "It may have 2,000 words.", "It is a paper."])
    assert ([item.text for item in done.retired], done.ratings, done.asked_again) == (["It may be long."], 1, 1)
    counted = Rating.objects.filter(counted=True).values_list("item__text", flat=True)
    assert sorted(counted) == ["It counts 30%.", "It is worth 30%."]
    again = take_next(project, person("ravi"))
    assert again and again.sheet.response == response
    positions = Item.objects.filter(response=response, unit="fact").order_by("position")
    assert [item.position for item in positions] == [0, 1, 2, 3, 4]


def test_a_rater_may_change_facts_until_somebody_else_has_rated_them(project, response):
    write_facts(project, response, OWN, by="ravi")
    rate_all(project, "ravi")
    write_facts(project, response, [*OWN, "It is due in May."], by="ravi")
    with pytest.raises(FactChangeRefused, match="only leads"):
        write_facts(project, response, OWN, by="rosa")


class TestARaterLeavesWhatIsOthers:
    def test_gold_answers_about_facts_of_a_file_which_alone_would_be_theirs_to_mend(self, project, response):
        write_facts(project, response, [*OWN, "Else."])
        Item.objects.update(splitter="")  # as those of a file
        assert [item.text for item in write_facts(project, response, OWN, by="ravi").retired] == ["Else."]
        set_gold(project, Item.objects.get(response=response, text=OWN[0]), SUPPORTED, person("lena"))
        with pytest.raises(FactChangeRefused, match="rated these facts"):
            write_facts(project, response, ["Else."], by="ravi")
        assert fact_texts(response) == [*OWN, "It is worth 30%."]
        write_facts(project, response, [*OWN, "Something else."])

    @pytest.mark.parametrize("begins", ["lena", "ravi"])
    def test_what_a_lead_has_typed_in_or_added_to_theirs(self, project, response, begins):
        write_facts(project, response, OWN, by=begins)
        write_facts(project, response, [*OWN, "It is due in May."])
        with pytest.raises(FactChangeRefused, match="entered these facts"):
            write_facts(project, response, OWN, by="ravi")

    def test_another_projects_facts(self, project, response):
        other = create_project("other", project.dataset, project.protocol)
        add_member(other, person("otto"), "lead")
        write_facts(other, response, OWN, by="otto")
        Item.objects.update(splitter="")
        with pytest.raises(FactChangeRefused, match="Another project"):
            write_facts(project, response, ["Else."], by="ravi")

    def test_everything_while_they_are_paused(self, project, response):
        write_facts(project, response, OWN, by="ravi")
        pause_rater(project, person("ravi"))
        with pytest.raises(FactChangeRefused, match="paused"):
            write_facts(project, response, OWN[:1], by="ravi")
        lift_pause(project, person("ravi"))
        assert write_facts(project, response, OWN[:1], by="ravi").retired


def test_neither_what_came_meanwhile_nor_an_archived_project_nor_with_what_is_no_fact_is_changed(project, response):
    token = version_token(response)
    write_facts(project, response, OWN)
    with pytest.raises(FactChangeRefused, match="in the meantime"):
        save_facts(project, response, {"fact": ["Else."]}, token, actor=person("lena"))
    for bad in (["x" * 2_001], ["a\x00b"], [f"fact {n}" for n in range(201)]):
        with pytest.raises(FactChangeRefused, match="at most"):
            write_facts(project, response, bad)
    archive(Project.objects.get())
    with pytest.raises(FactChangeRefused, match="archived"):
        write_facts(project, response, OWN)
    assert fact_texts(response) == [*OWN, "It is worth 30%."]


class TestALaterFile:
    """Brings the facts of the reference answer when those of the response are rated already."""

    @pytest.fixture
    def later(self, project: Project, response: Response, tmp_path: Path) -> Path:
        row = {"prompt": response.prompt.key, "system": "heron", "text": response.text, "id": response.key}
        row |= {"metadata": response.metadata, "facts": OWN}
        load_responses(lines(tmp_path / "first.jsonl", [row]), project.dataset)
        rate_all(project, "ravi")
        return lines(tmp_path / "later.jsonl", [row | {"reference_facts": ["It is worth 30%."]}])

    def test_finished_work_is_offered_again_for_the_new_facts_alone(self, project, later):
        assert take_next(project, person("ravi")) is None
        counts = load_responses(later, project.dataset)
        assert (counts.new, counts.offered_again) == (1, 1)
        assert counts.lines()[-1] == "1 finished and offered again to their raters, for the new facts"
        assert Rating.objects.filter(counted=True).count() == 2
        event = AuditEvent.objects.filter(action="add responses").latest("pk")
        assert event.after == {"offered again for new facts": 1}
        again = take_next(project, person("ravi"))
        assert again
        with pytest.raises(StillOpen):
            finish(again)
        assert load_responses(later, project.dataset).offered_again == 0

    def test_an_archived_project_loses_nothing_because_the_file_is_refused(self, project, later):
        archive(Project.objects.get())
        (problem,) = refusal_of(load_responses, later, project.dataset)
        assert problem.startswith("project 'facts' is archived, and responses finished in it would get new facts")
        assert not Item.objects.filter(kind="reference_fact").exists()
