"""Exports of annotation tools: tasks with the ratings of people and the predictions of models.

A new tool is a reader and an entry here.
"""

from collections.abc import Iterator

from ..input_files import FileReader
from ..problems import Problems
from ..tabular_files import Row
from .argilla import read_argilla
from .doccano import read_doccano
from .label_studio import read_label_studio
from .potato import read_potato
from .tasks import Task, TaskReader

TOOLS: dict[str, TaskReader] = {
    "label-studio": read_label_studio,
    "argilla": read_argilla,
    "doccano": read_doccano,
    "potato": read_potato,
}
"""Readers by the name of the format."""


def rows_of_tasks(tool: str, file_reader: FileReader, problems: Problems) -> Iterator[Row]:
    """Yield the rows of data in the tool's tasks."""
    tasks = (task for task in TOOLS[tool](file_reader, problems) if isinstance(task, Task))
    return (task.row for task in tasks if not task.response_id)
