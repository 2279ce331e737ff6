"""Annotations of another tool as rows of ratings, in the form of `import_ratings`.

A task's response is found as the import of the data set made it: with the column mapping that is stored with the data
set. Labels of spans are about the sentences that they overlap.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from ..i18n.unit_names import unit_words
from ..jobs import Progress, Refused
from ..models import Dataset, DatasetImport, Item, Project
from ..models.rated_items import can_be_rated
from .annotation_tools.tasks import NO_RESULT, Annotation, Label, Task, TaskReader
from .annotator_mapping import Annotators
from .column_mapping import Columns, columns_from
from .import_counts import ImportCounts
from .input_files import FileReader
from .label_mapping import COMMENT, LEAVE_OUT, FoundLabels, LabelMapping
from .problems import BadRecord, Problems, echo
from .published_annotations import WITHOUT_RESPONSE
from .records import LeftOut, SourcePrompt, SourceResponse
from .rows import records_of
from .tabular_files import Row

UNITS = (Item.Unit.RESPONSE, Item.Unit.SENTENCE, Item.Unit.CLAIM)
OUTSIDE = "label outside the rated sentences"
FURTHER = "further label of a sentence"
NOT_MAPPED = "label that is not imported"
NONE_IMPORTED = "annotation without an imported label"
OUTSIDE_DATA_SET = "annotation of a response outside the data set"
BATCH = 200  # tasks whose items are fetched at once


@dataclass(frozen=True)
class ToolFiles:
    """The files of one tool's export, and the data set that was imported from them."""

    reader: TaskReader
    files: Sequence[FileReader]
    columns: Columns
    system: str

    def tasks(self, problems: Problems) -> Iterator[Task | LeftOut]:
        for file_reader in self.files:
            yield from self.reader(file_reader, problems)

    def find_labels(self, progress: Progress | None = None) -> FoundLabels:
        """Return the labels of all tasks. Raise Refused."""
        labels = FoundLabels()
        with Problems() as problems:
            for n, task in enumerate(self.tasks(problems)):
                if isinstance(task, Task):
                    labels.take(task)
                if progress:
                    progress(n, None, "reading the labels")
        return labels


def stored_columns(dataset: Dataset, format: str) -> tuple[Columns, str]:
    """Return the column mapping of the data set's last import, and the name of its systems without one. Raise Refused
    for a data set of another format."""
    stored = dataset.imports.filter(kind=DatasetImport.Kind.DATASET, options__has_key="columns").first()
    if stored is None or dataset.format != format:
        message = f"data set {dataset.slug!r} was imported from format {dataset.format}; annotations of {format} belong"
        raise Refused([f"{message} to a data set that was imported from the same file (import_project imports both)"])
    return columns_from(stored.options["columns"]), stored.options.get("system", "")


class ToolRatings:
    """Converts the tasks of one export to rows of ratings of `project`."""

    def __init__(
        self, project: Project, files: ToolFiles, mapping: LabelMapping, counts: ImportCounts, users: Annotators
    ):
        """`counts` gets what is left out; `users` has the user name of each annotator and model."""
        self.project, self.files, self.mapping, self.counts = project, files, mapping, counts
        self.users = users
        self.protocol = project.protocol.definition
        if self.protocol.unit not in UNITS:
            units = ", ".join(unit_words(unit, 2) for unit in UNITS)
            message = f"labels cannot be imported under a protocol about a {unit_words(self.protocol.unit)}"
            raise Refused([f"{message}; choose one about: {units}"])

    def rows(self, problems: Problems) -> Iterator[Row]:
        """Yield a row for each item that an annotation answers. Invalid annotations go to `problems`."""
        tasks = self._tasks_with_responses(problems)
        while batch := list(islice(tasks, BATCH)):
            keys = {response.key for _task, responses in batch for response in responses}
            items = self._items(keys)
            stored = set(self.project.dataset.responses.filter(key__in=keys).values_list("key", flat=True))
            for task, responses in batch:
                for annotation in task.annotations:
                    place = f"{task.location} ({annotation.name})"
                    if stored.isdisjoint(response.key for response in responses):
                        self.counts.excluded.add(OUTSIDE_DATA_SET, place)
                        continue
                    try:
                        rows = list(self._rows_of(annotation, place, responses, items))
                    except BadRecord as broken:
                        problems.add(place, broken)
                        continue
                    for reason in annotation.left_out:
                        self.counts.excluded.add(reason, place)
                    if not rows:
                        is_empty = not (annotation.labels or annotation.left_out)
                        self.counts.excluded.add(NO_RESULT if is_empty else NONE_IMPORTED, place)
                    self.counts.unnamed += bool(rows) and annotation.is_unnamed
                    yield from rows

    def _tasks_with_responses(self, problems: Problems) -> Iterator[tuple[Task, list[SourceResponse]]]:
        for task in self.files.tasks(problems):
            if isinstance(task, LeftOut):
                self.counts.excluded.add(task.reason, task.location)
                continue
            if task.response_id:
                stored = self.project.dataset.responses.select_related("prompt", "system")
                if response := stored.filter(key=task.response_id).first():
                    key, system = response.prompt.key, response.system.name
                    yield task, [SourceResponse(task.location, key, system, response.text, id=response.key)]
                else:
                    message = (
                        f"no response has the id {echo(task.response_id)}; import the data file first, with its ids"
                    )
                    problems.add(task.location, f"{message} as those of the responses (--map response_id=COLUMN)")
                continue
            try:
                records = list(records_of(task.row, self.files.columns, set(), self.files.system))
            except BadRecord as broken:
                problems.add(task.location, broken)
                continue
            responses = [r for record in records if isinstance(record, SourcePrompt) for r in record.responses]
            if responses:
                yield task, responses
            else:
                for annotation in task.annotations:
                    self.counts.excluded.add(WITHOUT_RESPONSE, f"{task.location} ({annotation.name})")

    def _items(self, keys: Iterable[str]) -> dict[str, list[Item]]:
        """Return the rated items of the responses, in the order of the text."""
        items: dict[str, list[Item]] = defaultdict(list)
        rows = Item.objects.filter(
            response__dataset=self.project.dataset_id, response__key__in=set(keys), unit=self.protocol.unit
        )
        for item in rows.filter(against=None).select_related("response").order_by("response", "position"):
            if can_be_rated(self.project, item):
                items[item.response.key].append(item)
        return items

    def _rows_of(
        self, annotation: Annotation, place: str, responses: Sequence[SourceResponse], items: Mapping[str, list[Item]]
    ) -> Iterator[Row]:
        labels: dict[str, list[Label]] = {responses[0].key: []} if len(responses) == 1 else {}
        for label in annotation.labels:
            labels.setdefault(_response_of(label, responses).key, []).append(label)
        for response in responses:
            if response.key in labels:
                answers = _RatedResponse(response, items.get(response.key, []), self, place)
                answered = [(item, values) for item, values in answers.values_of(labels[response.key]) if values]
                seconds = None if annotation.seconds is None else round(annotation.seconds / max(1, len(answered)), 3)
                for n, (item, values) in enumerate(answered):
                    comment = "\n".join(filter(None, [values.pop(COMMENT, ""), annotation.comment if n == 0 else ""]))
                    of_item = {"response": item.response.key, "unit": item.unit, "item": item.position}
                    rated = {"answers": values, "comment": comment, "seconds": seconds, "rated_at": annotation.rated_at}
                    rater = {"rater": self.users[annotation.rater], "role": annotation.role}
                    yield Row(place, {**of_item, **rater, **rated})


class _RatedResponse:
    """One response with its rated items, as one annotation answers them."""

    def __init__(self, response: SourceResponse, items: Sequence[Item], ratings: ToolRatings, place: str):
        self.response, self.items, self.ratings, self.place = response, items, ratings, place
        self.is_whole = ratings.protocol.unit == Item.Unit.RESPONSE
        self._overlaps: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)

    def values_of(self, labels: Iterable[Label]) -> Iterator[tuple[Item, dict[str, str]]]:
        """Yield each item with its answers by question, and a comment. Raise BadRecord."""
        for label in labels:
            fields = [field for field in self.ratings.mapping.fields_of(label) if field != LEAVE_OUT]
            is_about_items = False
            for question, _dot, option in (field.partition(".") for field in fields):
                for n, characters in self._covered(label, question):
                    self._overlaps[n, question][option or label.value] += characters
                    is_about_items = True
            if not is_about_items:
                self.ratings.counts.excluded.add(OUTSIDE if fields else NOT_MAPPED, self.place)
        for n, item in enumerate(self.items):
            values = {question: self._chosen(n, question) for (number, question) in self._overlaps if number == n}
            yield item, {**self._unlabeled, **values}

    def _covered(self, label: Label, question: str) -> Iterator[tuple[int, int]]:
        """Yield the items that a label is about, with the number of characters that it covers, without white space. A
        label about the whole text is about the only item, or the last for a question asked once. Raise BadRecord."""
        if self.is_whole or not label.is_span:
            asked_once = question in self.ratings.protocol.once_keys or question == COMMENT
            if len(self.items) > 1 and not asked_once:
                raise BadRecord(
                    f"label {echo(label.value)} is about the whole response, but the protocol asks about each of its "
                    f"items ({len(self.items)}); choose a protocol about responses, or omit the label (--label "
                    "leave_out=LABEL)"
                )
            yield from [(len(self.items) - 1, 1)] if self.items else []
            return
        start, end = label.span_in(self.response.text)
        for n, item in enumerate(self.items):
            if item.start is not None and item.end is not None:
                covered = self.response.text[max(start, item.start) : min(end, item.end)]
                if characters := len("".join(covered.split())):
                    yield n, characters

    def _chosen(self, n: int, question: str) -> str:
        """Return the answer to a question: texts together; of several options the one with the longest spans."""
        values = self._overlaps[n, question]
        kinds = {each.key: each for each in self.ratings.protocol.questions}
        if question == COMMENT or not kinds[question].options:
            return "\n".join(values)
        (best, _most), *others = values.most_common()
        if self.is_whole and others:
            raise BadRecord(
                f"{question} has two answers, {echo(best)} and {echo(others[0][0])}; keep one, or map one to leave_out"
            )
        for _other in others:
            self.ratings.counts.excluded.add(FURTHER, self.place)
        return best

    @cached_property
    def _unlabeled(self) -> dict[str, str]:
        """Return the answers about an item without a label."""
        pairs = (field.partition(".") for field in self.ratings.mapping.unlabeled if field != LEAVE_OUT)
        return {} if self.is_whole else {question: option for question, _dot, option in pairs}


def _response_of(label: Label, responses: Sequence[SourceResponse]) -> SourceResponse:
    """Return the response that a label is about: the only one, or that of the column with the name. Raise BadRecord."""
    if len(responses) == 1:
        return responses[0]
    named = [response for response in responses if response.system == label.about]
    if len(named) != 1:
        message = f"label {echo(label.value)} is about {echo(label.about)}, which is none of the responses of the task"
        raise BadRecord(f"{message} ({len(responses)})")
    return named[0]
