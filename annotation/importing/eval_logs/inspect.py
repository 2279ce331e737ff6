"""Inspect: an evaluation log as JSON, or as a `.eval` file, which is a zip archive of JSON files.

A sample is a prompt with its target as the reference, and a response of the evaluated model. The response's metadata
identifies the sample, so that people's scores can be joined to the log.
"""

import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, count
from string import ascii_uppercase
from typing import Any

from ...jobs import Refused
from .. import zip_archives
from ..chat_messages import text_of_content, transcript
from ..exchanges import Exchange, exchanges_of
from ..input_files import MAX_RECORD_SIZE, MEGABYTE, ZIP, FileReader
from ..json_fields import Fields, kind_of
from ..json_stream import JsonText, parse
from ..problems import BadRecord, Problems, echo, read_each
from ..records import LeftOut
from .traces import why_no_answer

SAMPLE = "inspect"  # in a response's metadata: the sample that it came from
MAX_SAMPLES = 100_000  # of a .eval file
METHODS = (*zip_archives.UNDERSTOOD, zip_archives.ZSTANDARD)
_HEADER, _SAMPLES = "header.json", "samples/"
_ATTACHMENT = re.compile(r"attachment://(\w+)")


@dataclass(frozen=True, slots=True)
class _Log:
    """The parts of the log's header that its samples need."""

    eval_id: str
    task: str
    model: str
    status: str


def read_inspect(file_reader: FileReader, problems: Problems) -> Iterator[Exchange | LeftOut]:
    """Yield the samples of one log. Invalid ones go to `problems`. Raise Refused for a file that is no log."""
    is_archive = file_reader.starts_with(ZIP)
    samples = samples_of_archive(file_reader) if is_archive else _samples_of_json(file_reader)
    located = ((location, (log, sample)) for location, log, sample in samples)
    yield from read_each(located, problems, lambda location, sample: _exchanges(location, *sample))


def _samples_of_json(file_reader: FileReader) -> Iterator[tuple[str, _Log, Any]]:
    text, log, status = JsonText(file_reader, nan_as_null=True), None, ""
    if text.next_character() != "{":
        text.refuse("this is not an Inspect log, which is one JSON object with 'eval' and 'samples'")
    samples = 0
    for _location, key in text.members():
        if key == "status":
            status = str(text.any_value())
        elif key == "eval":
            log = _log(file_reader, text.any_value(), status)
        elif key == "samples" and text.next_character() == "[":
            if log is None:
                text.refuse("'samples' precedes 'eval'; write the log again with `inspect log convert --to json`")
            for location, sample in text.inner_elements():
                samples += 1
                yield location, log, sample
        else:
            text.skip()
    if not samples:
        raise _without_samples(file_reader, status if log else None)


def _without_samples(file_reader: FileReader, status: str | None) -> Refused:
    """Return the error of a log without a sample, which tells why there is none. `status` None: it is no log."""
    if status is None:
        return file_reader.refused("there are no samples in the file, and no 'eval': it is no Inspect log")
    if status in ("success", ""):
        message = "there are no samples in the file: the log was written without them; run it with --log-samples"
        return file_reader.refused(message)
    message = f"there are no samples in the file: the evaluation did not get to one (status {echo(status)})"
    return file_reader.refused(f"{message}; run it again")


def samples_of_archive(file_reader: FileReader) -> Iterator[tuple[str, _Log, Any]]:
    """Yield location, header and value of each sample of a `.eval` file. Raise Refused."""
    file_reader.hash_whole_file()
    entries = zip_archives.entries_of(file_reader.source, most=MAX_SAMPLES, methods=METHODS)
    infos = {info.filename: info for info in entries}
    if _HEADER not in infos:
        message = f"there is no {_HEADER} in this archive; it is no complete Inspect log, export it again"
        raise file_reader.refused(message)
    try:
        with zipfile.ZipFile(file_reader.source.path) as archive:
            header = _read(archive, infos[_HEADER], file_reader)
            fields = header if isinstance(header, dict) else {}
            log = _log(file_reader, fields.get("eval"), str(fields.get("status") or ""))
            samples = [name for name in sorted(infos) if name.startswith(_SAMPLES) and name.endswith(".json")]
            if not samples:
                raise _without_samples(file_reader, log.status)
            for name in samples:
                yield f"{file_reader.name}/{name}:1", log, _read(archive, infos[name], file_reader)
    except (zipfile.BadZipFile, OSError, EOFError, ValueError) as error:
        raise file_reader.refused(f"the zip archive is damaged ({error}); create it again") from None


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, file_reader: FileReader) -> Any:
    content = zip_archives.read_entry(archive, info, MAX_RECORD_SIZE + 1)
    if len(content) > MAX_RECORD_SIZE:
        raise file_reader.refused(f"{info.filename} is larger than {MAX_RECORD_SIZE // MEGABYTE} MB")
    try:
        return parse(content.decode(), nan_as_null=True)
    except (BadRecord, UnicodeDecodeError) as error:
        raise file_reader.refused(f"{info.filename}: {error}") from None


def _log(file_reader: FileReader, value: Any, status: str) -> _Log:
    try:
        fields = Fields(value, "'eval'")
        return _Log(fields.text("eval_id") or fields.text("run_id"), fields.text("task"), fields.id("model"), status)
    except BadRecord as broken:
        raise file_reader.refused(str(broken)) from None


def _exchanges(location: str, log: _Log, value: Any) -> Iterator[Exchange]:
    """Yield the sample with each of the model's choices; without them if the sample ended in an error."""
    sample = Fields(value, "the sample")
    sample_id, epoch = sample_key(sample)
    attachments = sample.get("attachments", dict, {})
    uuid = sample.text("uuid") or (f"{log.eval_id}-{sample_id}-{epoch}" if log.eval_id else "")
    joined = {"eval_id": log.eval_id, "task": log.task, "sample_id": sample.value["id"], "epoch": epoch}
    failed, output, target = bool(sample.value.get("error")), sample.get("output", dict, {}), sample.value.get("target")
    exchange = Exchange(
        location=location,
        prompt=_question(sample, attachments),
        prompt_id=sample_id,
        response_id=uuid,
        system=log.model,
        reference="\n".join(map(str, target)) if isinstance(target, list) else text_of_content(target),
        metadata={**({"task": log.task} if log.task else {}), **sample.get("metadata", dict, {})},
        response_metadata={
            SAMPLE: {
                **joined,
                "scores": {
                    name: score.get("value")
                    for name, score in sample.get("scores", dict, {}).items()
                    if isinstance(score, dict)
                },
            }
        },
        why_empty=why_no_answer(output.get("choices"), failed=failed),
    )
    answers = [] if failed else [_resolved(answer, attachments) for answer in _answers(output)]
    for number, each in enumerate(exchanges_of(exchange, answers), 1):
        further = {SAMPLE: {**joined, "choice": number}}  # the log scores the first choice
        yield each if number == 1 else replace(each, response_metadata=further)


def sample_key(sample: Fields) -> tuple[str, int]:
    """Return id and epoch of a sample. Raise BadRecord."""
    value = sample.value.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise BadRecord(f"'id' of the sample must be a text or a number, but is {kind_of(value)}")
    return str(value), sample.get("epoch", int, 1)


def _question(sample: Fields, attachments: Mapping[str, Any]) -> str:
    """Return the input; with the choices, if there are some, as Inspect shows them to a model."""
    value = sample.value.get("input")
    text = transcript(value) if isinstance(value, list) else text_of_content(value)
    choices = sample.get("choices", list, [])
    names = chain(ascii_uppercase, map(str, count(1)))  # A to Z, then 1, 2 and so on
    lines = [f"{name}) {choice}" for name, choice in zip(names, choices, strict=False)]
    return "\n\n".join(filter(None, [_resolved(text, attachments), "\n".join(lines)]))


def _answers(output: Mapping[str, Any]) -> list[str]:
    """Return the text of each choice."""
    choices = output.get("choices")
    if not isinstance(choices, list) or not choices:
        return [text_of_content(output.get("completion"))]
    messages = [Fields(choice, "a choice of the output").get("message", dict, {}) for choice in choices]
    return [text_of_content(message.get("content")) for message in messages]


def _resolved(text: str, attachments: Mapping[str, Any]) -> str:
    """Return the text with what a condensed log stores as attachments."""

    def stored(reference: re.Match[str]) -> str:
        attachment = attachments.get(reference[1])
        return attachment if isinstance(attachment, str) else reference[0]

    return _ATTACHMENT.sub(stored, text) if attachments else text
