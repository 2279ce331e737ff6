"""A site that lasts as long as a command: an empty database of its own PostgreSQL, and an empty folder of files."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection
from django.test.utils import override_settings

from ..jobs import Refused
from ..site.environment import database_of
from .postgres import PostgresProblem
from .temporary_services import temporary_database


@contextmanager
def scratch_site() -> Iterator[None]:
    """Use an empty database without tables, and an empty folder of stored files, in place of the site's. Raises
    Refused.
    """
    own = dict(connection.settings_dict)
    connection.close()
    try:
        with temporary_database() as url, tempfile.TemporaryDirectory(prefix="factuary-") as media:
            try:
                connection.settings_dict.update(database_of(url))
                storages = {**settings.STORAGES, "default": {"BACKEND": "annotation.site.file_storage.WholeFiles"}}
                with override_settings(MEDIA_ROOT=media, S3_BUCKET="", STORAGES=storages, SITE_DATABASE_ROLE=""):
                    yield
            finally:
                connection.close()
                connection.settings_dict.update(own)
    except PostgresProblem as problem:
        raise Refused([str(problem)]) from None
