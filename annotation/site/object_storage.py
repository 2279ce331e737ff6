"""Storage of uploads and exports in an S3-compatible object store, for sites on several hosts (docs/scale.md)."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files import File
from storages.backends.s3 import S3Storage

CONNECT_SECONDS, READ_SECONDS, ATTEMPTS = 3, 20, 3


class ObjectStorage(S3Storage):
    """Private objects of one bucket. A store that does not answer raises OSError, as a disk does."""

    def get_default_settings(self) -> dict[str, Any]:
        """Return the package's settings with ours."""
        retries = {"total_max_attempts": ATTEMPTS, "mode": "standard"}
        config = Config(
            connect_timeout=CONNECT_SECONDS, read_timeout=READ_SECONDS, retries=retries, signature_version="s3v4"
        )
        return {**super().get_default_settings(), "client_config": config, "file_overwrite": False}

    def _open(self, name: str, mode: str = "rb") -> File:
        with _store_errors():
            file = super()._open(name, mode)
            if "r" in mode:
                file.file  # noqa: B018 - copies the object to a temporary file now, not when it is first read
            return file

    def _save(self, name: str, content: File) -> str:
        with _store_errors():
            return str(super()._save(name, content))

    def delete(self, name: str) -> None:
        """Delete an object; a missing one is no error."""
        with _store_errors():
            super().delete(name)

    def listdir(self, name: str) -> tuple[list[str], list[str]]:
        with _store_errors():
            folders, names = super().listdir(name)
            return folders, names

    def get_modified_time(self, name: str) -> datetime:
        with _store_errors():
            modified_at: datetime = super().get_modified_time(name)
            return modified_at

    def exists(self, name: str) -> bool:
        with _store_errors():
            return bool(super().exists(name))


@contextmanager
def _store_errors() -> Iterator[None]:
    try:
        yield
    except (BotoCoreError, Boto3Error, ClientError) as error:
        raise OSError(errno.EIO, f"the object store refused or did not answer: {error}") from error
