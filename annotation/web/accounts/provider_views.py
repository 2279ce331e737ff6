"""The way to an identity provider."""

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Begin a sign-in by a post."""
    from allauth.socialaccount.providers.oauth2.views import OAuth2LoginView  # its imports are slow

    return redirect_by_page(request, _answer(request, provider_id, OAuth2LoginView))


@login_not_required
@require_http_methods(["GET", "HEAD"])
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Sign in by what the provider sends."""
    from .openid import CallbackView

    return _answer(request, provider_id, CallbackView)


def _answer(request: HttpRequest, provider_id: str, view: Any) -> HttpResponse:
    """Answer by a view of allauth. Raises Http404 without this provider."""
    from allauth.socialaccount.helpers import render_authentication_error
    from allauth.socialaccount.models import SocialApp
    from allauth.socialaccount.providers.oauth2.client import OAuth2Error
    from requests import RequestException

    from .openid import CheckedAdapter

    adapter = CheckedAdapter(request, provider_id)
    try:
        answer: HttpResponse = view.adapter_view(adapter)(request)
    except SocialApp.DoesNotExist:
        raise Http404 from None
    except (OAuth2Error, RequestException) as error:
        return render_authentication_error(request, adapter.get_provider(), exception=error)
    return answer


def redirect_by_page(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return a page with the address in place of a redirect, which form-action of the policy refuses after a post."""
    if request.method == "POST" and isinstance(response, HttpResponseRedirect):
        return render(request, "socialaccount/leave.html", {"address": response.url})
    return response


@login_not_required
@require_http_methods(["GET", "HEAD"])
def redirect_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the sign-in page: no account is created by allauth's form, where people could type any address."""
    return redirect("account_login")
