"""A preview of a column mapping: the prompts of the first rows, before the whole file is read."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from .column_guesses import RowSample
from .column_mapping import Columns
from .problems import BadRecord
from .record_sample import PROMPTS_SHOWN, sentences_to_rate
from .records import LeftOut, SourceDocument, SourcePrompt, SourceResponse
from .rows import records_of

PROBLEMS_SHOWN = 5


@dataclass
class PromptPreview:
    """A prompt with its fields from the rows; `responses` have the number of their sentences to rate."""

    prompt: SourcePrompt
    responses: list[tuple[SourceResponse, int | None]] = field(default_factory=list)


@dataclass
class Preview:
    """The first prompts, and counts of the sampled rows."""

    rows: int
    prompts: list[PromptPreview]
    totals: list[tuple[str, int]]
    left_out: Counter[str]
    problems: list[str]


def preview_of(sample: RowSample, columns: Columns, system: str = "") -> Preview:
    """Return the preview of the sampled rows. `system` names the system of rows without one."""
    prompts_by_key: dict[str, PromptPreview] = {}
    documents: set[str] = set()
    systems: set[str] = set()
    preview, seen_ids = Preview(len(sample.rows), [], [], Counter(), []), set[str]()
    for row in sample.rows:
        try:
            records = list(records_of(row, columns, seen_ids, system))
        except BadRecord as broken:
            preview.problems.append(f"{row.location}: {broken}")
            continue
        for record in records:
            if isinstance(record, LeftOut):
                preview.left_out[record.reason] += 1
            elif isinstance(record, SourceDocument):
                documents.add(record.key)
            else:
                prompt = prompts_by_key.setdefault(record.key, PromptPreview(record))
                documents |= {_article(sample, record.document)} if record.document else set()
                systems |= {response.system for response in record.responses}
                prompt.responses += [(response, 0) for response in record.responses]
    responses = sum(len(prompt.responses) for prompt in prompts_by_key.values())
    preview.totals = [("prompts", len(prompts_by_key)), ("responses", responses)]
    preview.totals += [("systems", len(systems)), ("documents", len(documents))]
    preview.prompts = [_counted(prompt) for prompt in list(prompts_by_key.values())[:PROMPTS_SHOWN]]
    del preview.problems[PROBLEMS_SHOWN:]
    return preview


def _article(sample: RowSample, document: str) -> str:
    """Return the name of the file that `document` refers to, with or without folder and extension; else the id."""
    files = {path.stem: path.name for path in map(PurePosixPath, sample.articles)}
    named = PurePosixPath(document.replace("\\", "/")).name
    return files.get(PurePosixPath(named).stem if named in files.values() else named, document)


def _counted(prompt: PromptPreview) -> PromptPreview:
    responses = [(response, sentences_to_rate(response)) for response, _ in prompt.responses]
    return PromptPreview(prompt.prompt, responses)
