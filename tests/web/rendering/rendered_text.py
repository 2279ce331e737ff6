"""What the tests of rendered text ask for: a text's pieces, and a page without its tags."""

import re
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

from annotation.splitting import split
from annotation.web.rendering.responses import render_response

ROOT = Path(__file__).resolve().parents[3]
HOSTILE = ROOT / "fixtures" / "hostile"


@dataclass(frozen=True)
class Piece:
    position: int
    start: int | None
    end: int | None
    rate: bool = True


def pieces(text: str) -> list[Piece]:
    return [Piece(n, span.start, span.end, span.rate) for n, span in enumerate(split(text))]


class Page(HTMLParser):
    """The elements of some HTML, and the text of each item: of a formula the source that it stands for."""

    VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "base"})

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.items: dict[int, str] = {}
        self.text = ""
        self.open: list[tuple[int | None, bool]] = []  # of each open element: its item, and whether it is a formula
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        if tag in self.VOID:
            return
        item, formula = self.open[-1] if self.open else (None, False)
        if attributes.get("data-item"):
            item = int(attributes["data-item"] or "")
        self.open.append((item, formula or "data-raw" in attributes))
        if "data-raw" in attributes:
            self._say(attributes["data-raw"] or "", item)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID and self.open:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        item, formula = self.open[-1] if self.open else (None, False)
        if not formula:
            self._say(data, item)

    def _say(self, words: str, item: int | None) -> None:
        self.text += words
        if item is not None:
            self.items[item] = self.items.get(item, "") + words


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def as_written(raw: str) -> str:
    """Return a sentence's letters without link addresses and with entities decoded."""
    pictures = re.sub(r"!\[(.*?)\]\((\S*?)\)", r"\1 \2", raw)  # the address of a picture is shown
    return letters(unescape(re.sub(r"\]\([^()\s]*\)", "]", pictures)))


def runs(html: str) -> list[tuple[int, str]]:
    """Return the item and the words of each part of the text that is lit."""
    spans = re.findall(r'<span class="s(?: first)?" data-item="(\d+)">(.*?)</span>', html, re.DOTALL)
    return [(int(n), unescape(re.sub("<[^>]*>", "", words))) for n, words in spans]


def rendered(text: str) -> str:
    return render_response(text, pieces(text))


NAMES = """
    a blockquote br code div em h3 h4 h5 h6 hr li math menclose mfrac mi mmultiscripts mn mo mover mphantom mprescripts
    mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none ol p pre s small
    span strong sup table tbody td th thead tr ul
"""
CLASSES = {"s", "first", "formula", "picture", "box", "ref", "cite", "right", "middle", "plain"}


def assert_inert(html: str) -> None:
    for tag, attributes in Page(html).elements:
        assert tag in NAMES.split(), tag
        assert not attributes.keys() & {"style", "id", "src", "srcset", "action"}
        assert not [name for name in attributes if name.startswith("on")]
        assert re.fullmatch(r"(https?://|mailto:).+", attributes.get("href") or "https://none"), attributes
        assert set((attributes.get("class") or "").split()) <= CLASSES
