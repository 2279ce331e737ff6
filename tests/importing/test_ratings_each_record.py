"""Each record of a file of ratings is stored, or counted under its reason, or a problem with its line."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.importing import columns_from, load_dataset, load_ratings
from annotation.importing.import_counts import REASONS
from annotation.importing.project_imports import ProjectSource, import_project
from annotation.models import Dataset, Project, Rating
from annotation.projects.create import create_project
from tests.cast import ACCURATE, newest_version, study
from tests.importing.files import problem_of
from tests.importing.odd_records import ODD, changed, fault_of, json_lines, json_list

pytestmark = pytest.mark.django_db
Writer = Callable[[Path, list[Any]], dict[int, int]]


def names_of(records: list[Any]) -> list[str]:
    return list(dict.fromkeys(name for record in records for name in record))


def csv_table(path: Path, records: list[Any]) -> dict[int, int]:
    """Write a table with the columns of all records. Return the line of each record."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names_of(records), lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    return {n: n + 2 for n in range(len(records))}


def texts_table(path: Path, records: list[Any]) -> dict[int, int]:
    names = names_of(records)
    texts = [{name: None if record.get(name) is None else str(record[name]) for name in names} for record in records]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(texts), path)
    return {n: n + 1 for n in range(len(records))}


@dataclass(frozen=True)
class Sample:
    """A good record of ratings for each number, the file of such records, and a project that takes them.

    `unrated`: the odd records that have no rating.
    """

    record: Callable[[int], Any]
    write: Writer
    name: str
    project: Callable[[str, Path], Project]
    format: str = ""
    odd: tuple[Any, ...] = ODD
    unrated: tuple[str, ...] = ()

    def prepare(self, folder: Path) -> tuple[Path, Project]:
        """Write three good records. Return their file and a project that takes them."""
        path = folder / self.name
        self.write(path, [self.record(n) for n in range(3)])
        return path, self.project(self.format, path)


def plain_project(_format: str, _path: Path) -> Project:
    return study(sentences=3).project


def imported_project(columns: dict[str, str], format: str, path: Path) -> Project:
    """Return a project of an annotation tool, without its ratings."""
    import_project(ProjectSource(format, [path], columns=columns_from(columns) if columns else None), "june")
    Rating.objects.all().delete()
    return Project.objects.get()


def published_project(protocol: str, format: str, path: Path) -> Project:
    load_dataset(format, [path], "birds")
    return create_project("june", Dataset.objects.get(), newest_version(protocol), overlap=1)


def plain(n: int) -> dict[str, Any]:
    about = {"response": "q1-heron", "unit": "sentence", "item": n, "rater": "ravi", "role": "rater"}
    said = {"answers": dict(ACCURATE), "comment": "Yes.", "evidence": []}
    return {**about, **said, "seconds": 3.5, "rated_at": "2026-03-10T09:00:00Z"}


def cells(n: int) -> dict[str, Any]:
    record = plain(n)
    answers = {f"answers.{key}": value for key, value in record.pop("answers").items()}
    return {**record, **answers, "evidence": "[]"}


def label_studio_task(n: int) -> dict[str, Any]:
    result = {"from_name": "verdict", "to_name": "answer", "type": "choices", "value": {"choices": ["right"]}}
    times = {"lead_time": 3.5, "created_at": "2026-03-10T09:00:00Z"}
    data = {"question": f"Question {n}?", "answer": f"Answer {n}.", "model": "m"}
    return {"id": n, "data": data, "annotations": [{"id": n, "completed_by": 1, "result": [result], **times}]}


def argilla_record(n: int) -> dict[str, Any]:
    given = {"verdict": [{"value": "right", "user_id": "maria", "status": "submitted"}]}
    fields = {"question": f"Question {n}?", "answer": f"Answer {n}."}
    return {"id": f"a{n}", "fields": fields, "metadata": {"model": "m"}, "responses": given}


def expert_answer(n: int) -> dict[str, Any]:
    claims = [{"claim_string": f"Answer {n}.", "correctness": "Definitely correct"}]
    answers = {"m": {"answer_string": f"Answer {n}.", "usefulness": "Useful", "claims": claims}}
    metadata = {"field": "Birds", "question_type": "A | B"}
    return {"question": f"Question {n}?", "metadata": metadata, "annotator_id": "a1", "answers": answers}


def expert_pair(n: int) -> dict[str, Any]:
    pair = {"question": f"Question {n}?", "answer_a": f"Answer {n}.", "answer_b": "No."}
    types = {"answer_a_type": "m", "answer_b_type": "human"}
    return {**pair, **types, "overall_preference": 1, "justification": "It is right."}


TOOLS = {"prompt": "question", "system": "model"}
CELLS = (None, "", "text", "5")
SAMPLES = {
    "jsonl": Sample(plain, json_lines, "r.jsonl", plain_project),
    "list": Sample(plain, json_list, "r.json", plain_project),
    "csv": Sample(cells, csv_table, "r.csv", plain_project, odd=CELLS),
    "parquet": Sample(cells, texts_table, "r.parquet", plain_project, odd=CELLS),
    "label-studio": Sample(
        label_studio_task,
        json_list,
        "tasks.json",
        partial(imported_project, {}),
        "label-studio",
        unrated=("('annotations',): None", "('annotations',): []", "('annotations',) removed"),
    ),
    "argilla": Sample(
        argilla_record,
        json_list,
        "records.json",
        partial(imported_project, TOOLS | {"response": "answer"}),
        "argilla",
        unrated=(
            *("{}", "{'a': None}", "{'text': 'x'}", "('responses', 'verdict') removed", "('responses',) removed"),
            *(f"('responses',): {value!r}" for value in (None, {}, {"a": None})),
            *(f"('responses', 'verdict'): {value!r}" for value in (None, "", [], {})),
        ),
    ),
    "doccano": Sample(
        lambda n: {"id": n, "text": f"Answer {n}.", "question": f"Question {n}?", "model": "m", "label": ["right"]},
        json_lines,
        "all.jsonl",
        partial(imported_project, TOOLS | {"response": "text"}),
        "doccano",
        unrated=("('label',) removed", "{'text': 'x'}"),
    ),
    "expertqa": Sample(
        expert_answer, json_lines, "r.jsonl", partial(published_project, "claim-attribution"), "expertqa"
    ),
    "lfqa_eval": Sample(
        expert_pair, json_lines, "r.jsonl", partial(published_project, "pairwise-preference"), "lfqa_eval"
    ),
}


def account_of(path: Path, project: Project, format: str) -> dict[str, int]:
    """Return the numbers of ratings and of excluded records. Raise Refused."""
    counts = load_ratings(path, project, format=format or None, dry_run=True)
    assert {reason.partition(":")[0] for reason in counts.excluded.counts} <= REASONS.keys()
    return {"ratings": counts.totals["ratings"], "left out": sum(counts.excluded.counts.values())}


@pytest.mark.parametrize("name", SAMPLES)
def test_an_odd_record_among_others_is_stored_or_counted_or_named(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    path, project = sample.prepare(tmp_path)
    good, account = [sample.record(n) for n in range(2)], partial(account_of, path, project, sample.format)
    sample.write(path, good)
    before = account()
    odd_records = [
        (label, record)
        for label, record in changed(sample.record(2), sample.odd)
        if label not in sample.unrated and (sample.write in (json_lines, json_list) or isinstance(record, dict))
    ]

    # The cells of a Parquet file are those of CSV, and each file is read by a process of its own.
    @settings(max_examples=8 if name == "parquet" else 30, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(odd_records))
    def check(odd: tuple[str, Any]) -> None:
        lines = sample.write(path, [good[0], odd[1], good[1]])
        assert fault_of(path.name, lines, before, account) is None

    check()


def test_annotations_that_are_skipped_or_of_another_response_are_named_or_counted(tmp_path: Path) -> None:
    path, project = SAMPLES["label-studio"].prepare(tmp_path)
    task = label_studio_task(0)
    task["annotations"][0]["was_cancelled"] = True
    json_list(path, [task])
    problem = problem_of(load_ratings, path, project, format="label-studio")
    assert "no rating of the file is imported; excluded: 1 × skipped annotation (the annotator skipped" in problem
    json_list(path, [label_studio_task(0), label_studio_task(9)])
    counts = load_ratings(path, project, format="label-studio")
    assert counts.totals["ratings"] == 1
    assert counts.excluded.counts == {"annotation of a response outside the data set": 1}


def test_a_table_with_two_columns_of_one_name_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("context.span_id,response,item,rater,context.span_id\n", encoding="utf-8")
    problem = "r.csv:1: two columns have the name context.span_id: rename or delete one of them"
    assert problem_of(load_ratings, path, study().project).startswith(problem)
