"""API tokens: for all, their own; for admins, those of a person, to view and revoke."""

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ...access import projects_for, require_admin
from ...accounts.names import PersonError, person_named
from ...accounts.tokens import MAX_NAME_LENGTH, create_token, revoke_token, tokens_of
from ...models import ApiToken, Project, User
from ..authentication import Request
from .fields import choose_from, sentence, set_choices

NEVER = "never"


class TokenForm(forms.Form):
    """A new token."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=MAX_NAME_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("What the token is for, such as “nightly export”."),
    )
    scope = forms.ChoiceField(
        label=gettext_lazy("Scope"),
        choices=ApiToken.Scope.choices,
        help_text=gettext_lazy("Rate only: the requests of a rater's work, and nothing else."),
    )
    project = forms.ModelChoiceField(
        label=gettext_lazy("Project"),
        queryset=Project.objects.none(),
        required=False,
        empty_label=gettext_lazy("All projects"),
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Expires"),
        choices=[
            ("30", gettext_lazy("in 30 days")),
            ("90", gettext_lazy("in 90 days")),
            ("365", gettext_lazy("in a year")),
            (NEVER, gettext_lazy("never")),
        ],
        coerce=lambda days: None if days == NEVER else int(days),
        initial="90",
    )


@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)
def own_tokens(request: Request) -> HttpResponse:
    """Show the user's tokens and the form for a new one. The response to a post shows the new key, once."""
    form = TokenForm(request.POST or None)
    if not request.user.is_admin:
        set_choices(form, "scope", [choice for choice in ApiToken.Scope.choices if choice[0] != ApiToken.Scope.ADMIN])
    choose_from(form, "project", projects_for(request.user).order_by("title"))
    key = ""
    if request.method == "POST" and form.is_valid():
        try:
            key, _token = create_token(request.user, **form.cleaned_data, actor=request.user)
        except PersonError as error:
            form.add_error(None, sentence(error))
    return render(request, "accounts/tokens.html", {**_tokens_of(request.user), "form": form, "key": key})


@require_safe
def tokens_of_person(request: Request, username: str) -> HttpResponse:
    require_admin(request.user)
    person = person_named(username)
    return render(request, "accounts/tokens.html", _tokens_of(person))


def _tokens_of(person: User) -> dict[str, object]:
    return {"person": person, "tokens": tokens_of(person)}


@require_POST
def revoke(request: Request, prefix: str) -> HttpResponse:
    """Revoke a token of the user; admins may revoke anyone's."""
    tokens = ApiToken.objects.select_related("user", "project")
    token = get_object_or_404(tokens if request.user.is_admin else tokens.filter(user=request.user), prefix=prefix)
    revoke_token(token, actor=request.user)
    messages.success(request, _("The token %(prefix)s is revoked.") % {"prefix": token.prefix})
    is_own = token.user == request.user
    return redirect("own_tokens" if is_own else reverse("tokens_of_person", args=[token.user.username]))
