"""Import of ratings from a file: items found, answers validated by the protocol, rows stored in bulk."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial

import pytest
from django.db import transaction

from annotation.importing import load_dataset, load_ratings
from annotation.jobs import Refused
from annotation.models import AuditEvent, Dataset, Project, Rating, RatingEvent, Tally, User
from annotation.projects.archiving import archive
from annotation.projects.create import create_project
from annotation.qualification.next_work import take_next
from annotation.queue.leases import lock_held_slot
from annotation.rating.counting import counted_ratings
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, delete_answer, save
from annotation.rating.tally_check import find_tally_differences
from tests.cast import ACCURATE, SEVERE, article_accuracy, person, study
from tests.importing.files import FIXTURES, lines
from tests.queue.locked_queries import closing, waiting

pytestmark = pytest.mark.django_db
SAMPLES = FIXTURES / "ratings"


@pytest.fixture
def project() -> Project:
    load_dataset("jsonl", [FIXTURES / "jsonl" / "dataset.jsonl"], "tea")
    return create_project("tea", Dataset.objects.get(), article_accuracy(), overlap=1)


def refused(*args, **options) -> list[str]:
    before = list(Rating.objects.order_by("pk").values()), User.objects.count()
    with pytest.raises(Refused) as caught:
        load_ratings(*args, **options)
    assert (list(Rating.objects.order_by("pk").values()), User.objects.count()) == before
    return caught.value.problems


def row(**more):
    return {"response": "bees-how.wren", "item": 1, "rater": "ravi", "answers": ACCURATE, **more}


def of_ravi(path, item: int = 0, answers: dict = ACCURATE):
    """Write a rating of a sentence of `study`."""
    return lines(path, [{"response": "q1-heron", "item": item, "rater": "ravi", "answers": answers}])


@pytest.mark.parametrize("name", ["ratings.jsonl", "ratings.csv"])
def test_both_formats_bring_the_same_ratings(project, name):
    ada, rosa = person("ada", admin=True), person("rosa")
    counts = load_ratings(SAMPLES / name, project, actor=ada)
    assert counts.as_json() == {"ratings": 10, "raters": 2, "left_out": {}, "new": 10, "changed": 0}
    stored = Rating.objects.get(item__response__key="bees-how.wren", item__position=3, rater__username="ravi")
    assert stored.answers == {"accuracy": "inaccurate", "severity": "severe"}
    assert list(stored.choices) == ["accuracy", "severity"]
    assert (stored.comment, stored.seconds) == ('16 hours, "not" 61', 14.2)
    assert stored.rated_at == datetime(2026, 3, 10, 9, 4, tzinfo=UTC)
    last = Rating.objects.get(answers={"accuracy": "cannot_assess"})
    assert (last.seconds, last.comment, last.evidence) == (None, "", [])
    # They count though they exceed the overlap, and unknown raters become inactive users who cannot log in.
    assert counted_ratings(project).count() == 10
    assert sum(Tally.objects.filter(counted=True).values_list("n", flat=True)) == 10
    assert find_tally_differences() == []
    ravi = User.objects.get(username="ravi")
    assert not ravi.is_active and not ravi.has_usable_password()
    assert User.objects.get(username="rosa") == rosa and rosa.is_active
    event = AuditEvent.objects.get(action="import ratings")
    assert (event.actor, event.project, event.after["new"]) == (ada, project, 10)


def test_none_come_into_an_archived_project():
    project = study("june").project
    archive(project)
    assert refused(SAMPLES / "ratings.jsonl", project) == ["This project is archived. Unarchive it to import ratings."]


def test_other_roles_are_stored_and_do_not_count_and_answers_to_hidden_questions_are_pruned(project, tmp_path):
    rows = [row(role=role, answers={**ACCURATE, "severity": "severe"}) for role in Rating.Role.values]
    load_ratings(lines(tmp_path / "r.jsonl", rows), project)
    counted = dict(Rating.objects.values_list("role", "counted"))
    assert counted == {"rater": True, "judge": False, "gold": False, "adjudicator": False}
    assert not Rating.objects.exclude(answers=ACCURATE).exists()


def test_every_fault_of_the_bad_sample_is_named_with_its_line(project):
    expected = [
        "1: sentence 0 is a heading, and raters are not asked about it",
        "2: severity: This question needs an answer.",
        "3: response 'bees-how.wren' has no sentence 9: it has 4, counted from 0",
        "4: accuracy: 'nearly accurate' is not one of the options",
        "5: there is no response 'bees-how.crow' in data set 'tea'",
        "6: role 'onlooker' is unknown",
    ]
    for problem, words in zip(refused(SAMPLES / "bad.jsonl", project), expected, strict=True):
        assert problem.startswith(f"bad.jsonl:{words}")


def test_the_same_file_again_changes_nothing_and_what_differs_is_compared(project, tmp_path):
    first = load_ratings(SAMPLES / "ratings.jsonl", project).as_json()
    before = list(Rating.objects.order_by("pk").values())
    assert load_ratings(SAMPLES / "ratings.csv", project).as_json() == {**first, "new": 0}
    assert list(Rating.objects.order_by("pk").values()) == before
    assert RatingEvent.objects.count() == 10
    assert load_ratings(lines(tmp_path / "r.jsonl", [row()]), project).new == 0, "what a file does not say"
    differing = {"comment": "otherwise", "seconds": 3, "evidence": ["p1"], "rated_at": "2026-03-10T09:00:01Z"}
    for field, value in differing.items():
        assert len(refused(lines(tmp_path / "r.jsonl", [row(**{field: value})]), project)) == 1


def test_an_answer_that_differs_needs_replace_and_the_history_keeps_the_old_one(project):
    load_ratings(SAMPLES / "ratings.jsonl", project)
    [problem] = refused(SAMPLES / "changed.jsonl", project)
    assert problem.startswith("changed.jsonl:1: ravi (rater) has already rated sentence 1 differently")
    assert "--replace" in problem
    counts = load_ratings(SAMPLES / "changed.jsonl", project, replace=True)
    assert (counts.new, counts.changed) == (0, 1)
    stored = Rating.objects.get(item__response__key="bees-how.wren", item__position=1, rater__username="ravi")
    assert stored.answers == {"accuracy": "disputed", "severity": "not_severe"}
    assert stored.choices == stored.answers
    assert stored.version == 2
    events = RatingEvent.objects.filter(pgh_obj=stored).order_by("pgh_id")
    assert [event.answers["accuracy"] for event in events] == ["accurate", "disputed"]
    assert find_tally_differences() == []


def test_a_rating_given_under_a_lease_can_be_replaced_and_then_counts_as_imported(tmp_path):
    june = study("june")
    ravi, item = june.people["ravi"], june.items()[0].public_id
    work = take_next(june.project, ravi)
    save(ravi, work.public_id, item, Submission(ACCURATE, 0, key="k1"))
    load_ratings(of_ravi(tmp_path / "r.jsonl", answers=SEVERE), june.project, replace=True)
    stored = Rating.objects.get()
    assert (stored.answers, stored.counted, stored.assignment, stored.version) == (SEVERE, True, None, 2)
    assert find_tally_differences() == []


def test_a_rating_after_one_that_was_taken_back_has_a_higher_version(tmp_path):
    june = study("june")
    ravi, item = june.people["ravi"], june.items()[0].public_id
    work = take_next(june.project, ravi)
    save(ravi, work.public_id, item, Submission(ACCURATE, 0))
    delete_answer(ravi, work.public_id, item, 1)
    load_ratings(of_ravi(tmp_path / "r.jsonl"), june.project)
    assert Rating.objects.get().version == 2


def test_a_row_that_cannot_be_used_is_named_and_nothing_is_stored(project, tmp_path):
    for fields, says in (
        ({"response": None}, "the row has no 'response'"),
        ({"rater": None}, "the row has no 'rater'"),
        ({"rater": "ra vi"}, "user name 'ra vi': use letters, digits"),
        ({"rater": "x" * 151}, "is too long: use at most 150 characters"),
        ({"item": -1}, "a whole number from 0, but is '-1'"),
        ({"item": 1.0}, "a whole number from 0, but is '1.0'"),
        ({"item": True}, "a whole number from 0, but is 'True'"),
        ({"item": None}, "a whole number from 0, but is nothing"),
        ({"item": 10**30}, "a whole number from 0"),
        ({"unit": "claim"}, "the row rates a claim, but the project's protocol is about a sentence"),
        ({"against": "bees-how.stork"}, "has no sentence to rate"),
        ({"answers": {}}, "accuracy: This question needs an answer."),
        ({"answers": ["accurate"]}, "'answers' of the row must be an object"),
        ({"answers": {"accuracy": ["accurate"]}}, "accuracy: A list is not one of the options"),
        ({"answers": {"mood": "good", **ACCURATE}}, "'mood' is not a question of this protocol"),
        ({"seconds": -1}, "'seconds' must be a number from 0, but is '-1'"),
        ({"seconds": "3"}, "'seconds' must be a number from 0, but is '3'"),
        ({"seconds": 10**400}, "'seconds' must be a number from 0"),
        ({"rated_at": "yesterday"}, "'rated_at' is 'yesterday'; it must be a time"),
        ({"rated_at": "0001-01-01T00:00:00+05:00"}, "it must be a time"),
        ({"evidence": "p1"}, "'evidence' must be a list, but is a text"),
        ({"evidence": ["\x00"]}, "'evidence' contains a NUL character"),
        ({"comment": "x" * 10_001}, "the comment has more than 10,000 characters"),
        ({"text": "Another sentence."}, "the response was split into other items, so the ratings do not fit"),
    ):
        [problem] = refused(lines(tmp_path / "r.jsonl", [row(item=2), row(**fields), row(item=3)]), project)
        assert problem.startswith("r.jsonl:2: ") and says in problem


def test_times_are_read_with_their_zone_or_as_utc(project, tmp_path):
    times = {
        "2026-03-10T09:00:00.123456+02:00": datetime(2026, 3, 10, 7, 0, 0, 123456, tzinfo=UTC),
        "2026-03-10T09:00:00Z": datetime(2026, 3, 10, 9, tzinfo=UTC),
        "2026-03-10 09:00": datetime(2026, 3, 10, 9, tzinfo=UTC),
    }
    load_ratings(
        lines(tmp_path / "r.jsonl", [row(rated_at=text, rater=f"r{n}") for n, text in enumerate(times)]), project
    )
    assert list(Rating.objects.order_by("rater__username").values_list("rated_at", flat=True)) == list(times.values())


def test_one_rater_rates_an_item_once_in_a_file(project, tmp_path):
    [problem] = refused(lines(tmp_path / "r.jsonl", [row(), row(role="gold"), row()]), project)
    assert problem == "r.jsonl:3: 'ravi' (rater) rates the same item a second time in this file; keep one"


def test_a_load_takes_a_few_statements_a_batch_whatever_its_size(project, tmp_path, django_assert_max_num_queries):
    rows = [row(item=item, rater=f"rater-{n}") for n in range(300) for item in (1, 2, 3)]
    with django_assert_max_num_queries(30):
        assert load_ratings(lines(tmp_path / "r.jsonl", rows), project).new == 900
    assert find_tally_differences() == []


def test_a_project_with_only_imported_raters_does_not_serve_them_what_they_rated(project):
    """Ravi rated bees-how.wren elsewhere, so he is not asked about it again."""
    load_ratings(SAMPLES / "ratings.jsonl", project)
    ravi = User.objects.get(username="ravi")
    served = set()
    while (assignment := take_next(project, ravi)) is not None:
        served.add(assignment.sheet.response.key)
        assignment.slot.finished_at = datetime.now(UTC)
        assignment.slot.save()
    assert served
    assert not served & {"bees-how.wren", "bees-how.stork"}


@pytest.mark.django_db(transaction=True)
def test_a_replacing_import_waits_for_whoever_holds_the_lock(tmp_path, wait_until):
    """Both lock several ratings: whoever has the lock first goes first, and neither fails."""
    june = study("june")
    ravi = june.people["ravi"]
    with transaction.atomic():
        assignment = take_next(june.project, ravi)
    for item in june.items():
        save(ravi, assignment.public_id, item.public_id, Submission(ACCURATE, 0))
    rows = [{"response": "q1-heron", "item": n, "rater": "ravi", "answers": SEVERE} for n in range(3)]
    load = partial(load_ratings, lines(tmp_path / "r.jsonl", rows), june.project, replace=True)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            lock_held_slot(assignment)
            loading = pool.submit(closing, load)
            wait_until(waiting)
            finish(assignment)
        loading.result()
    assert not Rating.objects.exclude(answers=SEVERE).exists()
    assert find_tally_differences() == []
