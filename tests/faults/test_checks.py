"""The checks of the faults can fail: what is deleted is lost, what is stored twice is doubled, and so on."""

import pytest
from django.db import connection
from django.utils import timezone

from annotation.exporting.export_jobs import EXPORT, export_job
from annotation.importing.uploads import LOAD_DATASET
from annotation.jobs import Progress
from annotation.models import Assignment, Export, Job, Rating, RatingEvent, Slot, Tally
from annotation.reporting import FREEZE
from faults import checks
from faults.clients import Save
from tests.api.clients import program_of
from tests.cast import ACCURATE, SEVERE, Study, person, study

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("as_owner")]
"""As owner, the only role that can do what the site never does."""


class Acknowledged:
    """A study, and what Ravi's program was told that is stored: two answers, the second one changed."""

    def __init__(self) -> None:
        self.study: Study = study(overlap=2)
        self.saves: list[Save] = []
        self.program = program_of(self.study.people["ravi"])
        self.work = self.program.post("/api/v1/projects/june/assignments/").json()
        for n, answers in ((0, ACCURATE), (1, ACCURATE), (1, SEVERE)):
            self.save(n, answers)

    def save(self, n: int, answers: dict[str, str]) -> None:
        item, key = self.work["items"][n], f"key {len(self.saves)}"
        path = f"/api/v1/assignments/{self.work['id']}/items/{item['id']}/"
        body = {"answers": answers, "base_version": item["version"]}
        stored = self.program.put(path, body, format="json", headers={"Idempotency-Key": key}).json()
        item["version"] = stored["version"]
        self.saves.append(Save(key, "ravi", item["id"], stored["answers"], stored["version"]))

    def lost(self) -> list[str]:
        return checks.find_lost(self.saves, self.study.project)


@pytest.fixture
def acknowledged() -> Acknowledged:
    return Acknowledged()


def execute(*statements: str) -> None:
    for statement in ("SET CONSTRAINTS ALL IMMEDIATE", *statements):
        connection.cursor().execute(statement)


def test_what_is_stored_as_acknowledged_is_neither_lost_nor_doubled(acknowledged):
    project = acknowledged.study.project
    assert acknowledged.lost() == []
    assert checks.find_doubled(project) == []
    assert checks.find_over_assigned(project) == []
    assert checks.find_unequal_tallies() == []
    assignment = acknowledged.work["id"]
    assert checks.find_unfinished([assignment]) == [assignment]
    Assignment.objects.filter(public_id=assignment).update(finished_at=timezone.now())
    assert checks.find_unfinished([assignment]) == []


def test_a_rating_that_is_deleted_or_older_or_has_other_answers_or_no_history_is_lost(acknowledged):
    execute(*(f"ALTER TABLE annotation_{table} DISABLE TRIGGER USER" for table in ("rating", "ratingevent")))
    item = acknowledged.work["items"][1]["id"]
    rows, lost = Rating.objects.filter(item__public_id=item), [f"rating of item {item} by ravi"]
    rows.update(version=1)
    assert acknowledged.lost() == lost
    rows.update(version=2, answers=ACCURATE)
    assert acknowledged.lost() == lost
    rows.update(answers=SEVERE)
    assert acknowledged.lost() == []
    RatingEvent.objects.filter(idempotency_key="key 1").delete()
    assert acknowledged.lost() == ["save key 1 of ravi"]
    rows.delete()
    assert sorted(acknowledged.lost()) == [*lost, "save key 1 of ravi"]


def test_a_save_and_a_rating_that_were_stored_twice_are_doubled_and_a_changed_tally_is_unequal(acknowledged):
    event = RatingEvent.objects.get(idempotency_key="key 2")
    event.pk, event.version = None, 3
    event.save(force_insert=True)
    assert checks.find_doubled(acknowledged.study.project) == ["save key 2, 2 times"]
    execute(
        "ALTER TABLE annotation_rating DISABLE TRIGGER USER",
        "ALTER TABLE annotation_rating DROP CONSTRAINT unique_rating",
    )
    rating = Rating.objects.first()
    rating.pk = None
    rating.save(force_insert=True)
    line = f"item {rating.item_id}: 2 ratings of rater {rating.rater_id}"
    assert sorted(checks.find_doubled(acknowledged.study.project)) == [line, "save key 2, 2 times"]
    Tally.objects.filter(pk=Tally.objects.first().pk).update(n=7)
    assert any(line.endswith("ratings, tally 7") for line in checks.find_unequal_tallies())


def test_more_raters_and_more_slots_than_the_overlap_are_over_assigned(acknowledged):
    project = acknowledged.study.project
    slot = Slot.objects.filter(project=project, holder=None).first()
    expected = [f"sheet {slot.sheet_id}: 3 instead of 2"]
    extra = Slot.objects.create(sheet=slot.sheet, k=3, project=project, document=slot.document, rank=slot.rank)
    assert checks.find_over_assigned(project) == expected
    extra.delete()
    assert checks.find_over_assigned(project) == []
    now, rated = timezone.now(), {"sheet": slot.sheet, "project": project}
    for name in ("rosa", "tom"):
        Assignment.objects.create(**rated, rater=person(name), taken_at=now, finished_at=now)
    assert checks.find_over_assigned(project) == expected


def test_a_job_without_its_result_and_a_damaged_file_are_reported(acknowledged, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    project = acknowledged.study.project
    done = {"project": project, "state": Job.State.DONE, "ended_at": timezone.now()}
    Job.objects.create(kind=FREEZE, **done)
    exporting = Job.objects.create(kind=EXPORT, params={"what": "ratings", "format": "csv"}, project=project)
    Job.objects.create(kind=LOAD_DATASET, params={"slug": "june-data"}, **done)
    export_job(exporting, Progress())
    Job.objects.filter(pk=exporting.pk).update(state=Job.State.DONE, ended_at=timezone.now())
    jobs = list(Job.objects.order_by("pk"))
    assert checks.find_half_stored(jobs, 2) == [
        "freeze_report: 0 rows instead of 1",
        "load_dataset: 1 rows instead of 2",
        "0 frozen reports of 1 jobs",
    ]
    export = Export.objects.get()
    (tmp_path / export.file.name).write_bytes(b"half")
    assert f"export {export.public_id} is damaged" in checks.find_half_stored(jobs, 1)
