"""A protocol as a form: what a post without a change keeps, what the fields and buttons change, problems in place."""

import re
from html import unescape

import pytest

from annotation import protocols
from annotation.models import ProtocolVersion
from tests.cast import person, study
from tests.protocol_text import choice, protocol_text
from tests.web.pages import html_of

pytestmark = pytest.mark.django_db

NEW = "/protocols/new/"
OWN = protocol_text(
    "own",
    choice("so", "Is it so?", {"yes": "Yes", "no": "No"}, "12"),
    choice("why", "Why?", {"a": "A", "b": "B"}, show_when={"so": ["no"]}),
    counts={"so": ["yes"]},
    among={"so": ["yes", "no"]},
)


@pytest.fixture
def lena(client):
    study("june")
    client.force_login(person("lena"))
    return client


def page_of(response) -> str:
    assert response.status_code == 200
    return response.content.decode()


def sent_by(page: str) -> dict[str, list[str]]:
    """Return what a browser sends of the form: fields with their values, the button apart."""
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'<textarea[^>]* name="([^"]+)"[^>]*>\n(.*?)</textarea>', page, re.DOTALL):
        fields[name] = [unescape(value)]
    for name, choices in re.findall(r'<select[^>]* name="([^"]+)".*?>(.*?)</select>', page, re.DOTALL):
        fields[name] = [unescape(re.findall("<option selected>([^<]*)<", choices)[0])]
    for tag in re.findall("<input[^>]*>", page):
        attributes = dict(re.findall(r'([a-z]+)="([^"]*)"', tag))
        if attributes.get("type") != "checkbox" or "checked" in tag:
            fields.setdefault(attributes.get("name", ""), []).append(unescape(attributes.get("value", "on")))
    return fields


def opened(client, text: str) -> dict[str, list[str]]:
    return sent_by(page_of(client.post(NEW, {"source": text, "view": "form"})))


def text_after(client, text: str, changes: dict[str, object]) -> str:
    """Return the text after changes of the fields in the form."""
    page = page_of(client.post(NEW, opened(client, text) | changes | {"view": "text"}))
    return sent_by(page)["source"][0]


@pytest.mark.parametrize("slug", sorted(protocols.builtin()))
def test_the_form_of_a_built_in_protocol_gives_its_text_back(lena, slug):
    source = protocols.builtin()[slug].source
    assert text_after(lena, source, {}) == source


def test_fields_change_the_text_and_comments_stay(lena):
    source = protocols.builtin()["article-accuracy"].source
    changes = {"protocol-title": "Birds", "questions-0-options-4-key": "unclear", "measures-0-better": "neither"}
    text = text_after(lena, source, changes)
    assert [line for line in text.split("\n") if line.startswith("#")] == [
        line for line in source.split("\n") if line.startswith("#")
    ]
    protocol = protocols.load(text)
    assert protocol.title == "Birds"
    assert protocol.questions[0].option_keys[4] == "unclear"
    assert protocol.measures[0].better == "neither"


def test_conditions_are_changed_by_ticking_options(lena):
    protocol = protocols.load(text_after(lena, OWN, {"questions-1-show_when": ["so:yes", "so:no"]}))
    assert dict(protocol.questions[1].show_when) == {"so": ("no", "yes")}
    assert not protocols.load(text_after(lena, OWN, {"questions-1-show_when": []})).questions[1].show_when


def test_buttons_add_move_and_remove_parts(lena):
    def keys(change: dict[str, str]) -> list[str]:
        return [question.key for question in protocols.read(text_after(lena, OWN, change))[0].questions]

    assert keys({"add-question": "protocol"}) == ["so", "why", "question_1"]
    assert keys({"move-up": "questions-1"}) == ["why", "so"]
    assert keys({"remove": "questions-0"}) == ["why"]
    assert keys({"remove": "questions-7"}) == ["so", "why"]
    text = text_after(lena, OWN, {"add-option": "questions-0"})
    assert len(protocols.read(text)[0].questions[0].options) == 3
    text = text_after(lena, text_after(lena, OWN, {"add-score": "protocol"}), {"add-weight": "scores-0"})
    assert "[[scores.weights]]" in text


def test_a_problem_is_at_its_field(lena):
    sent = opened(lena, OWN) | {"questions-0-options-0-label": "", "do": "store"}
    page = unescape(page_of(lena.post(NEW, sent)))
    [shown] = re.findall(r'id="id_questions-0-options-0-label_error">\s*<li>(.*?)</li>', page)
    assert shown == "'label' of option 'yes' of question 'so' is empty"
    assert not ProtocolVersion.objects.filter(slug="own").exists()


def test_the_text_of_the_form_is_stored(lena):
    lena.post(NEW, opened(lena, OWN) | {"protocol-title": "Other", "do": "store"})
    assert ProtocolVersion.objects.get(slug="own").title == "Other"


def test_markup_in_a_protocol_is_shown_as_text(lena):
    hostile = "<script>alert(1)</script>"
    sent = opened(lena, OWN) | {"questions-0-options-0-label": hostile, "protocol-title": f'"{hostile}'}
    page = page_of(lena.post(NEW, sent | {"view": "form"}))
    assert hostile not in page
    assert sent_by(page)["questions-0-options-0-label"] == [hostile]


@pytest.mark.parametrize("text", ["questions = 3", "slug = "])
def test_a_text_that_has_no_parts_stays_a_text(lena, text):
    assert 'name="shown"' not in page_of(lena.post(NEW, {"source": text, "view": "form"}))


def test_a_copy_has_a_slug_and_a_title_of_its_own(lena):
    address = "/protocols/article-accuracy/1/"
    assert 'value="own-article-accuracy"' in html_of(lena.get(address))
    page = page_of(lena.get(f"{NEW}?from=article-accuracy:1&view=form&slug=birds&title=Birds+%26+bees"))
    source = sent_by(page)["source"][0]
    protocol = protocols.load(source)
    assert (protocol.slug, protocol.version, protocol.title) == ("birds", "1", "Birds & bees")
    assert protocol.questions == protocols.builtin()["article-accuracy"].questions
    assert "never changes" not in page


def test_the_form_says_that_a_stored_version_never_changes(lena):
    lena.post(NEW, {"source": OWN, "do": "store"})
    page = html_of(lena.get(f"{NEW}?from=own:1&view=form"))
    assert "Version 1 of own is stored. It never changes" in page
