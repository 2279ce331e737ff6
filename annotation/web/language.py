"""The language of the pages: what somebody chose, else what their browser asks for, else English."""

from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

# The choice is kept in a cookie and changes nothing that is stored, so its form needs no token: a page for readers
# without an account stays one that sets no cookie.
choose_language = csrf_exempt(require_POST(set_language))
