"""The text of a PDF's pages, extracted by a separate process with limits (see `pdf_extractor.py`)."""

import json
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
                message = "the PDF is larger than %(most)s MB; split it"
                raise file_reader.refused(message % {"most": MAX_PDF_SIZE // MEGABYTE})
            copy.write(chunk)
        copy.flush()
        lines = _process_output(file_reader, copy.name)
    head, texts = _parse_line(file_reader, lines)
    if not any(text.strip() for text in texts):
        message = (
            "its pages (%(pages)s) contain no text, so they are images: run text recognition (OCR) on it, or use a "
            ".txt file"
        )
        raise file_reader.refused(message % {"pages": head["pages"]})
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


def _parse_line(file_reader: FileReader, lines: list[_Line]) -> tuple[_Line, list[str]]:
    last = lines[-1]
    if "problem" in last:
        problem = _PROBLEMS[last["problem"]]
        raise file_reader.refused((problem) % {"says": last.get("detail", ""), **_LIMITS})
    return lines[0], [line["text"] for line in lines[1:-1]]


_LIMITS = {
    "pages": MAX_PAGES,
    "millions": MAX_RECORD_SIZE // MEGABYTE,
    "seconds": MAX_SECONDS,
    "memory": MAX_MEMORY,
}
_PROBLEMS = {
    "encrypted": "the PDF is protected by a password; save a copy without one (print it to a PDF), and use the copy",
    "broken": "the PDF is damaged and cannot be read (%(says)s); open it and save it again, or use a .txt file",
    "pages": "the PDF has %(says)s pages; the limit is %(pages)s: split it",
    "characters": "the PDF contains more than %(millions)s million characters; split it",
    "time": "reading the PDF takes longer than %(seconds)s seconds; save it again, or use a .txt file",
    "memory": "reading the PDF takes more than %(memory)s MB of memory; save it again, or use a .txt file",
    "died": "reading the PDF took too much time or memory; save it again, or use a .txt file",
}
