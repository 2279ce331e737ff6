"""The limit on the size of uploaded files, of every request."""

from typing import Any, cast

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest

from .input_files import MEGABYTE


class UploadLimit(FileUploadHandler):
    """The first of FILE_UPLOAD_HANDLERS: refuses a request once MAX_UPLOAD_MB were received, or skips the content where
    the view says so.
    """

    is_reported = False

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.received, self.most = 0, settings.MAX_UPLOAD_MB * MEGABYTE

    @classmethod
    def reported_by_view(cls, request: HttpRequest) -> "UploadLimit":
        """Return the limit of a request whose view says that it was exceeded. Call it before the form is read."""
        limit = cast(UploadLimit, request.upload_handlers[0])
        limit.is_reported = True
        return limit

    @property
    def was_exceeded(self) -> bool:
        """Whether content was skipped."""
        return self.received > self.most

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Pass the chunk on, or raise SkipFile or RequestDataTooBig."""
        self.received += len(raw_data)
        if self.was_exceeded:
            raise SkipFile if self.is_reported else RequestDataTooBig(too_large())
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Leave storing the file to the next handlers."""


def too_large() -> str:
    """Return the message for files above the limit."""
    return (
        f"The files are larger than {intcomma(settings.MAX_UPLOAD_MB)} MB in total. Compress them with gzip (.gz is "
        "supported), import them in parts, use the command import_dataset, or increase MAX_UPLOAD_MB."
    )
