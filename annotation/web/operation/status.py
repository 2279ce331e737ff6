"""The state of the site's parts: what `manage.py doctor` checks, in a page."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ...access import require_admin
from ...doctor import FAILED, OK, WARNING, examine
from ..authentication import Request

STATES = {
    OK: ("OK", "good"),
    WARNING: ("Warning", "warning"),
    FAILED: ("Failed", "danger"),
}
"""State of a finding -> its label and tone."""
PARTS = {
    "database": "Database",
    "migrations": "Migrations",
    "rights": "Database rights",
    "clocks": "Clocks",
    "jobs": "Jobs",
    "settings": "Settings",
    "storage": "File storage",
    "disk": "Disk space",
    "broker": "Broker",
    "queues": "Queues",
    "worker": "Worker",
    "beat": "Scheduler (beat)",
    "mail": "Email server",
    "address": "Site address",
    "backups": "Backups",
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
