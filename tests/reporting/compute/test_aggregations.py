"""Other aggregations: majority, means by item, response and prompt, Dawid and Skene."""

import pytest

from annotation.models import Project
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.project_rows import DISPUTED, MILD, Row, project_of, report_of

pytestmark = pytest.mark.django_db


class TestAggregations:
    def figures_of(
        self, rows: list[Row], system: str | None = None, measure: str = "accurate", slow: bool = False
    ) -> dict:
        project = project_of(rows, f"study-{Project.objects.count()}")
        rows_of_systems = report_of(project, slow=slow).to_dict()["aggregations"]
        return next(row for row in rows_of_systems if row["system"] == system)["measures"][measure]

    def votes(self, *items: list[dict], response: str = "q1") -> list[Row]:
        return [
            Row(response, "heron", f"r{rater}", answers, item)
            for item, votes in enumerate(items)
            for rater, answers in enumerate(votes)
        ]

    def test_a_tie_is_undecided_and_cannot_assess_is_no_vote(self):
        rows = self.votes(
            [ACCURATE, ACCURATE, MILD], [ACCURATE, MILD], [MILD, CANNOT_ASSESS, CANNOT_ASSESS], [CANNOT_ASSESS]
        )
        assert self.figures_of(rows)["majority"] == {"value": 0.5, "k": 1, "n": 2, "undecided": 1}

    def test_most_votes_win_though_they_are_fewer_than_half(self):
        rows = self.votes([ACCURATE, ACCURATE, MILD, DISPUTED, DISPUTED], [ACCURATE, ACCURATE, MILD, DISPUTED])
        assert self.figures_of(rows)["majority"] == {"value": 1.0, "k": 1, "n": 1, "undecided": 1}

    def test_whether_an_inaccuracy_is_severe_is_up_to_those_who_found_it(self):
        rows = self.votes([SEVERE, SEVERE, MILD, ACCURATE], [SEVERE, MILD, ACCURATE], [SEVERE, ACCURATE, ACCURATE])
        severe = self.figures_of(rows, measure="severely_inaccurate")["majority"]
        assert severe == {"value": 0.5, "k": 1, "n": 2, "undecided": 1}
        inaccurate = self.figures_of(rows, measure="inaccurate")["majority"]
        assert inaccurate == {"value": 2 / 3, "k": 2, "n": 3, "undecided": 0}

    def test_averages_give_each_item_response_and_prompt_the_same_weight(self):
        rows = [
            *self.votes([ACCURATE, ACCURATE, MILD], [MILD]),
            Row("q1", "plover", "r0", ACCURATE),
            Row("q2", "heron", "r0", ACCURATE),
            Row("q3", "heron", "r0", CANNOT_ASSESS),
        ]
        every, heron = self.figures_of(rows), self.figures_of(rows, "heron")
        assert every["pooled"] == 4 / 6
        assert every["macro_item"] == pytest.approx((2 / 3 + 0 + 1 + 1) / 4)
        assert every["macro_response"] == pytest.approx((2 / 4 + 1 + 1) / 3)
        assert every["macro_prompt"] == pytest.approx((3 / 5 + 1) / 2)
        assert heron["macro_prompt"] == heron["macro_response"] == pytest.approx((2 / 4 + 1) / 2)

    def test_responses_with_any_count_those_with_an_assessed_rating(self):
        rows = [
            Row("q1", "heron", "ravi", SEVERE), Row("q1", "heron", "ravi", ACCURATE, 1),
            Row("q2", "heron", "ravi", MILD), Row("q3", "heron", "ravi", CANNOT_ASSESS),
        ]  # fmt: skip
        assert self.figures_of(rows, measure="inaccurate")["responses_with_any"] == {"value": 1.0, "k": 2, "n": 2}
        severe = self.figures_of(rows, measure="severely_inaccurate")["responses_with_any"]
        assert severe == {"value": 0.5, "k": 1, "n": 2}

    def test_dawid_and_skene_is_for_frozen_reports_with_enough_ratings(self):
        """The third rater calls every fifth accurate sentence inaccurate, against the two others."""
        rows = self.votes(*[[ACCURATE, ACCURATE, ACCURATE if n % 5 else MILD] for n in range(30)], *[[MILD] * 3] * 20)
        assert self.figures_of(rows)["dawid_skene"] is None
        assert self.figures_of(rows, slow=True)["dawid_skene"] == {
            "value": pytest.approx(0.6, abs=1e-4),
            "items": 50,
            "raters": 3,
        }

    @pytest.mark.parametrize("items", [[[ACCURATE] * 3] * 49, [[ACCURATE] * 2] * 60, [[ACCURATE]] * 80])
    def test_too_few_items_or_raters_give_no_estimate(self, items):
        assert self.figures_of(self.votes(*items), slow=True)["dawid_skene"] is None

    def test_nothing_to_assess_is_null_everywhere(self):
        measures = self.figures_of([Row("q1", "heron", "ravi", CANNOT_ASSESS)], slow=True)
        assert measures["majority"] == {"value": None, "k": 0, "n": 0, "undecided": 0}
        assert measures["responses_with_any"] == {"value": None, "k": 0, "n": 0}
        assert {measures[key] for key in ("pooled", "macro_item", "macro_response", "macro_prompt", "dawid_skene")} == {
            None
        }
