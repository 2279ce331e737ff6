"""Small files for the tests of loading, written where a test wants them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from annotation.jobs import Refused
from annotation.models import Dataset, DatasetImport, Document, Item, Prompt, Response, System

FIXTURES = Path(__file__).parents[2] / "fixtures"
SHARED = Path(__file__).parents[3] / "shared" / "data"


def lines(path: Path, rows: Iterable[Any]) -> Path:
    """Write a file of JSON lines. Return its path."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def refusal_of(load, *args: Any, **options: Any) -> list[str]:
    """Return the problems for which `load(...)` is refused, and check that nothing else happens."""
    before = count_rows()
    with pytest.raises(Refused) as caught:
        load(*args, **options)
    assert count_rows() == before
    return caught.value.problems


def problem_of(load, *args: Any, **options: Any) -> str:
    """Return the one problem for which `load(...)` is refused."""
    [problem] = refusal_of(load, *args, **options)
    return problem


def count_rows() -> dict[str, int]:
    """Return the numbers of rows of all tables that an import fills."""
    return {
        model.__name__: model.objects.count()
        for model in (Dataset, Document, Prompt, System, Response, Item, DatasetImport)
    }


def prompt(key: str = "q1", **more: Any) -> dict[str, Any]:
    """Return one line of a data set in the project's own format."""
    return {"id": key, "text": f"What of {key}?", "document": None, **more}


def paper(**more: Any) -> dict[str, Any]:
    """Return a paper in Qasper's official format with one question, whose answer is yes or no without evidence."""
    return {"title": "On terns", "abstract": "Terns fly.", "full_text": [], "qas": [question()], **more}


def question(key: str = "q1", *answers: dict[str, Any]) -> dict[str, Any]:
    return {"question": f"What of {key}?", "question_id": key, "answers": list(answers) or [answer(yes_no=True)]}


def answer(**values: Any) -> dict[str, Any]:
    empty = {"unanswerable": False, "extractive_spans": [], "yes_no": None, "free_form_answer": "", "evidence": []}
    return {"answer": {**empty, "highlighted_evidence": [], **values}, "annotation_id": "a1", "worker_id": "w1"}


def qasper(path: Path, papers: dict[str, Any]) -> Path:
    path.write_text(json.dumps(papers), encoding="utf-8")
    return path
