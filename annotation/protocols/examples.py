"""Read `[example]`: a worked example of a protocol's questions, and an item to practice on.

The examples of built-in protocols are in files of their own, `builtin/examples`, as they would stand in the protocol's
file of that name: projects pin a protocol by the SHA-256 of its text, which an example must not change.
"""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from .answer_validation import problems, prune
from .pair_options import PAIR
from .schema import Example, ExampleItem, Protocol
from .toml_source import TomlError, normalized, parse_toml
from .toml_tables import KEY, Table

BUILTIN = Path(__file__).parent / "builtin"
EARLIER = BUILTIN / "earlier"
"""Earlier versions of built-in protocols, `SLUG-VERSION.toml`."""
SAME_QUESTIONS = {"article-accuracy-weighted": "article-accuracy"}
"""Built-in protocols that have the questions of another one, and so share its example and its translations."""

MAX_ITEMS = 10
TEXT_LENGTH = 2_000
PASSAGE_LENGTH = 5_000


def example_of(root: Table, protocol: Protocol) -> Example | None:
    """Return the example in the file of `protocol`; None if it has none. Problems are recorded in `root`."""
    table = root.table("example", "the example")
    if table is None:
        return None
    tables = table.tables("items", "item", 1, MAX_ITEMS)
    practice = table.table("practice", "the practice item")
    example = Example(
        prompt=table.text("prompt", at_most=TEXT_LENGTH),
        items=tuple(_item(each, protocol, is_last=each is tables[-1]) for each in tables),
        passage=table.text("passage", "", PASSAGE_LENGTH),
        response=table.text("response", "", PASSAGE_LENGTH),
        practice=_item(practice, protocol, is_last=protocol.unit in (PAIR, "response")) if practice else None,
    )
    table.reject_unknown_fields()
    return example


def _item(table: Table, protocol: Protocol, *, is_last: bool) -> ExampleItem:
    """Return an item whose answers a rater could save; the questions about the whole response may be left out."""
    kind = table.word("kind", KEY, protocol.unit)
    answers: dict[str, object] = table.field("answers", dict, "a table of answers", None)
    item_protocol = protocol.for_item(is_last=is_last, kind=kind)
    visible_answers = prune(item_protocol, answers)
    for key in answers.keys() - visible_answers.keys():
        message = f"{table.name} answers '{key}', which is not asked after its other answers"
        table.add_problem(message, "answers", key)
    optional = protocol.once_keys if protocol.sheet_unit != protocol.unit else ()
    for key, messages in problems(item_protocol, visible_answers).items():
        if key in visible_answers or key not in optional:
            message = f"{table.name}, '{key}': {messages[0]}"
            table.add_problem(message, "answers", key)
    item = ExampleItem(
        text=table.text("text", at_most=TEXT_LENGTH),
        answers=tuple((key, str(answer)) for key, answer in visible_answers.items()),
        explanation=table.text("explanation", at_most=TEXT_LENGTH),
        against=table.text("against", None if protocol.unit == PAIR else "", TEXT_LENGTH),
        kind=kind,
    )
    table.reject_unknown_fields()
    return item


def builtin_example(sha256: str) -> dict[str, Any]:
    """Return the TOML fields `{"example": …}` of the built-in protocol with this SHA-256; empty if there is none."""
    text = builtin_example_text(sha256)
    return _parsed(text) if text else {}


def builtin_example_text(sha256: str) -> str:
    """Return the TOML text of the example of the built-in protocol with this SHA-256; empty if there is none."""
    return _builtin_examples().get(sha256, "")


@cache
def _parsed(text: str) -> dict[str, Any]:
    return parse_toml(text, TomlError)[0]


@cache
def _builtin_examples() -> dict[str, str]:
    examples = {}
    for path in (*BUILTIN.glob("*.toml"), *EARLIER.glob("*.toml")):
        text = normalized(path.read_text(encoding="utf-8"))
        file = BUILTIN / "examples" / f"{SAME_QUESTIONS.get(path.stem, path.stem)}.toml"
        examples[hashlib.sha256(text.encode()).hexdigest()] = normalized(file.read_text(encoding="utf-8"))
    return examples
