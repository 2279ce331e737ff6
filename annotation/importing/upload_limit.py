"""The limit on the size of uploaded files."""

from typing import Any

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.utils.translation import gettext as _

from .input_files import MEGABYTE


class UploadLimit(FileUploadHandler):
    """Runs before the handlers that store files: skips content once MAX_UPLOAD_MB were received."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.received, self.most = 0, settings.MAX_UPLOAD_MB * MEGABYTE

    @property
    def was_exceeded(self) -> bool:
        """Whether content was skipped."""
        return self.received > self.most

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Pass the chunk on, or raise SkipFile."""
        self.received += len(raw_data)
        if self.was_exceeded:
            raise SkipFile
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Leave storing the file to the next handlers."""


def too_large() -> str:
    """Return the message for files above the limit."""
    return _(
        "The files are larger than %(most)s MB in total. Compress them with gzip (.gz is supported), "
        "import them in parts, use the command import_dataset, or increase MAX_UPLOAD_MB."
    ) % {"most": intcomma(settings.MAX_UPLOAD_MB)}
