"""Protocols that come with Factuary, in the rater's language: on pages that raters read, and there only."""

import re
from html import unescape

import pytest
from django.test import Client
from django.utils.translation import override

from annotation import protocols
from annotation.models import AuditEvent, ProtocolVersion
from annotation.projects.protocol_versions import available_protocols, find_protocol, store_protocol
from annotation.qualification.next_work import take_next
from annotation.rating.finish import finish
from annotation.rating.rater_view import count_question_languages
from tests.cast import Study, person, study
from tests.gold_studies import answer_all_items

pytestmark = pytest.mark.django_db

SPANISH = {"accept-language": "es"}


def page_in_spanish(client: Client, address: str) -> str:
    """Return the page in Spanish without HTML escapes, with the data of its scripts."""
    response = client.get(address, headers=SPANISH)
    assert response.status_code == 200
    return unescape(response.content.decode()).replace("\\u0027", "'").replace("\\u0022", '"')


def english_in(page: str, protocol: protocols.Protocol, translated: protocols.Protocol) -> list[str]:
    """Return the English texts of the protocol that the page shows although they have Spanish ones."""
    own = set(protocols.texts_of(protocol)) - set(protocols.texts_of(translated))
    return [text for text in sorted(own) if re.search(rf'[">\n] *{re.escape(text)}(?![\w ])', page)]


@pytest.fixture(scope="module")
def june(module_rows: None) -> Study:
    """Store the built-in protocols, and a project on one of them."""
    available_protocols()
    return study()


@pytest.mark.parametrize("slug", sorted(protocols.builtin()))
def test_a_translated_protocol_and_its_pages_have_all_texts_in_spanish_and_ask_and_measure_the_same(lena, slug: str):
    version = ProtocolVersion.objects.get(slug=slug)
    own = version.definition
    with override("es"):
        spanish = version.translated
    assert set(protocols.texts_of(own)) & set(protocols.texts_of(spanish)) <= {"A", "B", "No", "0", "1"}

    def without_texts(protocol: protocols.Protocol) -> list:
        questions = [(q.option_keys, q.show_when, q.require_when) for q in protocol.questions]
        measures = [(m.key, m.counts, m.among) for m in protocol.measures]
        return [protocol.sha256, protocol.source, protocol.slug, questions, measures]

    assert without_texts(spanish) == without_texts(own)
    assert version.translated == own
    page = page_in_spanish(lena, f"/protocols/{slug}/{version.version}/preview/")
    assert all(question.text in page for question in spanish.questions)
    assert english_in(page, own, spanish) == []
    page = page_in_spanish(lena, f"/protocols/{slug}/{version.version}/")
    assert all(measure.label in page for measure in own.measures)


def test_a_protocol_of_ones_own_and_the_api_keep_its_own_words_and_an_earlier_version_stays_translated(lena, ravi):
    earlier = find_protocol("fact-support@1")
    assert earlier and earlier.version == "1" and earlier.definition.example
    with override("es"):
        assert earlier.translated.questions[2].text.startswith("¿En qué medida es acertada la respuesta")
    store_protocol(protocols.builtin()["article-accuracy"].source.replace('slug = "', 'slug = "own-'))
    page = page_in_spanish(lena, "/protocols/own-article-accuracy/1/preview/")
    assert "How accurate is the sentence according to the article?" in page
    assert "¿Qué exactitud tiene la oración según el artículo?" not in page
    response = ravi.post("/api/v1/projects/june/assignments/", headers=SPANISH)
    assert response.status_code in (200, 201)
    assert response.json()["protocol"]["questions"][0]["text"].startswith("How accurate is the sentence")


def test_work_shown_in_translation_is_recorded_once_and_told_to_leads(june, lena, ravi):
    project, rater = june.project, person("ravi")
    work = take_next(project, rater)
    ravi.get(f"/assignments/{work.public_id}/")
    assert count_question_languages(project) == {}
    for _visit in range(2):
        ravi.get(f"/assignments/{work.public_id}/", headers=SPANISH)
    answer_all_items(work)
    finish(work)
    assert count_question_languages(project) == {"es": 1}
    event = AuditEvent.objects.get(action="show in translation")
    assert (event.actor, event.target, event.after) == (rater, f"assignment:{work.public_id}", "es")
    settings = " ".join(lena.get("/projects/june/settings/general/").content.decode().split())
    assert "Shown in translation (Spanish) in 1 finished annotation" in settings
