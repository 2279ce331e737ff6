"""lm-evaluation-harness: the samples of one task, JSON lines that `--log_samples` writes.

A line is a document of the task with the model's generations. The file names neither the model nor the task: the model
is the name of the file's folder, as the harness writes it, and the task is part of the file's name.
"""

import json
import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ..chat_messages import transcript
from ..exchanges import Exchange
from ..input_files import FileReader
from ..json_fields import THE_LINE, Fields, kind_of
from ..json_stream import read_values
from ..problems import BadRecord, Problems
from ..records import LeftOut

NOT_GENERATED = gettext_noop("sample without generated text")
_FILE = re.compile(r"samples_(.+?)(_\d{4}-\d\d-\d\dT[\d.-]+)?\.jsonl?(\.gz)?", re.IGNORECASE)
_SLASH = "__"  # in the name of a folder: the slash in a model's name


def read_lm_eval(file_reader: FileReader, problems: Problems) -> Iterator[Exchange | LeftOut]:
    """Yield the generations of one file. Invalid lines go to `problems`. A document that occurs again, with another
    filter of its answers, adds nothing."""
    path = PurePath(file_reader.name.replace("\\", "/"))
    named = _FILE.fullmatch(path.name)
    task, model = named[1] if named else "", _model(path.parent.name)
    seen: set[str] = set()
    for location, value in read_values(file_reader, problems, nan_as_null=True):
        try:
            yield from _exchanges(location, Fields(value, THE_LINE), task, model, seen)
        except BadRecord as broken:
            problems.add(location, broken)


def _model(folder: str) -> str:
    """Return the model that the folder is named after; "" for a folder with another name."""
    return folder.replace(_SLASH, "/", 1) if _SLASH in folder else ""


def _exchanges(location: str, line: Fields, task: str, model: str, seen: set[str]) -> Iterator[Exchange | LeftOut]:
    number = line.value.get("doc_id")
    if isinstance(number, bool) or not isinstance(number, int | str):
        message = _("'doc_id' must be a number or a text, but is %(kind)s; is this a samples_*.jsonl file?")
        raise BadRecord(message % {"kind": kind_of(number)})
    key = f"{task}/{number}" if task else str(number)
    if key in seen:
        yield LeftOut(location, "identical row")
        return
    seen.add(key)
    generations = _generations(line.get("resps", list, []))
    if not generations:
        yield LeftOut(location, NOT_GENERATED)
    for text in generations:
        yield Exchange(
            location=location,
            prompt=_prompt(line.value.get("arguments")),
            response=text,
            prompt_id=key,
            system=model,
            reference=_text(line.value.get("target")),
            metadata={"task": task} if task else {},
        )


def _generations(responses: list[Any]) -> list[str]:
    """Return the texts of the first request, one for each repetition; none of a task that only compares likelihoods."""
    first = responses[0] if responses else []
    texts = first if isinstance(first, list) else [first]
    return [text for text in texts if isinstance(text, str)]


def _prompt(arguments: Any) -> str:
    """Return the text that the model was asked: the first argument of the first request. Raise BadRecord."""
    first = arguments
    for _level in range(3):  # {"gen_args_0": {"arg_0": text}}, [[text, options]], and a chat as [text]
        if isinstance(first, dict | list) and first:
            first = next(iter(first.values())) if isinstance(first, dict) else first[0]
    if not isinstance(first, str) or not first.strip():
        raise BadRecord(_("'arguments' has no text that the model was asked"))
    return _chat(first) or first


def _chat(text: str) -> str:
    """Return the transcript of messages that are written as JSON; "" for any other text."""
    if not text.startswith('[{"role"'):
        return ""
    try:
        return transcript(json.loads(text))
    except (ValueError, RecursionError, BadRecord):
        return ""


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(map(_text, value))
    return "" if value is None else str(value)
