"""Markdown to HTML in which every run of a rated sentence is a separate span.

Sentences have offsets into the raw text, but raters read rendered text. So a pair of marks is put around each sentence
before parsing and removed from the tokens afterwards: everything between them belongs to the sentence, whatever cells
or bold runs it crosses. The marks are rare brackets that do not occur in the text. They must be punctuation: white
space would be stripped at the ends of cells, and letters would break `**Bold sentence.**`.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import quote

from django.utils.html import escape
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from ...splitting.reasoning import answer_of
from .formula_text import formula_text
from .formulas import Formula, as_mathml, find_formulas

_PAIRS = ["⸨⸩", "⸦⸧", "⸤⸥", "⸢⸣", "⧘⧙", "⧚⧛", "⦃⦄", "⦅⦆", "⦇⦈", "⦉⦊", "⦋⦌", "⦍⦎", "⦑⦒", "⦓⦔", "⦕⦖", "⦗⦘"]
_SIGNS = "⸪⸫⸬⸭⸖⸎⸓⸰⸱⸳⹂⹃"
_CITATION = re.compile(r"\[\^([^\[\]^\s]{1,60})\]")
_ASTERISK_IN_WORD = re.compile(r"(?<=[^\W_])\*(?=[^\W_])")
_BRACKET = re.compile(r"[\[\]]")
_BOX = re.compile(r"\[([ xX])\](?=\s)")
_BREAK = re.compile(r"&lt;br ?/?&gt;", re.IGNORECASE)  # as it looks when it is escaped
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_DEEPEST = 40
_MOST_NOT_CLOSED = 100


class CannotMark(ValueError):
    """The text uses every possible mark."""


@dataclass(frozen=True)
class ItemSpan:
    """A part of the raw text, `start` to `end` in code points, that belongs to the item at `position`."""

    position: int
    start: int
    end: int


@dataclass
class Rendered:
    """HTML before cleaning, and the rendered text by item, so that a loss is noticed."""

    html: str = ""
    letters: dict[int | None, list[str]] = field(default_factory=dict)  # item (None: no item) -> its visible text
    hidden: dict[int | None, int] = field(default_factory=dict)  # item -> letters that are in links' addresses
    closed: set[int] = field(default_factory=set)  # items whose both marks were found

    def show(self, item: int | None, text: str) -> None:
        self.letters.setdefault(item, []).append(text)

    def hide(self, item: int | None, text: str) -> None:
        self.hidden[item] = self.hidden.get(item, 0) + sum(map(str.isalnum, text))


def render(text: str, item_spans: Sequence[ItemSpan]) -> Rendered:
    """Render Markdown with `item_spans`, sorted and disjoint, marked. Raises CannotMark."""
    used = set(text)
    pair = next((pair for pair in _PAIRS if not used & set(pair)), None)
    sign = next((sign for sign in _SIGNS if sign not in used), None)
    if pair is None or sign is None:
        raise CannotMark("every mark occurs in the text")
    opening, closing = pair[0], pair[1]
    boundaries = {b for span in item_spans for b in (span.start, span.end)}
    formulas = [f for f in find_formulas(text) if not any(b in boundaries for b in range(f.start + 1, f.end))]
    marked = _with_marks(text, item_spans, formulas, opening, closing, sign)
    tokens = _PARSER.parse(marked)
    walk = _Walk(opening, closing, sign, text, item_spans, formulas)
    walk.through(tokens)
    if _RIGHT_TO_LEFT.search(text):
        _set_directions(tokens)
    walk.rendered.html = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return walk.rendered


def _set_directions(tokens: Sequence[Token]) -> None:
    """Give each block the direction of its first strong character; lists, quotes and tables have that of their first
    text."""
    undecided: list[Token] = []
    for token in tokens:
        if token.nesting == 1:
            undecided.append(token)
        elif token.nesting == -1:
            undecided = undecided[:-1] if undecided and undecided[-1].level == token.level else undecided
        elif token.type == "inline" and (direction := _direction_of(token.content)):
            for block in undecided:
                block.attrSet("dir", direction)
            undecided = []


def _direction_of(text: str) -> str:
    """Return the direction of the first strong character: ltr or rtl; "" without one."""
    strong = (_DIRECTIONS.get(unicodedata.bidirectional(character)) for character in text)
    return next(filter(None, strong), "")


_DIRECTIONS = {"L": "ltr", "R": "rtl", "AL": "rtl"}


def texts_of(text: str) -> str:
    """Return one sentence or prompt without its Markdown marks and with its formulas as plain text, for lists."""
    return _plain_text(text, _PARSER.parseInline)


def excerpt_of(text: str) -> str:
    """Return a text of several blocks in one line as plain text, without a model's reasoning, for lists."""
    answer = answer_of(text)
    return _plain_text(answer, _PARSER.parse) if answer or not text.strip() else _("Reasoning, not shown here")


def _plain_text(text: str, parse: Callable[[str], Sequence[Token]]) -> str:
    """Return the words of all blocks. A formula has a number in its place while Markdown is parsed."""
    sign = next((sign for sign in _SIGNS if sign not in text), "")
    formulas = list(find_formulas(text)) if sign else []
    tokens = parse(_with_marks(text, [], formulas, "", "", sign))
    words = " ".join(
        "".join(_WRITTEN.get(token.type, token.content) for token in token.children or [])
        for token in tokens
        if token.type == "inline"
    )
    formula_texts = [formula_text(f.latex) or text[f.start : f.end] for f in formulas]
    return re.sub(f"{sign}(\\d+){sign}", lambda match: formula_texts[int(match[1])], words)


_WRITTEN = {"softbreak": " ", "hardbreak": " "}


def _with_marks(
    text: str, item_spans: Sequence[ItemSpan], formulas: Sequence[Formula], opening: str, closing: str, sign: str
) -> str:
    """Return the text with marks around the `item_spans` and a number in place of each formula."""
    changes = [(f.start, 1, f.end, f"{sign}{n}{sign}") for n, f in enumerate(formulas)]
    for span in item_spans:
        changes += [(span.start, 0, span.start, opening), (span.end, -1, span.end, closing)]
    parts, index = [], 0
    for start, _order, end, put in sorted(changes):
        parts += [text[index:start], put]
        index = end
    return "".join([*parts, text[index:]])


class _Parser(MarkdownIt):
    """Shows the text of a bare link as it is written."""

    def normalizeLinkText(self, link: str) -> str:
        return link


def _asterisk_in_word(state: StateInline, silent: bool) -> bool:
    """Show a single asterisk between letters or digits as it is written: 3*4 and 5*6 are products, not emphasis."""
    if not _ASTERISK_IN_WORD.match(state.src, state.pos):
        return False
    if not silent:
        state.pending += "*"
    state.pos += 1
    return True


def _bracket_as_text(state: StateInline, silent: bool) -> bool:
    """Show a bracket that begins no link or picture as it is written. The rules of these look for the end of each."""
    position = state.pos + state.src.startswith("![", state.pos)
    if state.src[position] != "[" or position not in _text_brackets(state.src):
        return False
    if not silent:
        state.pending += state.src[state.pos]
    state.pos += 1
    return True


@lru_cache(maxsize=1)
def _text_brackets(text: str) -> frozenset[int]:
    """Return the positions of the opening brackets that begin no link: those that no `](` follows, those in too many
    others, and, where there are too many, those that are not closed.
    """
    opened: list[int] = []
    found: set[int] = set()
    last = text.rfind("](")
    for match in _BRACKET.finditer(text):
        if match[0] == "]":
            del opened[-1:]
        else:
            opened.append(match.start())
            if match.start() > last or len(opened) > _DEEPEST:
                found.add(match.start())
    return frozenset(found.union(opened) if len(opened) > _MOST_NOT_CLOSED else found)


# Shown as they are written: raw HTML, definitions of links (they would vanish), lines that begin with four spaces
# (models indent prose, and the splitter reads it as prose).
_PARSER = (
    _Parser("commonmark", {"html": False, "maxNesting": _DEEPEST})
    .enable(["table", "strikethrough"])
    .disable(["html_block", "html_inline", "reference", "code"])
)
_PARSER.inline.ruler.before("emphasis", "asterisk_in_word", _asterisk_in_word)
_PARSER.inline.ruler.before("link", "bracket_as_text", _bracket_as_text)


class _Walk:
    """Visits the tokens in the order of the text, removes the marks and wraps the text of items."""

    def __init__(
        self,
        opening: str,
        closing: str,
        sign: str,
        text: str,
        item_spans: Sequence[ItemSpan],
        formulas: Sequence[Formula],
    ) -> None:
        self.opening, self.closing, self.text, self.formulas = opening, closing, text, formulas
        self.positions = [span.position for span in item_spans]
        self.pieces = re.compile(f"([{opening}{closing}]|{sign}[0-9]+{sign})")
        self.encoded = re.compile("|".join(quote(mark) for mark in (opening, closing)))
        self.opened = 0
        self.item: int | None = None
        self.begun: set[int] = set()
        self.rendered = Rendered()

    def through(self, tokens: Sequence[Token]) -> None:
        depths = sorted({token.tag for token in tokens if token.type == "heading_open"})
        for token in tokens:
            if token.type == "inline":
                token.children = self._inline(token.children or [])
            elif token.type == "fence":
                self.rendered.hide(self.item, token.info)
                token.type, token.content = (
                    "html_block",
                    f"<pre><code>{self._pieces(token.content, literal=True)}</code></pre>",
                )
            elif token.type in ("heading_open", "heading_close"):
                token.tag = f"h{min(6, depths.index(token.tag) + 3)}"  # below the page's own headings, without a gap
            elif token.type in ("th_open", "td_open"):
                style = str(token.attrGet("style") or "")
                side = {"text-align:right": "right", "text-align:center": "middle"}.get(style)
                token.attrs = {"class": side} if side else {}
            elif token.type == "list_item_open":
                self.rendered.hide(None, token.info)

    def _inline(self, children: list[Token]) -> list[Token]:
        tokens: list[Token] = []
        for index, token in enumerate(children):
            if token.type == "text":
                tokens.append(_raw(self._pieces(token.content, first=index == 0)))
            elif token.type == "code_inline":
                tokens.append(_raw(f"<code>{self._pieces(token.content, literal=True)}</code>"))
            elif token.type == "image":
                # Its description and address: it is never loaded, because the request would reveal the reader.
                words, address = self._restored(token.content), self._restored(str(token.attrGet("src") or ""))
                self.rendered.show(self.item, words)
                self.rendered.hide(self.item, address + str(token.attrGet("title") or ""))
                kind = _("Image")  # the style sheet shows it: it is not in the text
                named = f'<span class="picture" title="{escape(kind)}">'
                tokens.append(_raw(self._wrapped(f"{named}{escape(words)} <small>{escape(address)}</small></span>")))
            elif token.type == "softbreak":
                # Inside a sentence the line was only wrapped; between two the line break is the author's.
                tokens.append(_raw(self._wrapped("\n") if self.item is not None else "<br>"))
            else:
                if token.type == "link_open":
                    address = self._restored(str(token.attrGet("href") or ""))
                    self.rendered.hide(self.item, address + str(token.attrGet("title") or ""))
                    token.attrs = {"href": address}
                tokens.append(token)
        return tokens

    def _pieces(self, text: str, *, literal: bool = False, first: bool = False) -> str:
        """Return HTML of a leaf. `literal` (code) shows formulas as written; `first` is the beginning of a block."""
        tokens = []
        for n, piece in enumerate(self.pieces.split(text)):
            if piece == self.opening:
                self.item = self.positions[self.opened]
                self.opened += 1
            elif piece == self.closing:
                if self.item is not None:
                    self.rendered.closed.add(self.item)
                self.item = None
            elif n % 2:
                formula = self.formulas[int(piece[1:-1])]
                raw = self.text[formula.start : formula.end]
                self.rendered.show(self.item, raw)
                tokens.append(self._wrapped(escape(raw) if literal else formula_html(formula, raw)))
            elif piece:
                tokens.append(self._words(piece, literal, first and not tokens))
        return "".join(tokens)

    def _words(self, text: str, literal: bool, first: bool) -> str:
        self.rendered.show(self.item, text)
        if literal:
            return self._wrapped(escape(text))
        html = _CITATION.sub(r'<sup class="cite">[\1]</sup>', escape(text))
        if first and (box := _BOX.match(text)):
            tick = "☐" if box[1] == " " else "☑"
            html = f'<span class="box">{tick}</span>{html[3:]}'
        return self._wrapped(_BREAK.sub("<br>", html))

    def _wrapped(self, html: str) -> str:
        if self.item is None:
            return html
        first = "" if self.item in self.begun else " first"
        self.begun.add(self.item)
        return f'<span class="s{first}" data-item="{self.item}">{html}</span>'

    def _restored(self, text: str) -> str:
        """Return an address or description without marks, with the formulas as they were written."""

        def written(match: re.Match[str]) -> str:
            number = match[0][1:-1]
            return "" if not number else self.text[self.formulas[int(number)].start : self.formulas[int(number)].end]

        return self.encoded.sub("", self.pieces.sub(written, text))


def formula_html(formula: Formula, raw: str) -> str:
    """Return the formula as MathML, or its source where that fails."""
    mathml = as_mathml(formula.latex, formula.display)
    if mathml is None:
        return f'<code class="formula">{escape(raw)}</code>'
    return f'<span class="formula" data-raw="{escape(raw)}">{mathml}</span>'


def _raw(html: str) -> Token:
    return Token("html_inline", "", 0, content=html)
