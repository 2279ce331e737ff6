"""Responses found among those of a project, and the order in which they are offered."""

import hashlib

import pytest

from annotation.models import Bookmark, RaterQuestion, Sheet
from annotation.projects.create import create_project
from annotation.projects.responses import ResponseFilter, response_rows, sheets_matching, system_names
from annotation.queue.exclusion import exclude
from annotation.rating.submit import Submission, save
from tests.cast import SEVERE, article_accuracy, study
from tests.queue.assignments import take_work

pytestmark = pytest.mark.django_db


@pytest.mark.study(prompts=3, systems=("heron", "plover"), overlap=1, sentences=1)
def test_are_found_by_words_state_rater_and_system(june):
    take_work(june.project, june.people["ravi"])
    take_work(june.project, june.people["rosa"], done=False)
    for field, numbers in (
        ("state", {"": 6, "finished": 1, "leased": 1, "free": 4, "open": 5, "reserved": 0, "nothing": 0}),
        ("rater", {"ravi": 1}),
        ("system", {"plover": 3}),
        ("words", {"POINT 2": 2, "q2 heron": 1, "sentence NUMBER heron": 3, "nowhere": 0}),
    ):
        found = {value: sheets_matching(june.project, ResponseFilter(**{field: value})).count() for value in numbers}
        assert found == numbers


def test_excluded_flagged_and_disputed_ones_are_found():
    june = study(prompts=4, sentences=1)
    ravi, rosa = june.people["ravi"], june.people["rosa"]
    works = [take_work(june.project, ravi) for _ in range(3)]
    for _ in range(2):
        take_work(june.project, rosa)
    items = [work.sheet.response.items.get() for work in works]
    save(ravi, works[0].public_id, items[0].public_id, Submission(SEVERE, 1))
    exclude(june.project, [works[1].sheet_id], "a duplicate")
    Bookmark.objects.create(assignment=works[1], item=items[1], reason=Bookmark.Reason.GUIDELINES)
    Bookmark.objects.create(assignment=works[2], item=items[2])
    last = june.project.sheets.exclude(pk__in=[work.sheet_id for work in works]).get()
    asked = RaterQuestion(project=june.project, item=last.response.items.get(), asker=rosa, text="Why?")
    asked.save()
    expected = {
        "disputed": [works[0].sheet],
        "excluded": [works[1].sheet],
        "flagged": [works[2].sheet, last],
        "finished": [works[0].sheet],
        "nothing": [],
    }
    for state, sheets in expected.items():
        assert set(sheets_matching(june.project, ResponseFilter(state=state))) == set(sheets), state
    exclude(june.project, [works[0].sheet_id], "a duplicate")
    assert not sheets_matching(june.project, ResponseFilter(state="disputed")).exists()
    rows = {row.sheet.pk: row for row in response_rows(list(sheets_matching(june.project, ResponseFilter())))}
    assert [slot.flags for slot in rows[works[2].sheet_id].slots if slot.holder] == [1]
    assert rows[works[1].sheet_id].sheet.exclusion.reason == "a duplicate"
    assert rows[works[1].sheet_id].sheet.excerpt.startswith("Sentence number 1")


def test_a_pair_is_found_by_either_response():
    june = study(systems=("heron", "plover"))
    first, second = june.responses
    Sheet.objects.filter(response=second).delete()
    Sheet.objects.filter(response=first).update(against=second)
    assert sheets_matching(june.project, ResponseFilter(words="of plover")).count() == 1
    assert sheets_matching(june.project, ResponseFilter(system="plover")).count() == 1
    assert system_names(june.project) == ["heron", "plover"]


def test_rows_take_as_many_queries_for_three_as_for_one(django_assert_num_queries):
    june = study(prompts=3, sentences=1)
    take_work(june.project, june.people["ravi"])
    sheets = list(sheets_matching(june.project, ResponseFilter()))
    for n in (1, 3):
        with django_assert_num_queries(6):
            rows = response_rows(sheets[:n])
    assert [row.sheet for row in rows] == sheets


@pytest.mark.study(prompts=2)
def test_the_order_is_that_of_sha_256_over_seed_and_imported_ids(june):
    def bits(name: str) -> int:
        return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") >> 1

    created = create_project("other", june.project.dataset, article_accuracy(), seed=99)
    for sheet in created.sheets.select_related("response__prompt__document"):
        document, response = sheet.response.prompt.document.key, sheet.response.key
        assert sheet.rank == bits(f"99:document:{document}") << 31 | bits(f"99:response:{response}")
        assert [slot.rank for slot in sheet.slots.all()] == [sheet.rank]
