"""What many pages have, stated once: tables of lists, empty lists, cards, notes, icons; builtin in all templates."""

import re
from dataclasses import dataclass

from django import template
from django.template.context import Context
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from lucide.templatetags.lucide import lucide

register = template.Library()
NOTE_ICONS = {
    "": "info",
    "info": "info",
    "warning": "triangle-alert",
    "danger": "triangle-alert",
    "good": "circle-check",
}


@dataclass(frozen=True)
class Column:
    """A column of a table whose heading is more than a text."""

    label: str
    css_class: str = ""
    is_unseen: bool = False


@register.filter
def right(label: str) -> Column:
    """Align the heading to the right, as that of a number: `"Responses"|right`."""
    return Column(label, css_class="right")


@register.filter
def unseen(label: str) -> Column:
    """Read the heading to screen readers only: `"Change"|unseen`."""
    return Column(label, is_unseen=True)


@register.simple_block_tag(takes_context=True)
def table(context: Context, content: str, *columns: str | Column, kind: str = "stacked") -> SafeString:
    """Show rows (`tr`) below headings. On a phone a stacked table has no headings: each cell but the first has its
    column's label before it, or its own `data-label`.
    """
    shown = [column if isinstance(column, Column) else Column(column) for column in columns]
    labels = ["" if column.is_unseen else column.label for column in shown]
    rows = _with_labels(content, labels) if "stacked" in kind else content
    return _render(context, "parts/table.html", columns=shown, kind=kind, rows=mark_safe(rows))  # noqa: S308 - rendered


def _with_labels(rows: str, labels: list[str]) -> str:
    parts = []
    for row in rows.split("<tr"):
        before, *cells = re.split(r"(?=<t[dh]\b)", row)
        parts.append(before)
        position = 0
        for cell in cells:
            opening, end, content = cell.partition(">")
            label = labels[position] if 0 < position < len(labels) else ""
            if label and cell.startswith("<td") and "data-label=" not in opening:
                opening += f' data-label="{escape(label)}"'
            parts.append(f"{opening}{end}{content}")
            colspan = re.search(r'colspan="(\d+)"', opening)
            position += int(colspan[1]) if colspan else 1
        parts.append("<tr")
    return "".join(parts[:-1])


@register.simple_block_tag
def card(content: str, name: str, heading: str, *, kind: str = "") -> SafeString:
    """Show a section of a page that its heading names. `name`: the id of the heading; `kind`: further classes."""
    classes = f"card {kind}".strip()
    section = '<section class="{}" aria-labelledby="{}"><h2 id="{}">{}</h2>{}</section>'
    return format_html(section, classes, name, name, heading, content)


@register.simple_block_tag
def empty_state(content: str, icon_name: str, heading: str) -> SafeString:
    """Say, in place of a list that is empty, what will appear there and how it comes about."""
    return format_html('<div class="empty">{}<h2>{}</h2>{}</div>', icon(icon_name), heading, content)


@register.simple_block_tag(takes_context=True)
def note(context: Context, content: str, tone: str = "", *, icon: str = "", role: str = "") -> SafeString:
    """Set a remark apart from the page: `info`, `warning`, `danger`, `good`, or no tone."""
    return _render(context, "parts/note.html", tone=tone, icon=icon or NOTE_ICONS[tone], role=role, content=content)


@register.simple_tag
def icon(name: str, *, mirrored: bool = False) -> str:
    """Return an icon of lucide that screen readers skip; `mirrored` in languages that are written from right to left.
    Its size is that of the text (base.css).
    """
    return lucide(name, size=18, **{"class": "icon mirrored" if mirrored else "icon", "aria_hidden": "true"})


def _render(context: Context, name: str, **values: object) -> SafeString:
    part = context.template.engine.get_template(name)  # type: ignore[union-attr]  # set while a template is rendered
    return part.render(context.new(values))
