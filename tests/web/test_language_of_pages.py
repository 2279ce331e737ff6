"""Pages of raters in Spanish: what stays as it is in English is data, or was forgotten. Pages of leads are English."""

import re
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any

import pytest
from django.utils import timezone

from annotation.importing import RULES
from annotation.models import Item, RaterQuestion
from annotation.projects.guidelines import publish_guidelines
from annotation.queue.reservations import Selection, reserve
from annotation.reviewing.rater_questions import ask_leads
from tests.cast import Study, person, signed_in, study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db

SPANISH = {"accept-language": "es"}
READ_OUT = ("aria-label", "title", "placeholder", "alt")
NOT_WORDS = ("code", "kbd", "pre", "q", "script", "style", "svg", "blockquote", "textarea")
VOID = ("br", "hr", "img", "input", "link", "meta", "wbr")
SAME = (
    "Factuary", "Qasper v0.3", "ExpertQA", "SyllabusQA", "lfqa_eval", "Hugging Face datasets", "Inspect",
    "lm-evaluation-harness", "HELM", "Label Studio", "Argilla", "doccano", "Potato", "Langfuse", "Phoenix", "JSON",
    "jsonl", "CSV", "SHA-256", "Webhook", "Webhooks", "AC1", "min",
)  # fmt: skip
"""Names of data, programs and units, which are the same in both languages."""
DATE = re.compile(r"\d+ \w{3} \d{4}|\d+ \w{3}, \d+:\d+")
"""Many short names of months are the same in both languages."""


class TranslatableText(HTMLParser):
    """What the main part of a page says: texts, and attributes that are read out."""

    def __init__(self, html: str):
        super().__init__()
        self.texts: set[str] = set()
        self._open: list[str] = []
        self._inside = "<main" not in html  # a part of a page has none
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = self._inside or tag == "main"
        if self._inside:
            self.texts |= {value.strip() for name, value in attrs if value and name in READ_OUT}
            if tag in NOT_WORDS and tag not in VOID:
                self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()
        self._inside = self._inside and tag != "main"

    def handle_data(self, data: str) -> None:
        if self._inside and not self._open and data.strip():
            self.texts.add(" ".join(data.split()))


def data_of(done: Study) -> set[str]:
    """Return the texts of people and files, which are shown unchanged in every language."""
    project = done.project
    texts = {project.title, project.dataset.title, project.slug, project.dataset.slug, project.dataset.format}
    texts |= {name for user in done.people.values() for name in (user.username, str(user))} | {"ada", "otto"}
    texts |= {response.system.name for response in done.responses} | {r.prompt.text for r in done.responses}
    texts |= {document.title for document in project.dataset.documents.all()}
    texts |= {"Zählt das?", "Tono", project.protocol.sha256, *RULES}
    return texts | {item.text for item in Item.objects.all()}


def left_in_english(client: Any, address: str, data: set[str]) -> set[str]:
    """Return the texts that are equal in both languages and have a word that is neither data nor a name."""
    english, spanish = (TranslatableText(html_of(client, address, language)).texts for language in ("en", "es"))
    assert len(spanish) > 3, "nothing was read"
    removed = sorted(data | set(SAME), key=len, reverse=True)
    return {text for text in english & spanish if re.search(r"[^\W\d_]{2}", _without(text, removed))}


def _without(text: str, removed: list[str]) -> str:
    for words in removed:
        text = text.replace(words, " ") if words else text
    return DATE.sub("", text)


def html_of(client: Any, address: str, language: str) -> str:
    answer = client.get(address, headers={"accept-language": language})
    assert answer.status_code == 200, address
    return answer.content.decode()


@pytest.fixture
def running(db):
    """Create a project with at least one event of every kind."""
    done = study(prompts=4)
    done.people |= {name: person(name) for name in ("lena", "ravi", "rosa")}
    ravi, lena, project = done.people["ravi"], done.people["lena"], done.project
    rates(ravi, project)
    begun = rates(ravi, project, sentences=1)
    item = Item.objects.filter(response=begun.sheet.response, rate=True).first()
    ask_leads(ravi, begun.public_id, item.public_id, "Zählt das?", RaterQuestion.Kind.QUESTION)
    RaterQuestion.objects.update(asked_at=timezone.now() - timedelta(hours=3))  # so pages of two seconds say the same
    publish_guidelines(project, "# Tono", {}, "", actor=lena)
    reserve(project, [done.people["rosa"]], Selection("random", n=1), actor=lena)
    return done


PAGES = "/ /projects/june/ /projects/june/guidelines/"
PAGES_OF_LEADS = """
    /projects/june/ /projects/june/members/ /projects/june/settings/workload/ /projects/june/responses/
    /projects/june/guidelines/ /projects/june/inbox/ /projects/june/report/ /datasets/
"""


def test_no_word_of_the_pages_of_raters_stays_english(running):
    data, client = data_of(running), signed_in("ravi")
    assert {page: words for page in PAGES.split() if (words := left_in_english(client, page, data))} == {}


def test_pages_of_leads_are_english_with_english_numbers_and_dates(running):
    lena = signed_in("lena")
    for page in PAGES_OF_LEADS.split():
        answer = lena.get(page, headers=SPANISH)
        assert (answer.status_code, answer["Content-Language"]) == (200, "en-us"), page
        assert '<html\n    lang="en-us"' in answer.text or 'lang="en-us" dir="ltr"' in answer.text, page
        assert TranslatableText(answer.text).texts == TranslatableText(lena.get(page).text).texts, page
    assert lena.get("/", headers=SPANISH)["Content-Language"] == "es"


def test_an_empty_site_tells_its_first_steps_in_spanish_and_a_word_that_was_forgotten_would_be_found(ada, settings):
    assert left_in_english(ada, "/", set()) == set()
    settings.LANGUAGES = [("en-us", "English")]
    assert "Import data set" in left_in_english(ada, "/", {"ada"})
