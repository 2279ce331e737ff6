"""The Celery application: `celery -A tasks.app worker` and `celery -A tasks.app beat`.

Every module of this package is loaded, so a new one needs no registration.
"""

import os
import pkgutil
from pathlib import Path

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")

app = Celery("factuary")
app.config_from_object("django.conf:settings", namespace="CELERY")

JOB_MODULES = [
    f"tasks.{module.name}" for module in pkgutil.iter_modules([str(Path(__file__).parent)]) if module.name != "app"
]
app.conf.imports = JOB_MODULES
