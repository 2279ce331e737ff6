"""The formats of data sets. A new format is a reader and an entry here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from .article_files import ARTICLES
from .column_mapping import Columns
from .eval_logs.chat import read_chat
from .eval_logs.helm import read_helm
from .eval_logs.inspect import read_inspect
from .eval_logs.langfuse import read_langfuse
from .eval_logs.lm_eval import read_lm_eval
from .eval_logs.phoenix import read_phoenix
from .exchanges import ExchangeReader, read_exchanges
from .expertqa import read_expertqa
from .input_files import FileReader
from .jsonl import read_jsonl
from .lfqa_eval import read_lfqa_eval
from .problems import Problems
from .qasper import read_qasper
from .records import Record
from .rows import RowReader, read_mapped, rows_in
from .shards import shard_rows
from .subsets import RULES
from .syllabusqa import TEXTS, read_syllabusqa
from .tool_formats import rows_of_tasks

GROUPS = {
    "own": "Tables and Factuary’s own format",
    "logs": "Logs of evaluation programs, and traces",
    "tools": "Projects of annotation tools",
    "studies": "Published data sets",
}
"""Titles of the groups of formats, in the order of the page."""


@dataclass(frozen=True)
class Format:
    """One format. `explains`: how the file's content is used. `first`: files with these endings are read before the
    others, and taken from a folder. `mapped`: a column mapping is needed, of the columns that `rows` yields. `data`:
    the endings of its data files, which are taken from a folder with all its subfolders, and from an archive; by
    default those of text files. `exchanges`: the reader of a log, whose answers can also be added to the prompts of
    another data set."""

    name: str
    title: str
    describes: str
    read: Callable[[FileReader, Problems], Iterator[Record]]
    rules: tuple[str, ...] = ("all",)
    several: bool = True
    explains: str = ""
    first: tuple[str, ...] = ()
    mapped: bool = False
    group: str = "studies"
    exchanges: ExchangeReader | None = None
    rows: RowReader = rows_in
    data: tuple[str, ...] = ()

    def with_columns(self, columns: Columns, system: str = "") -> "Format":
        """Return the same mapped format with a column mapping, and a name for the system of rows without one."""
        return replace(self, read=partial(read_mapped, columns, system=system, rows=self.rows))

    @property
    def takes_system(self) -> bool:
        """Whether records may lack the name of their system."""
        return self.mapped or self.exchanges is not None

    def with_system(self, system: str) -> "Format":
        """Return the same format of a log with a name for the system of answers without one."""
        if self.exchanges is None:
            return self
        return replace(self, read=partial(read_exchanges, self.exchanges, system=system))


def _log(name: str, title: str, describes: str, explains: str, exchanges: ExchangeReader) -> Format:
    return Format(
        name,
        title,
        describes,
        partial(read_exchanges, exchanges),
        explains=explains,
        group="logs",
        exchanges=exchanges,
    )


def _tool(name: str, title: str, describes: str) -> Format:
    """Return the format of an annotation tool, for the data of its tasks: they are mapped rows."""
    return Format(
        name,
        title,
        describes,
        partial(read_mapped, Columns({})),
        explains=(
            "The data of a task are a row, by the columns named below. The annotations become ratings of a project, "
            "by the labels and annotators that are mapped after the columns, and the predictions of models ratings of "
            "judges."
        ),
        mapped=True,
        group="tools",
        rows=rows_of_tasks(name),
    )


_FORMATS = (
    Format(
        "qasper",
        "Qasper v0.3",
        "the official JSON files, or transposed records (JSON Lines or pretty-printed objects)",
        read_qasper,
        rules=tuple(RULES),
        explains=(
            "A paper is a document, a question a prompt. The annotators’ answers are stored for leads "
            "and never shown to raters; the annotators’ ids are not stored."
        ),
    ),
    Format(
        "expertqa",
        "ExpertQA",
        "JSON Lines in the r2 format: a question with one system’s answer, its claims and their evidence",
        read_expertqa,
        explains=(
            "A row is a question with one system’s answer: a prompt without a document, and a response "
            "whose items are its claims. A claim that is not part of the answer’s text is listed below "
            "it. The evidence is shown beside each claim. The experts’ labels are imported with "
            "“import_ratings --format expertqa”, under pseudonyms."
        ),
    ),
    Format(
        "lfqa_eval",
        "lfqa_eval",
        "preferences between two answers: JSON Lines as published, or raw annotations (JSON lists, .tsv tables)",
        read_lfqa_eval,
        explains=(
            "A row is a question with two answers: a prompt without a document, with two responses and a "
            "pair of them to compare. Further rows about the same pair add nothing. The preferences are "
            "imported with “import_ratings --format lfqa_eval”."
        ),
    ),
    Format(
        "syllabusqa",
        "SyllabusQA",
        "a split as JSON or CSV, and the syllabi as text files (or their folder)",
        read_syllabusqa,
        explains=(
            "A syllabus is a document, a question a prompt about it; a syllabus without questions is "
            "excluded. The reference answer, its spans and reasoning steps are stored for leads and "
            "never shown to raters."
        ),
        first=(TEXTS,),
    ),
    Format(
        "jsonl",
        "Factuary JSON Lines",
        "one prompt per line, with its document and responses; articles can be separate files (.pdf, .txt, .md)",
        read_jsonl,
        explains=(
            "A line is a prompt with its document and responses. A PDF or text file is a document whose "
            "id is the file’s name; the pages of a PDF are its sections. Every metadata key can be used "
            "as a breakdown of the report."
        ),
        first=ARTICLES,
        group="own",
    ),
    Format(
        "rows",
        "Rows with mapped columns",
        (
            "any JSON Lines, JSON list, CSV, Excel workbook (.xlsx) or Parquet file: you map the "
            "columns; articles can be separate files (.pdf, .txt, .md)"
        ),
        partial(read_mapped, Columns({})),
        explains=(
            "A row is a prompt or a response to one, by the columns named below. The other columns of a "
            "prompt are its metadata, and every metadata key can be used as a breakdown of the report. A "
            "PDF or text file is a document whose id is the file’s name; the pages of a PDF are its "
            "sections."
        ),
        first=ARTICLES,
        mapped=True,
        group="own",
    ),
    Format(
        "datasets",
        "Hugging Face datasets",
        "a data set’s Parquet files, or its folder as .zip (in a command the folder itself)",
        partial(read_mapped, Columns({})),
        explains="The rows of all files are read as those of one table, by the columns named below. The split is a "
        "column.",
        mapped=True,
        group="own",
        rows=shard_rows,
        data=(".parquet",),
    ),
    _log(
        "inspect",
        "Inspect",
        "an evaluation log, as JSON or as a .eval file",
        (
            "A sample is a prompt with its target as the reference, and a response of the evaluated model. Logs of "
            "several models on one task belong to one data set. The samples’ ids are stored, so that people’s scores "
            "can be joined to the log."
        ),
        read_inspect,
    ),
    _log(
        "lm-eval",
        "lm-evaluation-harness",
        "samples of a task: samples_*.jsonl, as --log_samples writes them",
        (
            "A line is a prompt with its target as the reference, and the generated texts. The model is the name of "
            "the file’s folder, as the harness writes it, or the name in System. Tasks that only compare likelihoods "
            "have no responses."
        ),
        read_lm_eval,
    ),
    _log(
        "helm",
        "HELM",
        "the scenario_state.json of a run",
        (
            "An instance is a prompt with its correct references, and a response of the run’s model. Runs of several "
            "models on one scenario belong to one data set."
        ),
        read_helm,
    ),
    _log(
        "chat",
        "Chat messages",
        "JSON Lines with messages, as files for OpenAI’s fine-tuning and batches have them",
        (
            "The last message of the assistant is the response, the messages before it are the prompt. A batch input "
            "has only prompts; the batch output has the responses: import it into the same data set as responses."
        ),
        read_chat,
    ),
    _log(
        "langfuse",
        "Langfuse",
        "traces or observations, exported as JSON, JSON Lines or CSV",
        (
            "The input of a trace or a generation is a prompt, its output a response. The same input is one prompt. "
            "Traces do not name a model: name it in System."
        ),
        read_langfuse,
    ),
    _log(
        "phoenix",
        "Phoenix",
        "spans, exported as JSON, JSON Lines, CSV or Parquet",
        "The input of a span that calls a model is a prompt, its output a response. Other spans are excluded.",
        read_phoenix,
    ),
    _tool("label-studio", "Label Studio", "the export of a project as JSON"),
    _tool("argilla", "Argilla", "records as JSON, JSON Lines or Parquet, nested or flattened"),
    _tool(
        "doccano",
        "doccano",
        "the export of a project as JSONL, or its .zip with a file for each annotator",
    ),
    _tool("potato", "Potato", "the data file, and annotated_instances as JSON Lines, CSV or TSV"),
)

FORMATS: dict[str, Format] = {format.name: format for format in _FORMATS}
