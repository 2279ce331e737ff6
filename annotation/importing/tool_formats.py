"""The annotation tools whose exports are read: tasks and ratings. A new tool is a reader and an entry here."""

from collections.abc import Callable, Iterator
from functools import partial

from .annotation_tools.label_studio import read_label_studio
from .annotation_tools.tasks import Task, TaskReader
from .input_files import FileReader
from .problems import Problems
from .tabular_files import Row

TOOLS: dict[str, TaskReader] = {
    "label-studio": read_label_studio,
}
"""Readers by the name of the format."""


def rows_of_tasks(tool: str) -> Callable[[FileReader, Problems], Iterator[Row]]:
    """Return a reader of the rows of data in the tool's tasks."""
    return partial(_rows, TOOLS[tool])


def _rows(reader: TaskReader, file_reader: FileReader, problems: Problems) -> Iterator[Row]:
    return (task.row for task in reader(file_reader, problems) if isinstance(task, Task))
