"""How precise a project wants to be: the half-width that its intervals are to reach."""

import math

from django.db import transaction
from django.utils.translation import gettext as _

from ..audit import record
from ..models import Project, User

NARROWEST, WIDEST = 0.001, 0.5


class TargetError(ValueError):
    """The target cannot be taken; the message says why."""


@transaction.atomic
def set_target(project: Project, half_width: float | None, *, actor: User | None = None) -> Project:
    """Aim at intervals of ± `half_width` (a share, not per cent); None aims at nothing. Raises TargetError."""
    if half_width is not None and not (math.isfinite(half_width) and NARROWEST <= half_width <= WIDEST):
        raise TargetError(
            _("half-width %(half_width)s: choose a share from %(narrowest)s to %(widest)s")
            % {"half_width": half_width, "narrowest": NARROWEST, "widest": WIDEST}
        )
    stored = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    before = stored.target_half_width
    if before != half_width:
        Project.objects.filter(pk=project.pk).update(target_half_width=half_width)
        record(actor, "set target", f"project:{project.slug}", project=project, before=before, after=half_width)
    project.target_half_width = half_width
    return project
