"""Formulas as plain text in one line, for lists: `$\\frac{a+b}{2} \\leq x_i$` -> `(a + b)/2 ≤ xᵢ`."""

import unicodedata
from collections.abc import Callable
from xml.etree import ElementTree

from .formulas import as_mathml

_RAISED = str.maketrans("0123456789+−-=()nixT∘", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱˣᵀ°")
_LOWERED = str.maketrans("0123456789+−-=()aeijknortux", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑᵢⱼₖₙₒᵣₜᵤₓ")
_ACCENTS = str.maketrans("^ˆ~˜¯―→˙¨", "\u0302\u0302\u0303\u0303\u0304\u0304\u20d7\u0307\u0308")
_SPACED = frozenset("=<>≤≥≈≠≡∼∝∈⊂⊆∪∩→←⇒⇔+−±×⋅∗*∧∨")  # signs between two terms


def formula_text(latex: str) -> str | None:
    """Return the formula in one line, or None when it cannot be converted."""
    mathml = as_mathml(latex)
    return None if mathml is None else " ".join(_line(ElementTree.fromstring(mathml)).split())  # noqa: S314 - ours


def _line(element: ElementTree.Element) -> str:
    parts = [_line(child) for child in element]
    write = _WRITTEN.get(element.tag)
    return write(parts) if write else (element.text or "") + _joined(parts)


def _joined(parts: list[str]) -> str:
    """Join terms and signs: spaces around signs between terms and around names of functions."""
    line, follows_name = "", False
    for part in parts:
        is_between = part in _SPACED and line.strip() and not line.endswith((" ", "(", "["))
        is_name = len(part) > 1 and part.isascii() and part.isalpha()
        is_apart = (is_name and line[-1:].isalnum()) or (follows_name and part[:1].isalnum())
        line += f" {part} " if is_between else f" {part}" if is_apart else part
        follows_name = is_name or part.startswith(("∑", "∏", "∫"))
    return line


def _grouped(part: str) -> str:
    return part if len(part.split()) < 2 and part.isalnum() else f"({part})"


def _script(part: str, sign: str, table: dict[int, int]) -> str:
    """Return a part in small raised or lowered characters, or behind a sign if one of them has no such form."""
    text = part.replace(" ", "")
    return text.translate(table) if all(ord(each) in table for each in text) else sign + _grouped(part)


def _above(parts: list[str]) -> str:
    base, over = parts
    accent = over.strip().translate(_ACCENTS)
    if len(accent) == 1 and unicodedata.combining(accent):
        return unicodedata.normalize("NFC", base + accent)
    return base + _script(over, "^", _RAISED)


def _below(parts: list[str]) -> str:
    return parts[0] + _script(parts[1], "_", _LOWERED)


def _below_and_above(parts: list[str]) -> str:
    return _below(parts) + _script(parts[2], "^", _RAISED)


_WRITTEN: dict[str, Callable[[list[str]], str]] = {
    "mfrac": lambda parts: f"{_grouped(parts[0])}/{_grouped(parts[1])}",
    "msqrt": lambda parts: f"√{_grouped(_joined(parts))}",
    "mroot": lambda parts: f"{_script(parts[1], '', _RAISED)}√{_grouped(parts[0])}",
    "msup": lambda parts: parts[0] + _script(parts[1], "^", _RAISED),
    "mover": _above,
    "msub": _below,
    "munder": _below,
    "msubsup": _below_and_above,
    "munderover": _below_and_above,
    "mtr": ", ".join,
    "mtable": "; ".join,
}
