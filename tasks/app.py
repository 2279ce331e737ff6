"""The Celery application: `celery -A tasks.app worker` and `celery -A tasks.app beat`.

Each module of this package is a room's jobs; a new one is picked up by its being here.
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
