"""Import of ratings from an export or another tool.

Rows name their items by imported ids and positions; these are resolved in batches of some hundreds and passed to the
one function that stores many ratings. Unknown raters become inactive users.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction

from ..accounts.names import PersonError, valid_username
from ..i18n.unit_names import unit_words
from ..jobs import Progress, Refused
from ..models import DatasetImport, Item, Judge, Project, Rating, User
from ..models.user_names import name_key
from ..projects.archiving import require_not_archived
from ..protocols import SentAnswers
from ..queue.errors import ProjectArchived, ProjectBusy
from ..queue.slots import lock_project
from ..rating.bulk_storage import CannotStore, NewRating, StoredCounts, deferred_tally, store_ratings
from .annotation_tools import TOOLS
from .annotator_mapping import Annotators, annotators_from, are_accounts, other_names, shown_spelling, users_of
from .dataset import AnyPath, files_of, record_import
from .formats import FORMATS as DATASET_FORMATS
from .import_counts import ImportCounts, excluded_words
from .input_files import FileReader, source_file
from .json_fields import THE_ROW, Fields
from .label_mapping import LabelMapping, complete_labels, labels_from
from .manual_items import ItemDescription, recreate_items
from .problems import BadRecord, Problems, echo
from .published_annotations import ANNOTATIONS
from .rating_fields import Details, answers, read_details, read_item
from .tabular_files import FORMATS as TABLES
from .tabular_files import Row, read_rows
from .tool_ratings import ToolFiles, ToolRatings, stored_columns

FORMATS = (*TABLES, *ANNOTATIONS, *TOOLS)
BATCH = 1_000


@transaction.atomic
def load_ratings(
    path: AnyPath,
    project: Project,
    *,
    format: str | None = None,
    labels: LabelMapping | None = None,
    annotators: Annotators | None = None,
    replace: bool = False,
    dry_run: bool = False,
    actor: User | None = None,
    progress: Progress | None = None,
) -> ImportCounts:
    """Load a file of ratings into `project`: one that `tabular_files` reads (`format` None detects it), a data set's
    published annotations, or the export of an annotation tool. They count at once. `labels` is the mapping of the
    tool's labels; by default that of the project's last import, and for other labels the options with their names.
    `annotators` names the users of the tool's annotators; by default that of the project's last import.

    Stores everything or nothing: raises Refused. A rating that differs from a stored one is refused unless `replace`.
    """
    if format not in (None, *FORMATS):
        raise Refused([f"format {format!r} is unknown; choose one of: {', '.join(FORMATS)}"])
    if (labels or annotators) and format not in TOOLS:
        raise Refused([f"a mapping of labels or annotators is only for: {', '.join(TOOLS)}"])
    lock_project(project)  # imports wait, raters do not
    try:
        require_not_archived(project, "This project is archived. Unarchive it to import ratings.")
    except ProjectArchived as archived:
        raise Refused([str(archived)]) from None
    files, counts = [source_file(path)], ImportCounts({}, dry_run=dry_run)
    if format in TOOLS:
        files, counts.excluded.counts = files_of(DATASET_FORMATS[format], files)
    readers = [FileReader(file) for file in files]
    users: dict[str, str] = {}
    if format in TOOLS:
        tool = ToolFiles(TOOLS[format], [FileReader(file) for file in files], *stored_columns(project.dataset, format))
        before, labels_of_files = last_mappings(project, format), tool.find_labels()
        labels = complete_labels(labels or before[0], labels_of_files, project.protocol.definition)
        annotators = before[1] if annotators is None else annotators
        users = users_of(annotators, labels_of_files.annotators, labels_of_files.models)
        annotators = other_names({**annotators, **{name: users[name] for name in labels_of_files.annotators}})
    with deferred_tally(), Problems() as problems:
        loading = _RatingLoader(project, problems, replace)
        for file_reader in readers:
            for row in _rows(file_reader, problems, format, project, labels, users, counts):
                loading.take(row)
                (progress or Progress())(file_reader.packed, file_reader.size, "storing ratings")
        loading.store_batch()
        if loading.rows == 0 and not problems.lines:
            message = "there is no rating in the file"
            if excluded := excluded_words(counts.excluded):
                message = f"no rating of the file is imported; excluded: {excluded}"
            raise readers[0].refused(message)
    counts.totals = {"ratings": loading.rows, "raters": len(loading.raters)}
    counts.new, counts.changed = loading.stored.new, loading.stored.changed
    counts.labels, counts.annotators, counts.raters = labels, dict(annotators or {}), set(loading.raters)
    if counts.new or counts.changed:
        hashes = [file_reader.file_record() for file_reader in readers]
        options: dict[str, Any] = {"project": project.slug, "replace": replace}
        options |= {"format": format} if format in (*ANNOTATIONS, *TOOLS) else {}
        options |= {"labels": labels.as_json()} if labels else {}
        options |= {"annotators": dict(annotators)} if annotators else {}
        record_import(project.dataset, DatasetImport.Kind.RATINGS, hashes, options, counts, actor, project=project)
    if dry_run:
        transaction.set_rollback(True)
    return counts


def last_mappings(project: Project, format: str) -> tuple[LabelMapping | None, dict[str, str]]:
    """Return the mappings of labels and annotators of the project's last import from the tool."""
    imports = project.dataset.imports.filter(kind=DatasetImport.Kind.RATINGS, options__has_key="labels")
    latest = imports.filter(options__project=project.slug, options__format=format).first()
    if latest is None:
        return None, {}
    return labels_from(latest.options["labels"]), annotators_from(latest.options.get("annotators", {}))


def _rows(
    file_reader: FileReader,
    problems: Problems,
    format: str | None,
    project: Project,
    labels: LabelMapping | None,
    users: Annotators,
    counts: ImportCounts,
) -> Iterator[Row]:
    if format in TOOLS and labels:
        tool = ToolFiles(TOOLS[format], [file_reader], *stored_columns(project.dataset, format))
        return ToolRatings(project, tool, labels, counts, users).rows(problems)
    published = ANNOTATIONS.get(format or "")
    if published is None:
        return read_rows(file_reader, problems, format=format, needed=["response", "item", "rater"])
    if misfit := published.misfit(project.protocol.definition):
        raise Refused([f"annotations of {format} do not fit project {project.slug!r}: {misfit}"])
    return published.read(file_reader, problems, counts.excluded.counts)


@dataclass(frozen=True, slots=True)
class _ParsedRow:
    """A row with parsed fields, before its ids are resolved."""

    location: str
    item: ItemDescription
    rater: str
    role: str
    answers: SentAnswers
    details: Details


_REPEAT_EXPORT = (
    "if its boundaries were edited by hand at the source, export the file again with this version, which records that"
)


class _RatingLoader:
    """Converts rows to ratings in batches."""

    def __init__(self, project: Project, problems: Problems, replace: bool):
        self.project, self.problems, self.replace = project, problems, replace
        self.unit = project.protocol.definition.unit
        self.raters: dict[str, User] = {}
        self.judges = set(Judge.objects.values_list("user", flat=True))
        self.stored, self.rows = StoredCounts(), 0
        self._waiting: list[_ParsedRow] = []
        self._seen: set[int] = set()
        self._names: set[str] = set()  # of raters, which are valid
        self._first: dict[str, tuple[str, str]] = {}  # by key: the first spelling, and where it is

    def take(self, row: Row) -> None:
        self.rows += 1
        try:
            self._waiting.append(self._read(row))
        except (BadRecord, PersonError) as broken:
            self.problems.add(row.location, broken)
        if len(self._waiting) >= BATCH:
            self.store_batch()

    def store_batch(self) -> None:
        """Resolve and store the waiting rows."""
        waiting, self._waiting = self._waiting, []
        self._find_raters({read.rater for read in waiting})
        items = self._items(waiting)
        descriptions = [read.item for read in waiting if read.item.can_be_made]
        missing = [item for item in descriptions if item.position not in items.get(item.pair, {})]
        misfits: dict[tuple[str, int], str] = {}
        if missing:
            try:
                misfits = recreate_items(self.project, missing)
            except (ProjectArchived, ProjectBusy) as error:
                raise Refused([str(error)]) from None
            items = self._items(waiting)
        new_ratings = []
        for read in waiting:
            try:
                new_ratings.append(self._new_rating(read, items, misfits))
            except BadRecord as broken:
                self.problems.add(read.location, broken)
        try:
            self.stored += store_ratings(self.project, new_ratings, replace=self.replace)
        except CannotStore as refused:
            for location, message in refused.problems:
                self.problems.add(location, message)

    def _read(self, row: Row) -> _ParsedRow:
        fields = Fields(row.unguarded, THE_ROW)
        role = fields.text("role", Rating.Role.RATER)
        if role not in Rating.Role.values:
            raise BadRecord(f"role {echo(role)} is unknown; choose one of: {', '.join(Rating.Role.values)}")
        item = read_item(fields, row.is_csv)
        if item.unit != self.unit:
            raise BadRecord(f"the row rates a {item.unit}, but the project's protocol is about a {self.unit}")
        rater = fields.needed_text("rater")
        if rater not in self._names:
            self._take_name(rater, row.location)
        return _ParsedRow(
            location=row.location,
            item=item,
            rater=rater,
            role=role,
            answers=answers(fields, row.is_csv),
            details=read_details(fields, row.is_csv),
        )

    def _take_name(self, rater: str, location: str) -> None:
        """Raise PersonError for an invalid name, BadRecord for another spelling of one that the file has before."""
        key = name_key(valid_username(rater))
        first, place = self._first.setdefault(key, (rater, location))
        if rater != first and not are_accounts(rater, first):
            spellings = (
                f"{shown_spelling(rater, first)} is another spelling of {shown_spelling(first, rater)} ({place})"
            )
            remedy = "spell the name of one person in one way, and give one of two people another name"
            raise BadRecord(f"rater {spellings}: names are compared without case and width; {remedy}")
        self._names.add(rater)

    def _new_rating(
        self, read: _ParsedRow, items: dict[tuple[str, str], dict[int, Item]], misfits: dict[tuple[str, int], str]
    ) -> NewRating:
        if read.role != Rating.Role.JUDGE and self.raters[read.rater].pk in self.judges:
            raise BadRecord(f"{echo(read.rater)} is a judge, so its ratings have the role judge")
        description = read.item
        item = items.get(description.pair, {}).get(description.position)
        if item is None:
            misfit = misfits.get((description.response, description.position))
            raise BadRecord(misfit or self._why_no_item(description, items))
        if description.text and description.text != item.text:
            texts = f"is {echo(description.text)} in the file and {echo(item.text)} here"
            remedy = "the response was split into other items, so the ratings do not fit"
            raise BadRecord(f"{unit_words(description.unit)} {description.position} {texts}; {remedy}")
        rating = NewRating(item, self.raters[read.rater], read.answers, read.role, source=read.location, **read.details)
        key = hash(rating.key)  # a 64-bit number, because there may be a million
        if key in self._seen:
            rater = f"{echo(rating.rater.username)} ({rating.role})"
            raise BadRecord(f"{rater} rates the same item a second time in this file; keep one")
        self._seen.add(key)
        return rating

    def _find_raters(self, names: Iterable[str]) -> None:
        missing = sorted(name for name in names if name not in self.raters)
        self.raters |= User.objects.in_data(missing)
        unknown = [valid_username(name) for name in missing if name not in self.raters]
        if unknown:
            accounts = [User(username=name, is_active=False, password=make_password(None)) for name in unknown]
            User.objects.bulk_create(accounts, ignore_conflicts=True)  # another import may create them now
            self.raters |= User.objects.in_data(missing)

    def _items(self, reads: Sequence[_ParsedRow]) -> dict[tuple[str, str], dict[int, Item]]:
        """Return position -> item for each response (and the one it is compared with) that the rows name."""
        items_by_position: dict[tuple[str, str], dict[int, Item]] = defaultdict(dict)
        rows = Item.objects.filter(
            response__dataset=self.project.dataset_id,
            response__key__in={read.item.response for read in reads},
            unit=self.unit,
        )
        for item in rows.select_related("response", "against").defer("response__text", "against__text"):
            against = item.against.key if item.against else ""
            items_by_position[item.response.key, against][item.position] = item
        return items_by_position

    def _why_no_item(self, description: ItemDescription, items: dict[tuple[str, str], dict[int, Item]]) -> str:
        if items_of_response := items.get(description.pair):
            item = f"{unit_words(description.unit)} {description.position}"
            none = (
                f"response {echo(description.response)} has no {item}: it has {len(items_of_response)}, counted from 0"
            )
            return f"{none}; {_REPEAT_EXPORT}" if description.is_of_an_old_export else none
        responses = self.project.dataset.responses
        if not responses.filter(key=description.response).exists():
            return f"there is no response {echo(description.response)} in data set {self.project.dataset.slug!r}"
        return f"response {echo(description.response)} has no {unit_words(description.unit)} to rate"
