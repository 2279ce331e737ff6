"""Protocols, for leads and admins: all versions, and custom ones to try and store.

A protocol is a text. It is sent as a file or typed into the page, and each problem is shown with its line. A preview
shows it as raters see it before it is stored, since a stored version never changes.
"""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ... import protocols as protocol_files
from ...access import project_for, projects_led_by, protocol_versions_for, require_lead
from ...models import Project, ProtocolVersion, User
from ...projects.protocol_versions import change_protocol, has_begun, store_builtin_protocols, store_protocol
from ...protocols import Problem
from ...protocols.draft_fields import has_parts
from ...protocols.examples import builtin_example_text
from ...protocols.protocol_draft import STARTER, ProtocolDraft
from ...queue.errors import ProjectError
from ..accounts.fields import sentence
from ..authentication import Request
from ..language import for_raters
from ..toml_forms.text_form import TomlTextForm
from .form_sections import form_groups
from .protocol_form import FormPart, field_count, form_parts
from .protocol_form_post import apply_button, apply_post
from .questions_preview import PreviewProblem, QuestionsPreview, problems_in_form, problems_in_text, read_text
from .sample import render_preview

EXAMPLE = "article-accuracy"  # the initial text of a custom protocol
MAX_FORM_FIELDS = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS - 20  # some are the page's own


@require_safe
def protocols(request: Request) -> HttpResponse:
    """Show the protocols that the user may see with their versions, and the user's projects that use them."""
    store_builtin_protocols()
    versions = protocol_versions_for(request.user)
    projects_by_protocol: dict[int, list[Project]] = {}
    for project in projects_led_by(request.user).order_by("title"):
        projects_by_protocol.setdefault(project.protocol_id, []).append(project)
    groups: dict[str, list[tuple[ProtocolVersion, list[Project]]]] = {}
    for version in versions.order_by("slug", "-created_at", "-pk"):
        groups.setdefault(version.slug, []).append((version, projects_by_protocol.get(version.pk, [])))
    context = {"groups": groups.items(), "builtin_slugs": set(protocol_files.builtin())}
    return render(request, "protocols/protocols.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: Request) -> HttpResponse:
    """Edit a custom protocol. A post checks it; with `do=store` it is stored if there are no problems."""
    require_lead(request.user)
    if request.method != "POST":
        source = _initial_source(request)
        return _editor(request, TomlTextForm(initial={"source": source}), source)
    form = TomlTextForm(request.POST, request.FILES)
    if not form.is_valid():
        return _editor(request, form, request.POST.get("source", ""))
    text, target = _edited_text(request, form)
    if request.POST.get("do") == "store" and not read_text(text, request.user)[1]:
        return _store_and_redirect(request, text)
    return _editor(request, TomlTextForm(initial={"source": text}), text, target)


def _editor(request: Request, form: TomlTextForm, text: str, target: str = "") -> HttpResponse:
    """Show the form of a text, or the text, with a preview. `target`: the id of the part to go to."""
    protocol, problems = read_text(text, request.user)
    parameters = request.POST if request.method == "POST" else request.GET
    parts = _parts(text, problems) if parameters.get("view", parameters.get("shown")) == "form" else []
    can_be_form = bool(parts) and field_count(parts) <= MAX_FORM_FIELDS
    opened = request.POST.getlist("open") if request.POST.get("shown") == "form" else None
    stored = _stored(request.user, protocol.slug, protocol.version) if protocol else None
    context: dict[str, object] = {
        "form": form,
        "protocol": protocol,
        "preview": QuestionsPreview(protocol, _located(text, parts, problems)),
        "groups": form_groups(parts, opened, target) if can_be_form else [],
        "is_too_large": bool(parts) and not can_be_form,
        "target": target,
        "source": text,
        "stored_version": stored,
        "is_stored": bool(stored and protocol and stored.sha256 == protocol.sha256),
    }
    return render(request, "protocols/new.html", context)


def _located(text: str, parts: list[FormPart], problems: list[Problem]) -> list[PreviewProblem]:
    return problems_in_form(parts) if parts else problems_in_text(text, problems)


def _edited_text(request: Request, form: TomlTextForm) -> tuple[str, str]:
    """Return the text with what the form of its parts changes, and the id of the part to go to."""
    text: str = form.cleaned_data["text"]
    if request.POST.get("shown") != "form" or form.cleaned_data["file"] or not _parts(text, []):
        return text, ""
    draft = ProtocolDraft(text)
    apply_post(draft, request.POST)
    target = apply_button(draft, request.POST)
    return draft.source, target


def _parts(text: str, problems: list[Problem]) -> list[FormPart]:
    """Return the parts of a text that can be shown as a form; nothing of another text."""
    try:
        protocol_files.read(text)
    except protocol_files.ProtocolError:
        return []
    fields = ProtocolDraft(text).fields
    return form_parts(fields, problems) if has_parts(fields) else []


def _stored(user: User, slug: str, version: str) -> ProtocolVersion | None:
    return protocol_versions_for(user).filter(slug=slug, version=version).first()


def _initial_source(request: Request) -> str:
    """Return the text of the version that `?from=slug:version` names, else a short text for the form, else an example.

    `?slug=` and `?title=` give a copy its own ones, and the worked example of a built-in protocol.
    """
    slug, _colon, version = request.GET.get("from", "").partition(":")
    stored = _stored(request.user, slug, version)
    if stored is None:
        return STARTER if request.GET.get("view") == "form" else protocol_files.builtin()[EXAMPLE].source
    if not request.GET.get("slug"):
        return stored.source
    draft = ProtocolDraft("\n".join(filter(None, [stored.source, builtin_example_text(stored.sha256)])))
    for name, value in (("slug", request.GET["slug"]), ("version", "1"), ("title", request.GET.get("title", ""))):
        draft.set((name,), value)
    return draft.source


@require_POST
def preview_questions(request: Request) -> HttpResponse:
    """Return the questions and the problems of the text or form that is being edited."""
    require_lead(request.user)
    form = TomlTextForm(request.POST)
    text = _edited_text(request, form)[0] if form.is_valid() else ""
    protocol, problems = read_text(text, request.user)
    parts = _parts(text, problems) if request.POST.get("shown") == "form" else []
    context = {"preview": QuestionsPreview(protocol, _located(text, parts, problems)), "is_update": True}
    return render(request, "protocols/_preview_parts.html", context)


@require_safe
def questions(request: Request) -> HttpResponse:
    """Return the questions of the stored version whose id is `?protocol=`, for the form of a new project."""
    number = request.GET.get("protocol", "")
    version = get_object_or_404(protocol_versions_for(request.user), pk=int(number) if number.isdecimal() else 0)
    return render(request, "protocols/_questions_preview.html", {"preview": QuestionsPreview(version.translated, [])})


def _store_and_redirect(request: Request, text: str) -> HttpResponse:
    version, is_new = store_protocol(text, actor=request.user)
    words = "The protocol is stored. Projects can use it." if is_new else "This text is already stored."
    messages.success(request, words)
    return redirect("protocol", version.slug, version.version)


@require_POST
def preview_text(request: Request) -> HttpResponse:
    """Show the preview of a text that is not stored."""
    require_lead(request.user)
    form = TomlTextForm(request.POST, request.FILES)
    try:
        loaded = protocol_files.load(_edited_text(request, form)[0]) if form.is_valid() else None
    except protocol_files.ProtocolError:
        loaded = None
    return render_preview(request, loaded, reverse("new_protocol")) if loaded else new(request)


@require_http_methods(["GET", "HEAD", "POST"])
def protocol(request: Request, slug: str, version: str) -> HttpResponse:
    """Show a stored version: questions, measures, text. A post selects it for a project of the user."""
    selected = _version(request.user, slug, version)
    if request.method == "POST":
        return _use_in_project(request, selected)
    context = {
        "version": selected,
        "protocol": selected.translated,
        "projects": projects_led_by(request.user).filter(protocol=selected).order_by("title"),
        "eligible_projects": _eligible_projects(request.user, selected),
        "is_builtin": slug in protocol_files.builtin(),
        "versions": protocol_versions_for(request.user).filter(slug=slug).order_by("-created_at", "-pk"),
    }
    return render(request, "protocols/protocol.html", context)


def _eligible_projects(user: User, version: ProtocolVersion) -> list[Project]:
    """Return the projects that could still change to this protocol."""
    unit = version.definition.unit
    projects = projects_led_by(user).filter(archived_at=None).exclude(protocol=version).select_related("protocol")
    alike = [project for project in projects.order_by("title") if project.protocol.definition.unit == unit]
    return [project for project in alike if not has_begun(project)]


def _use_in_project(request: Request, version: ProtocolVersion) -> HttpResponse:
    project = project_for(request.user, request.POST.get("project", ""), needs="lead")
    try:
        change_protocol(project, version, actor=request.user)
    except ProjectError as error:
        messages.error(request, sentence(error))
        return redirect("protocol", version.slug, version.version)
    protocol_name = f"{version.translated.title} {version.version}"
    messages.success(request, f"Raters of this project now answer the questions of {protocol_name}.")
    return redirect("project", project.slug)


@for_raters
@require_safe
def preview(request: Request, slug: str, version: str) -> HttpResponse:
    """Show a stored version as raters see it."""
    selected = _version(request.user, slug, version)
    return render_preview(request, selected.definition, reverse("protocol", args=[selected.slug, selected.version]))


@require_safe
def source(request: Request, slug: str, version: str) -> HttpResponse:
    """Return the TOML file, byte for byte."""
    selected = _version(request.user, slug, version)
    name = f"{selected.slug}-{selected.version}.toml"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(selected.source, content_type="application/toml; charset=utf-8", headers=headers)


def _version(user: User, slug: str, version: str) -> ProtocolVersion:
    """Return a version that the user may see. Raises Http404, and PermissionDenied for raters."""
    store_builtin_protocols()
    return get_object_or_404(protocol_versions_for(user), slug=slug, version=version)
