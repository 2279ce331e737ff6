"""Notify leads of what only reading the ratings tells, each once: quality alerts and a reached precision target."""

from django.db import transaction

from ..models import Membership, Notification, Project, User, Webhook
from ..notifications import leads_of, notify
from ..webhooks import queue_event
from . import live
from .planning.plans import half_widths
from .sections.raters.figures import raters_of
from .sections.sensitivity.figures import alerted_raters

Kind = Notification.Kind


def notify_leads() -> int:
    """Notify the leads of all open projects of what is new. Return how many alerts and targets."""
    # The notification of an active lead tells that an event is not new.
    leads = Membership.objects.filter(role=Membership.Role.LEAD, user__is_active=True)
    projects = Project.objects.filter(archived_at=None, memberships__in=leads).distinct()
    return sum(
        _notify_of_alerts(project) + _notify_of_target(project) for project in projects.select_related("protocol")
    )


def _notify_of_alerts(project: Project) -> int:
    """Notify of raters who have a quality alert for the first time; of none in a large project, whose leads have its
    report computed when they want it."""
    if live.is_large(project):
        return 0
    names = alerted_raters(live.live_figures(project, raters_of))
    earlier = Notification.objects.filter(project=project, kind=Kind.ALERT).values("rater")
    named = User.objects.in_data(names).values()
    raters = project.members.filter(pk__in=[user.pk for user in named], memberships__role="rater")
    members, leads = raters.exclude(pk__in=earlier).distinct(), leads_of(project)
    for rater in members:
        with transaction.atomic():
            notify(leads, Kind.ALERT, project=project, rater=rater)
            queue_event(project, Webhook.Event.RATER_FLAGGED, {}, rater=rater)
    return len(members)


def _notify_of_target(project: Project) -> int:
    """Notify if each system's interval of each measure is within the target. Another target notifies anew."""
    target = project.target_half_width
    if target is None or Notification.objects.filter(project=project, kind=Kind.TARGET).exists():
        return 0
    widths = half_widths(live.live_report(project, extent=live.Extent.CLOSED_FORM).report, target)
    if not widths or not all(width.met for width in widths):
        return 0
    with transaction.atomic():
        notify(leads_of(project), Kind.TARGET, project=project)
        queue_event(project, Webhook.Event.TARGET_REACHED, {"half_width": target})
    return 1
