"""Intervals of proportions with documents as clusters."""

import pytest

from annotation.reporting import Choices
from annotation.reporting.data.report_input import read_report_input
from annotation.stats.comparisons import compare_pairs
from annotation.stats.interval_choice import headline
from tests.cast import ACCURATE
from tests.reporting.project_rows import Row, documents_of_prompts, project_of, report_of, two_systems

pytestmark = pytest.mark.django_db


class TestClusters:
    def test_documents_and_prompts_without_one_are_clusters_in_the_order_of_their_ids(self):
        project = documents_of_prompts(project_of([Row(f"q{n}", "heron", "ravi", ACCURATE) for n in range(5)]),
                        {"q0": "z", "q1": "a", "q3": "z"})  # fmt: skip
        responses = read_report_input(project, Choices(cluster="document")).table.responses
        assert (responses.cluster_of.tolist(), responses.clusters) == ([1, 0, 2, 1, 3], 4)
        assert read_report_input(project).table.responses.cluster_of.tolist() == [0, 1, 2, 3, 4]

    def test_intervals_come_from_counts_by_document(self):
        rows = two_systems()
        project = documents_of_prompts(
            project_of(rows), {row.prompt: f"d{int(row.prompt[1:]) // 5:02}" for row in rows}
        )
        report = report_of(project, cluster="document")
        heron = report.systems[0].measures["accurate"]
        k = [sum(2 for n in range(5 * d, 5 * d + 5) if n % 3) for d in range(24)]
        expected = headline(k, [10] * 24)
        assert report.method.cluster == "document"
        assert (heron.method, heron.low, heron.high) == ("korn-graubard", expected.low, expected.high)
        assert (heron.deff, heron.icc) == (expected.deff, expected.icc)

    def test_systems_are_compared_on_common_prompts_and_swapped_by_document(self):
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

    def test_documents_are_offered_where_they_are_fewer_than_four_fifths_of_the_prompts(self):
        project = project_of([Row(f"q{n}", "heron", "ravi", ACCURATE) for n in range(5)])
        assert report_of(project).data.documents is None
        documents_of_prompts(project, {"q0": "a", "q1": "a"})
        assert report_of(project).data.documents is None
        documents_of_prompts(project, {"q2": "a"})
        assert report_of(project).data.documents == 1
