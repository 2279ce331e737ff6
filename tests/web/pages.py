"""What the tests of pages ask for: a rater who did something, a page's text, how many queries it took."""

import re
from html import unescape
from typing import Any

from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.access import assignments_for
from annotation.models import Assignment, Item, Project, User
from annotation.models.rated_items import is_rated
from annotation.qualification.next_work import take_next
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from tests.cast import ACCURATE, PASSWORD

BLOCKS = (
    "h[1-6]|p|ul|ol|li|dl|dt|dd|table|thead|tbody|tfoot|tr|td|th|caption|div|section|header|footer|main|nav|form|fieldset"
    "|legend|details|summary|figure|figcaption|select|option|button"
)
INLINE = "a|abbr|b|bdi|code|em|i|q|small|span|strong|sub|sup|time"


def rates(rater: User, project: Project, sentences: int | None = None) -> Assignment:
    """Let `rater` take a response and rate `sentences` of it, or rate all of it and finish."""
    with transaction.atomic():
        assignment = take_next(project, rater)
    assert assignment
    items = Item.objects.filter(is_rated(project), response=assignment.sheet.response).order_by("position")
    for item in items[:sentences]:
        save(rater, assignment.public_id, item.public_id, Submission(ACCURATE, base_version=0))
    if sentences is None:
        finish(assignments_for(rater).get(pk=assignment.pk))
    return assignment


def confirm_identity(client: Client) -> None:
    """Enter the password of the signed-in user again, as changes of an account ask for."""
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})


def text_of(response: Any) -> str:
    """Return the text of a successful page, without tags and with single spaces."""
    assert response.status_code == 200, response.status_code
    html = re.sub(rf"</?(?:{BLOCKS})\b[^>]*>", " ", without_layout(response.content.decode()))
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html)).strip()


def without_layout(html: str) -> str:
    """Return the page with the white space of its source as browsers treat it: collapsed outside of inline elements,
    and removed beside the tags of blocks.
    """
    html = re.sub(r"\s+", " ", html).replace(" >", ">")
    html = re.sub(rf"((?:<(?:{INLINE})\b[^>]*>)+) ", r" \1", html)
    html = re.sub(rf" ((?:</(?:{INLINE})>)+)", r"\1 ", html).replace("  ", " ")
    return re.sub(rf" ?(</?(?:{BLOCKS})\b[^>]*>) ?", r"\1", html)


def html_of(response: Any) -> str:
    """Return the HTML of a page with single spaces."""
    assert response.status_code == 200, response.status_code
    return without_layout(response.content.decode())


def queries(client: Client, address: str) -> int:
    """Count the queries of the page."""
    client.get(address)  # whatever is cached for good is cached now
    with CaptureQueriesContext(connection) as context:
        assert client.get(address).status_code == 200
    return len(context)


def fields_of(html: str) -> dict[str, list[str]]:
    """Return what a browser sends of a form: fields with their values, the button apart."""
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'<textarea[^>]* name="([^"]+)"[^>]*>\n(.*?)</textarea>', html, re.DOTALL):
        fields[name] = [unescape(value)]
    for name, choices in re.findall(r'<select[^>]* name="([^"]+)".*?>(.*?)</select>', html, re.DOTALL):
        fields[name] = [unescape(re.findall('<option value="([^"]*)" selected', choices)[0])]
    for tag in re.findall("<input[^>]*>", html):
        attributes = dict(re.findall(r'([a-z]+)="([^"]*)"', tag))
        kind, value = attributes.get("type"), attributes.get("value", "")
        if kind not in ("checkbox", "radio") or " checked" in tag:
            fields.setdefault(attributes.get("name", ""), []).append(unescape(value or "on" * (kind == "checkbox")))
    return fields


def link_in(html: str) -> str | None:
    """Return the path of the first link that a page shows to be handed on."""
    match = re.search(r'<code id="link-1">https?://[^/]+([^<]+)</code>', html)
    return match and match[1]
