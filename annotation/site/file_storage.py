"""Storage of uploads and exports in a folder."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.core.files import File
from django.core.files.storage import FileSystemStorage
from django.db.models.fields.files import FieldFile


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
