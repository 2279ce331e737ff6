"""Tags of the frame of a page: its head, navigation, menus, languages; builtin in all templates."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.template import Context
from django.template.loader_tags import BlockNode
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language, to_locale

from ..accounts.users import password_link_time
from ..notifications.reading import unread
from ..web.projects.navigation import FILTERED_FROM, projects_to_switch_to, section_links

register = template.Library()
register.simple_tag(password_link_time)


@register.simple_tag(takes_context=True)
def rendered_block(context: Context, name: str) -> SafeString:
    """Return what a page puts into a block, "" without it: base.html needs the heading in the title too, and omits the
    elements around empty blocks. The tag has to stand in a template that pages extend, not in one that it includes.
    """
    return SafeString(BlockNode(name, template.NodeList()).render(context).strip())


@register.inclusion_tag("parts/project_navigation.html", takes_context=True)
def project_navigation(context: Context) -> dict[str, Any]:
    """Return the links of the sections. The page's context has `project`, from access.project_for."""
    match = context["request"].resolver_match
    return {"links": section_links(context["project"], match.url_name if match else "")}


@register.inclusion_tag("parts/project_switcher.html", takes_context=True)
def project_switcher(context: Context) -> dict[str, Any]:
    """Return the project of the page and the others of the user."""
    projects = projects_to_switch_to(context["request"].user)
    return {"project": context["project"], "projects": projects, "is_filtered": len(projects) >= FILTERED_FROM}


@register.simple_tag(takes_context=True)
def unread_notifications(context: Context) -> int:
    """Return the number beside the bell. One query."""
    return unread(context["request"].user).count()


@register.filter
def theme(request: HttpRequest | None) -> str:
    """Return the chosen theme, light or dark; "" without a choice, and on an error page without a request."""
    return request.COOKIES.get(f"{settings.COOKIE_PREFIX}factuary_theme", "") if request else ""


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
