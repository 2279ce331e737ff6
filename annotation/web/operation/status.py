"""The state of the site's parts: what `manage.py doctor` checks, in a page."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from ...access import require_admin
from ...doctor import FAILED, OK, WARNING, examine
from ..authentication import Request

STATES = {
    OK: (gettext_lazy("OK"), "good"),
    WARNING: (gettext_lazy("Warning"), "warning"),
    FAILED: (gettext_lazy("Failed"), "danger"),
}
"""State of a finding -> its label and tone."""
PARTS = {
    "database": gettext_lazy("Database"),
    "migrations": gettext_lazy("Migrations"),
    "rights": gettext_lazy("Database rights"),
    "clocks": gettext_lazy("Clocks"),
    "jobs": gettext_lazy("Jobs"),
    "settings": gettext_lazy("Settings"),
    "storage": gettext_lazy("File storage"),
    "disk": gettext_lazy("Disk space"),
    "broker": gettext_lazy("Broker"),
    "queues": gettext_lazy("Queues"),
    "worker": gettext_lazy("Worker"),
    "beat": gettext_lazy("Scheduler (beat)"),
    "mail": gettext_lazy("Email server"),
    "address": gettext_lazy("Site address"),
    "backups": gettext_lazy("Backups"),
}
ORDER = [FAILED, WARNING, OK]


@require_safe
def status(request: Request) -> HttpResponse:
    """Show the page, which requests the findings: the checks take seconds."""
    require_admin(request.user)
    return render(request, "operation/status.html")


@require_safe
def findings(request: Request) -> HttpResponse:
    """Return the findings, the worst first, for the page above; a page of its own without scripts."""
    require_admin(request.user)
    rows = [
        {"finding": finding, "part": PARTS.get(finding.part, finding.part), "label": label, "tone": tone}
        for finding in sorted(examine(), key=lambda finding: ORDER.index(finding.state))
        for label, tone in [STATES[finding.state]]
    ]
    return render(request, "operation/status.html", {"rows": rows, "is_checked": True})
