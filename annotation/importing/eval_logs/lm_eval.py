"""lm-evaluation-harness: the samples of one task, JSON lines that `--log_samples` writes.

A line is a document of the task with the model's generations. The file names neither the model nor the task: the model
is the name of the file's folder, as the harness writes it, and the task is part of the file's name.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from ..chat_messages import transcript
from ..exchanges import Exchange, exchanges_of
from ..input_files import FileReader
from ..json_fields import THE_LINE, Fields, kind_of
from ..json_stream import read_values
from ..problems import BadRecord, Problems, echo, read_each
from ..records import LeftOut, hash_of

NOT_GENERATED = "sample without generated text"
_FILE = re.compile(r"samples_(.+?)(_\d{4}-\d\d-\d\dT[\d.-]+)?\.jsonl?(\.gz)?", re.IGNORECASE)
_LIKELIHOOD = re.compile(r"\(?(-\d+(\.\d*(e[-+]?\d+)?|e[-+]?\d+)|-?0\.0|-inf|nan),?\)?", re.IGNORECASE)
_SLASH = "__"  # in the name of a folder: the slash in a model's name


def read_lm_eval(file_reader: FileReader, problems: Problems) -> Iterator[Exchange | LeftOut]:
    """Yield the generations of one file. Invalid lines go to `problems`. A document that occurs again, with another
    filter of its answers, adds nothing."""
    path = PurePath(file_reader.name.replace("\\", "/"))
    named = _FILE.fullmatch(path.name)
    task, folder = named[1] if named else "", path.parent.name
    model = folder.replace(_SLASH, "/", 1) if _SLASH in folder else ""
    hashes: dict[str, str] = {}

    def read(location: str, value: Any) -> Iterator[Exchange | LeftOut]:
        yield from _exchanges(location, Fields(value, THE_LINE), task, model, hashes)

    yield from read_each(read_values(file_reader, problems, nan_as_null=True), problems, read)


def _exchanges(
    location: str, line: Fields, task: str, model: str, hashes: dict[str, str]
) -> Iterator[Exchange | LeftOut]:
    number = line.value.get("doc_id")
    if isinstance(number, bool) or not isinstance(number, int | str):
        message = f"'doc_id' must be a number or a text, but is {kind_of(number)}"
        raise BadRecord(f"{message}; is this a samples_*.jsonl file?")
    key = f"{task}/{number}" if task else str(number)
    requests = _requests(line.value.get("arguments"))
    responses = line.get("resps", list, [])
    content = hash_of([requests, responses])
    if key in hashes and hashes[key] != content:
        message = f"document {echo(number)} occurs a second time with other requests or answers"
        raise BadRecord(f"{message}; import each file into a data set of its own")
    if key in hashes:
        yield LeftOut(location, "identical row")
        return
    hashes[key] = content
    for n, request in enumerate(requests):
        answers = responses[n] if n < len(responses) else []
        texts = answers if isinstance(answers, list) else [answers]
        if not _is_generated(request, texts):
            yield LeftOut(location, NOT_GENERATED)
            return  # the requests of one document are of one kind
        exchange = Exchange(
            location=location,
            prompt=_prompt(request),
            prompt_id=f"{key}/{n}" if n else key,
            system=model,
            reference=_text(line.value.get("target")),
            metadata={"task": task} if task else {},
        )
        yield from exchanges_of(exchange, [_text(text) for text in texts])


def _requests(arguments: Any) -> list[list[Any]]:
    """Return the arguments of each request: {"gen_args_0": {"arg_0": text}}, or [[text, options]]. Raise BadRecord."""
    requests = list(arguments.values()) if isinstance(arguments, dict) else arguments
    if not isinstance(requests, list) or not requests:
        raise BadRecord("'arguments' has no text that the model was asked")
    lists = [list(each.values()) if isinstance(each, dict) else each for each in requests]
    return [each if isinstance(each, list) else [each] for each in lists]


def _is_generated(request: list[Any], texts: list[Any]) -> bool:
    """Return whether the model generated a text. The second argument is the settings of a generation, or the text whose
    likelihood is measured; without one, the likelihood of the first text is measured, and the answers are numbers."""
    if len(request) > 1:
        return isinstance(request[1], dict)
    return all(isinstance(text, str) and not _LIKELIHOOD.fullmatch(text) for text in texts)


def _prompt(request: list[Any]) -> str:
    """Return the text that the model was asked, a chat as a transcript. Raise BadRecord."""
    first = request[0] if request else None
    while isinstance(first, list) and first:  # a chat as [text]
        first = first[0]
    if not isinstance(first, str) or not first.strip():
        raise BadRecord("'arguments' has no text that the model was asked")
    if first.startswith('[{"role"'):
        with suppress(ValueError, RecursionError, BadRecord):
            return transcript(json.loads(first)) or first
    return first


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(map(_text, value))
    return "" if value is None else str(value)
