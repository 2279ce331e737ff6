"""The column mapping of an import: the given one, that of the previous import, or a guess."""

from collections.abc import Sequence

from ..jobs import Refused
from ..models import Dataset, DatasetImport
from .column_guesses import RowSample, guess_columns, map_remaining_columns, sample_rows
from .column_mapping import Columns, check_columns, columns_from
from .column_names import suggested_column
from .input_files import ZIP, FileReader, SourceFile
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
    if not sample.rows:
        return requested or last_mapping(dataset) or Columns({})
    before = last_mapping(dataset)
    if requested is None and before is None:
        guess = guess_columns(sample)
        if not guess.column_of("prompt"):
            raise Refused(
                [
                    f"no column has a prompt's name; choose one (--map prompt=COLUMN); it has: {_names(sample)}"
                    + first_sheet_only(files)
                ]
            )
        return check_columns(guess)
    columns = requested or before or Columns({})
    _refuse_unknown(columns.mapped if requested else {columns.column_of("prompt")}, sample, first_sheet_only(files))
    return check_columns(map_remaining_columns(columns, sample))


def first_sheet_only(files: Sequence[SourceFile]) -> str:
    """Return the end of a message about missing content: a workbook may have it on another sheet. "" without one."""
    if any(FileReader(file).starts_with(ZIP) for file in files):
        return "; only the first sheet of a workbook is read: move the table's sheet to the front"
    return ""


def _refuse_unknown(names: set[str], sample: RowSample, hint: str) -> None:
    """Refuse unknown columns: all of a given mapping must exist, of an earlier import's only the prompt's."""
    unknown = sorted(names - set(sample.names))
    if unknown:
        there_are = _names(sample)
        raise Refused(
            [
                f"there is no column '{name}' in the file; it has: {there_are}"
                + (suggested_column(name, sample.names) or hint)
                for name in unknown
            ]
        )


def _names(sample: RowSample) -> str:
    return ", ".join(sample.names[:30]) or "none"
