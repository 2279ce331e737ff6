"""The annotation tools whose exports are read: tasks and ratings. A new tool is a reader and an entry here."""

from collections.abc import Callable, Iterator
from functools import partial

from .annotation_tools.argilla import read_argilla
from .annotation_tools.doccano import read_doccano
from .annotation_tools.label_studio import read_label_studio
from .annotation_tools.potato import read_potato
from .annotation_tools.tasks import Task, TaskReader
from .input_files import FileReader
from .problems import Problems
from .tabular_files import Row

TOOLS: dict[str, TaskReader] = {
    "label-studio": read_label_studio,
    "argilla": read_argilla,
    "doccano": read_doccano,
    "potato": read_potato,
}
"""Readers by the name of the format."""


def rows_of_tasks(tool: str) -> Callable[[FileReader, Problems], Iterator[Row]]:
    """Return a reader of the rows of data in the tool's tasks."""
    return partial(_rows, TOOLS[tool])


def _rows(reader: TaskReader, file_reader: FileReader, problems: Problems) -> Iterator[Row]:
    tasks = (task for task in reader(file_reader, problems) if isinstance(task, Task))
    return (task.row for task in tasks if not task.response_id)
