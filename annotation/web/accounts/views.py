"""A person's own account: name, mail, data, the browsers in which they are signed in."""

from allauth.account.decorators import reauthentication_required
from allauth.account.views import password_reset as mailed_reset
from allauth.usersessions.models import UserSession
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from ...accounts.names import PersonError
from ...accounts.sessions import browser_of, end_sessions, sessions_of
from ...accounts.users import set_display_name
from ...models import User
from ...notifications.reading import set_mail
from ...privacy.own_data import own_data
from ..authentication import Request
from .fields import sentence


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
    response = StreamingHttpResponse(own_data(request.user), content_type="application/zip")
    response["Content-Disposition"] = content_disposition_header(True, f"factuary-{request.user.username}.zip")
    return response


@login_not_required
def password_reset(request: HttpRequest) -> HttpResponse:
    """Mail a reset link; where no mail is sent, show whom to ask."""
    if settings.EMAIL_HOST:
        return mailed_reset(request)
    return render(request, "account/password_reset_without_mail.html")


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
