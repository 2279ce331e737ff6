"""The form that creates a project, for admins."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from ...access import require_admin
from ...i18n.unit_names import counted
from ...models import Membership, Project, User
from ...projects.create import create_project
from ...projects.members import add_member
from ...queue.errors import ProjectError, SampleError
from ..accounts.fields import sentence
from ..authentication import Request
from .forms import ProjectForm


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: Request) -> HttpResponse:
    """Create a project from a data set, for admins. `?dataset=` and `?protocol=` preselect them."""
    user = request.user
    require_admin(user)
    initial = {name: request.GET[name] for name in ("dataset", "protocol") if name in request.GET}
    form = ProjectForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            created = _create(form.cleaned_data, user)
        except ProjectError as error:
            form.add_error("sample_size" if isinstance(error, SampleError) else "slug", sentence(error))
        else:
            sheets = counted(created.sheets.count(), created.protocol.definition.sheet_unit)
            messages.success(request, f"{created} is ready: {sheets} to rate.")
            if not created.dataset.documents.exists():
                messages.info(request, "Its data set has no documents: raters see prompt and response, and no article.")
            return redirect("project", created.slug)
    return render(request, "projects/new.html", {"form": form})


@transaction.atomic
def _create(cleaned: dict[str, Any], actor: User) -> Project:
    project = create_project(
        cleaned["slug"],
        cleaned["dataset"],
        cleaned["protocol"],
        title=cleaned["title"],
        overlap=cleaned["overlap"],
        seed=cleaned["seed"],
        skips_claim_free=cleaned["skips_claim_free"],
        sampling_design=cleaned["sampling_design"],
        sample_size=cleaned["sample_size"],
        sampling_judge=cleaned["sampling_judge"],
        actor=actor,
    )
    for role, people in ((Membership.Role.LEAD, cleaned["leads"]), (Membership.Role.RATER, cleaned["raters"])):
        for person in people:
            add_member(project, person, role, actor=actor)
    return project
