"""The text of a PDF's pages, extracted by a separate process with limits (see `pdf_extractor.py`).

TeX's bitmap fonts in older articles have ligatures that PDF fonts do not define. Such a font gives each glyph a code
below 32 and no name: `efficient` is extracted as an e, a control character and `cient`. Inside words these codes are
decoded by the font's encoding: OT1 if a code occurs that is a ligature only in OT1, else T1 (both in the LaTeX Font
Encodings Guide). Codes without a meaning there, as in formulas, become U+FFFD.
"""

import json
import re
import tempfile
from pathlib import Path
from typing import TypedDict

from .input_files import MAX_RECORD_SIZE, MEGABYTE, FileReader
from .limited_process import output_of

MAX_PAGES = 2_000
MAX_PDF_SIZE = 100 * MEGABYTE
MAX_SECONDS = 120
MAX_MEMORY = 1_024  # megabytes of memory for the extracting process
_PROGRAM = Path(__file__).with_name("pdf_extractor.py")


UNREADABLE = "\ufffd"

_T1 = {0x1B: "ff", 0x1C: "fi", 0x1D: "fl", 0x1E: "ffi", 0x1F: "ffl"}
_OT1 = {0x0B: "ff", 0x0C: "fi", 0x0D: "fl", 0x0E: "ffi", 0x0F: "ffl", 0x19: "ß", 0x1A: "æ", 0x1B: "œ", 0x1C: "ø"}
_IS_OT1 = re.compile("[\x0b\x0c\x0e\x0f][a-z]|[a-z][\x0b\x0c\x0e\x0f]")
_T1_WORD = re.compile("[A-Za-z\x1b-\x1f]+")
_OT1_WORD = re.compile("(?:[A-Za-z\x0b\x0c\x0e\x0f\x19-\x1c]|\r(?!\n))+")
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
_MIN_LETTERS = 2  # with fewer neighboring letters, it may be a Greek letter of a formula


class _Line(TypedDict, total=False):
    """A line of the process's output: title and number of pages first, one per page, then `end` or a problem."""

    title: str
    pages: int
    text: str
    end: bool
    problem: str
    detail: str


def read_pages(file_reader: FileReader) -> tuple[str, list[str]]:
    """Return the title ("" if the file has none) and the text of each page, which may be empty. Raise Refused."""
    with tempfile.NamedTemporaryFile(suffix=".pdf") as copy:
        for chunk in file_reader.chunks():
            if file_reader.unpacked > MAX_PDF_SIZE:
                raise file_reader.refused(f"the PDF is larger than {MAX_PDF_SIZE // MEGABYTE} MB; split it")
            copy.write(chunk)
        copy.flush()
        lines = _process_output(file_reader, copy.name)
    last = lines[-1]
    if "problem" in last:
        limits = {"pages": MAX_PAGES, "millions": MAX_RECORD_SIZE // MEGABYTE}
        limits |= {"seconds": MAX_SECONDS, "memory": MAX_MEMORY}
        raise file_reader.refused(_PROBLEMS[last["problem"]] % {"says": last.get("detail", ""), **limits})
    head, texts = lines[0], [line["text"] for line in lines[1:-1]]
    if not any(text.strip() for text in texts):
        message = f"its pages ({head['pages']}) contain no text, so they are images"
        raise file_reader.refused(f"{message}: run text recognition (OCR) on it, or use a .txt file")
    return head["title"], texts


def _process_output(file_reader: FileReader, path: str) -> list[_Line]:
    """Return the process's output for these bytes, cached by an earlier pass or new."""
    cache_file = file_reader.keeps / f"{file_reader.sha256}.json" if file_reader.keeps else None
    if cache_file and cache_file.exists():
        pages: list[_Line] = json.loads(cache_file.read_bytes())
        return pages
    limits = (MAX_PAGES, MAX_RECORD_SIZE)
    output: list[_Line] = list(output_of(_PROGRAM, path, *limits, seconds=MAX_SECONDS, megabytes=MAX_MEMORY))
    if cache_file:
        cache_file.write_text(json.dumps(output), encoding="utf-8")
    return output


_PROBLEMS = {
    "encrypted": "the PDF is protected by a password; save a copy without one (print it to a PDF), and use the copy",
    "broken": "the PDF is damaged and cannot be read (%(says)s); open it and save it again, or use a .txt file",
    "pages": "the PDF has %(says)s pages; the limit is %(pages)s: split it",
    "characters": "the PDF contains more than %(millions)s million characters; split it",
    "time": "reading the PDF takes longer than %(seconds)s seconds; save it again, or use a .txt file",
    "memory": "reading the PDF takes more than %(memory)s MB of memory; save it again, or use a .txt file",
    "died": "reading the PDF took too much time or memory; save it again, or use a .txt file",
}


def decode_glyphs(page: str) -> str:
    """Return the text of a page with its ligatures written out, and U+FFFD for each unknown glyph."""
    ligatures, word = (_OT1, _OT1_WORD) if _IS_OT1.search(page) else (_T1, _T1_WORD)
    return _CONTROL.sub(UNREADABLE, word.sub(lambda match: _written_out(match[0], ligatures), page))


def _written_out(word: str, ligatures: dict[int, str]) -> str:
    letters = sum(character.isalpha() for character in word)
    return word.translate(ligatures) if letters >= _MIN_LETTERS else word
