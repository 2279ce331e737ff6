"""What is shown of data sets, and to whom."""

import pytest
from django.urls import reverse

from annotation import importing
from annotation.models import Dataset, DatasetImport, Document, Item, Prompt, Response
from tests.cast import dataset, document, person, study
from tests.importing.lfqa_files import experts
from tests.web.datasets.files import QASPER, RESPONSES
from tests.web.pages import html_of, queries, text_of

pytestmark = pytest.mark.django_db


def test_pages_count_what_is_there_and_show_admins_references_and_responses(ada, terns):
    assert "Terns and bees" in text_of(ada.get("/datasets/"))
    assert f'data-label="Prompts">{terns.prompts.count()}<' in html_of(ada.get("/datasets/"))
    page = text_of(ada.get("/datasets/terns/"))
    systems = dict(terns.systems.values_list("name", "pk"))
    assert systems
    for name in systems:
        assert f"{name} {terns.responses.filter(system__name=name).count()}" in page
    assert "heading, not rated" in page
    prompt = terns.prompts.get(key="bees-how")
    page = text_of(ada.get(reverse("dataset_prompt", args=["terns", prompt.public_id])))
    assert "Scouts dance for hollows; 30 scouts at one hollow decide." in page and "Never shown to raters" in page
    assert "Wren" in page and "Swarms elect a queen." in page


def test_documents_can_be_read_and_a_data_set_shows_what_was_loaded_and_what_was_left_out(ada):
    assert "No data set yet" in text_of(ada.get("/datasets/"))
    assert reverse("import_dataset") in html_of(ada.get("/datasets/"))
    importing.load_dataset("qasper", [QASPER], "papers", subset="stem-qa", actor=person("ada"))
    for address in ("/datasets/", "/datasets/papers/"):
        assert "Qasper v0.3" in text_of(ada.get(address))  # as where it is chosen
    page = text_of(ada.get("/datasets/papers/"))
    assert "Subset stem-qa: not marked unanswerable by any annotator" in page and "In the files" in page
    assert "No supporting evidence in any annotation" in page and "As published 158 145 5,138" in page
    assert "Not in the subset 3" in page and QASPER.name in page and "papers.json" in page
    document = Document.objects.order_by("pk").first()
    assert document.title in text_of(ada.get("/datasets/papers/documents/"))
    answer = ada.get(reverse("dataset_document", args=["papers", document.public_id]))
    for section in document.sections:
        for paragraph in section["paragraphs"]:
            assert paragraph["text"].split()[0].strip("$&<>") in html_of(answer)
    assert document.prompts.first().text in text_of(answer)


def test_leads_see_the_data_sets_of_their_projects_and_raters_none_and_neither_can_load(lena, terns, june, ravi):
    page = text_of(lena.get("/datasets/"))
    assert "Data set june-data" in page and "Terns and bees" not in page
    assert reverse("import_dataset") not in html_of(lena.get("/datasets/"))
    assert "june-data" not in html_of(ravi.get("/datasets/"))


def test_the_metadata_are_named_as_breakdowns_with_their_values(ada, terns):
    Prompt.objects.update(metadata={})
    for n, prompt in enumerate(terns.prompts.all()[:2]):
        Prompt.objects.filter(pk=prompt.pk).update(metadata={"topic": ["birds", f"t{n}"], "year": 2026})
    page = text_of(ada.get("/datasets/terns/"))
    assert "topic 3 values, in 2 prompts" in page and "year 1 value, in 2 prompts" in page
    prompt = terns.prompts.get(metadata__topic__contains="t0")
    assert "birds; t0" in text_of(ada.get(reverse("dataset_prompt", args=["terns", prompt.public_id])))


def test_a_document_without_headings_has_no_list_of_sections(ada):
    html = document(dataset("plain"))
    address = reverse("dataset_document", args=["plain", html.public_id])
    assert "Sections" in text_of(ada.get(address))
    Document.objects.update(sections=[{**section, "heading": ""} for section in html.sections])
    assert "Sections" not in text_of(ada.get(address))


def test_prompts_come_in_pages_and_what_a_model_wrote_is_cleaned(june, ada, terns):
    rows = [Prompt(dataset=terns, key=f"more-{n}", text=f"Question {n}?") for n in range(25)]
    Prompt.objects.bulk_create(rows)
    assert "Page 1 of 2" in text_of(ada.get("/datasets/terns/"))
    for page in (2, 99):
        assert "Question 24?" in text_of(ada.get(f"/datasets/terns/?page={page}"))
    response = terns.responses.first()
    Response.objects.filter(pk=response.pk).update(text="<script>alert(1)</script> <img src=x onerror=alert(2)> Bees.")
    html = html_of(ada.get(reverse("dataset_prompt", args=["terns", response.prompt.public_id])))
    assert "<script>alert" not in html
    assert "<img" not in html.split('class="card response"')[1]
    of_another = reverse("dataset_prompt", args=["terns", june.responses[0].prompt.public_id])
    assert ada.get(of_another).status_code == 404


def test_three_data_sets_and_prompts_take_as_many_queries_as_one(ada, terns):
    addresses = [
        "/datasets/",
        "/datasets/terns/",
        reverse("dataset_prompt", args=["terns", terns.prompts.first().public_id]),
    ]
    counts = [queries(ada, address) for address in addresses]
    for slug in ("june", "july"):
        study(slug, prompts=3)
    importing.load_responses(RESPONSES, terns)
    assert [queries(ada, address) for address in addresses] == counts


def test_kinds_of_items_are_named_in_words(lena):
    Item.objects.filter(position=0).update(kind="table_row")
    Item.objects.filter(position=1).update(kind="lead_in")
    page = text_of(lena.get("/datasets/june-data/"))
    assert "row of a table" in page and "lead-in to a list" in page and "table_row" not in page


def test_a_page_shows_the_newest_loads_and_folds_earlier_ones(ada):
    experts()
    address = reverse("dataset", args=["botany"])
    assert "Earlier imports" not in ada.get(address).content.decode()
    for record in DatasetImport.objects.filter(dataset=Dataset.objects.get(slug="botany"))[:2]:
        record.pk = None
        record.save()
    listed, unfolds = ada.get(address).content.decode().split("Earlier imports")
    assert (listed.count('class="import-record"'), unfolds.count('class="import-record"')) == (3, 2)
