"""The page for a preregistration: everything that the plan holds, in words."""

import pytest

from annotation.exporting.analysis_plan_page import plan_page
from annotation.projects.analysis_plans import set_plan
from tests.cast import study
from tests.queue.assignments import take_work

pytestmark = pytest.mark.django_db

PLAN = """\
measures = ["accurate"]
unit = "document"
comparisons = [["heron", "plover"]]
family = "planned"
target = 0.02
seed = 7
resamples = 2000
hypotheses = "Heron is more often accurate."
notes = "Two raters each."

[exclusions]
answers = "adjudicated"
least_gold = 0.7
least_seconds = 2
without_raters = ["tom"]
systems = ["heron", "plover"]
"""


def test_every_field_stands_on_the_page():
    june = study(systems=("heron", "plover"))
    version, _ = set_plan(june.project, PLAN)
    page = plan_page(version)
    for line in (
        f"SHA-256 `{version.sha256}`",
        f"stored {version.created_at:%Y-%m-%d %H:%M:%S} UTC (before the first rating)",
        "## Hypotheses\n\nHeron is more often accurate.",
        "- Systems: heron, plover",
        "- Raters per response: 2",
        "- **Accurate** (`accurate`)",
        "- Sampling unit: Documents.",
        "- Comparisons: heron and plover",
        "- Family of tests (Holm): The planned comparisons on the planned measures together.",
        "- Target half-width of the 95 % intervals: ± 2 points",
        "- Seed: 7",
        "- Resamples: 2,000",
        "- Where an item was adjudicated, the adjudication replaces its ratings.",
        "- Without raters with an accuracy on gold below 70 %.",
        "- Without ratings given in less than 2 seconds.",
        "- Without the ratings of tom.",
        "- Only the systems heron, plover.",
        "## Notes\n\nTwo raters each.",
        f"~~~~toml\n{PLAN}~~~~",
    ):
        assert line in page


def test_later_versions_are_listed_as_made_after_the_first_rating():
    june = study()
    set_plan(june.project, 'measures = ["accurate"]')
    take_work(june.project, june.people["ravi"])
    page = plan_page(set_plan(june.project, 'measures = ["inaccurate"]')[0])
    assert "Version 2, stored" in page and page.count("after the first rating") == 2
    assert page.count("before the first rating") == 1
    assert "## Exclusions\n\nNone." in page and "## Hypotheses\n\nNone written." in page
