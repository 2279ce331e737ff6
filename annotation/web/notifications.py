"""A person's notifications: the page, the newest ones for the bell, and the way from each to what it is about."""

from uuid import UUID

from django.conf import settings
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from ..models import Notification
from ..notifications import mark_read, notifications_for
from ..notifications.wording import sentence, url
from .authentication import Request

PAGE_SIZE = 30
NEWEST = 6


@require_safe
def notifications(request: Request) -> HttpResponse:
    """Show all notifications, the newest first."""
    page = Paginator(_rows(request), PAGE_SIZE).get_page(request.GET.get("page"))
    entries = [(row, sentence(row)) for row in page]
    context = {"page": page, "entries": entries, "sends_mail": bool(settings.EMAIL_HOST)}
    return render(request, "notifications/list.html", context)


@require_safe
def newest(request: Request) -> HttpResponse:
    """Return the part with the newest notifications."""
    entries = [(row, sentence(row)) for row in _rows(request)[:NEWEST]]
    return render(request, "notifications/_newest.html", {"entries": entries})


@require_safe
def notification(request: Request, public_id: UUID) -> HttpResponse:
    """Lead to what the notification is about, and mark it as read."""
    row = get_object_or_404(_rows(request), public_id=public_id)
    mark_read(request.user, Q(pk=row.pk))
    return redirect(url(row))


@require_POST
def read_all(request: Request) -> HttpResponse:
    """Mark all as read."""
    mark_read(request.user)
    return redirect("notifications")


def _rows(request: Request) -> QuerySet[Notification]:
    return notifications_for(request.user).select_related("recipient", "project", "question", "job", "rater")
