"""Serializers of jobs."""

from typing import Any

from rest_framework import serializers

from ..exporting.rater_names import OPEN_ORIGINS
from ..models import Job
from ..pseudonyms import active, shown_username
from ..reporting.report_comparison import REBUILD
from .freezing_serializers import JobProgressSerializer


class JobSerializer(serializers.Serializer[Job]):
    """A job. Poll its address until `state` is `done`, `failed` or `cancelled`."""

    id = serializers.UUIDField(source="public_id")
    kind = serializers.CharField()
    project = serializers.CharField(source="project.slug", allow_null=True, default=None)
    state = serializers.ChoiceField(choices=Job.State.choices)
    progress = JobProgressSerializer(source="*")
    problems = serializers.ListField(child=serializers.CharField(), help_text="Why it failed.")
    result = serializers.SerializerMethodField(
        help_text="What the job has done, by kind: of an import the counts, of an export the id of its file. null "
        "before the end; a report has an address of its own."
    )
    report = serializers.UUIDField(
        source="report.public_id", allow_null=True, default=None, help_text="The frozen report."
    )
    started_by = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)

    def get_result(self, job: Job) -> dict[str, Any] | None:
        """Return the result. Reports are sent by their own routes, which hide names; differences of a rebuilt report
        that name raters are omitted where names are hidden.
        """
        if not isinstance(job.result, dict) or job.kind == "work_out_report":
            return None
        if job.kind == REBUILD and active():
            differences = [each for each in job.result["differences"] if each["part"] in OPEN_ORIGINS]
            return {**job.result, "differences": differences}
        return job.result

    def get_started_by(self, job: Job) -> str | None:
        """Return the user name, or the pseudonym where names are hidden."""
        return shown_username(job.started_by) if job.started_by else None


class JobQuerySerializer(serializers.Serializer[object]):
    """Filters of jobs."""

    state = serializers.ChoiceField(choices=["open", *Job.State.values], required=False, help_text="`open`: not ended.")
    kind = serializers.CharField(required=False, max_length=40)
