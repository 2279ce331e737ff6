"""Extraction of messages from files that Babel does not know: Django's templates and built-in protocols.

`locale/django.cfg` names both functions. Only developers need Babel: an installation reads the compiled catalogs.
"""

from collections.abc import Iterator
from io import BytesIO
from typing import Any, BinaryIO

from babel.messages.extract import extract_python
from django.utils.translation.template import templatize

from ..i18n.protocol_translation import message_context
from ..protocols import load, texts_of
from ..reporting.text.names import readable

Extracted = tuple[Any, ...]
"""A result of Babel's extraction: line, function, message or messages, comments."""


def extract_template(file: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Extracted]:
    """Extract the messages of a template from the gettext calls that Django's makemessages generates for its tags."""
    lines = templatize(file.read().decode()).splitlines()
    python = "\n".join(line.strip() for line in lines)
    return extract_python(BytesIO(python.encode()), keywords, comment_tags, options)


def extract_protocol(file: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Extracted]:
    """Extract the texts of a built-in protocol, with its slug as context."""
    protocol = load(file.read().decode())
    texts = (*texts_of(protocol), *(readable(question.key) for question in protocol.questions))
    return ((0, "pgettext", (message_context(protocol.slug), text), []) for text in texts)
