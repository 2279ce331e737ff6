"""Intervals and comparisons with documents as clusters."""

import pytest

from annotation.reporting import Choices
from annotation.reporting.data.study import read_study
from annotation.stats.comparisons import compare_pairs
from annotation.stats.interval_choice import headline
from tests.cast import ACCURATE
from tests.reporting.project_rows import Row, documents_of_prompts, project_of, report_of, two_systems

pytestmark = pytest.mark.django_db


def test_documents_and_prompts_without_one_are_clusters_in_the_order_of_their_ids():
    project = project_of([Row(f"q{n}", "heron", "ravi", ACCURATE) for n in range(5)])
    documents_of_prompts(project, {"q0": "z", "q1": "a", "q3": "z"})
    responses = read_study(project, Choices(cluster="document")).ratings.responses
    assert (responses.cluster_of.tolist(), responses.clusters) == ([1, 0, 2, 1, 3], 4)
    assert read_study(project).ratings.responses.cluster_of.tolist() == [0, 1, 2, 3, 4]


def test_intervals_come_from_counts_by_document():
    project = documents_of_prompts(project_of(two_systems(60)), {f"q{n:03}": f"d{n // 5:02}" for n in range(60)})
    report = report_of(project, cluster="document")
    heron = report.systems[0].measures["accurate"]
    expected = headline([sum(2 for n in range(5 * d, 5 * d + 5) if n % 3) for d in range(12)], [10] * 12)
    assert (report.method.cluster, heron.method) == ("document", "korn-graubard")
    assert (heron.low, heron.high, heron.deff, heron.icc) == (
        expected.low, expected.high, expected.deff, expected.icc
    )  # fmt: skip


def test_systems_are_compared_on_common_prompts_and_swapped_by_document():
    rows = [row for row in two_systems(40) if row.system == "heron" or row.prompt < "q030"]
    project = documents_of_prompts(project_of(rows), {f"q{n:03}": f"d{n // 3:02}" for n in range(40)})
    [pair] = [row for row in report_of(project, cluster="document").comparisons if row.measure == "accurate"]
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
        assert report_of(documents_of_prompts(project, documents)).data.documents == offered
