"""Write and read the file of a backup as a stream: only one part is in memory. Its last member is the manifest."""

import hashlib
import io
import tarfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec

from ..jobs import Refused
from .encryption import MAGIC, DecryptionError, EncryptedReader, EncryptedWriter, Writable

SCHEMA = "factuary-backup/1"
FILES, DATABASE, MANIFEST = "files/", "database/", "manifest.json"
PART = 16 << 20
"""Bytes of a part of the dump: a member of a tar begins with its size, and that of the dump is not known before."""
MAX_MANIFEST = 256 << 20
PASSPHRASE = "BACKUP_PASSPHRASE"  # noqa: S105 - the name of the variable


class Member(msgspec.Struct, frozen=True):
    """The dump or a stored file: its size in bytes and hash."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """What a backup has. `created_at` is ISO 8601 in UTC; `migrations` are `app.name`; `rows` are by table."""

    schema: str
    factuary: str
    postgresql: str
    created_at: str
    migrations: list[str]
    rows: dict[str, int]
    database: Member
    files: dict[str, Member]
    missing_files: list[str]
    """Files that a row names and that were not there; tidying deletes files while a backup is written."""

    def to_json(self) -> bytes:
        return msgspec.json.format(msgspec.json.encode(self), indent=1)


class ArchiveWriter:
    """Write members to `sink`, encrypted if there is a passphrase. `close` completes the file."""

    def __init__(self, sink: Writable, passphrase: str = ""):
        self._encrypted = EncryptedWriter(sink, passphrase) if passphrase else None
        target: Any = self._encrypted or sink
        self._tar = tarfile.open(fileobj=target, mode="w|", format=tarfile.PAX_FORMAT)  # noqa: SIM115 - see close
        self.written = 0
        """Bytes of members so far."""

    def add_file(self, name: str, file: IO[bytes], size: int) -> Member:
        """Add a stored file. Raises OSError if it has become shorter than `size`."""
        source = _Hashing(file)
        self._add(FILES + name, source, size)
        return Member(size, source.digest.hexdigest())

    def add_database(self, pieces: Iterable[bytes]) -> Member:
        """Add the dump, in parts."""
        digest, size = hashlib.sha256(), 0
        for number, part in enumerate(_parts(pieces), start=1):
            digest.update(part)
            size += len(part)
            self._add(f"{DATABASE}{number:08}", io.BytesIO(part), len(part))
        return Member(size, digest.hexdigest())

    def close(self, manifest: Manifest) -> None:
        content = manifest.to_json()
        self._add(MANIFEST, io.BytesIO(content), len(content))
        self._tar.close()
        if self._encrypted:
            self._encrypted.close()

    def abandon(self) -> None:
        """Write nothing more: a tar that is not ended would be when it is deleted, into a closed file."""
        tar: Any = self._tar
        tar.fileobj.closed = tar.closed = True

    def _add(self, name: str, file: Any, size: int) -> None:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode, entry.mtime = size, 0o600, int(time.time())
        self._tar.addfile(entry, file)
        self.written += size


class _Hashing:
    """A file that is hashed while it is read."""

    def __init__(self, file: IO[bytes]):
        self._file, self.digest = file, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        content = self._file.read(size)
        self.digest.update(content)
        return content


def _parts(pieces: Iterable[bytes]) -> Iterator[bytes]:
    waiting = bytearray()
    for piece in pieces:
        waiting += piece
        while len(waiting) >= PART:
            yield bytes(waiting[:PART])
            del waiting[:PART]
    yield bytes(waiting)


@contextmanager
def open_archive(path: Path, passphrase: str = "") -> Iterator[Iterator[tuple[str, IO[bytes]]]]:
    """Open a backup and iterate over (name, file) of its members; each is read before the next. Raises Refused."""
    try:
        with path.open("rb") as file:
            source: Any = file
            if file.read(len(MAGIC)) != MAGIC:
                file.seek(0)
            elif passphrase:
                source = EncryptedReader(file, passphrase)
            else:
                raise Refused([f"{path}: is encrypted: set {PASSPHRASE} to its passphrase"])
            with tarfile.open(fileobj=source, mode="r|") as tar:
                contents = ((member.name, tar.extractfile(member)) for member in tar)
                yield ((name, content) for name, content in contents if content is not None)
    except OSError as error:
        raise Refused([f"{path}: cannot be read: {error.strerror or error}"]) from None
    except DecryptionError as error:
        raise Refused([f"{path}: {error}"]) from None
    except (tarfile.TarError, EOFError):
        raise Refused([f"{path}: is not a backup, or is damaged or incomplete"]) from None


def check_archive(path: Path, passphrase: str = "") -> Manifest:
    """Read the whole backup, compare all hashes with the manifest, and return it. Raises Refused with differences."""
    files: dict[str, Member] = {}
    digest, size, manifest = hashlib.sha256(), 0, None
    with open_archive(path, passphrase) as members:
        for name, content in members:
            if name == MANIFEST:
                try:
                    manifest = msgspec.json.decode(content.read(MAX_MANIFEST), type=Manifest)
                except (ValueError, msgspec.DecodeError) as error:
                    raise Refused([f"{path}: the manifest cannot be read: {error}"]) from None
                if manifest.schema != SCHEMA:
                    raise Refused([f"{path}: the manifest cannot be read: {manifest.schema} and not {SCHEMA}"])
            elif name.startswith(DATABASE):
                size += _hash(content, digest)
            else:
                own = hashlib.sha256()
                files[name.removeprefix(FILES)] = Member(_hash(content, own), own.hexdigest())
    if manifest is None:
        raise Refused([f"{path}: is not a backup, or is incomplete: it has no manifest"])
    problems = [] if manifest.database == Member(size, digest.hexdigest()) else ["the dump of the database is damaged"]
    for name in sorted(manifest.files.keys() | files.keys()):
        if manifest.files.get(name) != files.get(name):
            problems.append(f"the file {name} is damaged, missing or not in the manifest")
    if problems:
        raise Refused(f"{path}: {problem}" for problem in problems)
    return manifest


def _hash(content: IO[bytes], digest: Any) -> int:
    size = 0
    while piece := content.read(1 << 20):
        digest.update(piece)
        size += len(piece)
    return size
