"""The sample of a project: the items that raters are asked about, and the probability with which each was drawn."""

import pgtrigger
from django.db import models
from django.db.models import Q

from .data_changes import PROJECT, record_changes

RECORD_DRAW = pgtrigger.Trigger(
    name="record_draw",
    level=pgtrigger.Statement,
    when=pgtrigger.After,
    operation=pgtrigger.Insert,
    referencing=pgtrigger.Referencing(new="new_rows"),
    func=f"{record_changes(PROJECT, 'project_id', 'SELECT project_id FROM new_rows')}; RETURN NULL;",  # noqa: S608 - constants
)
"""Reports count the sample, so new rows are a change of the project's data."""


class SampledItem(models.Model):
    """An item of the frame: all items from which a project's sample was drawn have a row, drawn or not."""

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="sampled_items")
    item = models.ForeignKey("annotation.Item", models.PROTECT, related_name="+")
    probability = models.FloatField(help_text="With which the design draws the item, above 0 and at most 1.")
    is_drawn = models.BooleanField(help_text="Whether raters are asked about it.")

    class Meta:
        triggers = [RECORD_DRAW]
        constraints = [
            models.UniqueConstraint(fields=["project", "item"], name="unique_sampled_item"),
            models.CheckConstraint(
                condition=Q(probability__gt=0, probability__lte=1), name="sampling_probability_valid"
            ),
        ]
        indexes = [models.Index(fields=["item", "project"], condition=Q(is_drawn=True), name="drawn_items")]

    def __str__(self) -> str:
        return f"item {self.item_id} of {self.project_id}: {self.probability:.3g}"
