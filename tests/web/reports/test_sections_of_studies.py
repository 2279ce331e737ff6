"""The report pages of the other studies: a protocol of many measures, and one of pairs."""

import pytest

from annotation.exporting import RatingsExport
from annotation.exporting.report_formats import render
from annotation.importing import load_ratings
from annotation.projects.create import create_project
from annotation.projects.protocol_versions import store_protocol
from annotation.reporting import build
from annotation.reporting.methods.paragraphs import methods_of
from annotation.reporting.sections.all_tables import shown_tables
from annotation.reporting.text.names import Names
from tests.cast import newest_version, study_from_files
from tests.exporting.bundles import FEW
from tests.importing.files import FIXTURES
from tests.importing.lfqa_files import experts
from tests.web.reports.pages import get_page

pytestmark = pytest.mark.django_db
CLAIMS = FIXTURES / "expertqa" / "answers.jsonl"
MEANS = """
[[means]]
key = "worth"
label = "Worth"
question = "preference"
values = { a = 1, tie = 0.5, b = 0 }

[[means]]
key = "first"
label = "First"
of = ["a_wins"]

[[correlations]]
key = "both"
label = "Both"
between = ["worth", "first"]
"""


def test_beside_many_measures_stand_no_options_and_intervals_go_below(ada):
    project = study_from_files("claims", "expertqa", [CLAIMS], "claim-attribution")
    load_ratings(CLAIMS, project, format="expertqa")
    text = get_page(ada, "report", project.slug)
    assert 'class="table stacked wide"' in text and 'class="table stacked compact wide"' in text
    assert 'class="secondary"' not in text
    assert "Incomplete" in text  # among what raters answered


@pytest.fixture(scope="module")
def pairs(module_rows):
    return experts()


def test_rows_of_means_over_pairs_are_pairs_of_systems_in_tables_and_on_the_page(ada, pairs, tmp_path):
    source = newest_version("pairwise-preference").source.replace('"pairwise-preference"', '"own-preference"')
    first = newest_version("pairwise-preference").definition.measures[0].key
    protocol, _ = store_protocol(source + MEANS.replace("a_wins", first))
    path = tmp_path / "ratings.jsonl"
    path.write_bytes(b"".join(RatingsExport(pairs, "jsonl")))
    project = create_project("own", pairs.dataset, protocol)
    load_ratings(path, project)
    by_key = {grid.key: grid for grid in shown_tables(build(project, FEW), Names(protocol.definition))}
    assert "Pair of systems" in {row[0] for row in by_key["means"].texts}
    assert by_key["correlations"].head[1] == "Pair of systems"
    assert "System" not in [cell for row in by_key["means"].texts for cell in row]
    text = get_page(ada, "report", "own")
    means = text[text.index('id="means"') : text.index("Each pair has the same weight")]
    assert "Means over pairs" in means and "Pair of systems" in means
    assert ">System<" not in means and "responses" not in means


def test_pages_and_files_of_pairs_name_rows_annotations_and_formats_of_pairs(ada, pairs):
    assert "An annotation is one rater’s pass over one pair of responses." in get_page(ada, "project", "pairs")
    text = get_page(ada, "exports", "pairs")
    assert "one line for each pair and rater" in text and "exported unchanged" not in text
    text, report = get_page(ada, "report", "pairs"), build(pairs, FEW)
    assert "A is the system named first in a row" in text
    written = render(report, "markdown")
    assert '<th scope="row">All pairs</th>' in text and "Pairs of systems by comparison" in text
    assert "| All pairs |" in written and "## Proportions by pair of systems and comparison" in written
    assert "All systems" not in text + written
    protocol = pairs.protocol.definition
    methods = methods_of(report, Names(protocol)).text
    rated = {key: measure.n for key, measure in report.overall.measures.items()}
    labels = {measure.key: measure.label for measure in protocol.measures}
    assert {key for key, n in rated.items() if n} == {key for key, label in labels.items() if f"{label}: " in methods}
    assert not all(rated.values()), "the Methods say nothing of a measure without a rating"
