"""Confirming one's identity before a change of the account, for people without a password and second factor here.

allauth asks everybody else for password or factor, and lets these pass. They sign in again by their provider.
"""

import time

from allauth.account import app_settings
from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from allauth.account.views import password_set
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from ...models import User
from ..authentication import Request

ASK_AGAIN = "prompt=login&max_age=0"
"""Parameters of OpenID Connect: the provider asks for its password although the person is signed in there."""

set_password = reauthentication_required(password_set)
"""The first password of a person who signs in by a provider."""


@require_safe
def sign_in_again(request: Request) -> HttpResponse:
    """Show the ways to sign in again: the person's linked accounts at the providers of this site."""
    if has_own_proof(request.user):
        return redirect("account_reauthenticate")
    linked = set(SocialAccount.objects.filter(user=request.user).values_list("provider", flat=True))
    providers = [provider for provider in get_adapter().list_providers(request) if provider.app.provider_id in linked]
    return render(request, "account/sign_in_again.html", {"providers": providers, "ask_again": ASK_AGAIN})


def has_own_proof(user: User) -> bool:
    """Return whether the account has a password or a second factor of this site."""
    return bool(get_reauthentication_flows(user))


def signed_in_recently(request: HttpRequest, user: User) -> bool:
    """Return whether a provider signed the user in in the last minutes, and asked who they are, if its token says when.

    A provider that remembers its people signs them in without asking; the token then has the time of the last question.
    """
    steps = [step for step in get_authentication_records(request, user) if step["method"] == "socialaccount"]
    if not steps:
        return False
    account = SocialAccount.objects.filter(user=user, provider=steps[-1]["provider"], uid=steps[-1]["uid"]).first()
    token = account.extra_data.get("id_token") if account else None
    auth_time = token.get("auth_time") if isinstance(token, dict) else None  # SAML's attributes are lists
    asked_at = min(steps[-1]["at"], auth_time or steps[-1]["at"])
    return bool(time.time() - asked_at < app_settings.REAUTHENTICATION_TIMEOUT)
