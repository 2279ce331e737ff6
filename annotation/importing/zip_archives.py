"""The files of a zip archive. Nothing is unpacked to disk: each file is read from the archive when needed.

The archive's directory is checked before Python's zipfile reads it whole into memory: a small archive may claim
millions of files, or unpack to more than any disk.
"""

import io
import zipfile
from collections import Counter
from pathlib import PurePosixPath

from ..i18n.english import localized
from ..jobs import Refused
from .input_files import MAX_RATIO, MAX_UNPACKED, MEGABYTE, RATIO_MATTERS_FROM, SourceFile

ENDING = ".zip"
MAX_FILES = 2_000
LIST_SIZE_OF_FILE = 2_097  # bytes of a file in the list at the archive's end: 4 MB of 2,000 files
OTHER_KIND = "file of another kind"
UNDERSTOOD = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
ZSTANDARD = 93
"""Method of compression that Python reads from 3.14 on; current versions of Inspect write it."""
DATA = (".json", ".jsonl", ".ndjson", ".csv", ".tsv")
DAMAGED = (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError)
"""What zipfile raises for a damaged archive."""

_END, _END_64 = b"PK\x05\x06", b"PK\x06\x07"
_LOCAL, _LOCAL_SIZE = b"PK\x03\x04", 30
_END_SIZE, _MAX_COMMENT_SIZE = 22, 0xFFFF
_PASSWORD, _PATCHED, _STRONG_PASSWORD = 0x01, 0x20, 0x40  # bits of a file's flags


def files_in(
    source: SourceFile, articles: tuple[str, ...], data: tuple[str, ...] = DATA
) -> tuple[list[SourceFile], Counter[str]]:
    """Return the data files and articles in the archive, by name, and the ignored files. Raise Refused."""
    infos = entries_of(source)
    entries = [info for info in infos if info.filename.lower().endswith((*data, *articles))]
    if not entries:
        raise _refused(source, f"there is no {', '.join((*data, *articles))} file in the archive")
    files = [SourceFile(source.path, f"{source.display_name}/{info.filename}", info.filename) for info in entries]
    return sorted(files, key=lambda file: file.display_name), Counter({OTHER_KIND: len(infos) - len(entries)})


def entries_of(
    source: SourceFile, *, most: int | None = None, methods: tuple[int, ...] = UNDERSTOOD
) -> list[zipfile.ZipInfo]:
    """Return the entries of the archive, at most `most` (default MAX_FILES), without those of the operating system.
    `methods`: the methods of compression that the caller reads. Raise Refused for a damaged or hostile archive."""
    try:
        check_list(source, most or MAX_FILES)
        with zipfile.ZipFile(source.path) as archive:
            infos = [
                info
                for info in archive.infolist()
                if not info.is_dir()
                and not any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(info.filename).parts)
            ]
    except FileNotFoundError:
        raise _refused(source, "there is no such file") from None
    except DAMAGED as error:
        raise _refused(source, f"the zip archive is damaged ({error}); create it again") from None
    _check_sizes(source, infos, methods)
    return infos


def read_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, size: int) -> bytes:
    """Return the first `size` bytes of an entry, also if it is compressed by Zstandard. Raise the errors of zipfile,
    OSError or ValueError for damaged data."""
    if info.compress_type != ZSTANDARD:
        with archive.open(info) as stream:
            return stream.read(size)
    import pyarrow

    with open(str(archive.filename), "rb") as file:
        # The compressed bytes of the entry, of which the first `size` can be unpacked.
        file.seek(info.header_offset)
        header = file.read(_LOCAL_SIZE)
        if len(header) < _LOCAL_SIZE or not header.startswith(_LOCAL):
            raise zipfile.BadZipFile(f"bad header of {info.filename}")
        file.seek(int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little"), io.SEEK_CUR)
        packed = file.read(min(info.compress_size, 2 * size))
    with pyarrow.CompressedInputStream(io.BytesIO(packed), "zstd") as unpacked:
        return bytes(unpacked.read(size))


def check_list(source: SourceFile, most: int) -> None:
    """Refuse an archive whose list, which zipfile reads whole, is too long for `most` files."""
    with open(source.path, "rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _END_SIZE - _MAX_COMMENT_SIZE - 20))
        tail = file.read()
    index = tail.rfind(_END)
    if index < 0 or len(tail) - index < _END_SIZE:
        raise _refused(source, "this is not a zip archive, or it is truncated; create it again")
    count, length = (int.from_bytes(tail[index + a : index + b], "little") for a, b in ((10, 12), (12, 16)))
    if _END_64 in tail[max(0, index - 20) : index] or count > most or length > most * LIST_SIZE_OF_FILE:
        message = f"the archive contains more than {localized(f'{most:,}')} files, or more than 4 GB; split it"
        raise _refused(source, message)


def _check_sizes(source: SourceFile, infos: list[zipfile.ZipInfo], methods: tuple[int, ...]) -> None:
    unpacked, packed = sum(info.file_size for info in infos), sum(info.compress_size for info in infos)
    if any(info.flag_bits & (_PASSWORD | _STRONG_PASSWORD) for info in infos):
        raise _refused(source, "the archive is protected by a password; create it again without one")
    if odd := [i.filename for i in infos if i.compress_type not in methods or i.flag_bits & _PATCHED]:
        message = "is compressed with an unsupported method; create the archive again with Deflate"
        raise _refused(source, f"{odd[0]} {message}")
    if unpacked > MAX_UNPACKED:
        most = localized(f"{MAX_UNPACKED // MEGABYTE:,}")
        raise _refused(source, f"the archive unpacks to more than {most} MB; split it")
    if unpacked > RATIO_MATTERS_FROM and unpacked > MAX_RATIO * max(packed, 1):
        message = f"the archive unpacks to more than {MAX_RATIO} times its size, which is unusual for a data set"
        raise _refused(source, f"{message}; unpack it yourself if you trust it")


def _refused(source: SourceFile, message: str) -> Refused:
    return Refused([f"{source.display_name}: {message}"])
