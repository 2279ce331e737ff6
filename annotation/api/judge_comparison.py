"""The comparison of a judge with people for programs of leads."""

from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ..access import project_for
from ..audit import record_download
from ..rating.shown_verdicts import record_keys_shown
from ..reporting.data.judge_answers import judges_of
from ..reporting.live import cached_comparison
from .authentication import caller
from .report_serializers import JudgeComparisonSerializer
from .schema import errors
from .views import ApiView


class Comparison(ApiView):
    """A judge compared with people."""

    @extend_schema(responses={200: JudgeComparisonSerializer, **errors(403, 404, 503)})
    def get(self, request: Request, slug: str, judge: str, judge_version: int) -> HttpResponse:
        """The version of the judge against the ratings that count, as `compare_judge --json` prints it. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        compared = judges_of(project).filter(name=judge, version=judge_version).first()
        if compared is None:
            raise Http404("No judge of this name has rated in this project.")
        comparison = cached_comparison(project, compared)
        differing = [(row.response, row.against) for row in comparison.differing_items]
        record_keys_shown(caller(request), project, differing)
        record_download(
            caller(request), f"judge:{compared.label}", project=project, name="comparison.json", with_names=False
        )
        return HttpResponse(comparison.to_json(), content_type="application/json")
