"""The page of the browsers in which the user is signed in."""

from allauth.account.decorators import reauthentication_required
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from ...accounts.sessions import browser_of, end_sessions, sessions_of
from ..authentication import Request


@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)
def sessions(request: Request) -> HttpResponse:
    """Show the user's sessions. A post ends one (`session`), or all but that of the request."""
    current = _current_session(request)
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


def _current_session(request: Request) -> UserSession:
    """Return the session of the request; a session from before sessions were stored is stored now."""
    stored = UserSession.objects.filter(session_key=request.session.session_key)
    if not stored:
        UserSession.objects.create_from_request(request)
    return stored.get()
