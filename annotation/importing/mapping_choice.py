"""The column mapping of an import: the given one, that of the previous import, or a guess."""

from collections.abc import Sequence

from ..jobs import Refused
from ..models import Dataset, DatasetImport
from .column_guesses import guess_columns, map_remaining_columns, sample_rows
from .column_mapping import Columns, check_columns, columns_from
from .input_files import ZIP, FileReader, SourceFile
from .problems import similar_name
from .rows import RowReader, rows_in


def last_mapping(dataset: Dataset | None) -> Columns | None:
    """Return the mapping of the data set's last import with one."""
    if dataset is None:
        return None
    latest = dataset.imports.filter(kind=DatasetImport.Kind.DATASET, options__has_key="columns").first()
    return columns_from(latest.options["columns"]) if latest else None


def complete_mapping(
    requested: Columns | None, dataset: Dataset, files: Sequence[SourceFile], reader: RowReader = rows_in
) -> Columns:
    """Return the mapping with a field for every column of the files. Raise Refused if it does not fit them."""
    sample = sample_rows(files, reader)
    columns = requested or last_mapping(dataset)
    if not sample.rows:
        return columns or Columns({})
    there_are = ", ".join(sample.names[:30]) or "none"
    if columns is None:
        guess = guess_columns(sample)
        if not guess.column_of("prompt"):
            message = f"no column has a prompt's name; choose one (--map prompt=COLUMN); it has: {there_are}"
            raise Refused([message + first_sheet_only(files)])
        return check_columns(guess)
    # All columns of a given mapping must exist, of an earlier import's only the prompt's.
    needed = columns.mapped if requested else {columns.column_of("prompt")}
    problems = []
    for name in sorted(needed - set(sample.names)):
        similar = similar_name(name, sample.names)
        hint = f"; did you mean '{similar}'?" if similar else first_sheet_only(files)
        problems.append(f"there is no column '{name}' in the file; it has: {there_are}{hint}")
    if problems:
        raise Refused(problems)
    return check_columns(map_remaining_columns(columns, sample))


def first_sheet_only(files: Sequence[SourceFile]) -> str:
    """Return the end of a message about missing content: a workbook may have it on another sheet. "" without one."""
    if any(FileReader(file).starts_with(ZIP) for file in files):
        return "; only the first sheet of a workbook is read: move the table's sheet to the front"
    return ""
