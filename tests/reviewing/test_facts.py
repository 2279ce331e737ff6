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

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SUPPORTED = {"in_reference": "supported"}


@pytest.fixture
def project() -> Project:
    return without_facts()


@pytest.fixture
def response(project: Project) -> Response:
    return first_response(project)


def test_a_response_with_facts_can_be_rated(project: Project, response: Response):
    assert take_next(project, person("ravi")) is None
    done = write_facts(project, response, ["", "  It  counts 30%. ", "It may be long.", "It may be long."], by="ravi")
    assert (len(done.new_items), done.retired) == (3, [])
    assert fact_texts(response) == [*OWN, "It is worth 30%."]
    rate_all(project, "ravi")
    assert Rating.objects.filter(counted=True).count() == 3
    assert AuditEvent.objects.filter(action="change facts").count() == 1


def test_a_changed_line_is_a_new_fact_and_the_others_keep_their_ratings(project: Project, response: Response):
    write_facts(project, response, OWN)
    rate_all(project, "ravi")
    done = write_facts(project, response, ["It counts 30%.", "It may have 2,000 words.", "It is a paper."])
    assert ([item.text for item in done.retired], done.ratings, done.asked_again) == (["It may be long."], 1, 1)
    assert sorted(Rating.objects.filter(counted=True).values_list("item__text", flat=True)) == [
        "It counts 30%.",
        "It is worth 30%.",
    ]
    again = take_next(project, person("ravi"))
    assert again and again.sheet.response == response
    positions = Item.objects.filter(response=response, unit="fact").order_by("position")
    assert [item.position for item in positions] == [0, 1, 2, 3, 4]


def test_the_same_lines_change_nothing(project: Project, response: Response):
    write_facts(project, response, OWN)
    done = write_facts(project, response, list(reversed(OWN)))
    assert (done.new_items, done.retired) == ([], [])


def test_a_rater_may_change_facts_until_somebody_else_has_rated_them(project: Project, response: Response):
    write_facts(project, response, OWN, by="ravi")
    rate_all(project, "ravi")
    write_facts(project, response, [*OWN, "It is due in May."], by="ravi")
    with pytest.raises(FactChangeRefused, match="only leads"):
        write_facts(project, response, OWN, by="rosa")


class TestARaterLeavesWhatIsOthers:
    @pytest.fixture
    def gold(self, project: Project, response: Response) -> Rating:
        """Store gold answers about facts of a file, so that gold keeps them rather than their author."""
        write_facts(project, response, OWN)
        Item.objects.update(splitter="")
        item = Item.objects.get(response=response, text=OWN[0])
        return set_gold(project, item, SUPPORTED, person("lena"))

    def test_gold_answers(self, gold: Rating, project: Project, response: Response):
        with pytest.raises(FactChangeRefused, match="rated these facts"):
            write_facts(project, response, ["Else."], by="ravi")
        assert fact_texts(response) == [*OWN, "It is worth 30%."]
        write_facts(project, response, [*OWN, "Else."])

    def test_what_a_lead_has_typed_in(self, project: Project, response: Response):
        write_facts(project, response, OWN)
        with pytest.raises(FactChangeRefused, match="entered these facts"):
            write_facts(project, response, [*OWN, "Else."], by="ravi")

    def test_what_a_lead_has_added_to_theirs(self, project: Project, response: Response):
        write_facts(project, response, OWN, by="ravi")
        write_facts(project, response, [*OWN, "It is due in May."])
        with pytest.raises(FactChangeRefused, match="entered these facts"):
            write_facts(project, response, OWN, by="ravi")

    def test_what_a_file_brought_is_theirs_to_mend(self, project: Project, response: Response):
        write_facts(project, response, OWN)
        Item.objects.update(splitter="")
        assert [item.text for item in write_facts(project, response, OWN[:1], by="ravi").retired] == OWN[1:]

    def test_another_projects_facts(self, project: Project, response: Response):
        other = create_project("other", project.dataset, project.protocol)
        add_member(other, person("otto"), "lead")
        write_facts(other, response, OWN, by="otto")
        Item.objects.update(splitter="")
        with pytest.raises(FactChangeRefused, match="Another project"):
            write_facts(project, response, ["Else."], by="ravi")

    def test_everything_while_they_are_paused(self, project: Project, response: Response):
        write_facts(project, response, OWN, by="ravi")
        pause_rater(project, person("ravi"))
        with pytest.raises(FactChangeRefused, match="paused"):
            write_facts(project, response, OWN[:1], by="ravi")
        lift_pause(project, person("ravi"))
        assert write_facts(project, response, OWN[:1], by="ravi").retired


def test_nobody_writes_over_what_came_meanwhile(project: Project, response: Response):
    token = version_token(response)
    write_facts(project, response, OWN)
    with pytest.raises(FactChangeRefused, match="in the meantime"):
        save_facts(project, response, {"fact": ["Else."]}, token, actor=person("lena"))
    assert fact_texts(response) == [*OWN, "It is worth 30%."]


def test_the_reference_answers_facts_are_proposed_to_other_responses(project: Project, response: Response):
    write_facts(project, response, OWN)
    other = response.prompt.responses.exclude(pk=response.pk).get()
    assert propose_reference_facts(other) == ["It is worth 30%."]
    assert propose_reference_facts(response) == []


@pytest.mark.parametrize("bad", [["x" * 2_001], ["a\x00b"], [f"fact {n}" for n in range(201)]])
def test_what_cannot_be_a_fact_is_refused(project: Project, response: Response, bad: list[str]):
    with pytest.raises(FactChangeRefused, match="at most"):
        write_facts(project, response, bad)


def test_an_archived_project_keeps_its_facts(project: Project, response: Response):
    Project.objects.update(archived_at="2026-01-01T00:00:00Z")
    with pytest.raises(FactChangeRefused, match="archived"):
        write_facts(project, response, OWN)


class TestALaterFile:
    """Brings the facts of the reference answer when those of the response are rated already."""

    @pytest.fixture
    def row(self, project: Project, response: Response) -> dict:
        row = {"prompt": response.prompt.key, "system": "heron", "text": response.text, "id": response.key}
        return row | {"metadata": response.metadata, "facts": OWN}

    @pytest.fixture
    def rated(self, project: Project, row: dict, tmp_path: Path) -> Project:
        load_responses(lines(tmp_path / "first.jsonl", [row]), project.dataset)
        rate_all(project, "ravi")
        return project

    def later(self, row: dict, tmp_path: Path) -> Path:
        return lines(tmp_path / "later.jsonl", [row | {"reference_facts": ["It is worth 30%."]}])

    def test_finished_work_is_offered_again_for_the_new_facts_alone(self, rated, row, tmp_path):
        assert take_next(rated, person("ravi")) is None
        counts = load_responses(self.later(row, tmp_path), rated.dataset)
        assert (counts.new, counts.offered_again) == (1, 1)
        assert counts.lines()[-1] == "1 finished and offered again to their raters, for the new facts"
        assert Rating.objects.filter(counted=True).count() == 2
        event = AuditEvent.objects.filter(action="add responses").latest("pk")
        assert event.after == {"offered again for new facts": 1}
        again = take_next(rated, person("ravi"))
        assert again
        with pytest.raises(StillOpen):
            finish(again)
        assert load_responses(self.later(row, tmp_path), rated.dataset).offered_again == 0

    def test_an_archived_project_loses_nothing_because_the_file_is_refused(self, rated, row, tmp_path):
        archive(rated)
        (problem,) = refusal_of(load_responses, self.later(row, tmp_path), rated.dataset)
        assert problem.startswith("project 'facts' is archived, and responses finished in it would get new facts")
        assert not Item.objects.filter(kind="reference_fact").exists()
