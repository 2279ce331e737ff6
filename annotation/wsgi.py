"""The WSGI entry point: `gunicorn annotation.wsgi`."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from annotation.site.metrics_server import is_measured, with_metrics
from annotation.site.telemetry import is_traced

if is_measured():
    from annotation.site import metrics  # noqa: F401 - before django-prometheus makes its metrics

if is_traced():
    from annotation.site.tracing import trace_web, without_earlier_spans

    trace_web()
    site = without_earlier_spans(get_wsgi_application())
else:
    site = get_wsgi_application()
application = site
if is_measured():
    from annotation.doctor.database_metrics import SiteCollector

    application = with_metrics(site, settings.METRICS_PORT, SiteCollector())
# Load all pages now, so that the processes share them, and no rater waits for them.
get_resolver().url_patterns  # noqa: B018 - the property loads them
