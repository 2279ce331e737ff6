"""The pages of a PDF as text, read by a program of its own with limits (`pdf_pages.py` says why)."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from .files import LONGEST_RECORD, MEGABYTE, Reading

MOST_PAGES = 2_000
LARGEST_PDF = 100 * MEGABYTE
MOST_SECONDS = 120
MOST_MEMORY = 1_024  # megabytes of the program that reads it
_PROGRAM = Path(__file__).with_name("pdf_pages.py")


def pages_of(reading: Reading) -> tuple[str, list[str]]:
    """Title (empty if the file has none) and text of each page, of which some may be empty. Raises Refused."""
    with tempfile.NamedTemporaryFile(suffix=".pdf") as copy:
        for chunk in reading.chunks():
            if reading.unpacked > LARGEST_PDF:
                raise reading.refused(f"the PDF is larger than {LARGEST_PDF // MEGABYTE} MB; split it")
            copy.write(chunk)
        copy.flush()
        lines = _told(reading, copy.name)
    head, texts = _understood(reading, lines)
    if not any(text.strip() for text in texts):
        raise reading.refused(
            f"none of its {head['pages']} pages holds text, so these are pictures of pages: run text recognition (OCR) "
            "over it, or give the article as a .txt file"
        )
    return head["title"], texts


def _told(reading: Reading, path: str) -> list[dict[str, Any]]:
    limits = map(str, (MOST_PAGES, LONGEST_RECORD, MOST_SECONDS, MOST_MEMORY))
    try:
        done = subprocess.run(
            [sys.executable, "-I", str(_PROGRAM), path, *limits], capture_output=True, timeout=MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return [{"problem": "time"}]
    try:
        found = [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError:  # killed in the middle of a line
        found = []
    return found if found and found[-1].keys() & {"end", "problem"} else [{"problem": "died"}]


def _understood(reading: Reading, lines: list[dict[str, Any]]) -> tuple[dict[str, Any], list[str]]:
    last = lines[-1]
    if "problem" in last:
        raise reading.refused(_PROBLEMS[last["problem"]].format(says=last.get("says", "")))
    return lines[0], [line["text"] for line in lines[1:-1]]


_PROBLEMS = {
    "encrypted": "the PDF is protected by a password; save a copy without one (print it to a PDF), and give that",
    "broken": "the PDF is damaged and cannot be read ({says}); open it and save it anew, or give the text as .txt",
    "pages": f"the PDF has {{says}} pages; at most {MOST_PAGES:,} are taken: split it",
    "characters": f"the PDF holds more than {LONGEST_RECORD // MEGABYTE} million characters; split it",
    "time": f"reading the PDF takes longer than {MOST_SECONDS} seconds; save it anew, or give the text as .txt",
    "memory": f"reading the PDF takes more than {MOST_MEMORY:,} MB of memory; save it anew, or give the text as .txt",
    "died": "reading the PDF took too much time or memory; save it anew, or give the text as .txt",
}
