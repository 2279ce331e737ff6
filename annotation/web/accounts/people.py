"""The accounts, for admins: list, create, rename, close and open them, and the link to set a password with."""

from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Prefetch, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from ...access import require_admin
from ...accounts.names import PersonError, is_named, names_to_change, person_named
from ...accounts.second_factor import remove_second_factor
from ...accounts.users import create_user, password_link, rename_user, renew_password_link, set_active
from ...models import Membership, Rating, User
from ...models.user_names import MAX_NAME_LENGTH
from ..authentication import Request
from .fields import NAME_ATTRIBUTES, sentence

SHOWN = 50
LINK_FOR = "password_link_for"  # session: whose link the next page shows, once


class PersonForm(forms.Form):
    """A new account. Its owner sets the password."""

    username = forms.CharField(
        label="User name",
        max_length=150,
        widget=forms.TextInput(attrs=NAME_ATTRIBUTES),
        help_text="Letters, digits and @ . + - _. It appears in exports.",
    )
    email = forms.EmailField(
        label="Email",
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        help_text="For signing in and for resetting the password.",
    )
    admin = forms.BooleanField(
        label="Admin: imports data, creates projects and accounts, and sees every project", required=False
    )


@require_http_methods(["GET", "HEAD", "POST"])
def people(request: Request) -> HttpResponse:
    """Show the accounts and the form for a new one. A new account's link is shown once, on the next page."""
    require_admin(request.user)
    form = PersonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = create_user(**form.cleaned_data, actor=request.user)
        except PersonError as error:
            form.add_error(error.field, sentence(error))
        else:
            request.session[LINK_FOR] = user.pk
            return redirect("people")
    find = request.GET.get("find", "").replace("\x00", "").strip()[:MAX_NAME_LENGTH]
    memberships = Membership.objects.select_related("project").order_by("project__title")
    imported = Rating.objects.filter(rater=OuterRef("pk"), assignment=None)
    rows = (
        User.objects.filter(is_named(find.split(), by_address=True), judge=None)
        .order_by("-is_active", "name_key")
        .annotate(came_by_import=Q(is_active=False, last_login=None) & Exists(imported))
        .annotate(tokens=Count("api_tokens", filter=Q(api_tokens__revoked_at=None)))
        .annotate(factors=Exists(Authenticator.objects.filter(user=OuterRef("pk"))))
        .prefetch_related(Prefetch("memberships", memberships))
    )
    invited = User.objects.filter(pk=request.session.pop(LINK_FOR, None)).first()
    context = {
        "form": form,
        "find": find,
        "page": Paginator(rows, SHOWN).get_page(request.GET.get("page")),
        "unclear": names_to_change(),
        "links": [{"user": invited, "link": password_link(invited)}] if invited else [],
    }
    return render(request, "accounts/people.html", context)


@require_POST
def rename(request: Request) -> HttpResponse:
    """Change the user name of an account, which its number names: an old name may be none that addresses can have."""
    require_admin(request.user)
    number = request.POST.get("person", "")
    person = get_object_or_404(User, pk=int(number) if number.isdecimal() else 0)
    before = person.username
    try:
        rename_user(person, request.POST.get("username", "").strip(), actor=request.user)
    except PersonError as error:
        messages.error(request, sentence(error))
    else:
        person.refresh_from_db()
        messages.success(request, f"The user name {before} is now {person.username}.")
    return redirect("people")


@require_POST
def link(request: Request, username: str) -> HttpResponse:
    """Create a new link for a person who lost theirs, or the password."""
    user = _person(request, username)
    try:
        renew_password_link(user, actor=request.user)
    except PersonError as error:
        messages.error(request, sentence(error))
    else:
        request.session[LINK_FOR] = user.pk
    return redirect("people")


@require_POST
def second_factor(request: Request, username: str) -> HttpResponse:
    """Remove the second factor of a person who lost it."""
    user = _person(request, username)
    if remove_second_factor(user, actor=request.user):
        messages.success(request, f"The second factor of {user} is removed.")
    return redirect("people")


@require_POST
def activity(request: Request, username: str) -> HttpResponse:
    """Close an account (`active` is empty) or open it again."""
    user = _person(request, username)
    active = bool(request.POST.get("active"))
    try:
        set_active(user, active, actor=request.user)
    except PersonError as error:
        messages.error(request, sentence(error))
    else:
        message = "The account of %(user)s is open again." if active else "The account of %(user)s is closed."
        messages.success(request, message % {"user": user})
    return redirect("people")


def _person(request: Request, username: str) -> User:
    require_admin(request.user)
    return person_named(username)
