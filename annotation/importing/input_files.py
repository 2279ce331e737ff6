"""Reading untrusted input files: plain, gzip or in a zip archive, never whole in memory.

Text is UTF-8, or UTF-16 with a byte order mark. Every problem of a file as a file becomes one line that names it:
missing, a folder, another encoding, damaged gzip, or a small archive that unpacks to a huge one. The limits are
constants of this module.
"""

import codecs
import gzip
import hashlib
import lzma
import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from io import BufferedReader
from itertools import chain
from pathlib import Path

from django.contrib.humanize.templatetags.humanize import intcomma

from ..jobs import Refused
from .problems import ascii_safe

MEGABYTE = 1 << 20
CHUNK = MEGABYTE
MAX_RECORD_SIZE = 16 * MEGABYTE  # bytes of a line, or characters of a paper
MAX_UNPACKED = 16_384 * MEGABYTE
MAX_RATIO = 100  # ratio of unpacked to packed bytes; text has about 5, and rarely 30
RATIO_MATTERS_FROM = 64 * MEGABYTE  # unpacked bytes; smaller files are harmless

GZIP = b"\x1f\x8b"
BOM = "\ufeff"
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
ZIP, PARQUET = b"PK\x03\x04", b"PAR1"
_QUOTED, _LINE_BREAK = re.compile(rb'"[^"]*"'), re.compile(rb"\r+\n|\r(?!\r*$)|\n")
_SPACE_BEFORE = b"\xef\xbb\xbf \t\r\n"

WEB_PAGE_START = (
    "this is a web page (perhaps a sign-in page), not the file; download the file itself, or save the page as text"
)
ARROW = (
    'this is an Arrow file (.arrow, .feather); write it as Parquet, in Python by dataset.to_parquet("data.parquet") or '
    'pandas.read_feather(FILE).to_parquet("data.parquet")'
)
WRONG_CONTENT = {  # first bytes, in lower case, of files in other formats and of pages downloaded instead of a file
    ZIP.lower(): (
        "this is an Excel workbook (.xlsx) or another compressed file; import a workbook in the "
        "format “rows” (Rows with mapped columns), or save it as CSV in UTF-8"
    ),
    PARQUET.lower(): (
        "this is a Parquet file; import it in the format “rows” (Rows with mapped columns), or save it as JSON Lines"
    ),
    b"\xd0\xcf\x11\xe0": (
        "this is an Excel file in an old format (.xls) or with a password; save it as .xlsx without "
        "a password, or as CSV in UTF-8"
    ),
    **dict.fromkeys((b"arrow1", b"fea1", b"\xff\xff\xff\xff"), ARROW),
    b"version https://git-lfs.github.com/spec/": (
        "this is a Git LFS pointer, not the file; fetch the file with `git lfs pull`, or download it "
        "from the repository's page"
    ),
    b"<!doctype html": WEB_PAGE_START,
    b"<html": WEB_PAGE_START,
}


@dataclass(frozen=True)
class SourceFile:
    """A file to read, and its name for messages (an upload has another name on disk). `member`: the name of the file in
    the zip archive at `path`."""

    path: Path
    name: str = ""
    member: str = ""

    @classmethod
    def named_as_given(cls, path: Path) -> "SourceFile":
        """Return the file at `path`; messages repeat the path as given."""
        return cls(path, str(path))

    @property
    def display_name(self) -> str:
        return ascii_safe(self.name or self.path.name)

    @property
    def bare_name(self) -> str:
        """Return the name in lower case, without `.gz`."""
        return self.display_name.lower().removesuffix(".gz")


def source_file(path: "str | os.PathLike[str] | SourceFile") -> SourceFile:
    """Return `path` as a SourceFile."""
    return path if isinstance(path, SourceFile) else SourceFile(Path(path))


@dataclass
class FileReader:
    """One pass over one file. `packed` and `sha256` are of the file on disk. `keeps` is a folder that caches slow
    results for the next pass over the same bytes."""

    source: SourceFile
    keeps: Path | None = None
    size: int = 0
    packed: int = 0
    unpacked: int = 0
    _digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    @cached_property
    def name(self) -> str:
        return self.source.display_name

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of the bytes read so far, after the end that of the whole file."""
        return self._digest.hexdigest()

    def file_record(self) -> dict[str, str]:
        """Return the file's name without folders and its SHA-256, which are stored with an import."""
        return {"name": Path(self.name).name, "sha256": self.sha256}

    def chunks(self) -> Iterator[bytes]:
        """Yield the file's bytes, unpacked; UTF-16 as UTF-8. Raise Refused."""
        chunks = self.raw_chunks()
        first = next(chunks, b"")
        start = first[:1000].removeprefix(codecs.BOM_UTF8).lstrip().lower()
        if b"\x00\x00" in (first[:4:2], first[1:4:2]):
            raise self.refused("this seems to be UTF-16 without a byte order mark; save the file as UTF-8", 1)
        for beginning, message in WRONG_CONTENT.items():
            if start.startswith(beginning):
                raise self.refused(str(message), 1)
        if not first.startswith(UTF_16):
            yield first
            yield from chunks
            return
        decoder = codecs.getincrementaldecoder("utf-16")()
        try:
            for chunk in chain([first], chunks):
                yield decoder.decode(chunk).encode()
            yield decoder.decode(b"", final=True).encode()
        except UnicodeError:
            raise self.refused("this is not valid UTF-16; save the file as UTF-8") from None

    def raw_chunks(self) -> Iterator[bytes]:
        """Yield the file's bytes, unpacked. Raise Refused."""
        try:
            with open(self.source.path, "rb") as file:
                self.size = os.fstat(file.fileno()).st_size
                yield from self._read_from_archive(file) if self.source.member else self._unpacked(file)
        except (zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, lzma.LZMAError, EOFError) as error:
            kind = "zip archive" if self.source.member else "gzip file"
            raise self.refused(f"the {kind} is damaged ({error}); create it again") from None
        except FileNotFoundError:
            raise self.refused("there is no such file") from None
        except IsADirectoryError:
            raise self.refused("this is a folder; name the files in it") from None
        except OSError as error:
            raise self.refused(f"cannot be read: {error.strerror or error}") from None

    def beginning(self) -> bytes:
        """Return the first bytes of the content, without white space before it, in a pass of its own."""
        return next(FileReader(self.source).chunks(), b"")[:65_536].lstrip(_SPACE_BEFORE)

    def starts_with(self, magic: bytes) -> bool:
        """Return whether the file on disk starts with these bytes; False for one that is missing or in an archive."""
        try:
            with open(self.source.path, "rb") as file:
                return not self.source.member and file.read(len(magic)) == magic
        except OSError:
            return False

    def hash_whole_file(self) -> None:
        """Count and hash the file on disk; for files whose content another library reads."""
        with open(self.source.path, "rb") as file:
            self.size = os.fstat(file.fileno()).st_size
            hashing = _Hashing(file, self)
            while hashing.read(CHUNK):
                pass

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the number (from 1) and text of each line, with its line end: LF, CRLF, or a lone CR in a file whose
        first line has one, as old programs of the Mac write it."""
        number, rest, end = 0, b"", b""
        for chunk in self.chunks():
            if not end:
                # Line breaks in quotation marks are no line's. CRs before an LF belong to it: a program that writes
                # CRLF in place of each LF makes CR CR LF of CRLF.
                first = _LINE_BREAK.search(_QUOTED.sub(b"", chunk[:65_536]))
                end = b"\r" if first and first[0] == b"\r" else b"\n"
            *whole, rest = (rest + chunk).split(end)
            for line in whole:
                number += 1
                yield number, self._decode(line + end, number)
            if len(rest) > MAX_RECORD_SIZE:
                raise self.refused(f"the line is longer than {MAX_RECORD_SIZE // MEGABYTE} MB", number + 1)
        if rest:
            yield number + 1, self._decode(rest, number + 1)

    def text(self) -> Iterator[str]:
        """Yield the file's text in pieces, without a byte order mark."""
        decoder, line = codecs.getincrementaldecoder("utf-8-sig")(), 1
        try:
            for chunk in self.chunks():
                yield decoder.decode(chunk)
                line += chunk.count(b"\n")
            yield decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            raise self._not_utf8(error, line + error.object[: error.start].count(b"\n")) from None

    def refused(self, message: str, line: int | None = None) -> Refused:
        """Return an error about the file, or about one line of it."""
        return Refused([f"{self.name}:{line}: {message}" if line else f"{self.name}: {message}"])

    def _unpacked(self, file: BufferedReader) -> Iterator[bytes]:
        hashing = _Hashing(file, self)
        is_gzip = file.peek(2)[:2] == GZIP
        if self.source.path.suffix == ".gz" and not is_gzip:
            message = "its name ends in .gz, but it is not a gzip file; compress it, or remove .gz from its name"
            raise self.refused(message)
        if is_gzip:
            # A zip bomb is refused before its content is parsed: 64 MB of blank lines take minutes to parse.
            ahead, content = FileReader(self.source), gzip.GzipFile(mode="rb", fileobj=file)
            while ahead.unpacked <= RATIO_MATTERS_FROM and (chunk := content.read(CHUNK)):
                ahead.unpacked, ahead.packed = ahead.unpacked + len(chunk), file.tell()
                ahead._refuse_bomb()
            file.seek(0)
        stream = gzip.GzipFile(mode="rb", fileobj=hashing) if is_gzip else hashing
        while chunk := stream.read(CHUNK):
            self.unpacked += len(chunk)
            self._refuse_bomb()
            yield chunk
        while hashing.read(CHUNK):
            pass

    def _read_from_archive(self, file: BufferedReader) -> Iterator[bytes]:
        """Yield one file of a zip archive: `packed` and `sha256` are of that file, `sha256` of its unpacked bytes."""
        with zipfile.ZipFile(file) as archive, archive.open(self.source.member) as stream:
            self.size = archive.getinfo(self.source.member).compress_size
            while chunk := stream.read(CHUNK):
                self.packed = self.size
                self.unpacked += len(chunk)
                self._digest.update(chunk)
                self._refuse_bomb()
                yield chunk

    def _refuse_bomb(self) -> None:
        if self.unpacked > MAX_UNPACKED:
            raise self.refused(f"the file unpacks to more than {intcomma(MAX_UNPACKED // MEGABYTE)} MB; split it")
        if self.unpacked > RATIO_MATTERS_FROM and self.unpacked > MAX_RATIO * self.packed:
            message = f"the file unpacks to more than {MAX_RATIO} times its size, which is unusual for a data set"
            raise self.refused(f"{message}; unpack it yourself if you trust it")

    def _decode(self, line: bytes, number: int) -> str:
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            raise self._not_utf8(error, number) from None
        return text.removeprefix(BOM) if number == 1 else text

    def _not_utf8(self, error: UnicodeDecodeError, line: int) -> Refused:
        if not error.object:
            return self.refused("the text ends within a character; the file is truncated", line)
        byte = error.object[error.start]
        return self.refused(f"this is not UTF-8 (byte {f'0x{byte:02x}'}); save the file as UTF-8", line)


class _Hashing:
    """A file that counts and hashes what is read from it."""

    def __init__(self, file: BufferedReader, file_reader: FileReader):
        self._file, self._reading = file, file_reader

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._reading.packed += len(data)
        self._reading._digest.update(data)
        return data

    def seek(self, offset: int, /) -> None:
        raise OSError("a file that is hashed as it is read cannot go back")
