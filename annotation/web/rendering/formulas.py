"""Formulas in model output and articles: found in the raw text, shown as MathML.

They are found before Markdown is parsed, because Markdown would interpret their backslashes, underscores and stars. A
formula that cannot be converted, or whose MathML has other than the presentation elements below, is shown as source:
raters must see the model's text.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from xml.etree import ElementTree

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from latex2mathml.converter import convert

ELEMENTS = frozenset(
    {
        "math",
        "mrow",
        "mi",
        "mn",
        "mo",
        "ms",
        "mtext",
        "mspace",
        "mstyle",
        "mphantom",
        "menclose",
        "mtable",
        "mtr",
        "mtd",
    }
    | {"msup", "msub", "msubsup", "mfrac", "msqrt", "mroot", "munder", "mover", "munderover", "mmultiscripts"}
    | {"mprescripts", "none"}
)
ATTRIBUTES = {
    "display": re.compile(r"inline|block"),
    "mathvariant": re.compile(r"[a-z-]+"),
    "stretchy": re.compile(r"true|false"),
    "fence": re.compile(r"true|false"),
    "separator": re.compile(r"true|false"),
    "form": re.compile(r"prefix|infix|postfix"),
    "accent": re.compile(r"true|false"),
    "movablelimits": re.compile(r"true|false"),
    "displaystyle": re.compile(r"true|false"),
    "linethickness": re.compile(r"[01](\.\d+)?(px|pt|em)?"),
    "columnalign": re.compile(r"(left|right|center| )+"),
    "width": re.compile(r"[0-2](\.\d+)?em"),
}
MAX_FORMULA_LENGTH = 4_000
_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"

_OPENERS = re.compile(
    r"(?P<fence>^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(?P<ticks>`{3,}|~{3,}))"
    r"|(?P<code>`+)|(?P<escape>\\[\\`$])|\\\(|\\\[|\$\$?|\\begin\{(?P<name>[a-zA-Z]{3,12}\*?)\}",
    re.MULTILINE,
)
_BLANK_LINE = re.compile(r"\n[ \t>]*\n")
_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True)
class Formula:
    """A formula with its delimiters at `start` to `end` (code points) of a text."""

    start: int
    end: int
    latex: str
    display: bool


def find_formulas(text: str) -> Iterator[Formula]:
    """Yield the formulas outside code, in order. Time is linear: each closer is searched for only once."""
    missing: set[str] = set()
    closers: dict[str, int] = {}
    index = 0
    while match := _OPENERS.search(text, index):
        formula = None if match["fence"] or match["code"] or match["escape"] else _formula(text, match, closers)
        if formula:
            yield formula
        index = formula.end if formula else _after_code(text, match, missing)


def _formula(text: str, match: re.Match[str], closers: dict[str, int]) -> Formula | None:
    """Return the formula that the match opens. `closers`: where the next one of each was found, or the text's end."""
    opener = match.group()
    closer = {"\\(": "\\)", "\\[": "\\]", "$$": "$$", "$": "$"}.get(opener) or f"\\end{{{match['name']}}}"
    if closers.get(closer, -1) < match.end():
        closers[closer] = stop if (stop := text.find(closer, match.end())) >= 0 else len(text)
    stop = closers[closer]
    if stop == len(text):
        return None
    inner = text[match.end() : stop] if stop - match.end() <= MAX_FORMULA_LENGTH else ""
    if not inner.strip() or _BLANK_LINE.search(inner) or (opener == "$" and not _is_inline(text, inner, stop)):
        return None
    latex = text[match.start() : stop + len(closer)] if match["name"] else inner
    return Formula(match.start(), stop + len(closer), latex, display=opener not in ("$", "\\("))


def _is_inline(text: str, inner: str, stop: int) -> bool:
    """Return whether the text between dollar signs is a formula and not prose between two amounts of money."""
    tight = inner[0] not in " \t)]},.;:!?" and inner[-1] not in " \t([" and "\n" not in inner
    return tight and not text[stop + 1 : stop + 2].isdigit() and ("\\" in inner or len(_WORD.findall(inner)) < 2)


def _after_code(text: str, match: re.Match[str], missing: set[str]) -> int:
    """Return where to continue after a match that is not a formula: after the code that it opens, if any."""
    if match["fence"]:
        closing = re.compile(rf"^[ \t>]*{match['ticks'][0]}{{{len(match['ticks'])},}}[ \t]*$", re.MULTILINE)
        closing_match = closing.search(text, match.end())
        return closing_match.end() if closing_match else len(text)
    ticks = match["code"]
    if not ticks or ticks in missing:
        return match.end()
    closing_match = re.compile(rf"(?<!`){ticks}(?!`)").search(text, match.end())
    if not closing_match:
        missing.add(ticks)
    return closing_match.end() if closing_match else match.end()


# Commands that the converter does not know, expressed in known ones.
_IN_OTHER_WORDS: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile(r"\\label\{[^{}]*\}|\\(nonumber|notag|limits|nolimits|displaystyle)(?![a-zA-Z])"), ""),
    (re.compile(r"\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}"), ""),
    (
        re.compile(r"\\begin\{(?:align(?:ed)?|alignat|flalign|split|eqnarray)\*?\}(?:\{\d+\})?"),
        r"\\begin{array}{rlrlrl}",
    ),
    (re.compile(r"\\end\{(?:align(?:ed)?|alignat|flalign|split|eqnarray)\*?\}"), r"\\end{array}"),
    (re.compile(r"\\(begin|end)\{(?:gather(?:ed)?|multline)\*?\}"), r"\\\1{matrix}"),
    (re.compile(r"\\arg\s*\\(max|min)(?![a-zA-Z])"), r"\\operatorname{arg\1}"),
    (re.compile(r"\\(argmax|argmin|arg|softmax|sign|rank|diag|Var|Cov)(?![a-zA-Z])"), r"\\operatorname{\1}"),
    (re.compile(r"\\(Tilde|Hat|Bar|Vec)(?![a-zA-Z])"), lambda match: "\\" + match[1].lower()),
    (re.compile(r"\\text(?:sc|sf|up|md|normal)(?![a-zA-Z])"), r"\\text"),
    (re.compile(r"\\(?:bm|pmb)(?![a-zA-Z])"), r"\\boldsymbol"),
    (re.compile(r"\\mathds(?![a-zA-Z])"), r"\\mathbb"),
]


@lru_cache(maxsize=2048)
def as_mathml(latex: str, display: bool = False) -> SafeString | None:
    """Return MathML of presentation elements only, or None when the formula cannot be converted."""
    if len(latex) > MAX_FORMULA_LENGTH:
        return None
    try:
        for pattern, words in _IN_OTHER_WORDS:
            latex = pattern.sub(words, latex)
        tree = ElementTree.fromstring(str(convert(latex.strip(), display="block" if display else "inline")))  # noqa: S314 - our converter's
    except Exception:  # the converter raises its own errors, and IndexError, KeyError or RecursionError on odd input
        return None
    if not all(_is_plain(element) for element in tree.iter()):
        return None
    return mark_safe("".join(_written(tree)))  # noqa: S308 - written by _written, which escapes


def _is_plain(element: ElementTree.Element) -> bool:
    is_allowed = element.tag.startswith(_NAMESPACE) and element.tag.removeprefix(_NAMESPACE) in ELEMENTS
    return is_allowed and "\\" not in (element.text or "")  # a command that the converter did not know


def _written(element: ElementTree.Element) -> Iterator[str]:
    tag = element.tag.removeprefix(_NAMESPACE)
    attributes = [(k, v) for k, v in element.attrib.items() if k in ATTRIBUTES and ATTRIBUTES[k].fullmatch(v)]
    yield f"<{tag}{''.join(f' {key}={chr(34)}{value}{chr(34)}' for key, value in attributes)}>"
    yield escape(element.text or "")
    for child in element:
        yield from _written(child)
        yield escape(child.tail or "")
    yield f"</{tag}>"
