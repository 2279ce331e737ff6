"""What the report says of items that raters were not asked about."""

import pytest

from annotation.models import Project
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.reporting import Choices, build
from annotation.reporting.data.project_items import skipped_items
from annotation.reporting.text.notes import skipped_note
from tests.cast import ACCURATE, marked_study, signed_in
from tests.web.pages import rates, text_of

pytestmark = pytest.mark.django_db
QUICK = Choices(resamples=100)


def test_items_of_the_rated_responses_are_counted_by_reason() -> None:
    june = marked_study(skips=True, responses=2)
    keys = [response.key for response in june.responses]
    assert skipped_items(june.project, keys[:1]) == {"question": 1, "courtesy": 1}
    assert skipped_items(june.project, keys) == {"question": 2, "courtesy": 2}
    assert skipped_items(june.project, []) == {}
    june.responses[0].items.filter(position=1).update(rate=False)
    assert skipped_items(june.project, keys) == {"question": 1, "courtesy": 2}


def test_the_report_has_them_where_the_project_skips_them_only() -> None:
    june = marked_study(skips=True, responses=2)
    store_ratings(june.project, [NewRating(item, june.people["ravi"], ACCURATE) for item in june.items()[::2]])
    report = build(june.project, QUICK)
    assert (report.data.responses, report.data.skipped) == (1, {"question": 1, "courtesy": 1})
    note = "Not asked: 2 sentences, marked by their wording as likely free of claims (question: 1, courtesy: 1)."
    assert skipped_note(report, "sentence") == note
    assert note in text_of(signed_in("lena").get("/projects/june/report/"))
    Project.objects.update(skips_claim_free=False)
    report = build(Project.objects.get(), QUICK)
    assert report.data.skipped is None
    assert "skipped" not in report.to_dict()["data"]
    assert skipped_note(report, "sentence") == ""


def test_a_project_without_marks_says_that_none_was_skipped() -> None:
    june = marked_study(skips=True)
    june.responses[0].items.update(claim_free="")
    rates(june.people["ravi"], june.project)
    report = build(june.project, QUICK)
    assert report.data.skipped == {}
    assert skipped_note(report, "sentence").startswith("Not asked: no items")
