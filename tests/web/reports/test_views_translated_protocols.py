"""That raters were asked in other words than the protocol's own is part of a report: on its page, in its bytes, in its
files. It follows from the ratings: what was only shown is not told."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from annotation.exporting.report_formats import render
from annotation.models import Assignment
from annotation.qualification.prefetch import prefetch_next
from annotation.rating.finish import finish
from annotation.rating.rater_view import count_question_languages
from annotation.reporting import build
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.text.provenance import readings_by_language
from tests.cast import Study, study
from tests.exporting.bundles import FEW
from tests.exporting.bundles import frozen as freeze
from tests.gold_studies import answer_all_items, take_work
from tests.web.reports.pages import get_page

pytestmark = pytest.mark.django_db
SAID = "In this project some raters were shown the questions in translation: Spanish (1 annotation of a response)."


@pytest.fixture
def june(db) -> Study:
    return study(prompts=4, overlap=1, sentences=2)


def open_page(work: Assignment, route: str = "assignment", *, language: str = "es") -> None:
    client = Client(headers={"accept-language": language})
    client.force_login(work.rater)
    assert client.get(reverse(route, args=[work.public_id])).status_code == 200


def rated(june: Study, language: str = "es") -> Assignment:
    work = take_work(june.project, june.people["ravi"])
    assert work
    open_page(work, language=language)
    answer_all_items(work)
    finish(work)
    return work


def test_reports_their_bytes_files_and_comparison_say_it_where_it_was_so(lena, june):
    rated(june, "en")
    before = freeze(june.project)
    assert "shown_in_translation" not in before.document
    work = rated(june)
    after, again = freeze(june.project), build(june.project, FEW, agreement_intervals=True)
    assert json.loads(after.document)["data"]["shown_in_translation"] == {"es": 1}
    assert again.to_json().decode() == after.document
    for text in (get_page(lena, "report", "june"), get_page(lena, "frozen_report", after.public_id)):
        assert SAID in text.partition('id="methods-text" hidden>')[2].partition("</pre>")[0]
    assert "translation" not in get_page(lena, "frozen_report", before.public_id)
    assert SAID in render(stored_report(after), "markdown")
    text = get_page(lena, "report_comparison", "june", query=f"?a={before.public_id}&b={after.public_id}")
    assert "shown in translation" in text and "Spanish (1 annotation of a response)" in text
    open_page(work, language="en")
    open_page(rated(june, "en"))  # after the answers
    assert count_question_languages(june.project) == {"es": 1}


def test_what_was_given_ahead_in_another_language_counts_when_it_is_rated(june):
    work = take_work(june.project, june.people["ravi"])
    ahead = prefetch_next(june.project, june.people["ravi"], work.public_id)
    open_page(ahead, "assignment_sheet")
    assert count_question_languages(june.project) == {}
    answer_all_items(ahead)
    assert count_question_languages(june.project) == {}
    finish(ahead)
    assert count_question_languages(june.project) == {"es": 1}


def test_of_pairs_it_is_said_as_of_pairs():
    assert readings_by_language({"es": 3}, "pair") == "Spanish (3 annotations of a pair)"
    assert readings_by_language({"en-gb": 1, "es": 2}, "claim") == (
        "British English (1 annotation of a response) and Spanish (2 annotations of a response)"
    )
