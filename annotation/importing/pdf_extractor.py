"""A program of its own: prints the text of a PDF's pages, a JSON object a line, and imports nothing of ours.

A PDF is a program for a machine that draws, and a hostile one can take any time and memory. So it is read in a process
with limits of its own, which dies in the place of the worker. `pdf.py` starts it and says what its lines mean.
"""

import contextlib
import errno
import json
import resource
import sys
from typing import Any


def main(path: str, most_pages: int, most_characters: int, seconds: int, megabytes: int) -> None:
    """Print `{"title", "pages"}`, then `{"text"}` for each page, then `{"end"}`; or `{"problem", "says"}`."""
    _limit(seconds, megabytes)
    try:
        for line in _lines(path, most_pages, most_characters):
            print(json.dumps(line), flush=True)
    except Exception as error:  # whatever a broken file makes the library raise
        is_full = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        says = f"{type(error).__name__}: {error}"[:200]
        print(json.dumps({"problem": "memory"} if is_full else {"problem": "broken", "says": says}))


def _lines(path: str, most_pages: int, most_characters: int) -> Any:
    from pypdf import PdfReader

    reader = PdfReader(path)
    if reader.is_encrypted and not reader.decrypt(""):
        yield {"problem": "encrypted"}
        return
    pages, characters = len(reader.pages), 0
    if pages > most_pages:
        yield {"problem": "pages", "says": pages}
        return
    title = reader.metadata.title if reader.metadata else None
    yield {"title": str(title or ""), "pages": pages}
    for page in reader.pages:
        text = page.extract_text()
        characters += len(text)
        if characters > most_characters:
            yield {"problem": "characters"}
            return
        yield {"text": text}
    yield {"end": True}


def _limit(seconds: int, megabytes: int) -> None:
    """Set a resource limit, unless the system does not know it (macOS has none for memory)."""
    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, megabytes << 20)):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
