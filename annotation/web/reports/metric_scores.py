"""The single scores of metrics: their file, and the import of scores that were computed elsewhere."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from ...access import project_for
from ...audit import record_download
from ...exporting.metric_scores import FORMATS, export_metric_scores
from ...i18n.english import in_english
from ...importing.upload_limit import UploadLimit
from ...jobs import Refused
from ...metrics.score_files import import_uploaded_scores
from ...models import Project
from ...reporting.text.figure_format import count
from ..authentication import Request
from .metrics import metrics_page
from .scores_form import ScoresForm


@require_safe
@in_english
def download(request: Request, slug: str, format: str) -> HttpResponse:
    """Return all scores as a file."""
    project = project_for(request.user, slug, needs="lead")
    if format not in FORMATS:
        raise Http404("There is no such format: choose csv or jsonl.")
    name = f"metric-scores.{format}"
    record_download(request.user, f"project:{slug}", project=project, name=name, with_names=False)
    response = HttpResponse(b"".join(export_metric_scores(project, format)), content_type=FORMATS[format][0])
    response["Content-Disposition"] = f'attachment; filename="{slug}-{name}"'
    return response


# CSRF is checked in _import_file: the check reads the form, and the limit must be set before that.
@csrf_exempt
@require_POST
@in_english
def import_scores(request: Request, slug: str) -> HttpResponse:
    """Store the scores of a file, all or none; a refused file is shown with its problems."""
    project = project_for(request.user, slug, needs="lead")
    return _import_file(request, project, UploadLimit.reported_by_view(request))


@csrf_protect
def _import_file(request: Request, project: Project, limit: UploadLimit) -> HttpResponse:
    form = ScoresForm(request.POST, request.FILES, limit=limit)
    if form.is_valid():
        upload, replace = form.cleaned_data["upload"], form.cleaned_data["replace"]
        try:
            counts = import_uploaded_scores(upload, project, actor=request.user, replace=replace)
        except Refused as refused:
            form.add_error("upload", ValidationError(refused.problems))
        else:
            text = "Scores imported: %(new)s new, %(changed)s changed."
            messages.success(request, text % {"new": count(counts.new), "changed": count(counts.changed)})
            return redirect("project_metrics", project.slug)
    return metrics_page(request, project, form)
