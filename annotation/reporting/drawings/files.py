"""A figure as a file for slides and papers, made from its SVG: the same SVG gives the same bytes."""

import re

PNG, PDF = "image/png", "application/pdf"
ON_SCREEN, IN_PRINT = "", "-300dpi"  # ending of the name of a PNG

_END = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*$")
_TABLE = re.compile(rb"xref\n0 (\d+)\n")
_LINE = 20  # bytes of an entry of the table
_RESOURCES = re.compile(rb"(?: +/[A-Za-z]+\d+ \d+ 0 R\n)+")
_REFERENCE = re.compile(rb"\b(\d+) 0 R\b")
_STREAM = b"\nstream\n"


def png(svg: str, ending: str = ON_SCREEN) -> bytes:
    """Return a PNG of twice the SVG's size, or with 300 pixels per inch (72 in the SVG)."""
    import vl_convert

    return vl_convert.svg_to_png(svg, ppi=300) if ending == IN_PRINT else vl_convert.svg_to_png(svg, scale=2)


def pdf(svg: str) -> bytes:
    import vl_convert

    return _in_order(vl_convert.svg_to_pdf(svg))


def _in_order(pdf: bytes) -> bytes:
    """Return a PDF whose bytes depend on its picture alone. One with another structure stays as it is.

    The PDF writer numbers and writes the objects of a file, and the names in its resource lists, in the order of its
    hash tables, which varies. Numbered in the order of first reference, the same picture is the same file.
    """
    end = _END.search(pdf)
    table = _TABLE.match(pdf, int(end[1])) if end else None
    if end is None or table is None:
        return pdf
    after = table.end() + int(table[1]) * _LINE
    starts = [int(pdf[offset : offset + 10]) for offset in range(table.end() + _LINE, after, _LINE)]
    stops = dict(zip(sorted(starts), [*sorted(starts)[1:], table.start()], strict=True))
    objects = {
        offset: _RESOURCES.sub(
            lambda lines: b"".join(sorted(lines[0].splitlines(keepends=True))), pdf[start : stops[start]]
        )
        for offset, start in enumerate(starts, start=1)
    }
    trailer = pdf[after : end.start()]
    numbers = {old: new for new, old in enumerate(_reference_order(trailer, objects), start=1)}
    if len(numbers) != len(objects):
        return pdf

    def renumber(text: bytes) -> bytes:
        return _REFERENCE.sub(lambda match: b"%d 0 R" % numbers.get(int(match[1]), int(match[1])), text)

    parts, entries, offset = [pdf[: min(starts)]], [], min(starts)
    for old, new in numbers.items():
        dictionary, stream, data = objects[old].partition(_STREAM)
        entries.append(b"%010d 00000 n\r\n" % offset)
        parts.append(b"%d 0 obj" % new + renumber(dictionary.removeprefix(b"%d 0 obj" % old)) + stream + data)
        offset += len(parts[-1])
    head = pdf[table.start() : table.end() + _LINE]
    return b"".join([*parts, head, *entries, renumber(trailer), b"startxref\n%d\n%%%%EOF" % offset])


def _reference_order(trailer: bytes, objects: dict[int, bytes]) -> list[int]:
    met: dict[int, None] = {}
    waiting = [trailer]
    while waiting:
        dictionary = waiting.pop(0).partition(_STREAM)[0]
        for reference in map(int, _REFERENCE.findall(dictionary)):
            if reference in objects and reference not in met:
                met[reference] = None
                waiting.append(objects[reference])
    return list(met)
