"""What the site exports, in any format and whatever its texts are, it reads back."""

import csv
import io
import json
import re
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.csv_guarding import FIRST_EXPORTED, csv_text, guard_cell, unguard_row
from annotation.exporting import RatingsExport
from annotation.exporting.metric_scores import COLUMNS, export_metric_scores
from annotation.exporting.rating_columns import columns
from annotation.importing import load_dataset, load_ratings
from annotation.importing.input_files import FileReader, SourceFile
from annotation.importing.problems import Problems
from annotation.importing.project_imports import ProjectSource, import_project
from annotation.importing.tabular_files import read_rows
from annotation.metrics.score_files import load_metric_scores
from annotation.models import Dataset, Rating
from annotation.projects.create import create_project
from tests.cast import article_accuracy
from tests.importing.files import lines

HOSTILE = [
    *("'+1 is a code.", "''=1", "=1+1", "a;=1+1;b", "; \t-2", "x\r\n=1\ry", "\u00a0=1", "\u200b@x", "\ufeff+1"),
    *("\uff1d1", 'x;"=1"', "_x000D_ _x005F_", '"quoted", or not', "sep=;", "\t"),
]
cells = st.text(st.sampled_from("'=+-@;,\t\r\n\u00a0\ufeff\u200b\u2060 \"\uff1d\uff20ab1"), max_size=12)


@given(st.lists(cells, min_size=1, max_size=4))
def test_no_spreadsheet_sees_a_formula_and_the_text_comes_back(texts):
    guarded = [guard_cell(text) for text in texts]
    named = {str(n): cell for n, cell in enumerate(guarded)}
    assert list(unguard_row(named, is_exported=True).values()) == texts
    table = csv_text([guarded])
    assert next(csv.reader(io.StringIO(table, newline=""), strict=True)) == guarded
    for separator in ",;\t":
        for row in csv.reader(io.StringIO(table, newline=""), delimiter=separator):
            assert not [cell for cell in row if re.match('[\\s\u200b\u2060\ufeff"]*[-=+@\uff1d\uff20]', cell)]


@pytest.mark.django_db
class TestExports:
    @pytest.fixture
    def project(self, tmp_path):
        responses = [
            {"id": f"{text.strip()[:5]}r{n}", "system": "m", "text": f"{text} Herons wade."}
            for n, text in enumerate(HOSTILE)
        ]
        prompts = [{"id": f"p{n}", "text": f"Question {n}?", "responses": [r]} for n, r in enumerate(responses)]
        load_dataset("jsonl", [lines(tmp_path / "dataset.jsonl", prompts)], "herons")
        project = create_project("herons", Dataset.objects.get(), article_accuracy(), overlap=1)
        items = project.dataset.responses.filter(items__rate=True).values_list("key", "items__position").distinct()
        said = {"rater": "@zoe", "answers": {"accuracy": "accurate"}}
        rows = [
            {"response": key, "item": position, **said, "comment": f"{text} is meant", "evidence": [{"text": text}]}
            for (key, position), text in zip(items, cycle(HOSTILE), strict=False)
        ]
        assert load_ratings(lines(tmp_path / "ratings.jsonl", rows), project).new == len(rows) >= len(HOSTILE)
        return project

    @pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
    def test_of_ratings_change_nothing(self, project, tmp_path, format):
        path = tmp_path / f"export.{format}"
        path.write_bytes(b"".join(RatingsExport(project, format)))
        counts = load_ratings(path, project, replace=True)
        assert (counts.new, counts.changed, counts.totals["ratings"]) == (0, 0, Rating.objects.count())

    @pytest.mark.parametrize("format", ["label-studio", "argilla"])
    def test_as_those_of_tools_bring_the_same_answers(self, project, tmp_path, format):
        path = tmp_path / "export.json"
        path.write_bytes(b"".join(RatingsExport(project, format)))
        import_project(ProjectSource(format, [path], protocol=project.protocol), "again")
        fields = ["rater__username", "answers", *(["item__text", "comment"] if format == "label-studio" else [])]
        again, first = (
            sorted(map(str, Rating.objects.filter(project__slug=slug).values_list(*fields)))
            for slug in ("again", "herons")
        )
        assert again == first

    @pytest.mark.parametrize("format", ["jsonl", "csv"])
    def test_of_scores_change_nothing(self, project, tmp_path, format):
        keys = project.dataset.responses.values_list("key", flat=True)
        rows = [{"response": key, "metric": "bleurt", "value": -n / 7} for n, key in enumerate(keys)]
        load_metric_scores(lines(tmp_path / "scores.jsonl", rows), project.dataset)
        path = tmp_path / f"export.{format}"
        path.write_bytes(b"".join(export_metric_scores(project, format)))
        counts = load_metric_scores(path, project.dataset, replace=True)
        assert (counts.new, counts.changed, counts.scores) == (0, 0, {"bleurt": len(rows)})


OWN = "Call it with:\n\t'-v',\n\t'--help'\n'=' means equal;'+1"


def test_apostrophes_within_a_cell_are_removed_from_exports_only(tmp_path):
    for header, cell, text in (
        ("response,item,rater,comment", OWN, OWN),
        ("response,item,rater,comment", "'=1;'=2", "=1;'=2"),
        ("response,against,unit,item,rater,role,comment", guard_cell("=1;=2"), "=1;=2"),
        ("response,against,metric,value,source", guard_cell("=1;=2"), "=1;=2"),
    ):
        path = tmp_path / "t.csv"
        path.write_bytes(f"{header}\r\n{csv_text([['x'] * header.count(',') + [cell]])}".encode())
        [row] = read_rows(FileReader(SourceFile(path)), Problems(), format=None, needed=())
        assert row.unguarded[header.rsplit(",", 1)[-1]] == text


def test_exports_begin_with_the_columns_by_which_they_are_known_and_evidence_stays_json():
    exported = [[column.name for column in each] for each in (columns(), COLUMNS)]
    first = [tuple(names[: len(known)]) for names, known in zip(exported, FIRST_EXPORTED, strict=True)]
    assert first == list(FIRST_EXPORTED)
    # A guarded cell is still JSON: the apostrophe stands within a text.
    assert json.loads(guard_cell(json.dumps([{"text": "a;=1"}]))) == [{"text": "a;'=1"}]
