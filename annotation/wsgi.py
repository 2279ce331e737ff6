"""The WSGI entry point: `gunicorn annotation.wsgi`."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

application = get_wsgi_application()
# Load all pages now, so that the processes share them, and no rater waits for them.
get_resolver().url_patterns  # noqa: B018 - the property loads them
