"""Loading of logs in the format that a module of tests names as FORMAT."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.importing import SourceFile, load_dataset
from annotation.importing.import_counts import ImportCounts
from tests.importing.files import lines, problem_of


class Log:
    """A file of a test's own: a list is written as JSON lines, an object as JSON, and a tuple as a JSON list."""

    def __init__(self, path: Path, format: str) -> None:
        self.path, self.format = path, format

    def file(self, content: Any) -> SourceFile:
        if isinstance(content, list):
            lines(self.path, content)
        elif isinstance(content, dict | tuple):
            self.path.write_text(json.dumps(content, indent=1), encoding="utf-8")
        return SourceFile(content if isinstance(content, Path) else self.path)

    def load(self, content: Any, slug: str = "birds", **options: Any) -> ImportCounts:
        return load_dataset(self.format, [self.file(content)], slug, **options)

    def problem(self, content: Any, **options: Any) -> str:
        return problem_of(load_dataset, self.format, [self.file(content)], "birds", **options)


@pytest.fixture
def log(tmp_path: Path, request: pytest.FixtureRequest) -> Log:
    return Log(tmp_path / getattr(request.module, "NAME", "log.json"), request.module.FORMAT)
