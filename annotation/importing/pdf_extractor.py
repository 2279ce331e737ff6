"""A separate program that prints the text of a PDF's pages, one JSON object per line, without imports of this package.

PDFs contain programs for drawing, and a malicious one can use unlimited time and memory. So they are read in a process
with limits, which is killed instead of the worker. `limited_process.py` starts it; `pdf.py` defines its output.
"""

import contextlib
import errno
import json
import resource
import sys
from typing import Any


def main(path: str, seconds: int, megabytes: int, max_pages: int, max_characters: int) -> None:
    """Print `{"title", "pages"}`, then `{"text"}` for each page, then `{"end"}`; or `{"problem", "detail"}`."""
    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, megabytes << 20)):
        with contextlib.suppress(ValueError, OSError):  # macOS has no limit of memory
            resource.setrlimit(kind, (most, most))
    try:
        for line in _lines(path, max_pages, max_characters):
            print(json.dumps(line), flush=True)
    except Exception as error:  # any error of the library about an invalid file
        is_full = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        detail = f"{type(error).__name__}: {error}"[:200]
        print(json.dumps({"problem": "memory"} if is_full else {"problem": "broken", "detail": detail}))


def _lines(path: str, max_pages: int, max_characters: int) -> Any:
    from pypdf import PdfReader

    reader = PdfReader(path)
    if reader.is_encrypted and not reader.decrypt(""):
        yield {"problem": "encrypted"}
        return
    pages, characters = len(reader.pages), 0
    if pages > max_pages:
        yield {"problem": "pages", "detail": pages}
        return
    title = reader.metadata.title if reader.metadata else None
    yield {"title": str(title or ""), "pages": pages}
    for page in reader.pages:
        text = page.extract_text()
        characters += len(text)
        if characters > max_characters:
            yield {"problem": "characters"}
            return
        yield {"text": text}
    yield {"end": True}


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
