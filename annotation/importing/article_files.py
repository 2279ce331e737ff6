"""Articles in separate files: each PDF, plain text or Markdown file becomes one document.

Its id is the file's name, which prompts refer to. The pages of a PDF (or of a text with form feeds) become sections
"Page 3". Lines are joined to paragraphs, since both kinds of file break lines at the page's width: this changes only
white space and the hyphen of a broken word.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from .input_files import MAX_RECORD_SIZE, MEGABYTE, FileReader
from .json_fields import check_id
from .pdf import UNREADABLE, decode_glyphs, read_pages
from .problems import BadRecord
from .records import SourceDocument
from .sections import Sections

PDF, TEXTS = ".pdf", (".txt", ".md")
ARTICLES = (PDF, *TEXTS)

_LINE_END = re.compile(r"\r\n?|\n")
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*")
_BULLET = re.compile(r"(?:[•◦▪●○·*\-–—]|\(?[0-9]{1,3}[.)]|\[[0-9]{1,3}\]|\(?[a-z][.)])\s")
_BROKEN_WORD = re.compile(r"[^\W\d_]-$")
_LONG_LINE = 200  # characters; lines beyond it were not broken to fit a page
_SHORT = 0.75  # of the usual line; a shorter one is likely the last line of a paragraph


def is_article(file_reader: FileReader) -> bool:
    """Return whether the file is an article by its name, and not JSON lines in a .txt file."""
    name = file_reader.source.bare_name
    if name.endswith(TEXTS):
        return not file_reader.beginning().startswith(b"{")
    return name.endswith(PDF)


def read_article(file_reader: FileReader) -> SourceDocument:
    """Return the file as a document. Raise Refused."""
    name = PurePosixPath(file_reader.name.replace("\\", "/")).name.removesuffix(".gz")
    try:
        key = check_id(name, "the file's name")
    except BadRecord as broken:
        raise file_reader.refused(str(broken)) from None
    if file_reader.source.bare_name.endswith(PDF):
        title, pages = read_pages(file_reader)
        pages = [decode_glyphs(page) for page in pages]
        unreadable = sum(page.count(UNREADABLE) for page in pages)
    else:
        pieces, length = [], 0
        for piece in file_reader.text():
            pieces.append(piece)
            length += len(piece)
            if length > MAX_RECORD_SIZE:
                raise file_reader.refused(f"the text is longer than {MAX_RECORD_SIZE // MEGABYTE} MB; split it")
        text = "".join(pieces)
        if "\x00" in text[:MEGABYTE]:
            raise file_reader.refused(
                "this is not text (it contains NUL characters); use a PDF, or a text saved as UTF-8"
            )
        title, pages, unreadable = "", text.split("\f"), 0
    sections = Sections()
    blank = _add_pages(sections, [clean(page) for page in pages])
    if not sections.sections:
        raise file_reader.refused("the file contains no text; remove it")
    title_or_name = " ".join(clean(title).split())[:500] or PurePosixPath(name).stem
    return SourceDocument(
        file_reader.name, key, title_or_name, sections.sections, blank_pages=blank, unreadable=unreadable, is_file=True
    )


def clean(text: str) -> str:
    """Return the text with LF as line ends, without characters that are invisible or cannot be stored."""
    return _UNSTORABLE.sub("", _LINE_END.sub("\n", text))


def _add_pages(sections: Sections, pages: list[str]) -> int:
    """Add pages; return how many contain no text. A text without pages has its own headings."""
    if len(pages) == 1:
        _add_text(sections, pages[0])
        return 0
    blank = 0
    for number, page in enumerate(pages, 1):
        if paragraphs := list(join_lines(page)):
            sections.add(f"Page {number}", paragraphs)
        else:
            blank += 1
    return blank


def _add_text(sections: Sections, text: str) -> None:
    """Add one text: a line that begins with `#` is a section's heading."""
    heading, level, lines = "", 1, list[str]()
    for line in [*text.split("\n"), None]:
        heading_match = _HEADING.fullmatch(line) if line is not None else None
        if line is not None and not heading_match:
            lines.append(line)
            continue
        paragraphs = list(join_lines("\n".join(lines)))
        if heading or paragraphs:
            sections.add(heading, paragraphs, level)
        if heading_match:
            heading, level, lines = heading_match[2], len(heading_match[1]), []


def join_lines(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text whose lines were broken at the page's width. A paragraph ends at a blank line,
    before a list mark, and after a line much shorter than the others if the next begins a sentence.
    """
    lines = [" ".join(line.split()) for line in text.split("\n")]
    lengths = sorted(len(line) for line in lines if line)
    if lengths and lengths[-1] > _LONG_LINE:
        yield from filter(None, lines)
        return
    short = _SHORT * lengths[len(lengths) * 3 // 4] if lengths else 0
    waiting: list[str] = []
    for before, line in zip(["", *lines], lines, strict=False):
        if waiting and (not line or (bool(_BULLET.match(line)) or (len(before) < short and not line[:1].islower()))):
            yield " ".join(waiting)
            waiting = []
        if waiting and line[:1].islower() and _BROKEN_WORD.search(waiting[-1][-2:]):
            waiting[-1] = waiting[-1][:-1] + line
        elif line:
            waiting.append(line)
    if waiting:
        yield " ".join(waiting)
