"""What counts and where: metadata, weeks, left-out ratings, raters, systems, documents as clusters."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from annotation.models import Rating
from annotation.reporting import Choices, build
from annotation.reporting.data.study import read_study
from annotation.stats.comparisons import compare_pairs
from annotation.stats.interval_choice import headline
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.project_rows import DISPUTED, MILD, Row, documents_of_prompts, project_of, two_systems
from tests.reporting.project_rows import report_of as report_of_project

pytestmark = pytest.mark.django_db


def report_of(*rows: Row) -> dict:
    return build(project_of(rows), Choices(resamples=100)).to_dict()


def values(cells: list[dict]) -> dict:
    accurate = {cell["value"]: cell["measures"]["accurate"] for cell in cells}
    return {value: (measure["k"], measure["n"]) for value, measure in accurate.items()}


def test_each_value_of_a_prompt_has_a_cell_and_a_prompt_without_one_is_in_none():
    first = {"kind": ["long", "short", "long"], "hops": 2, "open": False, "rater": "gold"}
    report = report_of(
        Row("q1", "heron", "ravi", ACCURATE, metadata=first),
        Row("q1", "heron", "rosa", MILD, metadata=first),
        Row("q2", "plover", "ravi", ACCURATE, metadata={"kind": "short", "hops": 10, "open": True, "field": ""}),
        Row("q3", "heron", "ravi", ACCURATE, metadata={"kind": None}),
        Row("q4", "heron", "ravi", ACCURATE, metadata={"kind": []}),
    )
    assert values(report["by"]["kind"]) == {"long": (1, 2), "short": (2, 3)}
    assert values(report["by"]["hops"]) == {"10": (1, 1), "2": (1, 2)}
    assert values(report["by"]["open"]) == {"false": (1, 2), "true": (1, 1)}
    assert report["overall"]["ratings"] == 5 and "field" not in report["by"]
    together = [(cell["system"], cell["value"]) for cell in report["by"]["system × kind"]]
    assert together == [("heron", "long"), ("heron", "short"), ("plover", "short")]
    assert values(report["by"]["rater"]) == {"ravi": (4, 4), "rosa": (0, 1)}
    assert values(report["by"]["prompt's rater"]) == {"gold": (1, 2)}, "metadata called rater hides no rater"


def test_cannot_assess_is_left_out_of_every_proportion_and_disputed_is_not_severely_inaccurate():
    said = {"ravi": ACCURATE, "rosa": CANNOT_ASSESS, "tom": SEVERE, "uma": DISPUTED}
    report = report_of(*(Row("q1", "heron", name, answers, metadata={"kind": "x"}) for name, answers in said.items()))
    for cell in (report["overall"], report["systems"][0], report["by"]["kind"][0], report["by"]["system × kind"][0]):
        assert (cell["ratings"], cell["assessed"], cell["options"]["cannot_assess"]) == (4, 3, 1)
        assert {measure["n"] for measure in cell["measures"].values()} == {3}
        assert cell["questions"]["severity"] == {"severe": 2, "not_severe": 0}
        assert cell["measures"]["severely_inaccurate"]["k"] == 1
    for cell in (report["overall"], report["systems"][0]):
        assert {share["n"] for share in cell["shares_of_assessed"].values()} == {3}
        assert "cannot_assess" not in cell["shares_of_assessed"]
    assert values(report["by"]["rater"]) == {"ravi": (1, 1), "rosa": (0, 0), "tom": (0, 1), "uma": (0, 1)}


def test_unfinished_retired_and_gold_ratings_are_left_out_and_counted_by_reason():
    project = project_of([Row("q1", "heron", "ravi", ACCURATE, item) for item in range(4)])
    first, second, third, _ = Rating.objects.order_by("item__position")
    Rating.objects.filter(pk__in=[first.pk, second.pk]).update(counted=False)
    second.item.retired_at = timezone.now()
    second.item.save()
    Rating.objects.filter(pk=third.pk).update(role="gold", counted=False)
    data = build(project, Choices(resamples=100)).data
    assert data.left_out == {"gold": 1, "retired": 1, "unfinished": 1}
    assert (data.ratings, data.items) == (1, 1)


def test_a_project_without_ratings_has_an_empty_report_and_choices_out_of_bounds_are_refused():
    project = project_of([Row("q1", "heron", "ravi", ACCURATE)])
    Rating.objects.all().delete()
    report = build(project, Choices(resamples=100), agreement_intervals=True).to_dict()
    assert report["systems"] == report["comparisons"] == report["by"]["rater"] == []
    assert report["overall"]["measures"]["accurate"]["value"] is None
    assert report["overall"]["options"]["accurate"] == 0
    assert report["agreement"]["accuracy"]["percent"] is None
    with pytest.raises(ValueError, match="resamples: Choose a whole number from 100 to 100,000"):
        build(project, Choices(resamples=1))


def test_agreement_takes_cannot_assess_as_missing_and_needs_two_labels():
    """Agreeing pairs: 1 of 1 of the first sentence, 0 of 1 of the second; the third has one label."""
    said = [{"ravi": ACCURATE, "rosa": ACCURATE, "tom": CANNOT_ASSESS}, {"ravi": MILD, "rosa": DISPUTED}]
    said += [{"ravi": ACCURATE}]
    rows = [Row("q1", "heron", name, answer, n) for n, each in enumerate(said) for name, answer in each.items()]
    agreement = report_of(*rows)["agreement"]
    accuracy, either = agreement["accuracy"], agreement["accurate_or_not"]
    assert (accuracy["items"], accuracy["raters"], accuracy["percent"]) == (2, 2, 0.5)
    assert (either["items"], either["percent"], agreement["severity"]["items"]) == (2, 1.0, 1)
    assert set(accuracy["intervals"].values()) == {None}


def test_weeks_are_those_of_iso_8601_in_utc_and_one_week_is_no_breakdown():
    project = project_of(Row("q1", "heron", "ravi", answers, n) for n, answers in enumerate((ACCURATE, MILD, ACCURATE)))
    times = [datetime(2026, 12, 28, tzinfo=UTC)] * 3
    monday = datetime.fromisoformat("2027-01-03T23:30:00-01:00")  # in UTC
    for moments in (times, [monday, datetime(2027, 1, 3, 23, 59, 59, 999_999, tzinfo=UTC), times[0]]):
        for rating, moment in zip(Rating.objects.order_by("pk"), moments, strict=True):
            Rating.objects.filter(pk=rating.pk).update(rated_at=moment)
        cells = build(project, Choices(resamples=100)).by.get("week")
        assert (cells is None) == (moments is times)
    weeks = [(cell.value, cell.ratings, cell.options["accurate"]) for cell in cells]
    assert weeks == [("2026-W53", 2, 1), ("2027-W01", 1, 1)]


def test_documents_and_prompts_without_one_are_clusters_in_the_order_of_their_ids():
    project = project_of([Row(f"q{n}", "heron", "ravi", ACCURATE) for n in range(5)])
    documents_of_prompts(project, {"q0": "z", "q1": "a", "q3": "z"})
    responses = read_study(project, Choices(cluster="document")).ratings.responses
    assert (responses.cluster_of.tolist(), responses.clusters) == ([1, 0, 2, 1, 3], 4)
    assert read_study(project).ratings.responses.cluster_of.tolist() == [0, 1, 2, 3, 4]


def test_intervals_come_from_counts_by_document():
    project = documents_of_prompts(project_of(two_systems(60)), {f"q{n:03}": f"d{n // 5:02}" for n in range(60)})
    report = report_of_project(project, cluster="document")
    heron = report.systems[0].measures["accurate"]
    expected = headline([sum(2 for n in range(5 * d, 5 * d + 5) if n % 3) for d in range(12)], [10] * 12)
    assert (report.method.cluster, heron.method) == ("document", "korn-graubard")
    assert (heron.low, heron.high, heron.deff, heron.icc) == (
        expected.low, expected.high, expected.deff, expected.icc
    )  # fmt: skip


def test_systems_are_compared_on_common_prompts_and_swapped_by_document():
    rows = [row for row in two_systems(40) if row.system == "heron" or row.prompt < "q030"]
    project = documents_of_prompts(project_of(rows), {f"q{n:03}": f"d{n // 3:02}" for n in range(40)})
    [pair] = [row for row in report_of_project(project, cluster="document").comparisons if row.measure == "accurate"]
    heron, plover, size = [0] * 14, [0] * 14, [0] * 14
    for n in range(30):
        heron[n // 3] += 2 * bool(n % 3)
        plover[n // 3] += 2 * bool(n % 2)
        size[n // 3] += 2
    [expected] = compare_pairs([heron, plover], [size, size])
    assert (pair.prompts, pair.difference, pair.p) == (30, expected.difference, expected.p)
    assert (pair.low, pair.high, pair.method) == (expected.low, expected.high, "t")


def test_documents_are_offered_where_they_are_fewer_than_four_fifths_of_the_prompts():
    project = project_of([Row(f"q{n}", "heron", "ravi", ACCURATE) for n in range(5)])
    for documents, offered in (({}, None), ({"q0": "a", "q1": "a"}, None), ({"q2": "a"}, 1)):
        assert report_of_project(documents_of_prompts(project, documents)).data.documents == offered
