"""Documents as the default sampling unit, with the intervals by prompt beside them."""

import pytest

from annotation.models import Project
from annotation.reporting.methods.inference import inference_sentences
from annotation.reporting.parts import Bounds
from annotation.reporting.report import Report
from annotation.reporting.text import notes
from annotation.reporting.text.names import Names
from tests.reporting.project_rows import documents_of_prompts, project_of, report_of, two_systems

pytestmark = pytest.mark.django_db


def shared_documents(documents: int) -> Project:
    """Return a project of 60 prompts about this many documents."""
    return documents_of_prompts(
        project_of(two_systems(60)), {f"q{n:03}": f"d{n * documents // 60:03}" for n in range(60)}
    )


def proportions(report: Report) -> list:
    return [proportion for cell in (*report.systems, report.overall) for proportion in cell.measures.values()]


def bounds_of(report: Report) -> list[Bounds]:
    return [Bounds(each.low, each.high, each.method) for each in proportions(report)]


def test_documents_are_the_default_with_the_intervals_of_prompts_as_units_beside_them():
    """Twelve documents of five prompts each, so that the rule of `data.responses.sampling_unit` takes documents."""
    project = shared_documents(12)
    report, chosen, by_prompt = (
        report_of(project, **given) for given in ({}, {"cluster": "document"}, {"cluster": "prompt"})
    )
    assert (report.method.cluster, report.chosen_cluster) == ("document", None)
    assert (chosen.method.cluster, chosen.chosen_cluster) == ("document", "document")
    assert bounds_of(report) == bounds_of(chosen)
    assert "cluster_chosen" not in report.to_dict().get("inference", {})
    assert by_prompt.to_dict()["inference"]["cluster_chosen"] is True and by_prompt.method.cluster == "prompt"
    assert "but the sampling unit is the prompt" in notes.documents_note(by_prompt)
    assert [each.by_prompt for each in proportions(by_prompt)] == [None] * 9
    beside = [each.by_prompt for each in proportions(report)]
    assert beside == bounds_of(by_prompt) != bounds_of(report)
    assert [row.by_prompt for row in report.comparisons] == [
        Bounds(row.low, row.high, row.method or "none") for row in by_prompt.comparisons
    ]


def test_where_every_prompt_has_a_document_of_its_own_there_is_nothing_beside_and_a_choice_is_named():
    project = shared_documents(60)
    report = report_of(project)
    assert report.method.cluster == "prompt"
    assert "by_prompt" not in report.to_dict()["comparisons"][0]
    assert "by_prompt" not in report.to_dict()["overall"]["measures"]["accurate"]
    chosen, names = "This unit was chosen by the analysts.", Names(project.protocol.definition)
    assert chosen not in list(inference_sentences(report, names))
    assert list(inference_sentences(report_of(project, cluster="document"), names)).count(chosen) == 1


def test_with_fewer_than_10_documents_the_limit_is_stated():
    report = report_of(shared_documents(6))
    assert report.method.cluster == "prompt"
    assert "With fewer than 10 documents" in notes.documents_note(report)


def test_prompts_without_a_document_are_units_of_their_own_and_counted():
    project = shared_documents(5)
    alone = sorted(project.dataset.prompts.values_list("key", flat=True))[:10]
    project.dataset.prompts.filter(key__in=alone).update(document=None)
    report = report_of(project)
    assert (report.method.cluster, report.data.documents, report.data.without_document) == ("document", 5, 10)
    note = notes.documents_note(report)
    assert note.endswith("10 prompts without a document count as one document each (15 in total).")


def test_the_rule_is_about_prompts_with_a_rating_that_passes_the_filters():
    """Of the five prompts of a document one is left: each is a unit of its own."""
    project = shared_documents(12)
    for prompt in project.dataset.prompts.all():
        prompt.metadata = {"first": str(prompt.key.endswith(("0", "5")))}
        prompt.save()
    report = report_of(project, metadata=(("first", ("True",)),))
    assert (report.data.prompts, report.method.cluster) == (12, "prompt")
