"""The evidence that came with a claim, in the pages that show it; and pages that raters named, for reviewers."""

import json
from pathlib import Path

import pytest

from annotation.importing import load_ratings
from annotation.models import Assignment, Item, Project
from annotation.projects.members import add_member
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.web.rating.claim_sources import Source, source
from tests.cast import newest_version, person, signed_in, study_from_files
from tests.importing.files import FIXTURES, lines
from tests.web.pages import html_of

pytestmark = pytest.mark.django_db
SAMPLE = FIXTURES / "expertqa" / "answers.jsonl"


def experts(path: Path, slug: str = "experts") -> Project:
    project = study_from_files(slug, "expertqa", [path], "claim-attribution")
    add_member(project, person("lena"), "lead")
    return project


@pytest.fixture(scope="module")
def project(module_rows) -> Project:
    return experts(SAMPLE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[3] https://a.example/x\n\nTerns fly.", Source("[3]", "https://a.example/x", "Terns fly.")),
        ("[3] https://a.example/x", Source("[3]", "https://a.example/x", "")),
        ("https://a.example/x Terns fly.", Source("", "https://a.example/x", "Terns fly.")),
        ("[1] Terns, p. 3", Source("[1]", "", "Terns, p. 3")),
        ("", Source("", "", "")),
    ],
)
def test_evidence_is_taken_apart_into_mark_address_and_passage(text, expected):
    assert source(text) == expected


def test_only_what_is_a_web_address_becomes_a_link():
    assert source("[1] https://a.example/x").is_link
    assert not source("[1] javascript:alert(1)").is_link
    assert not source("[1] https://user@a.example/x").is_link


def test_a_rater_gets_the_evidence_of_every_claim_once_and_no_labels_annotators_or_systems(project):
    ravi = signed_in("ravi")
    page = ravi.get("/projects/experts/rate/", follow=True).content.decode()
    assert page.count("data-sources-of=") == page.count("data-item=")
    assert 'target="_blank" rel="noopener noreferrer">https://' in page or "gives no evidence" in page
    for secret in ("rr_gs_gpt4", "bing_chat", "annotator", "the page does not open"):
        assert secret not in page.lower()
    first = Assignment.objects.get().public_id
    for known_articles in ("none", "evidence-of-another"):
        assert "data-sources-of=" in ravi.get(f"/assignments/{first}/sheet/?article={known_articles}").content.decode()
    again = ravi.get(f"/assignments/{first}/sheet/?article=evidence-{first}").content.decode()
    assert 'data-part="article"' not in again and 'data-part="answer"' in again


def test_evidence_that_tries_to_break_out_is_text(tmp_path):
    row = json.loads(SAMPLE.read_text(encoding="utf-8").splitlines()[0])
    answer = row["answers"]["rr_gs_gpt4"]
    answer["claims"][0]["evidence"] = ['[1] javascript:alert(1)\n\n<script>alert(2)</script> "quoted"']
    answer["attribution"] = ['[1] https://a.example/"><img src=x>']
    experts(lines(tmp_path / "hostile.jsonl", [row]), "hostile")
    page = signed_in("ravi").get("/projects/hostile/rate/", follow=True).content.decode()
    assert "&lt;script&gt;alert(2)&lt;/script&gt;" in page and 'href="javascript:' not in page
    assert "<img src=x" not in page


def test_a_reviewer_sees_the_evidence_and_what_is_asked_once_with_the_last_claim_only(project):
    load_ratings(SAMPLE, project, format="expertqa")
    first, *_, last = Item.objects.filter(response__system__name="rr_gs_gpt4").order_by("position")
    lena = signed_in("lena")
    page = lena.get(f"/projects/experts/review/{first.public_id}/").content.decode()
    assert "Putty kept for three months" in page and 'data-question="usefulness"' not in page
    page = lena.get(f"/projects/experts/review/{last.public_id}/").content.decode()
    assert "The answer gives no evidence for this." in page and 'data-question="usefulness"' in page


def test_pages_that_a_rater_named_are_safe_links_for_reviewers(june):
    Project.objects.update(protocol=newest_version("web-factuality"))
    project = Project.objects.get(pk=june.project.pk)
    pages = "https://a.example/one\nhttps://b.example/two?q=<1>".replace("<1>", "%3C1%3E")
    answers = {"factual": "yes", "accuracy": "accurate", "supporting_urls": pages}
    store_ratings(project, [NewRating(june.items()[0], june.people["ravi"], answers)])
    html = html_of(signed_in("lena").get(f"/projects/june/review/{june.items()[0].public_id}/"))
    assert '<a href="https://a.example/one" target="_blank" rel="noopener noreferrer">' in html
    assert '<a href="https://b.example/two?q=%3C1%3E" target="_blank" rel="noopener noreferrer">' in html


def test_the_page_of_the_data_set_says_what_became_of_what_the_file_held(project, ada):
    load_ratings(SAMPLE, project, format="expertqa")
    page = ada.get("/datasets/experts-data/").content.decode()
    assert "A row is a question with one system’s answer" in page
    assert "1 no part of the text" in page or "not part of the text" in page
    assert "the same question and system occurred earlier with the same content" in page
    prompt = project.dataset.prompts.get(text__startswith="How long")
    page = ada.get(f"/datasets/experts-data/prompts/{prompt.public_id}/").content.decode()
    assert "Keep it under water. Stir it once a month." in page
