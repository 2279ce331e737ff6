"""A zip that is generated while it is read: only the current piece is in memory.

The same contents give the same bytes: files keep the order in which they are added, and have one fixed date. The last
file is SHA256SUMS, which `sha256sum --check` reads.
"""

import hashlib
import zipfile
from collections.abc import Iterable, Iterator

from .writers import PieceBuffer

SUMS = "SHA256SUMS"
FIXED_DATE = (1980, 1, 1, 0, 0, 0)  # the first date that a zip can hold
PIECE = 65_536


class Archive:
    """A zip file: `add` files in turn, all in `folder`, and yield the pieces of each call; `end` completes the zip."""

    def __init__(self, folder: str):
        self._folder = folder
        self._pieces = PieceBuffer()
        self._zip = zipfile.ZipFile(self._pieces, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self._sums: list[tuple[str, str]] = []

    def add(self, name: str, pieces: Iterable[bytes], *, program: bool = False) -> Iterator[bytes]:
        """Add one file with these bytes; yield the finished pieces of the zip."""
        digest = hashlib.sha256()
        with self._zip.open(self._entry(name, program), "w", force_zip64=True) as file:
            for piece in pieces:
                digest.update(piece)
                file.write(piece)
                if self._pieces.waiting > PIECE:
                    yield self._pieces.pop_bytes()
        self._sums.append((digest.hexdigest(), name))
        yield self._pieces.pop_bytes()

    def end(self) -> Iterator[bytes]:
        """End the archive: yield the sums of all files, and the zip's directory."""
        sums = "".join(f"{digest}  {name}\n" for digest, name in self._sums)
        yield from self.add(SUMS, [sums.encode()])
        self._zip.close()
        yield self._pieces.pop_bytes()

    def _entry(self, name: str, program: bool) -> zipfile.ZipInfo:
        entry = zipfile.ZipInfo(f"{self._folder}/{name}", FIXED_DATE)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.create_system = 3  # Unix, on every machine
        entry.external_attr = (0o100755 if program else 0o100644) << 16
        return entry
