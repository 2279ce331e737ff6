"""Responses found among those of a project, and the order in which they are offered."""

import pytest

from annotation.projects.create import create_project
from annotation.projects.responses import ResponseFilter, response_rows, sheets_matching
from tests.cast import article_accuracy, study
from tests.queue.assignments import take_work

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("selected", "n"),
    [
        (ResponseFilter(), 6),
        (ResponseFilter(state="finished"), 1),
        (ResponseFilter(state="leased"), 1),
        (ResponseFilter(state="free"), 4),
        (ResponseFilter(state="open"), 5),
        (ResponseFilter(state="reserved"), 0),
        (ResponseFilter(state="nothing"), 0),
        (ResponseFilter(rater="ravi"), 1),
        (ResponseFilter(system="plover"), 3),
        (ResponseFilter(words="POINT 2"), 2),
        (ResponseFilter(words="q2 heron"), 1),
        (ResponseFilter(words="nowhere"), 0),
    ],
)
def test_are_found_by_words_state_rater_and_system(selected, n):
    june = study(prompts=3, systems=("heron", "plover"), overlap=1, sentences=1)
    take_work(june.project, june.people["ravi"])
    take_work(june.project, june.people["rosa"], done=False)
    assert sheets_matching(june.project, selected).count() == n


def test_rows_take_as_many_queries_for_three_as_for_one(django_assert_num_queries):
    june = study(prompts=3, sentences=1)
    take_work(june.project, june.people["ravi"])
    sheets = list(sheets_matching(june.project, ResponseFilter()))
    for n in (1, 3):
        with django_assert_num_queries(2):
            rows = response_rows(sheets[:n])
    assert [row.sheet for row in rows] == sheets


def test_the_order_is_that_of_sha_256_over_seed_and_imported_ids():
    import hashlib

    def bits(name: str) -> int:
        return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") >> 1

    june = study(prompts=2)
    created = create_project("other", june.project.dataset, article_accuracy(), seed=99)
    for sheet in created.sheets.select_related("response__prompt__document"):
        response = sheet.response
        document = response.prompt.document.key
        assert sheet.rank == bits(f"99:document:{document}") << 31 | bits(f"99:response:{response.key}")
        assert [slot.rank for slot in sheet.slots.all()] == [sheet.rank]
