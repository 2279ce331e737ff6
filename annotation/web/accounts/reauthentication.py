"""Confirming one's identity before a change of the account, for people without a password and second factor here.

allauth asks everybody else for password or factor, and lets these pass. They sign in again by their provider. Only a
sign-in that was begun for this counts, and only if the provider says that it has asked who they are since then.
"""

from allauth.account import app_settings
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from allauth.account.views import password_set
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount, SocialLogin
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ...models import User
from ...site.database_clock import database_now
from ...site.log_settings import log_attempt
from ..authentication import Request

CONFIRM = "confirm"
"""In the address that begins a sign-in: it is to confirm the identity."""
BEGUN, ASKED = "confirmation_begun", "asked_at"
"""In the state of a sign-in: when a confirmation was begun here, and when the provider says that it asked."""
CONFIRMED = "identity_confirmed"
"""In the session: when the provider asked."""
CLOCK_DIFFERENCE = 60  # seconds

set_password = reauthentication_required(password_set)
"""The first password of a person who signs in by a provider."""


@require_safe
def sign_in_again(request: Request) -> HttpResponse:
    """Show the ways to sign in again: the person's linked accounts at the providers of this site."""
    if has_own_proof(request.user):
        return redirect("account_reauthenticate")
    linked = set(SocialAccount.objects.filter(user=request.user).values_list("provider", flat=True))
    providers = [provider for provider in get_adapter().list_providers(request) if provider.app.provider_id in linked]
    return render(request, "account/sign_in_again.html", {"providers": providers})


def has_own_proof(user: User) -> bool:
    return bool(get_reauthentication_flows(user))


def confirmation_state(request: HttpRequest) -> dict[str, float]:
    """Return what the session keeps of a sign-in that is begun: the time, if it is to confirm the identity."""
    return {BEGUN: database_now().timestamp()} if CONFIRM in request.GET else {}


def record_confirmation(request: HttpRequest, sign_in: SocialLogin) -> None:
    """Record that a sign-in confirmed the identity, if it was begun for this and the provider has asked since then."""
    begun_at, asked_at = sign_in.state.get(BEGUN), sign_in.state.get(ASKED)
    if begun_at is None:
        return
    if isinstance(asked_at, int | float) and asked_at >= begun_at - CLOCK_DIFFERENCE:
        request.session[CONFIRMED] = min(asked_at, database_now().timestamp())
    else:
        name = sign_in.provider.app.name
        log_attempt(
            f"a confirmation by {name} that did not ask again: begun at {begun_at:.0f}, asked at {asked_at!r:.20}"
        )
        text = _("Your identity is not confirmed: %(name)s did not report that it asked for your password again.")
        messages.warning(request, text % {"name": name})


def confirmed_recently(request: HttpRequest) -> bool:
    """Return whether a provider has confirmed the identity in the last minutes."""
    return bool(database_now().timestamp() - request.session.get(CONFIRMED, 0) < app_settings.REAUTHENTICATION_TIMEOUT)
