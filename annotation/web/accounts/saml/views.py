"""The pages of sign-in by SAML: to the identity provider, its response, and the site's metadata."""

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import complete_social_login, render_authentication_error
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base.utils import respond_to_login_on_get
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from onelogin.saml2.settings import OneLogin_Saml2_Settings

from ..provider_views import redirect_by_page
from ..reauthentication import ASKED
from .provider import SignInProvider, exchange, saml_settings

MAX_RESPONSE_LENGTH = 300_000
"""Characters of a response: some hundred groups, encrypted."""


class RefusedResponse(Exception):
    """A response that signs nobody in, with the reason in one line for the log."""

    def __init__(self, reason: object) -> None:
        super().__init__(" ".join(str(reason).split()))


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, organization_slug: str) -> HttpResponse:
    """Begin a sign-in by a post; a GET shows the button."""
    provider = _provider(request, organization_slug)
    button = respond_to_login_on_get(request, provider)
    return button or redirect_by_page(request, provider.redirect_from_request(request))


@csrf_exempt  # a post of another site; it belongs to a sign-in that this browser began, which is checked
@login_not_required
@require_POST
def receive(request: HttpRequest, organization_slug: str) -> HttpResponse:
    """Sign in by the provider's response.

    A post of another site comes without the session's cookie, so the first answer is a page that posts the same again.
    """
    provider = _provider(request, organization_slug)
    response = request.POST.get("SAMLResponse", "")
    if len(response) <= MAX_RESPONSE_LENGTH and "repeated" not in request.POST:
        return render(request, "socialaccount/repeat_response.html", {"response": response})
    try:
        sign_in = _read(request, provider)
    except RefusedResponse as refusal:
        return render_authentication_error(request, provider, exception=refusal)
    return complete_social_login(request, sign_in)


def _read(request: HttpRequest, provider: SignInProvider) -> SocialLogin:
    """Return who signs in. Raises RefusedResponse."""
    if len(request.POST.get("SAMLResponse", "")) > MAX_RESPONSE_LENGTH:
        raise RefusedResponse("it is too long")
    answer = exchange(request, provider.app)
    try:
        answer.process_response()
    except Exception as error:  # text of strangers, which makes python3-saml and lxml raise many kinds
        raise RefusedResponse(f"it cannot be read: {error!r}") from error
    if not answer.is_authenticated():
        raise RefusedResponse(answer.get_last_error_reason())
    try:
        state = provider.unstash_redirect_state(request, answer.get_last_response_in_response_to())
        sign_in = provider.sociallogin_from_response(request, answer)
    except PermissionDenied:
        raise RefusedResponse("this browser began no such sign-in, or has finished it") from None
    except ValueError as error:
        raise RefusedResponse(error) from error
    sign_in.state = {**state, ASKED: answer.asked_at}
    return sign_in


@login_not_required
@require_safe
def metadata(request: HttpRequest, organization_slug: str) -> HttpResponse:
    """Answer the site's metadata, which the identity provider reads."""
    app = _provider(request, organization_slug).app
    options = saml_settings(request, app)
    # Only for the metadata: names the key for encryption. Assertions that are not encrypted are also accepted.
    options["security"]["wantAssertionsEncrypted"] = bool(app.settings["sp_private_key"])
    content = OneLogin_Saml2_Settings(options, sp_validation_only=True).get_sp_metadata()
    return HttpResponse(content, content_type="application/samlmetadata+xml")


def _provider(request: HttpRequest, provider_id: str) -> SignInProvider:
    try:
        return get_adapter().get_app(request, provider=SignInProvider.id, client_id=provider_id).get_provider(request)
    except SocialApp.DoesNotExist:
        raise Http404(f"no provider {provider_id}") from None
