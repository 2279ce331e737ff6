"""The switch on a project's page: whether its raters see suggested passages."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from ...access import project_for
from ...projects.suggestions import set_suggestions
from ..authentication import Request

MESSAGES = {
    True: gettext_lazy("Raters are shown the passages of the article that bear most on a sentence."),
    False: gettext_lazy("Raters find the passages themselves now; nothing is suggested to them."),
}


@require_POST
def switch(request: Request, slug: str) -> HttpResponse:
    """Set `suggestions` to `on` or `off`; ignore anything else."""
    project = project_for(request.user, slug, needs="lead")
    enabled = {"on": True, "off": False}.get(request.POST.get("suggestions", ""))
    if enabled is not None:
        set_suggestions(project, enabled, actor=request.user)
        messages.success(request, MESSAGES[enabled])
    return redirect("project", project.slug)
