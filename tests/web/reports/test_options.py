"""The switches: what is left out by choice, and what that changes."""

import re

import pytest
from django.urls import reverse
from django.utils.datastructures import MultiValueDict

from annotation.accounts.names import DisplayNames
from annotation.models import Item, Job, Project, Rating, System
from annotation.reporting import Choices, build
from annotation.reporting.choice_validation import unknown_names
from annotation.reporting.text.names import Names
from annotation.reviewing.adjudication import adjudicate
from annotation.web.reports.options import switches
from tests.cast import ACCURATE, person
from tests.reporting.project_rows import Row, documents_of_prompts, project_of
from tests.web.reports.pages import get_page, page_with_options

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


def test_a_switch_answers_with_the_change_it_makes_and_is_kept_in_every_address(lena, june):
    text = page_with_options(lena, without_raters="tom")
    assert "102 of 370" not in text and "102 of 153 ratings" in text
    assert "Without the ratings of tom" in text
    assert re.search(r"was 87\.1 % \([+−]?\d+\.\d\)", text)
    assert "computed from a selection of ratings: without the ratings of tom" in text, "the Methods paragraph says so"
    assert "Live numbers, not frozen" in text
    text = page_with_options(lena, without_raters="tom", least_seconds="2")
    assert '<input type="checkbox" name="without_raters" value="tom" checked>' in text
    assert '<input type="checkbox" name="without_raters" value="rosa">' in text
    assert re.search(r'name="least_seconds"[^>]* value="2.0"', text)
    assert "?live=1&amp;without_raters=tom&amp;least_seconds=2.0&amp;by=" in text
    assert re.search(r'data-draws="[^"]*without_raters=tom', text)
    assert 'href="?live=1&amp;least_seconds=2.0" aria-label="Remove: Without the ratings of tom"' in text


def test_a_switch_that_leaves_nothing_or_is_wrong_is_named(lena, june):
    text = page_with_options(lena, systems="nobody")
    assert "No ratings remain with these options" in text and "153 ratings count" in text
    assert "No system &#x27;nobody&#x27; with ratings." in text
    lena.post(reverse("freeze_report", args=["june"]), {"systems": "nobody"})
    assert not Job.objects.exists()
    System.objects.create(dataset=june.dataset, name="Larch")
    text = page_with_options(lena, least_gold="7", without_raters="tom")
    assert "Raters with at least this accuracy on gold, as a share (0.8 is 80 %): Choose a number from 0 to 1." in text
    assert "102 of 153 ratings" in text, "the other switches are set"
    assert "without counted ratings yet: Larch; 0 responses." in text


def test_adjudications_are_counted_apart_from_the_ratings_of_raters(lena, june):
    item = Item.objects.filter(ratings__project=june).first()
    replaced = Rating.objects.filter(item=item).count()
    adjudicate(june, item, ACCURATE, "Because.", person("lena"), expected_version="none")
    text = page_with_options(lena, answers="adjudicated")
    assert f"{153 - replaced} of 153 ratings, and 1 adjudication." in text
    assert f"{153 - replaced} ratings by 3 raters · 1 adjudication" in text


def test_what_is_offered_can_be_chosen_whatever_a_data_set_calls_its_metadata():
    keys = ("week", "rater", "system × kind", "prompt's x", "a=b", "50 %=%3D")
    rows = [Row(f"q{n}", "alder", "ravi", ACCURATE, metadata=dict.fromkeys(keys, f"v{n % 2}")) for n in range(12)]
    project = project_of(rows, "odd")
    names, report = Names(project.protocol.definition), build(project)

    def offered(choices: Choices) -> list:
        fields = switches(project, choices, report, names, DisplayNames())["fields"]
        return [field.values[0] for field in fields if field.name == "metadata"]

    chosen = []
    for number, offer in enumerate(offered(Choices())):
        choices, problems = Choices.from_mapping({"metadata": offer.value})
        assert (problems, unknown_names(project, choices)) == ({}, {})
        [(key, values)] = choices.metadata
        assert values == ("v0",)
        assert Choices.from_mapping(MultiValueDict({"metadata": [v for _, v in choices.as_query()]}))[0] == choices
        assert build(project, choices).data.ratings == 6
        assert [other.is_selected for other in offered(choices)].index(True) == number
        chosen.append(key)
    assert sorted(chosen) == sorted(keys)


def about(prompts_each: int, slug: str) -> Project:
    """Return 24 prompts, so many of them about each document."""
    project = project_of([Row(f"q{n:02}", "heron", "ravi", ACCURATE) for n in range(24)], slug)
    return documents_of_prompts(project, {f"q{n:02}": f"d{n // prompts_each}" for n in range(24)})


def test_where_prompts_share_documents_the_intervals_are_over_documents_unless_prompts_are_chosen(lena):
    about(2, "shared")
    text = get_page(lena, "report", "shared")
    assert "The 24 prompts are about 12 documents, so documents are the sampling unit" in text
    assert "by prompt: " in text and "Intervals by prompt are about further prompts about these documents." in text
    chosen = get_page(lena, "report", "shared", query="?live=1&cluster=prompt")
    assert "are about 12 documents, but the sampling unit is the prompt" in chosen
    assert "by prompt: " not in chosen
    assert "Prompts as the sampling unit" in chosen
    about(1, "apart")
    assert "one document share" not in get_page(lena, "report", "apart")
