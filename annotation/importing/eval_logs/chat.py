"""Message lists: JSON lines with `messages`, as OpenAI's fine-tuning files, batch inputs and batch outputs have them.

A line of messages is a question with what came before it, and the assistant's last message as the answer. A line of a
batch output has only the answer and the id of the question in the batch input.
"""

from collections.abc import Iterator
from typing import Any

from ..chat_messages import calls_a_tool, question_and_answer
from ..exchanges import Exchange, exchanges_of
from ..input_files import FileReader
from ..json_fields import THE_LINE, Fields, named
from ..json_stream import read_values
from ..problems import BadRecord, Problems, read_each
from ..records import NO_RESPONSE, LeftOut
from .traces import TOOL_CALL, answers_in, question_in, why_no_answer

_ANSWERS = {"choices", "output", "content"}  # of /v1/chat/completions, /v1/responses, and /v1/messages


def read_chat(file_reader: FileReader, problems: Problems) -> Iterator[Exchange | LeftOut]:
    """Yield the exchanges of one file. Invalid lines go to `problems`."""
    yield from read_each(read_values(file_reader, problems), problems, _exchanges)


def _exchanges(location: str, value: Any) -> Iterator[Exchange | LeftOut]:
    line = Fields(value, THE_LINE)
    key = line.id("custom_id", needed=False)
    if key and ("response" in line.value or "result" in line.value or "error" in line.value):
        yield from _batch_output(location, line, key)
        return
    if key and ("body" in line.value or "params" in line.value):
        name = "body" if "body" in line.value else "params"
        question, answer = _asked(Fields(line.value[name], named(name, THE_LINE)))
        yield Exchange(location, question, answer, prompt_id=key)
        return
    question, answer = question_and_answer(line.value.get("messages"))
    yield Exchange(
        location=location,
        prompt=question,
        response=answer,
        prompt_id=key or line.id("id", needed=False),
        system=line.text("model"),
        metadata=line.get("metadata", dict, {}),
        why_empty=TOOL_CALL if calls_a_tool(line.get("messages", list, [])[-1]) else NO_RESPONSE,
    )


def _asked(body: Fields) -> tuple[str, str]:
    """Return question and answer of a request: to /v1/chat/completions or /v1/messages, which may end with the
    beginning of an answer, to /v1/responses or to /v1/completions."""
    if isinstance(body.value.get("messages"), list) and not body.value.get("system"):
        return question_and_answer(body.value["messages"])
    if not body.value.keys() & {"messages", "input", "prompt"}:
        raise BadRecord(f"{body.label} has no 'messages', 'input' or 'prompt'")
    names = ("system", "messages", "instructions", "input", "prompt")
    return question_in({name: body.value.get(name) for name in names}), ""


def _batch_output(location: str, line: Fields, key: str) -> Iterator[Exchange | LeftOut]:
    """Yield the answers of OpenAI (`response` with `status_code` and `body`) or Anthropic (`result` with `message`)."""
    result = Fields(line.value.get("response") or line.value.get("result") or {}, "'response' of the line")
    body = Fields(result.value.get("body") or result.value.get("message") or {}, "'body' of the response")
    status, kind = result.value.get("status_code", 200), result.value.get("type", "succeeded")
    failed = bool(line.value.get("error") or body.value.get("error")) or status != 200 or kind != "succeeded"
    why_empty = why_no_answer(body.value, failed=failed)
    exchange = Exchange(location, "", prompt_id=key, system=body.text("model"), why_empty=why_empty)
    if body.value and not failed and not body.value.keys() & _ANSWERS:
        names, others = ", ".join(sorted(_ANSWERS)), ", ".join(sorted(body.value)[:10])
        raise BadRecord(f"the body of the response has none of {names}, but {others}: it is not a chat response")
    texts = [] if failed else answers_in(body.value)
    yield from exchanges_of(exchange, texts) if any(map(str.strip, texts)) else [LeftOut(location, why_empty)]
