"""Message lists: JSON lines with `messages`, as OpenAI's fine-tuning files, batch inputs and batch outputs have them.

A line of messages is a question with what came before it, and the assistant's last message as the answer. A line of a
batch output has only the answer and the id of the question in the batch input.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from ..chat_messages import question_and_answer, text_of_content
from ..exchanges import Exchange
from ..input_files import FileReader
from ..json_fields import THE_LINE, Fields
from ..json_stream import read_values
from ..problems import BadRecord, Problems
from ..records import NO_RESPONSE, LeftOut


def read_chat(file_reader: FileReader, problems: Problems) -> Iterator[Exchange | LeftOut]:
    """Yield the exchanges of one file. Invalid lines go to `problems`."""
    for location, value in read_values(file_reader, problems):
        try:
            yield _exchange(location, Fields(value, THE_LINE))
        except BadRecord as broken:
            problems.add(location, broken)


def _exchange(location: str, line: Fields) -> Exchange | LeftOut:
    key = line.id("custom_id", needed=False)
    if key and "response" in line.value:
        return _batch_output(location, line, key)
    if key and "body" in line.value:
        body = Fields(line.value["body"], _("'body' of the line"))
        question, answer = question_and_answer(body.value.get("messages"))
        return Exchange(location, question, answer, prompt_id=key)
    question, answer = question_and_answer(line.value.get("messages"))
    return Exchange(
        location=location,
        prompt=question,
        response=answer,
        prompt_id=key or line.id("id", needed=False),
        system=line.text("model"),
        metadata=line.get("metadata", dict, {}),
    )


def _batch_output(location: str, line: Fields, key: str) -> Exchange | LeftOut:
    response = Fields(line.value.get("response") or {}, _("'response' of the line"))
    body = Fields(response.value.get("body") or {}, _("'body' of the response"))
    answer = _first_choice(body.get("choices", list, []))
    if line.value.get("error") or not answer.strip():
        return LeftOut(location, NO_RESPONSE)
    return Exchange(location, "", answer, prompt_id=key, system=body.text("model"))


def _first_choice(choices: list[Any]) -> str:
    message = choices[0].get("message") if choices and isinstance(choices[0], dict) else None
    return text_of_content(message.get("content")) if isinstance(message, dict) else ""
