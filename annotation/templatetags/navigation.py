"""The navigation inside a project, for base.html."""

from typing import Any

from django import template
from django.template import Context

from ..web.projects.navigation import FILTERED_FROM, projects_to_switch_to, section_links

register = template.Library()


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
