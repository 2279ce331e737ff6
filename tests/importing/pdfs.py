"""Small PDFs, written by hand: what tests of articles need and no program that is installed makes."""

from collections.abc import Sequence
from io import BytesIO

from pypdf import PdfReader, PdfWriter


def pdf(pages: Sequence[Sequence[str]], title: str = "") -> bytes:
    """Return a PDF with pages of lines in Helvetica."""
    objects = [b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"]
    tree, kids = 2 + 2 * len(pages), []
    for lines in pages:
        drawn = b"BT /F1 11 Tf 72 740 Td 14 TL " + b"".join(_shown(line) for line in lines) + b"ET"
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
        objects.append(
            b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 1 0 R >> >> "
            b"/Contents %d 0 R >>" % (tree, len(objects))
        )
        kids.append(b"%d 0 R" % len(objects))
    objects.append(b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids)))
    objects.append(b"<< /Type /Catalog /Pages %d 0 R >>" % tree)
    objects.append(b"<< /Title (%s) >>" % title.encode())
    return _file(objects)


def encrypted(plain: bytes, algorithm: str, password: str = "") -> bytes:
    """Return the same PDF, encrypted: everybody may read it, only its owner may change it."""
    writer, out = PdfWriter(clone_from=PdfReader(BytesIO(plain))), BytesIO()
    writer.encrypt(password, owner_password="owner", algorithm=algorithm)
    writer.write(out)
    return out.getvalue()


def _shown(line: str) -> bytes:
    text = line.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"(" + text + b") Tj T* "


def _file(objects: Sequence[bytes]) -> bytes:
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + b"".join(
        b"%010d 00000 n \n" % p for p in places
    )
    size, start = len(objects) + 1, len(out)
    trailer = b"trailer << /Size %d /Root %d 0 R /Info %d 0 R >>" % (size, size - 2, size - 1)
    return out + table + trailer + b"\nstartxref\n%d\n%%%%EOF\n" % start
