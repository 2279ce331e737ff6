"""What the tests of the report's pages ask for."""

from urllib.parse import urlencode

from django.urls import reverse

from tests.web.pages import html_of


def get_page(client, name: str, *args: str | int, query: str = "") -> str:
    return html_of(client.get(reverse(name, args=args) + query))


def page_with_options(client, **switches: str | list[str]) -> str:
    return get_page(client, "report", "june", query="?" + urlencode(switches, doseq=True))


def section(text: str, name: str, attribute: str = "aria-labelledby") -> str:
    """Return the section of a page that its heading names."""
    return text.split(f'{attribute}="{name}"')[1].split("</section>")[0]
