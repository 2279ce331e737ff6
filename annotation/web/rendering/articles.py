"""Paragraphs of an article, and prompts, as safe HTML: the data set's marks, formulas as MathML, `**bold**`, `code`.

A replaced part has its raw text in `data-raw`, so that a position in the page can be converted to an offset in the
stored paragraph: the asterisks of bold text are empty elements.
"""

import re

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from .formulas import find_formulas
from .markdown import formula_html

_MARKS = re.compile(
    r"(?P<name>BIBREF|TABREF|FIGREF|SECREF|EQREF|FOOTNOTE|INLINEFORM|DISPLAYFORM|UID)(?P<number>\d+)(?!\w)"
)
_SHOWN = {
    "BIBREF": ("[{}]", gettext_noop("A reference to the bibliography")),
    "TABREF": ("Table {}", gettext_noop("A reference to a table")),
    "FIGREF": ("Figure {}", gettext_noop("A reference to a figure")),
    "SECREF": ("Section {}", gettext_noop("A reference to a section")),
    "EQREF": ("({})", gettext_noop("A reference to an equation")),
    "FOOTNOTE": ("[note {}]", gettext_noop("A reference to a footnote")),
    "INLINEFORM": ("formula {}", gettext_noop("A formula that the data set omits")),
    "DISPLAYFORM": ("formula {}", gettext_noop("A formula that the data set omits")),
    "UID": ("", gettext_noop("A name that the data set gives to this place")),
}
_STYLED = re.compile(
    r"(?<![\w*])\*\*(?P<bold>[^\s*](?:[^*\n]*[^\s*])?)\*\*(?![\w*])"
    r"|(?<![\w`])`(?P<code>[^\s`](?:[^`\n]*[^\s`])?)`(?![\w`])"
)
"""Bold text and code inside a line, neither next to a letter: 2**3**4 and the quotes of LaTeX, ``so'', stay."""
_FROM_ZERO = frozenset({"BIBREF", "INLINEFORM", "DISPLAYFORM"})


def render_paragraph(text: str) -> SafeString:
    """Return safe HTML of one paragraph, heading or caption of a document."""
    parts, index = [], 0
    for formula in find_formulas(text):
        parts += [_with_styles(text[index : formula.start]), formula_html(formula, text[formula.start : formula.end])]
        index = formula.end
    return mark_safe("".join([*parts, _with_styles(text[index:])]))  # noqa: S308 - every part is escaped


def _with_styles(text: str) -> str:
    parts, index = [], 0
    for match in _STYLED.finditer(text):
        parts += [_with_marks(text[index : match.start()]), _styled(match)]
        index = match.end()
    return "".join([*parts, _with_marks(text[index:])])


def _styled(match: re.Match[str]) -> str:
    if match["bold"]:
        return f"{_removed('**')}<strong>{_with_marks(match['bold'])}</strong>{_removed('**')}"
    return f"{_removed('`')}<code>{_escaped(match['code'])}</code>{_removed('`')}"


def _removed(raw: str) -> str:
    """Return the place of characters that the page does not show."""
    return f'<span data-raw="{raw}"></span>'


def _with_marks(text: str) -> str:
    parts, index = [], 0
    for match in _MARKS.finditer(text):
        name = match["name"]
        number = int(match["number"])
        words, title = _SHOWN[name]
        label = words.format(number + 1 if name in _FROM_ZERO else number)
        parts += [
            _escaped(text[index : match.start()]),
            f'<span class="ref" data-raw="{match[0]}" title="{escape(_(title))}">{label}</span>',
        ]
        index = match.end()
    return "".join([*parts, _escaped(text[index:])])


def _escaped(text: str) -> str:
    """Escape the text, carriage returns too: a browser would drop them, which would shift the stored offsets."""
    return escape(text).replace("\r", "&#13;")
