"""What a project has to rate: what was loaded and not rated, and items that raters were not asked about."""

import pytest

from annotation.models import Project, Prompt, Response, System
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.reporting import Choices, build
from annotation.reporting.data.project_items import Unrated, skipped_items, unrated_parts
from annotation.reporting.text.notes import skipped_note
from tests.cast import ACCURATE, marked_study, signed_in
from tests.reporting.project_rows import project_of, worked_example
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db
QUICK = Choices(resamples=100)


def test_what_was_loaded_and_not_rated_is_counted_beside_the_report() -> None:
    project = project_of(worked_example())
    prompt = Prompt.objects.create(dataset=project.dataset, key="another", text="?")
    yew = System.objects.create(dataset=project.dataset, name="Yew")
    Response.objects.create(dataset=project.dataset, prompt=prompt, system=yew, key="y", text="!")
    assert unrated_parts(project) == Unrated(systems=["Yew"], responses=1, prompts=1)


def test_skipped_items_are_counted_by_reason_in_the_report_of_a_project_that_skips_them() -> None:
    june = marked_study(skips=True, responses=2)
    keys = [response.key for response in june.responses]
    assert skipped_items(june.project, keys) == {"question": 2, "courtesy": 2}
    assert skipped_items(june.project, []) == {}
    store_ratings(june.project, [NewRating(item, june.people["ravi"], ACCURATE) for item in june.items()[::2]])
    report = build(june.project, QUICK)
    assert (report.data.responses, report.data.skipped) == (1, {"question": 1, "courtesy": 1})
    note = "Not asked: 2 sentences, marked by their wording as likely free of claims (question: 1, courtesy: 1)."
    assert skipped_note(report, "sentence") == note
    assert note in text_of(signed_in("lena").get("/projects/june/report/"))
    june.responses[0].items.filter(position=1).update(rate=False)
    assert skipped_items(june.project, keys) == {"question": 1, "courtesy": 2}
    june.responses[0].items.update(claim_free="")
    report = build(june.project, QUICK)
    assert report.data.skipped == {} and skipped_note(report, "sentence").startswith("Not asked: no items")
    Project.objects.update(skips_claim_free=False)
    report = build(Project.objects.get(), QUICK)
    assert "skipped" not in report.to_dict()["data"] and skipped_note(report, "sentence") == ""
