"""Normalize a PDF so that its bytes depend on its picture alone.

The PDF writer numbers and writes the objects of a file, and the names in its resource lists, in the order of its hash
tables, which varies. Numbered in the order of first reference, the same picture is the same file.
"""

import re

_END = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*$")
_TABLE = re.compile(rb"xref\n0 (\d+)\n")
_LINE = 20  # bytes of an entry of the table
_RESOURCES = re.compile(rb"(?: +/[A-Za-z]+\d+ \d+ 0 R\n)+")
_REFERENCE = re.compile(rb"\b(\d+) 0 R\b")
_STREAM = b"\nstream\n"


def in_order(pdf: bytes) -> bytes:
    """Number the objects in the order of first reference. A PDF with another structure stays as it is."""
    end = _END.search(pdf)
    table = _TABLE.match(pdf, int(end[1])) if end else None
    if end is None or table is None:
        return pdf
    after = table.end() + int(table[1]) * _LINE
    starts = [int(pdf[offset : offset + 10]) for offset in range(table.end() + _LINE, after, _LINE)]
    stops = dict(zip(sorted(starts), [*sorted(starts)[1:], table.start()], strict=True))
    objects = {
        offset: _RESOURCES.sub(_sort_lines, pdf[start : stops[start]]) for offset, start in enumerate(starts, start=1)
    }
    trailer = pdf[after : end.start()]
    numbers = {old: new for new, old in enumerate(_reference_order(trailer, objects), start=1)}
    if len(numbers) != len(objects):
        return pdf
    renumbered = [_renumbered(objects[old], old, numbers) for old in numbers]
    return _put_together(
        pdf[: min(starts)], renumbered, pdf[table.start() : table.end() + _LINE], _renumber_references(trailer, numbers)
    )


def _sort_lines(lines: re.Match[bytes]) -> bytes:
    return b"".join(sorted(lines[0].splitlines(keepends=True)))


def _reference_order(trailer: bytes, objects: dict[int, bytes]) -> list[int]:
    """Return the numbers of the objects in the order of first reference."""
    met: dict[int, None] = {}
    waiting = [trailer]
    while waiting:
        dictionary = waiting.pop(0).partition(_STREAM)[0]
        for reference in map(int, _REFERENCE.findall(dictionary)):
            if reference in objects and reference not in met:
                met[reference] = None
                waiting.append(objects[reference])
    return list(met)


def _renumbered(pdf_object: bytes, old: int, numbers: dict[int, int]) -> bytes:
    dictionary, stream, data = pdf_object.partition(_STREAM)
    head = b"%d 0 obj" % old
    return b"%d 0 obj" % numbers[old] + _renumber_references(dictionary[len(head) :], numbers) + stream + data


def _renumber_references(text: bytes, numbers: dict[int, int]) -> bytes:
    return _REFERENCE.sub(lambda found: b"%d 0 R" % numbers.get(int(found[1]), int(found[1])), text)


def _put_together(head: bytes, objects: list[bytes], table: bytes, trailer: bytes) -> bytes:
    offset, entries = len(head), []
    for pdf_object in objects:
        entries.append(b"%010d 00000 n\r\n" % offset)
        offset += len(pdf_object)
    return b"".join([head, *objects, table, *entries, trailer, b"startxref\n%d\n%%%%EOF" % offset])
