"""Documents as the default sampling unit, with the intervals by prompt beside them.

Worked example: two systems answer 120 prompts about 24 documents, five prompts each, so 24 < 0.8 × 120 and the rule of
`data.responses.sampling_unit` makes documents the unit.
"""

import pytest

from annotation.reporting import Choices
from annotation.reporting.report import Bounds, Report
from annotation.reporting.text import notes
from annotation.reporting.text.methods_intervals import sampling_unit
from tests.reporting.project_rows import documents_of_prompts, project_of, report_of, two_systems

pytestmark = pytest.mark.django_db


@pytest.fixture
def shared_documents():
    """Return a project whose prompts are about this many documents."""

    def build(documents: int):
        rows = two_systems()
        keys = sorted({row.prompt for row in rows})
        return documents_of_prompts(
            project_of(rows), {key: f"d{n * documents // len(keys):03}" for n, key in enumerate(keys)}
        )

    return build


def bounds_of(report: Report) -> list[Bounds]:
    cells = [*report.systems, report.overall]
    return [Bounds(p.low, p.high, p.method) for cell in cells for p in cell.measures.values()]


class TestDefaultUnit:
    def test_documents_are_the_default_where_the_rule_says_so(self, shared_documents):
        project = shared_documents(24)
        report, chosen = report_of(project), report_of(project, cluster="document")
        assert (report.method.cluster, report.chosen_cluster) == ("document", None)
        assert (chosen.method.cluster, chosen.chosen_cluster) == ("document", "document")
        assert bounds_of(report) == bounds_of(chosen)
        assert "cluster_chosen" not in report.to_dict().get("inference", {})

    def test_a_choice_of_prompts_wins_and_is_recorded(self, shared_documents):
        report = report_of(shared_documents(24), cluster="prompt")
        assert report.to_dict()["inference"]["cluster_chosen"] is True
        assert report.method.cluster == "prompt"
        assert report.overall.measures["accurate"].by_prompt is None
        assert "but the sampling unit is the prompt" in notes.documents_note(report)

    def test_with_fewer_than_10_documents_the_limit_is_stated(self, shared_documents):
        report = report_of(shared_documents(6))
        assert report.method.cluster == "prompt"
        assert "With fewer than 10 documents" in notes.documents_note(report)

    def test_a_choice_is_in_the_methods_also_where_the_rule_has_nothing_to_choose(self, shared_documents):
        project = shared_documents(120)
        assert sampling_unit(report_of(project, cluster="document")).count("This unit was chosen by the analysts.") == 1
        assert "chosen" not in sampling_unit(report_of(project))

    def test_prompts_without_a_document_are_units_of_their_own_and_counted(self, shared_documents):
        project = shared_documents(5)
        alone = sorted(project.dataset.prompts.values_list("key", flat=True))[:20]
        project.dataset.prompts.filter(key__in=alone).update(document=None)
        report = report_of(project)
        documents, without = report.data.documents, report.data.without_document
        assert (report.method.cluster, documents, without) == ("document", 5, 20)
        assert notes.documents_note(report).endswith(
            "20 prompts without a document count as one document each (25 in total)."
        )

    def test_the_rule_is_about_prompts_with_a_rating_that_passes_the_filters(self, shared_documents):
        """With one system only one of five prompts of a document is left: each is a unit of its own."""
        project = shared_documents(24)
        for prompt in project.dataset.prompts.all():
            prompt.metadata = {"first": str(prompt.key.endswith(("0", "5")))}
            prompt.save()
        report = report_of(project, metadata=(("first", ("True",)),))
        assert report.data.prompts == 24
        assert report.method.cluster == "prompt"


class TestIntervalsByPrompt:
    def test_they_are_the_intervals_of_a_report_with_prompts_as_units(self, shared_documents):
        project = shared_documents(24)
        report, by_prompt = report_of(project), report_of(project, cluster="prompt")
        beside = [p.by_prompt for cell in (*report.systems, report.overall) for p in cell.measures.values()]
        assert beside == bounds_of(by_prompt)
        assert beside != bounds_of(report)
        assert [row.by_prompt for row in report.comparisons] == [
            Bounds(row.low, row.high, row.method or "none") for row in by_prompt.comparisons
        ]

    def test_they_are_absent_where_prompts_are_the_unit(self, shared_documents):
        report = report_of(shared_documents(120))
        assert report.method.cluster == "prompt"
        assert "by_prompt" not in report.to_dict()["comparisons"][0]
        assert "by_prompt" not in report.to_dict()["overall"]["measures"]["accurate"]


def test_the_default_choices_name_no_unit():
    assert Choices().as_params() == {}
    assert Choices(cluster="prompt").as_params() == {"cluster": "prompt"}
