"""The formats of data sets. A new format is a reader and an entry here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from .annotation_tools import rows_of_tasks
from .article_files import ARTICLES
from .column_mapping import NO_COLUMNS, Columns
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
from .rows import RowReader, read_mapped, rows_in, rows_of_shards
from .subsets import RULES
from .syllabusqa import TEXTS, read_syllabusqa

GROUPS = {
    "own": "Tables and Factuary’s own format",
    "logs": "Logs of evaluation programs, and traces",
    "tools": "Projects of annotation tools",
    "studies": "Published data sets",
}
"""Titles of the groups of formats, in the order of the page."""


@dataclass(frozen=True)
class Format:
    """One format: a `reader` of records; or the reader of a log, `exchanges`, whose answers can also be added to the
    prompts of another data set; or else its `rows` are read by a mapping of their columns. `explains`: how the file's
    content is used. `first`: files with these endings are read before the others, and taken from a folder. `data`: the
    endings of its data files, which are taken from a folder with all its subfolders, and from an archive; by default
    those of text files. `system`: the name of the system of records without one."""

    name: str
    title: str
    describes: str
    reader: Callable[[FileReader, Problems], Iterator[Record]] | None = None
    rules: tuple[str, ...] = ("all",)
    several: bool = True
    explains: str = ""
    first: tuple[str, ...] = ()
    group: str = "studies"
    exchanges: ExchangeReader | None = None
    rows: RowReader = rows_in
    data: tuple[str, ...] = ()
    columns: Columns = NO_COLUMNS
    system: str = ""

    @property
    def mapped(self) -> bool:
        """Whether a mapping of columns is needed."""
        return self.reader is None and self.exchanges is None

    @property
    def takes_system(self) -> bool:
        """Whether records may lack the name of their system."""
        return self.reader is None

    def read(self, file_reader: FileReader, problems: Problems) -> Iterator[Record]:
        """Yield the records of one file. Invalid ones go to `problems`. Raise Refused."""
        if self.reader:
            return self.reader(file_reader, problems)
        if self.exchanges:
            return read_exchanges(self.exchanges, file_reader, problems, self.system)
        return read_mapped(self.columns, file_reader, problems, self.system, self.rows)


_TASKS = (
    "The data of a task are a row, by the columns named below. The annotations become ratings of a project, by the "
    "labels and annotators that are mapped after the columns, and the predictions of models ratings of judges."
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
            "A syllabus is a document, a question a prompt about it; a syllabus without questions is excluded. The "
            "reference answer, its spans and reasoning steps are stored for leads and never shown to raters."
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
        explains=(
            "A row is a prompt or a response to one, by the columns named below. The other columns of a prompt are "
            "its metadata, and every metadata key can be used as a breakdown of the report. A PDF or text file is a "
            "document whose id is the file’s name; the pages of a PDF are its sections."
        ),
        first=ARTICLES,
        group="own",
    ),
    Format(
        "datasets",
        "Hugging Face datasets",
        "a data set’s Parquet files, or its folder as .zip (in a command the folder itself)",
        explains=(
            "The rows of all files are read as those of one table, by the columns named below. The split is a column."
        ),
        group="own",
        rows=rows_of_shards,
        data=(".parquet",),
    ),
    Format(
        "inspect",
        "Inspect",
        "an evaluation log, as JSON or as a .eval file",
        explains=(
            "A sample is a prompt with its target as the reference, and a response of the evaluated model. Logs of "
            "several models on one task belong to one data set. The samples’ ids are stored, so that people’s scores "
            "can be joined to the log."
        ),
        group="logs",
        exchanges=read_inspect,
    ),
    Format(
        "lm-eval",
        "lm-evaluation-harness",
        "samples of a task: samples_*.jsonl, as --log_samples writes them",
        explains=(
            "A line is a prompt with its target as the reference, and the generated texts. The model is the name of "
            "the file’s folder, as the harness writes it, or the name in System. Tasks that only compare likelihoods "
            "have no responses."
        ),
        group="logs",
        exchanges=read_lm_eval,
    ),
    Format(
        "helm",
        "HELM",
        "the scenario_state.json of a run",
        explains=(
            "An instance is a prompt with its correct references, and a response of the run’s model. Runs of several "
            "models on one scenario belong to one data set."
        ),
        group="logs",
        exchanges=read_helm,
    ),
    Format(
        "chat",
        "Chat messages",
        "JSON Lines with messages, as files for OpenAI’s fine-tuning and batches have them",
        explains=(
            "The last message of the assistant is the response, the messages before it are the prompt. A batch input "
            "has only prompts; the batch output has the responses: import it into the same data set as responses."
        ),
        group="logs",
        exchanges=read_chat,
    ),
    Format(
        "langfuse",
        "Langfuse",
        "traces or observations, exported as JSON, JSON Lines or CSV",
        explains=(
            "The input of a trace or a generation is a prompt, its output a response. The same input is one prompt. "
            "Traces do not name a model: name it in System."
        ),
        group="logs",
        exchanges=read_langfuse,
    ),
    Format(
        "phoenix",
        "Phoenix",
        "spans, exported as JSON, JSON Lines, CSV or Parquet",
        explains="The input of a span that calls a model is a prompt, its output a response. Other spans are excluded.",
        group="logs",
        exchanges=read_phoenix,
    ),
    *(
        Format(name, title, describes, explains=_TASKS, group="tools", rows=partial(rows_of_tasks, name))
        for name, title, describes in (
            ("label-studio", "Label Studio", "the export of a project as JSON"),
            ("argilla", "Argilla", "records as JSON, JSON Lines or Parquet, nested or flattened"),
            ("doccano", "doccano", "the export of a project as JSONL, or its .zip with a file for each annotator"),
            ("potato", "Potato", "the data file, and annotated_instances as JSON Lines, CSV or TSV"),
        )
    ),
)

FORMATS: dict[str, Format] = {format.name: format for format in _FORMATS}
