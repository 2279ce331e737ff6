"""The documents that an answer cites, if the data set stores them with the answer and not as a document of the prompt.

Data sets have several forms: one text, a list of texts, objects with a title and an extract, or one object with a list
of each. All are shown as text, never as markup.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ...importing.lfqa_eval import DOCUMENTS

_TITLES = ("title", "heading")
_TEXTS = ("extract", "text", "quote", "passage")


def cited_documents(metadata: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the title (may be empty) and the text of each cited document."""
    return [document for document in _documents(metadata.get(DOCUMENTS)) if document["text"].strip()]


def _documents(value: Any) -> Iterator[dict[str, str]]:
    if isinstance(value, list):
        for each in value:
            yield from _documents(each)
    elif isinstance(value, dict):
        yield from _of_object(value)
    elif isinstance(value, str):
        yield {"title": "", "text": value}


def _of_object(value: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    title, text = (next((value[key] for key in keys if value.get(key)), "") for keys in (_TITLES, _TEXTS))
    if isinstance(text, list):
        titles = title if isinstance(title, list) else []
        for index, each in enumerate(text):
            yield {"title": str(titles[index]) if index < len(titles) else "", "text": str(each)}
    else:
        yield {"title": str(title), "text": str(text)}
