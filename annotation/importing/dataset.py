"""Import of a data set in two passes: the first validates and selects, the second stores."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path, PurePath, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import transaction

from ..audit import record
from ..jobs import Progress, Refused
from ..models import Dataset, DatasetImport, Item, Project, User
from ..projects.create import add_responses
from ..queue.errors import ProjectArchived
from ..queue.reoffers import distribute_new_items
from . import zip_archives
from .column_mapping import Columns
from .formats import FORMATS, Format
from .import_counts import ImportCounts, excluded_words
from .input_files import ARROW, FileReader, SourceFile, source_file
from .mapping_choice import complete_mapping, first_sheet_only
from .problems import Problems
from .records import Record, SourceDocument, SourcePrompt
from .storage import Store
from .subsets import RULES, Rule
from .validation import TOKENIZER, Selection, Survey

RESERVED = "import"  # /datasets/import/ is a page

AnyPath = str | PathLike[str] | SourceFile


@transaction.atomic
def load_dataset(
    format: str,
    paths: Sequence[AnyPath],
    slug: str,
    *,
    title: str = "",
    subset: str = "all",
    sample: int | None = None,
    seed: int = 1,
    columns: Columns | None = None,
    system: str = "",
    dry_run: bool = False,
    actor: User | None = None,
    progress: Progress | None = None,
) -> ImportCounts:
    """Load files of one format into the data set `slug`, which is created if necessary.

    `subset` names a rule of `subsets.RULES`; `sample` takes that many of its prompts, drawn by a hash of `seed` and id.
    `columns` is the mapping of a format that needs one; by default that of the data set's last import, or a guess from
    the names of the columns. `system` names the system of records that name none, in formats that allow this. Folders
    and zip archives are replaced by their files. Stores everything or nothing: raises Refused with the problems. A dry
    run does the same and rolls it back.
    """
    reader, rule = _find_format_and_rule(format, subset, sample, slug)
    files, skipped = files_of(reader, [source_file(path) for path in paths])
    progress = progress or Progress()
    Dataset.objects.get_or_create(slug=slug, defaults={"title": (title or slug)[:200], "format": format})
    dataset = Dataset.objects.select_for_update().get(slug=slug)  # two imports into it run one after the other
    if dataset.format != format:
        raise Refused([f"data set {slug!r} was imported from format {dataset.format}: choose another name"])
    if reader.mapped:
        columns = complete_mapping(columns, dataset, files, reader.rows)
    elif columns:
        formats = ", ".join(each.name for each in FORMATS.values() if each.mapped)
        raise Refused([f"format {format} has fixed columns; a mapping is only for: {formats}"])
    if system and not reader.takes_system:
        raise Refused([f"files of format {format} name their systems; leave System (in a command: --system) empty"])
    reader = replace(reader, columns=columns or reader.columns, system=system)
    with TemporaryDirectory() as keeps:
        passes = Passes(reader, files, Path(keeps))
        selection, hashes = _survey(dataset, passes, rule, sample, seed, progress)
        counts = ImportCounts({"documents": 0, "prompts": 0, "responses": 0, "items": 0}, rule=rule, dry_run=dry_run)
        counts.excluded, counts.steps, counts.columns = selection.excluded, selection.steps, columns
        counts.excluded.counts += skipped
        with_new_facts = _store(dataset, passes, selection, hashes, counts, progress)
    counts.totals |= {"documents": len(selection.documents), "prompts": len(selection.prompts)}
    if counts.new:
        options: dict[str, Any] = {"format": format, "sample": sample, "seed": seed, "tokeniser": TOKENIZER}
        options |= {"subset": rule.name, "rule": rule.title, "published": dict(rule.published or {})}
        options |= {"examples": counts.excluded.examples} if counts.excluded.examples else {}
        options |= {"columns": columns.as_json()} if columns else {}
        options |= {"system": system} if system else {}
        record_import(dataset, DatasetImport.Kind.DATASET, hashes, options, counts, actor)
        counts.offered_again = extend_projects(dataset, actor, with_new_facts)
    progress.lock_job()
    if dry_run:
        transaction.set_rollback(True)
    return counts


_ROWS = (".jsonl", ".json", ".csv", ".tsv", ".xlsx", ".parquet")


def files_of(reader: Format, sources: Iterable[SourceFile]) -> tuple[list[SourceFile], Counter[str]]:
    """Return the files to read, in an order that resolves references, and the ignored files of archives."""
    files: list[SourceFile] = []
    skipped: Counter[str] = Counter()
    for file in sources:
        if file.display_name.lower().endswith(zip_archives.ENDING):
            inside, others = zip_archives.files_in(file, reader.first, reader.data or zip_archives.DATA)
            files, skipped = files + inside, skipped + others
        else:
            files += _files(reader, file)
    return sorted(files, key=lambda file: not file.bare_name.endswith(reader.first)), skipped


def _files(reader: Format, file: SourceFile) -> list[SourceFile]:
    """Return the file itself, or the files in a folder that the format reads, by name. If the folder contains rows or
    subfolders, the user must name the files."""
    if reader.data and file.path.is_dir():
        paths = sorted(path for path in file.path.rglob("*") if path.name.lower().endswith(reader.data))
        if not paths:
            arrow = next(file.path.rglob("*.arrow"), None)
            hint = f"; {arrow.name}: {ARROW}" if arrow else ""
            raise Refused([f"{file.display_name}: there is no {', '.join(reader.data)} file in this folder" + hint])
        return [SourceFile(path, f"{file.display_name}/{path.relative_to(file.path)}") for path in paths]
    if not (reader.first and file.path.is_dir()):
        return [file]
    inside = [SourceFile(path, f"{file.display_name}/{path.name}") for path in sorted(file.path.iterdir())]
    if any(each.path.is_dir() or each.bare_name.endswith(_ROWS) for each in inside):
        return [file]  # opening it raises Refused
    first_files = [each for each in inside if each.bare_name.endswith(reader.first)]
    if not first_files:
        first = ", ".join(reader.first)
        raise Refused([f"{file.display_name}: there is no {first} file in this folder"])
    return first_files


def _find_format_and_rule(format: str, subset: str, sample: int | None, slug: str) -> tuple[Format, Rule]:
    reader, rule = FORMATS.get(format), RULES.get(subset)
    if reader is None:
        raise Refused([f"format {format!r} is unknown; choose one of: {', '.join(FORMATS)}"])
    if rule is None or rule.name not in reader.rules:
        raise Refused([f"format {format} has no subset rule {subset!r}; it has: {', '.join(reader.rules)}"])
    if sample is not None and sample < 1:
        raise Refused([f"sample size {sample}: choose 1 or more"])
    try:
        validate_slug(slug)
    except ValidationError:
        raise Refused([f"data set name {slug!r}: use letters, digits, hyphens and underscores only"]) from None
    if slug == RESERVED:
        raise Refused([f"data set name {slug!r} is reserved by the site: choose another name"])
    if len(slug) > 80:
        raise Refused([f"data set name {slug!r} is too long: use at most 80 characters"])
    return reader, rule


@dataclass(frozen=True)
class Passes:
    """The files of an import, which are read twice. `keeps`: a folder with results of the first pass for the second."""

    reader: Format
    files: Sequence[SourceFile]
    keeps: Path

    def records(self, problems: Problems, hashes: list[dict[str, str]]) -> Iterator[Record]:
        """Yield the records of the files. A prompt may name a document's file without folder and extension."""
        keys: dict[str, str] = {}
        for file in self.files:
            file_reader = FileReader(file, self.keeps)
            for item in self.reader.read(file_reader, problems):
                if isinstance(item, SourceDocument) and item.is_file:
                    keys |= {item.key: item.key, PurePath(item.key).stem: item.key}
                if isinstance(item, SourcePrompt) and item.document is not None:
                    named = PurePosixPath(item.document.replace("\\", "/")).name
                    item = replace(item, document=keys.get(item.document) or keys.get(named, item.document))
                yield item
            hashes.append(file_reader.file_record())


def _survey(
    dataset: Dataset,
    passes: Passes,
    rule: Rule,
    sample: int | None,
    seed: int,
    progress: Progress,
) -> tuple[Selection, list[dict[str, str]]]:
    hashes: list[dict[str, str]] = []
    with Problems() as problems:
        survey = Survey(rule, problems, lambda key: dataset.documents.filter(key=key).exists())
        for n, item in enumerate(passes.records(problems, hashes)):
            survey.take(item)
            progress(n, None, "checking the files")
        if survey.prompts == 0 and not survey.has_articles and not problems.lines:
            message = "there is no record in the file, so nothing is stored"
            if excluded := excluded_words(survey.excluded):
                message = f"no record has a prompt, so nothing is stored; excluded: {excluded}"
            names = ", ".join(file.display_name for file in passes.files)
            raise Refused([f"{names}: {message}{first_sheet_only(passes.files)}"])
    return survey.select(sample, seed), hashes


def _store(
    dataset: Dataset,
    passes: Passes,
    selection: Selection,
    hashes: list[dict[str, str]],
    counts: ImportCounts,
    progress: Progress,
) -> set[int]:
    """Store the records; return the existing responses (primary keys) that got facts."""
    again: list[dict[str, str]] = []
    stored = set()
    with Problems() as problems:
        store = Store(dataset, counts, problems)
        for item in passes.records(problems, again):
            if isinstance(item, SourceDocument) and item.key in selection.documents:
                store.add_document(item)
            elif isinstance(item, SourcePrompt) and item.key in selection.prompts:
                store.add_prompt(item)
                counts.sample.take_prompt(item)
                stored.add(item.key)  # rows of several systems have one prompt
                progress(len(stored), len(selection.prompts), "storing prompts")
        store.flush()
    if again != hashes:
        raise Refused(["a file changed while it was read; import it again"])
    store.analyze_tables()
    return store.with_new_facts


def record_import(
    dataset: Dataset,
    kind: str,
    files: list[dict[str, str]],
    options: dict[str, Any],
    counts: ImportCounts,
    actor: User | None,
    *,
    project: Project | None = None,
) -> None:
    """Store the import's row and its audit event."""
    DatasetImport.objects.create(
        dataset=dataset,
        kind=kind,
        files=files,
        options=options,
        counts=counts.as_json(),
        steps=counts.steps,
        imported_by=actor,
    )
    target = f"project:{project.slug}" if project else f"dataset:{dataset.slug}"
    record(actor, f"import {kind}", target, project=project, after={**counts.as_json(), "files": files})


def extend_projects(dataset: Dataset, actor: User | None, with_new_facts: Collection[int]) -> int:
    """Add missing responses to every project of the data set. If the project rates facts, reoffer finished responses
    with new facts. Returns how many. Raises Refused."""
    try:
        offered = distribute_new_items(dataset, with_new_facts, Item.Unit.FACT) if with_new_facts else {}
    except ProjectArchived as error:
        raise Refused([str(error)]) from None
    for project in dataset.projects.order_by("pk"):
        added = add_responses(project)
        after = {"responses": added, "offered again for new facts": offered.get(project.pk, 0)}
        if additions := {noun: n for noun, n in after.items() if n}:
            record(actor, "add responses", f"project:{project.slug}", project=project, after=additions)
    return sum(offered.values())
