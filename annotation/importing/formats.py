"""The formats of data sets. A new format is a reader and an entry here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from django.utils.translation import gettext_noop

from .article_files import ARTICLES
from .column_mapping import Columns
from .expertqa import read_expertqa
from .input_files import FileReader
from .jsonl import read_jsonl
from .lfqa_eval import read_lfqa_eval
from .problems import Problems
from .qasper import read_qasper
from .records import Record
from .rows import read_mapped
from .subsets import RULES
from .syllabusqa import TEXTS, read_syllabusqa


@dataclass(frozen=True)
class Format:
    """One format. `explains`: how the file's content is used. `first`: files with these endings are read before the
    others, and taken from a folder. `mapped`: a column mapping is needed."""

    name: str
    title: str
    describes: str
    read: Callable[[FileReader, Problems], Iterator[Record]]
    rules: tuple[str, ...] = ("all",)
    several: bool = True
    explains: str = ""
    first: tuple[str, ...] = ()
    mapped: bool = False

    def with_columns(self, columns: Columns) -> "Format":
        """Return the same format with a column mapping."""
        return replace(self, read=partial(read_mapped, columns))


_FORMATS = (
    Format(
        "qasper",
        "Qasper v0.3",
        gettext_noop("the official JSON files, or transposed records (JSON Lines or pretty-printed objects)"),
        read_qasper,
        rules=tuple(RULES),
        explains=gettext_noop(
            "A paper is a document, a question a prompt. The annotators’ answers are stored for leads "
            "and never shown to raters; the annotators’ ids are not stored."
        ),
    ),
    Format(
        "expertqa",
        "ExpertQA",
        gettext_noop("JSON Lines in the r2 format: a question with one system’s answer, its claims and their evidence"),
        read_expertqa,
        explains=gettext_noop(
            "A row is a question with one system’s answer: a prompt without a document, and a response "
            "whose items are its claims. A claim that is not part of the answer’s text is listed below "
            "it. The evidence is shown beside each claim. The experts’ labels are imported with "
            "“import_ratings --format expertqa”, under pseudonyms."
        ),
    ),
    Format(
        "lfqa_eval",
        "lfqa_eval",
        gettext_noop(
            "preferences between two answers: JSON Lines as published, or raw annotations (JSON lists, .tsv tables)"
        ),
        read_lfqa_eval,
        explains=gettext_noop(
            "A row is a question with two answers: a prompt without a document, with two responses and a "
            "pair of them to compare. Further rows about the same pair add nothing. The preferences are "
            "imported with “import_ratings --format lfqa_eval”."
        ),
    ),
    Format(
        "syllabusqa",
        "SyllabusQA",
        gettext_noop("a split as JSON or CSV, and the syllabi as text files (or their folder)"),
        read_syllabusqa,
        explains=gettext_noop(
            "A syllabus is a document, a question a prompt about it; a syllabus without questions is "
            "excluded. The reference answer, its spans and reasoning steps are stored for leads and "
            "never shown to raters."
        ),
        first=(TEXTS,),
    ),
    Format(
        "jsonl",
        gettext_noop("Factuary JSON Lines"),
        gettext_noop(
            "one prompt per line, with its document and responses; articles can be separate files (.pdf, .txt, .md)"
        ),
        read_jsonl,
        explains=gettext_noop(
            "A line is a prompt with its document and responses. A PDF or text file is a document whose "
            "id is the file’s name; the pages of a PDF are its sections. Every metadata key can be used "
            "as a breakdown of the report."
        ),
        first=ARTICLES,
    ),
    Format(
        "rows",
        gettext_noop("Rows with mapped columns"),
        gettext_noop(
            "any JSON Lines, JSON list, CSV, Excel workbook (.xlsx) or Parquet file: you map the "
            "columns; articles can be separate files (.pdf, .txt, .md)"
        ),
        partial(read_mapped, Columns({})),
        explains=gettext_noop(
            "A row is a prompt or a response to one, by the columns named below. The other columns of a "
            "prompt are its metadata, and every metadata key can be used as a breakdown of the report. A "
            "PDF or text file is a document whose id is the file’s name; the pages of a PDF are its "
            "sections."
        ),
        first=ARTICLES,
        mapped=True,
    ),
)

FORMATS: dict[str, Format] = {format.name: format for format in _FORMATS}
