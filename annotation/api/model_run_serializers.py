"""What runs of judges and of generators have in common."""

from typing import Any

from rest_framework import serializers

from ..models import JudgeRun
from .guidance_serializers import ShownPerson

COST = "USD; null without prices."
TOKENS = "Of requests and answers together."


class ModelRunSerializer(serializers.Serializer[Any]):
    """A run: its limits, its end, and what its requests cost."""

    id = serializers.UUIDField(source="job.public_id", allow_null=True, default=None, help_text="Null: by a command.")
    number = serializers.IntegerField(source="pk", help_text="Counts the runs of the site.")
    started_at = serializers.DateTimeField()
    started_by = ShownPerson(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    ended = serializers.ChoiceField(
        source="end",
        choices=["", *JudgeRun.Ended.values],
        allow_blank=True,
        help_text="Why it has ended (`stopped` also if it was killed); empty: it has not.",
    )
    problem = serializers.CharField(allow_blank=True, help_text="The error that ended it; empty without one.")
    limit = serializers.IntegerField(allow_null=True)
    budget_usd = serializers.FloatField(allow_null=True)
    budget_tokens = serializers.IntegerField(allow_null=True)
    requests = serializers.IntegerField()
    tokens = serializers.IntegerField(help_text=TOKENS)
    cost_usd = serializers.SerializerMethodField(help_text=COST)

    def get_cost_usd(self, run: Any) -> float | None:
        """Return the cost of the run, which the query of the runs has annotated."""
        return float(run.cost) if run.configuration.has_prices else None
