"""Erasing a person: for admins the page that confirms it, and the receipt."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from tasks.jobs import enqueue

from ... import jobs
from ...access import require_admin
from ...accounts.names import PersonError, person_named
from ...models import User
from ...privacy.erase import ERASE_JOB, check_erasable
from ...privacy.receipts import as_json, receipt_of
from ..authentication import Request
from .fields import NAME_ATTRIBUTES, sentence


class ErasureForm(forms.Form):
    """The user name, typed in, confirms the erasure."""

    username = forms.CharField(widget=forms.TextInput(attrs=NAME_ATTRIBUTES))

    def __init__(self, person: User, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.expected = person.username
        self.fields["username"].label = f"Type “{self.expected}” to confirm"

    def clean_username(self) -> str:
        """Require exactly the user name."""
        if self.cleaned_data["username"] != self.expected:
            raise forms.ValidationError(f"The text does not match “{self.expected}”. Nothing was erased.")
        return self.expected


@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: Request, username: str) -> HttpResponse:
    """Show what erasing the person does; a worker does it after the user name and the password. For admins."""
    require_admin(request.user)
    person = person_named(username)
    if person.erased_at:
        return redirect("erasure_receipt", username)
    form = ErasureForm(person, request.POST or None)
    refusal = ""
    try:
        check_erasable(person, request.user)
    except PersonError as error:
        refusal = sentence(error)
    if request.method == "POST" and not refusal and form.is_valid():
        return _start(request, person)
    context = {"person": person, "form": form, "refusal": refusal, "number": person.ratings.count()}
    return render(request, "accounts/erase.html", context)


@reauthentication_required
def _start(request: Request, person: User) -> HttpResponse:
    """Start the job that erases the person, and show its progress."""
    job = jobs.create(ERASE_JOB, params={"user": person.pk}, actor=request.user)
    enqueue(job)
    return redirect("job", job.public_id)


@require_safe
def receipt(request: Request, username: str) -> HttpResponse:
    """Show the receipt of an erased person; with `?format=json` return it as a file. For admins."""
    require_admin(request.user)
    person = person_named(username)
    stored = receipt_of(person)
    if stored is None:
        raise Http404("There is no receipt of an erasure.")
    if request.GET.get("format") == "json":
        response = HttpResponse(as_json(stored), content_type="application/json")
        response["Content-Disposition"] = f'attachment; filename="erasure-{person.username}.json"'
        return response
    context = {
        "person": person,
        "receipt": stored,
        "deleted": list(stored["deleted"].items()),
        "replaced": list(stored["replaced"].items()),
        "stays": [(table, row["rows"], row["why"]) for table, row in stored["stays"].items()],
    }
    return render(request, "accounts/erasure_receipt.html", context)
