"""The page of the analysis plan: leads store versions, see all of them and download them."""

import pytest

from annotation.models import AnalysisPlanVersion
from annotation.projects.analysis_plans import newest_plan
from tests.queue.assignments import take_work

pytestmark = [pytest.mark.django_db, pytest.mark.study(systems=("heron", "plover"))]

PAGE = "/projects/june/analysis-plan/"
PLAN = 'measures = ["accurate"]\n'


def test_a_plan_is_written_stored_downloaded_and_a_change_after_the_first_rating_is_marked(lena, june):
    overview = lena.get("/projects/june/").content.decode()
    assert PAGE in overview and "Write a plan" in overview
    page = lena.get(PAGE, {"view": "text"}).content.decode()
    assert "accurate, inaccurate, severely_inaccurate" in page and "heron, plover" in page
    assert 'href="/projects/june/settings/general/"' in page and "docs/analysis-plan" not in page
    source = lena.get(PAGE).context["form"].initial["source"]
    page = lena.post(PAGE, {"source": source}, follow=True).content.decode()
    assert "Version 1 of the plan is stored." in page and "before the first rating" in page
    assert newest_plan(june.project).definition.measures == ("accurate", "inaccurate", "severely_inaccurate")
    assert "Write a plan" not in lena.get("/projects/june/").content.decode()
    assert "This project has ratings" not in page
    take_work(june.project, june.people["ravi"])
    assert "This project has ratings" in lena.get(PAGE).content.decode()
    page = lena.post(PAGE, {"source": PLAN}, follow=True).content.decode()
    assert "before the first rating" in page and "after the first rating" in page
    assert "Nothing has changed" in lena.post(PAGE, {"source": PLAN}, follow=True).content.decode()
    file = lena.get(f"{PAGE}2/plan.toml")
    assert file.content.decode() == PLAN
    assert file["Content-Disposition"] == 'attachment; filename="june-2-plan.toml"'
    assert newest_plan(june.project).sha256 in lena.get(f"{PAGE}2/plan.md").content.decode()
    assert lena.get(f"{PAGE}3/plan.md").status_code == lena.get(f"{PAGE}2/plan.txt").status_code == 404


def test_a_problem_is_shown_with_its_line_and_nothing_is_stored(lena, june):
    response = lena.post(PAGE, {"source": 'measures = ["accurate"]\r\nunit = "rater"'})
    page = response.content.decode()
    assert response.context["problems"] == [
        (2, "'unit' of the plan is 'rater', but must be one of: auto, prompt, document", 'unit = "rater"')
    ]
    assert "Line 2" in page and "Nothing was stored." in page and "unit = &quot;rater&quot;" in page
    assert not AnalysisPlanVersion.objects.exists()
