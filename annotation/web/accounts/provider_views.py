"""The way to an identity provider."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Begin a sign-in by a post."""
    from allauth.socialaccount.providers.openid_connect.views import login  # its imports are slow

    return lead_on(request, login(request, provider_id))


def lead_on(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return a page that leads on in place of a redirect, which a form may not (form-action of the policy)."""
    if request.method == "POST" and isinstance(response, HttpResponseRedirect):
        return render(request, "socialaccount/leave.html", {"address": response.url})
    return response


@login_not_required
@require_http_methods(["GET", "HEAD"])
def no_form(request: HttpRequest) -> HttpResponse:
    """Lead to the sign-in page: accounts are created without allauth's form, which would let people type an address."""
    return redirect("account_login")
