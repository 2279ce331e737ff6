"""What base.html takes from the blocks of a page."""

from django.template import Context, Engine

BASE = """{% rendered_block "heading" as heading %}{% block title %}{{ heading|striptags }}{% endblock %}
{% if heading %}<h1>{{ heading }}</h1>{% endif %}"""


def rendered(page: str) -> str:
    libraries = ["annotation.templatetags.pages"]
    loaders = [("django.template.loaders.locmem.Loader", {"base.html": BASE, "page.html": page})]
    engine = Engine(loaders=loaders, builtins=libraries)
    return engine.get_template("page.html").render(Context({"name": "A & B"}))


def test_a_heading_stands_in_the_title_too_without_its_elements() -> None:
    page = '{% extends "base.html" %}{% block heading %} <i>{{ name }}</i> {% endblock %}'
    assert rendered(page) == "A &amp; B\n<h1><i>A &amp; B</i></h1>"


def test_a_page_without_a_heading_has_none() -> None:
    assert rendered('{% extends "base.html" %}{% block title %}Sign in{% endblock %}') == "Sign in\n"
