"""Storage of uploads and exports in a folder or an object store (`object_storage`), and whole files."""

import os
import tempfile
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage, default_storage
from django.db.models.fields.files import FieldFile


@contextmanager
def whole_file(path: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """Open a file next to `path` that is renamed to it when complete and on the disk; after an error it is removed.

    It has the default permissions, or if `private` is only for its owner.
    """
    handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if not private:
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


class WholeFiles(FileSystemStorage):
    """Store a file wholly or not at all: what was written before a failure, such as a full disk, is removed at once."""

    def _save(self, name: str, content: File) -> str:
        path = Path(self.path(name))
        existed = os.path.lexists(path)
        try:
            return super()._save(name, content)  # type: ignore[misc]  # the stubs do not have it
        except BaseException:
            if not existed:
                path.unlink(missing_ok=True)
            raise


@contextmanager
def deleted_on_error(files: Sequence[FieldFile]) -> Iterator[None]:
    """Delete stored files if the block fails, because the rows that name them are rolled back."""
    try:
        yield
    except BaseException:
        for file in files:
            file.delete(save=False)
        raise


@contextmanager
def local_file(file: FieldFile) -> Iterator[Path]:
    """Give the path of a stored file: its own, or that of a temporary copy of an object."""
    if not settings.S3_BUCKET:
        yield Path(file.path)
        return
    with tempfile.NamedTemporaryFile(suffix="".join(Path(file.name or "").suffixes)) as copy:
        with file.open("rb") as stored:
            for chunk in stored.chunks():
                copy.write(chunk)
        copy.flush()
        yield Path(copy.name)


def delete_unnamed_files(folder: str, named: Container[str], before: datetime) -> int:
    """Delete the stored files of a folder that are older than `before` and not in `named`, which rolled-back
    transactions leave. Return how many.
    """
    old = [
        name for name in _stored_names(folder) if name not in named and default_storage.get_modified_time(name) < before
    ]
    for name in old:
        default_storage.delete(name)
    return len(old)


def _stored_names(folder: str) -> Iterator[str]:
    try:
        folders, names = default_storage.listdir(folder)
    except FileNotFoundError:
        return
    yield from (f"{folder}/{name}" for name in names)
    for inner in folders:
        yield from _stored_names(f"{folder}/{inner}")
