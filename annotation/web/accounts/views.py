"""Accounts: for admins list, create, close and open them, and the link to set a password with; for all, their own."""

from allauth.account.decorators import reauthentication_required
from allauth.account.views import password_reset as mailed_reset
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Prefetch, Q
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from ...access import require_admin
from ...accounts.names import PersonError, is_named, names_to_change, person_named
from ...accounts.second_factor import remove_second_factor
from ...accounts.sessions import browser_of, end_sessions, sessions_of
from ...accounts.users import (
    create_user,
    password_link,
    rename_user,
    renew_password_link,
    set_active,
    set_display_name,
)
from ...models import Membership, Rating, User
from ...models.user_names import MAX_NAME_LENGTH
from ...notifications.reading import set_mail
from ...privacy.own_data import own_data
from ..authentication import Request
from .fields import NAME_ATTRIBUTES, sentence

SHOWN = 50
LINK_FOR = "password_link_for"  # session: whose link the next page shows, once


class PersonForm(forms.Form):
    """A new account. Its owner sets the password."""

    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=150,
        widget=forms.TextInput(attrs=NAME_ATTRIBUTES),
        help_text=gettext_lazy("Letters, digits and @ . + - _. It appears in exports."),
    )
    email = forms.EmailField(
        label=gettext_lazy("Email"),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("For signing in and for resetting the password."),
    )
    admin = forms.BooleanField(
        label=gettext_lazy("Admin: imports data, creates projects and accounts, and sees every project"), required=False
    )


class NameForm(forms.Form):
    """The name that others see."""

    name = forms.CharField(
        label=gettext_lazy("Display name"),
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        help_text=gettext_lazy(
            "The name that others see. Empty: your user name. Exports and the API use the user name."
        ),
    )


class MailForm(forms.Form):
    """When notifications are mailed."""

    mail = forms.ChoiceField(
        label=gettext_lazy("Email unread notifications"),
        choices=User.Mail.choices,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Once a day: at seven in the morning, if there are new ones. Emails are in the language of this page."
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def own_account(request: Request) -> HttpResponse:
    """Show the user's own account. A post changes the display name."""
    form = NameForm(request.POST or None, initial={"name": request.user.get_full_name()})
    if request.method == "POST" and form.is_valid():
        try:
            set_display_name(request.user, form.cleaned_data["name"])
        except PersonError as error:
            form.add_error(error.field, sentence(error))
        else:
            messages.success(request, _("Others now see you as %(name)s.") % {"name": request.user})
            return redirect("own_account")
    mail_form = MailForm(initial={"mail": request.user.notification_mail})
    context = {"form": form, "mail_form": mail_form, "sends_mail": bool(settings.EMAIL_HOST)}
    return render(request, "accounts/own_account.html", context)


@require_POST
def notification_mail(request: Request) -> HttpResponse:
    """Set when the user's notifications are mailed; ignore what is no choice."""
    form = MailForm(request.POST)
    if form.is_valid():
        set_mail(request.user, User.Mail(form.cleaned_data["mail"]))
        messages.success(request, _("The preference is saved."))
    return redirect(f"{reverse('own_account')}#notifications")


@require_POST
def download_own_data(request: Request) -> StreamingHttpResponse:
    """Return what is stored about the user as a zip."""
    response = StreamingHttpResponse(own_data(request.user), content_type="application/zip")
    response["Content-Disposition"] = content_disposition_header(True, f"factuary-{request.user.username}.zip")
    return response


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
        values = {"before": before, "after": person.username}
        messages.success(request, _("The user name %(before)s is now %(after)s.") % values)
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
        messages.success(request, _("The second factor of %(user)s is removed.") % {"user": user})
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
        message = _("The account of %(user)s is open again.") if active else _("The account of %(user)s is closed.")
        messages.success(request, message % {"user": user})
    return redirect("people")


@login_not_required
def password_reset(request: HttpRequest) -> HttpResponse:
    """Mail a reset link; where no mail is sent, show whom to ask."""
    if settings.EMAIL_HOST:
        return mailed_reset(request)
    return render(request, "account/password_reset_without_mail.html")


def _person(request: Request, username: str) -> User:
    require_admin(request.user)
    return person_named(username)


@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)
def sessions(request: Request) -> HttpResponse:
    """Show the user's sessions. A post ends one (`session`), or all but that of the request."""
    # A session from before sessions were stored is stored now.
    stored = UserSession.objects.filter(session_key=request.session.session_key)
    if not stored:
        UserSession.objects.create_from_request(request)
    current = stored.get()
    signed_in = sessions_of(request.user)
    if request.method == "POST":
        session_id = request.POST.get("session", "")
        ended = [session for session in signed_in if session != current and session_id in ("", str(session.pk))]
        end_sessions(request.user, ended, actor=request.user)
        message = ngettext("Signed out in %(count)s browser.", "Signed out in %(count)s browsers.", len(ended))
        messages.success(request, message % {"count": len(ended)})
        return redirect("usersessions_list")
    rows = [{"session": session, "browser": browser_of(session)} for session in signed_in]
    return render(request, "accounts/sessions.html", {"rows": rows, "current": current})
