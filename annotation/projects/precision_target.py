"""A project's precision target: the half-width that its intervals should reach."""

import math

from django.db import transaction

from ..audit import change_setting
from ..models import Notification, Project, User

NARROWEST, WIDEST = 0.001, 0.5


class TargetError(ValueError):
    """The target is not valid; the message gives the reason."""


@transaction.atomic
def set_target(project: Project, half_width: float | None, *, actor: User | None = None) -> Project:
    """Set the target of intervals to ± `half_width` (a share, not per cent); None removes it. Raises TargetError."""
    if half_width is not None and not (math.isfinite(half_width) and NARROWEST <= half_width <= WIDEST):
        raise TargetError(f"half-width {half_width}: choose a share from {NARROWEST} to {WIDEST}")
    if half_width != project.target_half_width:  # leads are notified once of each target
        Notification.objects.filter(project=project, kind=Notification.Kind.TARGET).delete()
    return change_setting(project, "target_half_width", half_width, "set target", actor=actor)
