"""Titles and labels alone on their line: bold lines, "Notes:", and short lines before other text.

Markup is seldom enough. A title has few words and no finite verb; it is in bold, in title case or much shorter than the
text after it; it ends without a mark, in a colon, or, where a citation follows it, in a full stop.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from annotation.splitting.blocks import Block
from annotation.splitting.line_labels import has_verb, is_clause, is_title_case
from annotation.splitting.marks import UNCASED
from annotation.splitting.trailing_marks import PICTURES
from annotation.splitting.word_lists import LABEL_WORDS, word_set

_CITATIONS = re.compile(
    r"(?:(?:(?<=\])[,;])?\s*(?:\[\^?\d[\d,;\s–-]*\]|\[\^[^\]\s]{1,40}\]|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|【[^】]{1,40}】))+\s*$"
)
_EMPHASIZED = re.compile(r"(\*{1,3}|_{1,3})(?=[^\s*_])(?P<text>[^\n]*?[^\s*_])\1(?P<rest>[^*]*)")
_EMOJI_EDGES = re.compile(rf"^[{PICTURES}\s]+|[{PICTURES}\s]+$")
_REMARK = re.compile(r"\s*\([^()]*\)")
_PLACEHOLDER = re.compile(r"[\[<{(].*[\]>})]")
_NUMBERED_PART = re.compile(
    r"(?:chapter|part|step|section|act|scene|day|week|month|year|phase|stage|lesson|module|unit|question|example|option"
    r"|method|case|problem|exercise|level|round|verse|theorem|figure|table|appendix|book|episode|slide|task|tip|idea"
    r"|scenario|paragraph|body paragraph|approach|experiment|rule|point)\s+"
    r"(?:\d+|[ivxlc]+|[a-z]|one|two|three|four|five)\b"
    r"|(?:title|subject|topic|re|chapter|headline)\s*(?=:)",
    re.IGNORECASE,
)
# A damaged marker, a sentence end inside, or no letter at all.
_NOT_A_TITLE = re.compile(rf"^\d+\[\d|[a-z]{{3}}[.?!]\s|^.{{4,}}\d[.?!]\s|[={UNCASED}]|^[\W\d]*$")
_SONG_PART = re.compile(
    r"[\[(]?(?:pre-?chorus|chorus|verse|bridge|refrain|intro|outro|hook|interlude|stanza|coda)\b[^\n]{0,20}",
    re.IGNORECASE,
)
# "**Answer: 42**" is no title, though it is alone on its line.
_RESULT = re.compile(
    r"(?:the )?(?:final |correct |overall )?(?:answer|result|solution|total|score|verdict|rating|output)\b"
    r"[^:=]*[:=]\s*\S",
    re.IGNORECASE,
)
# Answers and greetings are short and precede longer text, too.
_NO_TITLE_STARTS = word_set(
    """
    yes no true false positive negative neutral correct incorrect none both agree disagree maybe sure ok okay hi hello
    hey dear thank thanks good greetings sincerely regards best yours love warm kind cheers sorry congratulations
    """
)
_ANSWER = re.compile(r"\W*(?:\d[\d.,]*|[^\W\d_])\W*")  # of a multiple-choice or numeric question
_MAX_WORDS = 12
_FEW_WORDS = 6
_FOLLOWED_BY = ("text", "code", "math", "table_header", "table_row")


@dataclass(slots=True)
class Shape:
    """A parsed line: its `words` without emphasis, citations and final mark, and the removed marks."""

    words: str
    bold: bool
    italic: bool
    mark: str
    cited: bool
    remark: bool

    @property
    def count(self) -> int:
        return len(self.words.split())


def read_shape(line: str) -> Shape:
    """Remove emphasis around the whole line, citations and the final mark."""
    rest, mark, cited = _EMOJI_EDGES.sub("", line).strip(), "", False
    for _ in range(3):
        bare = _CITATIONS.sub("", rest).rstrip()
        cited |= bare != rest
        rest = bare
        if not mark and rest[-1:] in (".", ":", "：", "?", "!", "…", ",", ";"):
            mark, rest = rest[-1], rest[:-1].rstrip()
    emphasis = _EMPHASIZED.fullmatch(rest)
    if not emphasis or (emphasis["rest"].strip() and not _REMARK.fullmatch(emphasis["rest"])):
        return Shape(rest, False, False, mark, cited, False)
    words = emphasis["text"]
    if words[-1] in ".:：?!…,;" and not mark:
        mark, words = words[-1], words[:-1]
    whole = emphasis[1] not in words
    bold = whole and len(emphasis[1]) > 1
    return Shape(words, bold, whole and not bold, mark, cited, bool(emphasis["rest"].strip()))


_read_again = lru_cache(maxsize=4_096)(read_shape)


def is_title(line: str, block: Block, before: Block | None, after: Block | None) -> bool:
    """Return whether a line is a title or label of the next lines. `before` and `after` are its neighbors."""
    if len(line) > 240 or block.before_math or block.after_math:
        return False
    shape = _read_again(line) if len(line) <= 12 else read_shape(line)
    if not shape.words:
        return False
    if before is None and _ANSWER.fullmatch(shape.words):
        return False
    if _SONG_PART.fullmatch(shape.words) and shape.mark in ("", ":") and after is not None:
        return True
    if shape.bold or (shape.italic and shape.mark == ":"):
        return _bold_is_title(shape, block, before, after)
    if shape.mark in (":", "："):
        if shape.count > _MAX_WORDS or is_clause(shape.words) or ":" in shape.words:
            return False
        return shape.count <= 2 or (is_title_case(shape.words) and shape.count <= _FEW_WORDS)
    if shape.mark not in ("", "."):
        return False
    if block.marker:
        return _numbered_is_title(shape, block, before, after)
    if shape.mark == ".":
        return _is_title_with_full_stop(shape, block, after)
    return _plain_is_title(shape, block, before, after)


def _bold_is_title(shape: Shape, block: Block, before: Block | None, after: Block | None) -> bool:
    if shape.mark in (":", "："):
        return not is_clause(shape.words)
    if block.marker:
        return shape.mark == "" and not shape.remark and _is_content_of_item(block, before, after)
    if shape.mark == "":
        claim = _RESULT.match(shape.words) or (has_verb(shape.words) and not is_title_case(shape.words))
        return shape.count <= 2 * _MAX_WORDS and not claim
    if shape.mark == "?":
        return shape.count <= _MAX_WORDS and after is not None and after.role in _FOLLOWED_BY
    if _NOT_A_TITLE.search(shape.words):
        return False
    return shape.mark == "." and shape.count <= _MAX_WORDS and not has_verb(shape.words) and is_title_case(shape.words)


def _is_content_of_item(block: Block, before: Block | None, after: Block | None) -> bool:
    """Return whether the text after a list item is its content: indented, or prose that does not end the list."""
    if after is None or after.role not in _FOLLOWED_BY:
        return False
    if after.marker or after.indent:
        return after.indent > block.indent
    return before is None or not before.marker


def _is_title_with_full_stop(shape: Shape, block: Block, after: Block | None) -> bool:
    """Return whether a line that ends in a full stop is a title, often with citations: "Visual Data Sets [2][4]."."""
    if _NOT_A_TITLE.search(shape.words) or (":" in shape.words and not shape.cited):
        return False
    fewest = 1 if shape.cited and shape.words.lower() in LABEL_WORDS else 2  # "Conclusion [4].", but "Paris [4]."
    if not fewest <= shape.count <= _MAX_WORDS or has_verb(shape.words) or not shape.words[0].isalnum():
        return False
    if is_title_case(shape.words):
        return shape.cited or (shape.count >= 3 and _leads(block, after))
    return shape.cited and shape.count <= _FEW_WORDS and block.gap and _leads(block, after) and _is_longer(block, after)


def _plain_is_title(shape: Shape, block: Block, before: Block | None, after: Block | None) -> bool:
    words = shape.words
    most = 2 * _MAX_WORDS if shape.cited and is_title_case(words) else _MAX_WORDS
    if shape.count > most or has_verb(words) or _PLACEHOLDER.fullmatch(words):
        return False
    if not (words[0].isupper() or words[0].isdigit()) or words[-1] in "-–—/\\|" or _NOT_A_TITLE.search(words):
        return False
    if shape.cited and is_title_case(words):
        return True
    if words.lower().split()[0].strip(",") in _NO_TITLE_STARTS and not shape.cited:
        return False
    if words.isupper() and shape.count <= _FEW_WORDS and _leads(block, after):
        return True  # the speaker in a script
    if before is None and after is not None and after.role == "heading" and after.gap:
        return shape.count > 1 and is_title_case(words)  # the title of an essay, above its first heading
    if not _leads(block, after) or _is_one_of_many(block, before, after):
        return False
    if ":" in words and not _NUMBERED_PART.match(words):
        return False
    return is_title_case(words) or (shape.count <= _FEW_WORDS and _is_longer(block, after))


def _numbered_is_title(shape: Shape, block: Block, before: Block | None, after: Block | None) -> bool:
    """Return whether "1. Introduction" is a title: above prose that is no list item."""
    if (
        (shape.mark and not shape.cited)
        or not block.numbered
        or (before is not None and before.marker)
        or shape.count > _FEW_WORDS
        or has_verb(shape.words)
    ):
        return False
    prose_below = after is not None and after.role == "text" and not after.marker and _is_longer(block, after)
    return prose_below and is_title_case(shape.words) and not _NOT_A_TITLE.search(shape.words)


def _leads(block: Block, after: Block | None) -> bool:
    return after is not None and after.role in _FOLLOWED_BY and after.quotes == block.quotes


def _is_longer(block: Block, after: Block | None) -> bool:
    return after is not None and (after.marker or after.end - after.start > max(60, 1.5 * (block.end - block.start)))


def _is_one_of_many(block: Block, before: Block | None, after: Block | None) -> bool:
    """Return whether a line is in a run of short lines, as in an address, a signature or a list without markers."""
    if before is not None and not block.gap and before.role == "text" and not before.marker and not before.closed:
        return True
    return after is not None and after.role == "text" and not (after.gap or after.marker or _is_longer(block, after))
