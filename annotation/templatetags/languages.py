"""The languages of the pages, and the messages of their scripts."""

import json
from functools import lru_cache
from pathlib import Path

from django import template
from django.conf import settings
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language, to_locale

register = template.Library()


@register.simple_tag
def script_messages() -> SafeString:
    """Return the translations for static/js/shared/translate.js as data in the page; nothing in the code's language."""
    return _messages_in(get_language() or settings.LANGUAGE_CODE)


@register.simple_tag
def languages() -> list[tuple[str, str]]:
    """Return codes and names, each name in its own language."""
    return settings.LANGUAGES


@lru_cache
def _messages_in(language: str) -> SafeString:
    path = Path(settings.LOCALE_PATHS[0]) / to_locale(language) / "LC_MESSAGES" / "djangojs.json"
    if not path.exists():
        return SafeString()
    return json_script(json.loads(path.read_text(encoding="utf-8")), "words")
