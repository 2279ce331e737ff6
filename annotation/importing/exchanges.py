"""Exchanges: a question and a model's answer to it, as the logs of other programs have them.

The reader of a format yields exchanges; here they become prompts and responses, the same for all formats.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .input_files import FileReader
from .json_fields import check_id, check_text, check_value
from .problems import BadRecord, Problems, echo, read_each
from .records import NO_RESPONSE, LeftOut, Record, SourcePrompt, SourceResponse, hash_of

MAX_VALUE_LENGTH = 200  # characters of a metadata value; a longer text divides prompts into no groups
_REPEATED = ": the files are of different tasks or versions; import each into a data set of its own"
_SAME_ID = ": the log has one id for several answers; export it again, or remove one"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and an answer. `prompt_id` and `response_id` are "" where the log has none, `prompt` is "" where the
    log has only the question's id, `response` is "" where there is no answer, for the reason `why_empty`. `metadata`
    describes the prompt.
    """

    location: str
    prompt: str
    response: str = ""
    prompt_id: str = ""
    response_id: str = ""
    system: str = ""
    reference: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    response_metadata: Mapping[str, Any] = field(default_factory=dict)
    why_empty: str = NO_RESPONSE

    @property
    def prompt_key(self) -> str:
        """Return the prompt's id, by default a hash of its text."""
        return check_id(self.prompt_id, "the id of the prompt") or hash_of([self.prompt])[:40]

    def source_response(self, prompt: str) -> SourceResponse | None:
        """Return the response to the prompt with this key or text; None without an answer. Raise BadRecord."""
        if not self.response.strip():
            return None
        if not self.system:
            raise BadRecord("the file does not name the model; name it in System (in a command: --system NAME)")
        return SourceResponse(
            location=self.location,
            prompt=prompt,
            system=check_id(self.system, "the name of the model"),
            text=check_text(self.response, "the response"),
            id=check_id(self.response_id, "the id of the response"),
            metadata=dict(check_value(dict(self.response_metadata), "the metadata of the response")),
            id_hint=_SAME_ID if self.response_id else "",
        )


def exchanges_of(exchange: Exchange, texts: Sequence[str]) -> Iterator[Exchange]:
    """Yield the exchange with each of the model's answers: the further ones have numbered ids. Without an answer yield
    it once."""
    for number, text in enumerate(texts or [""], 1):
        key = f"{exchange.response_id}-{number}" if exchange.response_id and number > 1 else exchange.response_id
        yield replace(exchange, response=text, response_id=key)


ExchangeReader = Callable[[FileReader, Problems], Iterator[Exchange | LeftOut]]


def read_exchanges(
    reader: ExchangeReader, file_reader: FileReader, problems: Problems, system: str = ""
) -> Iterator[Record]:
    """Yield the records of one file. `system` names the system of exchanges without one."""
    seen_keys: set[str] = set()
    exchanges = named_exchanges(reader, file_reader, problems, system)
    located = ((exchange.location, exchange) for exchange in exchanges)
    yield from read_each(located, problems, lambda _location, exchange: _records(exchange, seen_keys))


def named_exchanges(
    reader: ExchangeReader, file_reader: FileReader, problems: Problems, system: str
) -> Iterator[Exchange | LeftOut]:
    """Yield the exchanges of one file with the name of their system."""
    for exchange in reader(file_reader, problems):
        is_unnamed = isinstance(exchange, Exchange) and not exchange.system
        yield replace(exchange, system=system) if is_unnamed and isinstance(exchange, Exchange) else exchange


def _records(exchange: Exchange | LeftOut, seen_keys: set[str]) -> Iterator[Record]:
    if isinstance(exchange, LeftOut):
        yield exchange
        return
    if not exchange.prompt.strip():
        raise BadRecord(
            f"there is an answer to {echo(exchange.prompt_id)}, but not the question; import the questions as a data "
            "set, and then this file as responses (import_responses)"
        )
    key = exchange.prompt_key
    response = exchange.source_response(key)
    if response is None:
        yield LeftOut(exchange.location, exchange.why_empty)
    if response or key not in seen_keys:
        seen_keys.add(key)
        yield SourcePrompt(
            location=exchange.location,
            key=key,
            text=check_text(exchange.prompt, "the prompt"),
            document=None,
            reference=check_text(exchange.reference, "the reference answer"),
            metadata=groups_of(exchange.metadata),
            responses=(response,) if response else (),
            merges=True,
            hint=_REPEATED,
            id_hint=_REPEATED,
        )


def groups_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata that can divide prompts into groups: short texts, numbers, truth values, lists of them."""
    return {
        check_text(key, "a key of the metadata"): check_value(value, "the metadata of the prompt")
        for key, value in metadata.items()
        if value not in ("", [], None)
        and all(
            (isinstance(each, str | bool | int | float) and len(str(each)) <= MAX_VALUE_LENGTH)
            for each in (value if isinstance(value, list) else [value])
        )
    }
