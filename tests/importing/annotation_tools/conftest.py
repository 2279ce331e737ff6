"""Loading of projects in the format that a module of tests names as FORMAT, with its COLUMNS if it has any."""

from pathlib import Path
from typing import Any

import pytest

from annotation.importing import SourceFile
from annotation.importing.project_imports import ProjectSource, import_project
from tests.importing.files import lines, problem_of


class Tool:
    """The files of a project: a list of records is written as JSON lines."""

    def __init__(self, path: Path, module: Any) -> None:
        self.path, self.format, self.columns = path, module.FORMAT, getattr(module, "COLUMNS", None)

    def source(self, *files: Path | list[Any], **more: Any) -> ProjectSource:
        paths = [lines(self.path, file) if isinstance(file, list) else file for file in files]
        return ProjectSource(self.format, [SourceFile(path) for path in paths], columns=self.columns, **more)

    def load(self, *files: Path | list[Any] | str, **more: Any) -> Any:
        """Import the files as the project called as the last argument, or `birds`."""
        *files, slug = files if isinstance(files[-1], str) else (*files, "birds")
        return import_project(self.source(*files, **more), slug)

    def problem(self, *files: Path | list[Any], **more: Any) -> str:
        return problem_of(import_project, self.source(*files, **more), "birds")


@pytest.fixture
def tool(tmp_path: Path, request: pytest.FixtureRequest) -> Tool:
    return Tool(tmp_path / "records.jsonl", request.module)
