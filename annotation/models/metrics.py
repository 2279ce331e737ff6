"""Scores of automatic metrics, computed here or imported."""

from django.db import models


class MetricScore(models.Model):
    """The value of an automatic metric for a response, or for a pair of responses.

    Of a pair, a value above 0 says that the response is better than the one that it is compared with (`against`).
    """

    response = models.ForeignKey("annotation.Response", models.CASCADE, related_name="metric_scores")
    against = models.ForeignKey("annotation.Response", models.CASCADE, null=True, blank=True, related_name="+")
    metric = models.CharField(max_length=60)
    value = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["response", "against", "metric"], name="unique_metric_score", nulls_distinct=False
            ),
        ]

    def __str__(self) -> str:
        return f"{self.metric} of {self.response_id}: {self.value}"
