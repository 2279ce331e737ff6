"""Webhooks of a project: create, pause, delete, test; the log of deliveries, and sending one again."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from ...access import delivery_for, project_for, webhook_for
from ...models import Webhook
from ...models.webhooks import MAX_URL_LENGTH
from ...webhooks.webhooks import WebhookError, change_webhook, create_webhook, delete_webhook, send_again, send_test
from ..accounts.fields import sentence
from ..authentication import Request
from .navigation import settings_context

PAGE_SIZE = 50
TONES = {"failed": "danger", "delivered": "good"}


class WebhookForm(forms.Form):
    """A new webhook: where to send which events."""

    url = forms.CharField(
        label="Address",
        max_length=MAX_URL_LENGTH,
        widget=forms.URLInput(attrs={"placeholder": "https://example.org/hook", "autocomplete": "off"}),
        help_text="With https, at a public address.",
    )
    events = forms.MultipleChoiceField(
        label="Events", choices=Webhook.Event.choices, widget=forms.CheckboxSelectMultiple
    )


@require_POST
def create(request: Request, slug: str) -> HttpResponse:
    """Create a webhook. The answer shows its secret, once."""
    project = project_for(request.user, slug, needs="lead")
    form, secret = WebhookForm(request.POST), ""
    if form.is_valid():
        try:
            _webhook, secret = create_webhook(project, **form.cleaned_data, actor=request.user)
            form = WebhookForm()
        except WebhookError as error:
            form.add_error(error.field or None, sentence(error))
    context = {"project": project, "webhook_form": form, "secret": secret, "webhooks": project.webhooks.all()}
    return render(request, "projects/settings/webhooks.html", context | settings_context("webhooks"))


@require_safe
def webhook(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Show a webhook with the log of its deliveries, the newest first."""
    stored = webhook_for(request.user, slug, public_id)
    page = Paginator(stored.deliveries.all(), PAGE_SIZE).get_page(request.GET.get("page"))
    rows = [(delivery, TONES.get(delivery.status, "")) for delivery in page]
    context = {"project": stored.project, "webhook": stored, "page": page, "rows": rows}
    return render(request, "projects/webhook.html", context | settings_context("webhooks", is_below=True))


@require_POST
def pause(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Set `active` to `on` or `off`; ignore anything else."""
    stored = webhook_for(request.user, slug, public_id)
    active = {"on": True, "off": False}.get(request.POST.get("active", ""))
    if active is not None:
        change_webhook(stored, active=active, actor=request.user)
        messages.success(request, "The webhook is resumed." if active else "The webhook is paused.")
    return redirect("webhook", slug, public_id)


@require_POST
def delete(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Delete a webhook with its deliveries."""
    delete_webhook(webhook_for(request.user, slug, public_id), actor=request.user)
    messages.success(request, "The webhook is deleted.")
    return redirect("settings_section", slug, "webhooks")


@require_POST
def send_test_event(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    stored = webhook_for(request.user, slug, public_id)
    try:
        send_test(stored, actor=request.user)
    except WebhookError as error:
        messages.error(request, sentence(error))
    else:
        messages.success(request, "A test event is being sent. Reload the page to see how it ended.")
    return redirect("webhook", slug, public_id)


@require_POST
def send(request: Request, slug: str, public_id: UUID, delivery: UUID) -> HttpResponse:
    """Send a delivery again under its id."""
    stored = delivery_for(request.user, slug, public_id, delivery)
    try:
        send_again(stored, actor=request.user)
    except WebhookError as error:
        messages.error(request, sentence(error))
    else:
        messages.success(request, "It is being sent again. Reload the page to see how it ended.")
    return redirect("webhook", slug, public_id)
