"""Analysis plans of projects."""

import pgtrigger
from django.conf import settings
from django.db import models

from ..protocols.analysis_plan import AnalysisPlan, load_plan
from .created_at import CreatedAtField


class AnalysisPlanVersion(models.Model):
    """A stored version of a project's analysis plan. The row never changes: a changed plan is another version.

    `number` counts the project's versions from 1.
    """

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="analysis_plans")
    number = models.PositiveIntegerField()
    source = models.TextField(help_text="The TOML text, byte for byte.")
    sha256 = models.CharField(max_length=64)
    before_first_rating = models.BooleanField(
        help_text="Whether the project had never had a rating when it was stored."
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = CreatedAtField()

    class Meta:
        ordering = ["project_id", "number"]
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="unique_analysis_plan_number")]
        triggers = [
            pgtrigger.Protect(
                name="analysis_plan_is_immutable",
                operation=pgtrigger.UpdateOf(
                    "project_id", "number", "source", "sha256", "before_first_rating", "created_at"
                ),
            )
        ]

    def __str__(self) -> str:
        return f"analysis plan {self.number} of project {self.project_id}"

    @property
    def definition(self) -> AnalysisPlan:
        """The plan, parsed from `source`."""
        return load_plan(self.source)
