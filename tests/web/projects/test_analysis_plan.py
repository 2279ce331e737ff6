"""The page of the analysis plan: leads store versions, see all of them and download them."""

import pytest

from annotation.models import AnalysisPlanVersion
from annotation.projects.analysis_plans import newest_plan, set_plan
from tests.queue.assignments import take_work

pytestmark = [pytest.mark.django_db, pytest.mark.study(systems=("heron", "plover"))]

PAGE = "/projects/june/analysis-plan/"
PLAN = 'measures = ["accurate"]\n'


def test_the_page_names_what_a_plan_can_use_and_its_first_text_can_be_stored(lena, june):
    page = lena.get(PAGE, {"view": "text"}).content.decode()
    assert "accurate, inaccurate, severely_inaccurate" in page and "heron, plover" in page
    assert 'href="/projects/june/settings/general/"' in page and "docs/analysis-plan" not in page
    source = lena.get(PAGE).context["form"].initial["source"]
    page = lena.post(PAGE, {"source": source}, follow=True).content.decode()
    assert "Version 1 of the plan is stored." in page and "before the first rating" in page
    assert newest_plan(june.project).definition.measures == ("accurate", "inaccurate", "severely_inaccurate")


def test_a_problem_is_shown_with_its_line_and_nothing_is_stored(lena, june):
    response = lena.post(PAGE, {"source": 'measures = ["accurate"]\r\nunit = "rater"'})
    page = response.content.decode()
    assert response.context["problems"] == [
        (2, "'unit' of the plan is 'rater', but must be one of: auto, prompt, document", 'unit = "rater"')
    ]
    assert "Line 2" in page and "Nothing was stored." in page and "unit = &quot;rater&quot;" in page
    assert not AnalysisPlanVersion.objects.exists()


def test_after_the_first_rating_the_page_says_that_a_change_is_marked(lena, june):
    lena.post(PAGE, {"source": PLAN})
    assert "This project has ratings" not in lena.get(PAGE).content.decode()
    take_work(june.project, june.people["ravi"])
    assert "This project has ratings" in lena.get(PAGE).content.decode()
    page = lena.post(PAGE, {"source": PLAN + "seed = 3\n"}, follow=True).content.decode()
    assert "before the first rating" in page and "after the first rating" in page
    assert "Nothing has changed" in lena.post(PAGE, {"source": PLAN + "seed = 3\n"}, follow=True).content.decode()


def test_each_version_can_be_downloaded(lena, june):
    version, _ = set_plan(june.project, PLAN)
    source = lena.get(f"{PAGE}1/plan.toml")
    assert source.content.decode() == PLAN
    assert source["Content-Disposition"] == 'attachment; filename="june-1-plan.toml"'
    assert version.sha256 in lena.get(f"{PAGE}1/plan.md").content.decode()
    assert lena.get(f"{PAGE}2/plan.md").status_code == lena.get(f"{PAGE}1/plan.txt").status_code == 404


def test_the_projects_page_leads_to_it(lena, june):
    page = lena.get("/projects/june/").content.decode()
    assert PAGE in page and "Write a plan" in page
    set_plan(june.project, PLAN)
    assert "Write a plan" not in lena.get("/projects/june/").content.decode()
