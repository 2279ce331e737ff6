"""The Celery application of beat: `python -m tasks beat`.

Beat only sends the tasks of the schedule by name. It reads the settings as a plain module, without Django's
applications, and takes less than half of the memory.
"""

import logging.config
from typing import Any

from celery import Celery
from celery.signals import setup_logging

from annotation import settings

app = Celery("factuary", fixups=[])
app.config_from_object(settings, namespace="CELERY")


@setup_logging.connect
def configure_logging(**_options: Any) -> None:
    """Log as web server and worker do."""
    logging.config.dictConfig(settings.LOGGING)
