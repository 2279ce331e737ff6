"""What counts and where: multi-valued metadata, left-out ratings, raters, systems."""

import pytest
from django.utils import timezone

from annotation.models import Rating
from annotation.reporting import Choices, build
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.project_rows import Row, project_of

pytestmark = pytest.mark.django_db

INACCURATE = {"accuracy": "inaccurate", "severity": "not_severe"}


def report_of(*rows: Row) -> dict:
    return build(project_of(rows), Choices(resamples=100)).to_dict()


def values(cells: list[dict], measure: str = "accurate") -> dict:
    return {cell["value"]: (cell["measures"][measure]["k"], cell["measures"][measure]["n"]) for cell in cells}


def test_a_list_of_values_counts_once_in_each_of_them():
    several, single = {"kind": ["long", "short", "long"]}, {"kind": "short"}
    report = report_of(
        Row("q1", "heron", "ravi", ACCURATE, metadata=several),
        Row("q1", "heron", "rosa", INACCURATE, metadata=several),
        Row("q2", "heron", "ravi", ACCURATE, metadata=single),
    )
    assert values(report["by"]["kind"]) == {"long": (1, 2), "short": (2, 3)}
    assert report["overall"]["ratings"] == 3


def test_a_prompt_without_a_value_is_in_no_cell_of_that_key():
    report = report_of(
        Row("q1", "heron", "ravi", ACCURATE, metadata={"kind": "long", "field": ""}),
        Row("q2", "heron", "ravi", ACCURATE, metadata={"kind": None}),
        Row("q3", "heron", "ravi", ACCURATE, metadata={"kind": []}),
    )
    assert values(report["by"]["kind"]) == {"long": (1, 1)}
    assert "field" not in report["by"]


def test_numbers_and_booleans_are_values_too():
    report = report_of(
        Row("q1", "heron", "ravi", ACCURATE, metadata={"hops": 2, "open": False}),
        Row("q2", "heron", "ravi", INACCURATE, metadata={"hops": 10, "open": True}),
    )
    assert values(report["by"]["hops"]) == {"10": (0, 1), "2": (1, 1)}
    assert values(report["by"]["open"]) == {"false": (1, 1), "true": (0, 1)}


def test_metadata_called_rater_does_not_hide_the_raters():
    report = report_of(Row("q1", "heron", "ravi", ACCURATE, metadata={"rater": "gold"}))
    assert values(report["by"]["rater"]) == {"ravi": (1, 1)}
    assert values(report["by"]["prompt's rater"]) == {"gold": (1, 1)}


def test_only_systems_and_values_that_occur_together_make_a_cell():
    report = report_of(
        Row("q1", "heron", "ravi", ACCURATE, metadata={"kind": "long"}),
        Row("q2", "plover", "ravi", ACCURATE, metadata={"kind": "short"}),
    )
    cells = [(cell["system"], cell["value"]) for cell in report["by"]["system × kind"]]
    assert cells == [("heron", "long"), ("plover", "short")]


def test_cannot_assess_is_left_out_of_every_proportion():
    report = report_of(
        Row("q1", "heron", "ravi", ACCURATE, metadata={"kind": "long"}),
        Row("q1", "heron", "rosa", CANNOT_ASSESS, metadata={"kind": "long"}),
        Row("q1", "heron", "tom", SEVERE, metadata={"kind": "long"}),
    )
    cells = [report["overall"], report["systems"][0], report["by"]["kind"][0], report["by"]["system × kind"][0]]
    for cell in cells:
        assert (cell["ratings"], cell["assessed"]) == (3, 2)
        assert cell["options"]["cannot_assess"] == 1
        assert {measure["n"] for measure in cell["measures"].values()} == {2}
    assert values(report["by"]["rater"]) == {"ravi": (1, 1), "rosa": (0, 0), "tom": (0, 1)}


def test_a_severe_disputed_sentence_is_not_severely_inaccurate():
    disputed = {"accuracy": "disputed", "severity": "severe"}
    report = report_of(Row("q1", "heron", "ravi", disputed), Row("q1", "heron", "rosa", SEVERE))
    assert report["overall"]["questions"]["severity"] == {"severe": 2, "not_severe": 0}
    assert report["overall"]["measures"]["severely_inaccurate"]["k"] == 1


def test_unfinished_retired_and_gold_ratings_are_left_out_and_counted_by_reason():
    project = project_of([Row("q1", "heron", "ravi", ACCURATE, item) for item in range(4)])
    first, second, third, _ = Rating.objects.order_by("item__position")
    Rating.objects.filter(pk=first.pk).update(counted=False)
    Rating.objects.filter(pk=second.pk).update(counted=False)
    second.item.retired_at = timezone.now()
    second.item.save()
    Rating.objects.filter(pk=third.pk).update(role="gold", counted=False)
    data = build(project, Choices(resamples=100)).to_dict()["data"]
    assert data["left_out"] == {"gold": 1, "retired": 1, "unfinished": 1}
    assert (data["ratings"], data["items"]) == (1, 1)


def test_a_project_without_ratings_has_an_empty_report_and_no_error():
    project = project_of([Row("q1", "heron", "ravi", ACCURATE)])
    Rating.objects.all().delete()
    report = build(project, Choices(resamples=100), agreement_intervals=True).to_dict()
    assert report["systems"] == report["comparisons"] == report["by"]["rater"] == []
    assert report["overall"]["measures"]["accurate"]["value"] is None
    assert report["overall"]["options"]["accurate"] == 0
    assert report["agreement"]["accuracy"]["percent"] is None


def test_a_seed_or_number_of_resamples_out_of_bounds_is_refused():
    project = project_of([Row("q1", "heron", "ravi", ACCURATE)])
    with pytest.raises(ValueError, match="resamples: Choose a whole number from 100 to 100,000"):
        build(project, Choices(resamples=1))
    with pytest.raises(ValueError, match="seed: Choose a whole number from 0"):
        build(project, Choices(seed=-1))


def test_agreement_takes_cannot_assess_as_missing_and_needs_two_labels():
    """Sentence 0: accurate, accurate, can't. 1: inaccurate, disputed. 2: one label. Agreeing pairs: 1 of 1, 0 of 1."""
    disputed = {"accuracy": "disputed", "severity": "severe"}
    report = report_of(
        Row("q1", "heron", "ravi", ACCURATE, 0),
        Row("q1", "heron", "rosa", ACCURATE, 0),
        Row("q1", "heron", "tom", CANNOT_ASSESS, 0),
        Row("q1", "heron", "ravi", INACCURATE, 1),
        Row("q1", "heron", "rosa", disputed, 1),
        Row("q1", "heron", "ravi", ACCURATE, 2),
    )
    accuracy, either = report["agreement"]["accuracy"], report["agreement"]["accurate_or_not"]
    assert (accuracy["items"], accuracy["raters"], accuracy["percent"]) == (2, 2, 0.5)
    assert (either["items"], either["percent"]) == (2, 1.0)
    assert report["agreement"]["severity"]["items"] == 1
    assert set(accuracy["intervals"].values()) == {None}
