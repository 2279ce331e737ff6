"""A response's Markdown as safe HTML with a span around each rated sentence.

`render_response` renders, cleans, and checks that every letter of every rated sentence was rendered. Where Markdown
dropped something (more cells than a table has columns, deep nesting) the whole response is shown as plain text, with
spans at the exact offsets. So every response can be rated, whatever a model wrote.
"""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Protocol

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from ...splitting.marks import trimmed
from ...splitting.reasoning import is_asked_about, separate
from .cleaning import clean
from .markdown import CannotMark, ItemSpan, Rendered, render

_ENTITY = re.compile(r"&(#\w{1,8}|\w{1,32});")
MAX_MARKDOWN_LENGTH = 60_000
"""Code points. Longer responses, unusual for models, are shown as plain text: parsing them would take seconds."""


class Spanned(Protocol):
    """An item, or an object with the same fields."""

    position: int
    start: int | None
    end: int | None
    rate: bool


def render_response(text: str, items: Iterable[Spanned]) -> SafeString:
    """Return safe HTML of a response. Text of a rated item is in `<span class="s" data-item="POSITION">`.

    Items have offsets in code points of `text`. An item without offsets, or that overlaps an earlier one, gets no span;
    `unplaced` returns these. Reasoning is folded, unless an item is about it.
    """
    item_spans, _unplaced = _placed(text, items)
    reasoning, _answers = separate(text)
    html, index = SafeString(), 0
    for each in reasoning:
        if not is_asked_about(each, ((span.start, span.end) for span in item_spans)):
            html += _rendered(text, item_spans, index, each.start)
            if any(map(str.isalnum, text[each.first : each.last])):
                html += format_html(_FOLDED, _("Reasoning (not rated)"), text[each.start : each.end])
            index = each.end
    return html + _rendered(text, item_spans, index, len(text))


_FOLDED = '<details class="reasoning"><summary>{}</summary><div class="plain">{}</div></details>'


def _rendered(text: str, item_spans: list[ItemSpan], start: int, end: int) -> SafeString:
    if (start, end) != (0, len(text)):
        within = [span for span in item_spans if span.start < end and start < span.end]
        bounds = [(span.position, *trimmed(text, max(span.start, start), min(span.end, end))) for span in within]
        item_spans = [ItemSpan(position, first - start, last - start) for position, first, last in bounds]
        text = text[start:end]
    if text.isspace():
        return SafeString()
    if len(text) <= MAX_MARKDOWN_LENGTH:
        try:
            rendered = render(text, item_spans)
        except (CannotMark, RecursionError):
            return _plain(text, item_spans)
        if _is_whole(text, item_spans, rendered):
            return clean(rendered.html)
    return _plain(text, item_spans)


def unplaced(text: str, items: Iterable[Spanned]) -> list[int]:
    """Return the positions of the rated items without a separate span in the text."""
    return _placed(text, items)[1]


def _placed(text: str, items: Iterable[Spanned]) -> tuple[list[ItemSpan], list[int]]:
    item_spans: list[ItemSpan] = []
    without: list[int] = []
    rated = [item for item in items if item.rate]
    for item in sorted(rated, key=lambda item: (item.start is None, item.start or 0, item.end or 0)):
        begins = item_spans[-1].end if item_spans else 0
        if item.start is None or item.end is None or not begins <= item.start < item.end <= len(text):
            without.append(item.position)
        else:
            item_spans.append(ItemSpan(item.position, item.start, item.end))
    return item_spans, sorted(without)


def _is_whole(text: str, item_spans: list[ItemSpan], rendered: Rendered) -> bool:
    """Return whether every letter and digit outside addresses was rendered, for each item and in total."""
    if any(span.position not in rendered.closed for span in item_spans):
        return False
    for span in item_spans:
        if not _was_rendered(text[span.start : span.end], span.position, rendered):
            return False
    letters = sum(len(list(_letters("".join(parts)))) for parts in rendered.letters.values())
    return letters + sum(rendered.hidden.values()) >= len(list(_letters(_decoded(text))))


def _was_rendered(raw: str, position: int, rendered: Rendered) -> bool:
    letters = list(_letters("".join(rendered.letters.get(position, []))))
    written = list(_letters(_decoded(raw)))
    rest = iter(written)
    in_order = all(letter in rest for letter in letters)
    return in_order and len(written) - len(letters) <= rendered.hidden.get(position, 0)


def _decoded(text: str) -> str:
    """Decode entities as Markdown does: only those that end in a semicolon."""
    return _ENTITY.sub(lambda match: unescape(match[0]), text)


def _letters(text: str) -> Iterator[str]:
    return filter(str.isalnum, text)


def _plain(text: str, item_spans: list[ItemSpan]) -> SafeString:
    parts, index = [], 0
    for span in item_spans:
        words = escape(text[span.start : span.end])
        parts += [escape(text[index : span.start]), f'<span class="s first" data-item="{span.position}">{words}</span>']
        index = span.end
    inner = "".join([*parts, escape(text[index:])])
    return mark_safe(f'<div class="plain">{inner}</div>')  # noqa: S308 - every part is escaped
