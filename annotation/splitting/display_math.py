"""Display math in a response, and lines that contain only formulas."""

import re

from annotation.splitting import word_lists
from annotation.splitting.regions import PROSE_STOP, Forward
from annotation.splitting.word_lists import word_set

_ENVIRONMENTS = (
    "equation|align|gather|multline|eqnarray|alignat|flalign|displaymath|math|aligned|gathered|split|cases|dcases"
    "|array|matrix|pmatrix|bmatrix|vmatrix|Vmatrix|Bmatrix|subequations|IEEEeqnarray"
)
_OPEN = re.compile(rf"\\[\\`$]|`+|\\\(|\\\[|\$\$?|\\begin\{{((?:{_ENVIRONMENTS})\*?)\}}")
_MATHEMATICAL = re.compile(r"[\\^_={}<>+*/\d]|[^\W\d_]\s*-\s*[^\W\d_]")
_AFTER = re.compile(r"[ \t]*[.,;:](?=\s|$)")
_BLANK_LINE = re.compile(r"\n[ \t>]*\n|\r[ \t>]*\r|\r\n[ \t>]*\r\n")
_MAX_LENGTH = 10_000


class Displays:
    """Finds display math from positions that only grow."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.forward = Forward(text)
        self.refused: set[int] = set()
        self.any = "$$" in text or "\\[" in text or "\\begin{" in text

    def following(self, index: int, end: int) -> tuple[int, int] | None:
        """Return the first display equation that opens between `index` and `end`: its bounds with delimiters."""
        for match in _OPEN.finditer(self.text, index, end):
            if match.start() < index:
                continue
            sign = match.group()
            index = match.end()
            if sign in ("\\[", "$$") or match[1]:
                if display := self._display(match, sign, end):
                    return display
            elif sign == "\\(" or (sign[0] != "\\" and len(sign) <= 8):
                closer = "\\)" if sign == "\\(" else sign
                close = self.forward.find(closer, index)
                index = close + len(closer) if 0 <= close < end else index
        return None

    def _display(self, match: re.Match[str], sign: str, end: int) -> tuple[int, int] | None:
        closer = {"\\[": "\\]", "$$": "$$"}.get(sign) or f"\\end{{{match[1]}}}"
        inner = match.end()
        close = self.forward.find(closer, inner)
        far = close < 0 or close - inner > _MAX_LENGTH or close in self.refused
        if far or not self._plausible(sign, match.start(), inner, close, end):
            self.refused.add(close)  # not searched again for each opening before the same closing
            return self._unclosed(match, sign, end)
        stop = close + len(closer)
        after = _AFTER.match(self.text, stop)
        return match.start(), after.end() if after else stop

    def _plausible(self, sign: str, start: int, inner: int, close: int, end: int) -> bool:
        content = self.text[inner:close]
        if not content.strip() or (sign == "\\[" and not _MATHEMATICAL.search(content) and len(content.split()) > 3):
            return False  # brackets that Markdown escapes: "\\[not my words\\]"
        if close < end and PROSE_STOP.search(self.text, inner, close):
            return False
        # Two separate "$$" in prose do not make an equation of the paragraphs between them.
        if sign == "$$" and close > end:
            return not (self.text[inner:end].strip() and _BLANK_LINE.search(self.text, inner, close))
        return True

    def _unclosed(self, match: re.Match[str], sign: str, end: int) -> tuple[int, int] | None:
        """Return an equation cut off by the end of the response: from an opening on a separate line to the end."""
        line_start = self.text[max(0, match.start() - 200) : match.start()]
        alone = not re.split(r"[\r\n]", line_start)[-1].strip(" \t>*-") and match.end() <= end
        if not alone or (sign == "$$" and self.text[match.end() : end].strip()):
            return None
        rest = _BLANK_LINE.search(self.text, match.end())
        stop = rest.start() if rest else len(self.text)
        return match.start(), match.start() + len(self.text[match.start() : stop].rstrip())


_BETWEEN = re.compile(r"(?:[\s,;.:*_>=≈⇒→&|]|and|or|\\quad|\\\\)*")
_WORD = re.compile(r"[^\W\d_⁰¹²³⁴-⁹₀-₉]{2,}")
# "Profit = Revenue − Costs", "Speed = distance (in km) / time": names on both sides, and an operator between names.
_NAME = r"[^\W\d_][\w'’-]*(?:[ ][\w'’-]+){0,5}(?:[ ]\([^()=]{1,40}\))?%?"
_TERM = rf"\(?(?:{_NAME}|\d[\d.,]*%?)\)?"
_WORD_FORMULA = re.compile(rf"{_NAME} = \(?{_TERM}(?:[ ][-+−–×÷*/·][ ]\(?{_TERM}\)?)+")
_ARROW = re.compile(r"[→⇒⇌]|-->?|<=>")
_COMPOUND = re.compile(
    r"(?:H|C|N|O|F|P|S|K|I|B|Na|Cl|Ca|Mg|Al|Si|Fe|Cu|Zn|Ag|Mn|Pb|Br|Ba|Li|He|Hg|Au|Cr|Ni|Sn|Ti|Co|Sr|As)+"
)
_OPERATOR = re.compile(r"[=≈≠≤≥<>→⇒⇌]")
_MAY_BE_FORMULA = re.compile(r"[=≈≠≤≥<>→⇒⇌$]|\\\(")
_SIGNS = re.compile(r"[-=≈≠≤≥<>+−*/×÷·^→⇒⇌∑∫√±]")
_NAMES = word_set(
    """
    sin cos tan log ln exp min max lim sqrt det gcd lcm mod arg sup inf cot sec csc pr var cov frac cdot
    times pi theta alpha beta gamma delta sigma mu lambda left right sum int ax bx cx ab ac bc xy dx dy dt
    dv du
    """
)
_CLAUSE_WORDS = word_set("is are was were has have if when where because so then thus we you it this that which")
_PLAIN_FORMULA_LENGTH = 160


def is_only_formula(line: str) -> bool:
    """Return whether a line contains only formulas, delimited or plain ("2x + 3 = 7")."""
    if not _MAY_BE_FORMULA.search(line):
        return False
    bare = line.strip().strip("*_ ")
    if _is_delimited(bare) or _is_plain_formula(bare):
        return True
    is_word_formula = len(bare) <= _PLAIN_FORMULA_LENGTH and _WORD_FORMULA.fullmatch(bare)
    return bool(is_word_formula) and not any(word.lower() in _CLAUSE_WORDS for word in bare.split())


def _is_delimited(bare: str) -> bool:
    index, has_display = 0, False
    while index < len(bare):
        closer = "\\)" if bare.startswith("\\(", index) else "$" if bare[index] == "$" else ""
        if closer:
            close = bare.find(closer, index + len(closer) + 1)
            if close < 0:
                return False
            index, has_display = close + len(closer), True
        elif (between := _BETWEEN.match(bare, index)) and between.end() > index:
            index = between.end()
        else:
            return False
    return has_display


def _is_plain_formula(bare: str) -> bool:
    if len(bare) > _PLAIN_FORMULA_LENGTH or not _OPERATOR.search(bare) or not any(c.isalnum() for c in bare):
        return False
    foreign = [w for w in _WORD.findall(bare) if w.lower() not in _NAMES and not _is_symbol(w)]
    if _ARROW.search(bare):
        foreign = [w for w in foreign if not _COMPOUND.fullmatch(w)]
    return not foreign and len(_SIGNS.findall(bare)) >= 1 and "`" not in bare


def _is_symbol(word: str) -> bool:
    # Chemical formulas and units: "NaOH", "H", "mol", "kg" are short or mix cases.
    if word.lower() in word_lists.STARTERS | word_lists.FUNCTION_WORDS:
        return False
    return len(word) <= 2 or (len(word) <= 6 and not word.isupper() and not word[1:].islower())
