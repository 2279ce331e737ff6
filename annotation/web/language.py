"""The language of the pages: the user's choice, else the browser's language, else English."""

from django.contrib.auth.decorators import login_not_required
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

# The choice is a cookie and changes no stored data, so its form needs no CSRF token: pages for readers without an
# account set no other cookie.
choose_language = login_not_required(csrf_exempt(require_POST(set_language)))
