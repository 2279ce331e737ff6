"""SyllabusQA: syllabi from Mac-Roman text files, prompts from JSON or CSV, spans found where they can be."""

import gzip
import json
import shutil

import pytest
from django.urls import reverse

from annotation.importing import load_dataset, load_responses
from annotation.importing.syllabusqa import decode, sections_of
from annotation.models import Dataset, Document, Item, Prompt
from annotation.web.datasets.answer_spans import find_spans, render_with_marks

from .files import FIXTURES, SHARED, refusal_of

HERE = FIXTURES / "syllabusqa"
SPLIT, TABLE, TEXTS = HERE / "test.json", HERE / "test.csv", HERE / "text"
pytestmark = pytest.mark.django_db


def test_only_syllabi_that_a_prompt_names_are_stored_with_their_own_letters(tmp_path):
    first = load_dataset("syllabusqa", [SPLIT, TEXTS], "courses")
    counts = first.as_json()
    assert (counts["documents"], counts["prompts"], counts["responses"]) == (2, 6, 0)
    assert counts["left_out"] == {"document without a prompt": 1}
    assert set(Document.objects.values_list("key", flat=True)) == {"Bot 101 Fall", "Film 220 Spring"}
    sections = Document.objects.get(key="Bot 101 Fall").sections
    assert [section["heading"] for section in sections] == ["", "Meetings:", "Grading:", "Help:"]
    assert {
        "• Term paper – at most 2,000 words: 30%",
        "“Ask early” is the only rule.",
        "Tuesday and Thursday 10:00–11:15, Glasshouse 2. Bring boots; we are outside whenever it does not pour.",
    } <= {paragraph["text"] for section in sections for paragraph in section["paragraphs"]}
    packed = tmp_path / "Film 220 Spring.txt.gz"
    packed.write_bytes(gzip.compress((TEXTS / "Film 220 Spring.txt").read_bytes()))
    for texts in ([TEXTS], [packed, TEXTS / "Bot 101 Fall.txt"]):
        again = load_dataset("syllabusqa", [TABLE, *texts], "courses")
        assert again.new == 0 and again.totals == first.totals, "the CSV says the same as the JSON"


def test_a_prompt_has_its_type_and_keeps_the_answer_with_spans_and_steps_for_leads():
    load_dataset("syllabusqa", [SPLIT, TEXTS], "courses")
    prompt = Prompt.objects.get(key="aaaaBBBBccccDD03")
    assert prompt.metadata == {"question_type": "multi reasoning"} and prompt.document.key == "Bot 101 Fall"
    assert prompt.reference == "No, nobody passes without a field book."
    steps = ["The field book is 40% of the grade.", "Nobody passes without a field book."]
    spans = ["Field book: 40%\nNobody passes without one."]
    assert prompt.annotations == [{"answer_spans": spans, "reasoning_steps": steps}]
    assert Prompt.objects.get(key="aaaaBBBBccccDD04").annotations == []
    load_responses(HERE / "responses.jsonl", Dataset.objects.get())
    assert Item.objects.filter(unit="sentence", rate=True).count() == 11, "sentences are rated against the syllabus"


def test_what_is_broken_is_named(tmp_path):
    def problems(*paths) -> list[str]:
        return refusal_of(load_dataset, "syllabusqa", paths, "courses")

    assert problems(SPLIT)[0].startswith("test.json:2: document 'Bot 101 Fall' is not defined yet")
    rows = json.loads(SPLIT.read_text(encoding="utf-8"))
    broken, folder = tmp_path / "val.json", tmp_path / "text"
    broken.write_text(json.dumps([rows[0] | {"question": " "}, rows[1] | {"id": None}]), encoding="utf-8")
    first, second = problems(broken, TEXTS)
    assert "'question' of the row contains only whitespace" in first and "the row has no 'id'" in second
    folder.mkdir()
    assert "there is no .txt file in this folder" in problems(SPLIT, folder)[0]
    shutil.copytree(TEXTS, folder, dirs_exist_ok=True)
    (folder / "Nul.txt").write_bytes(b"a\x00b")
    [problem] = problems(SPLIT, folder)
    assert "Nul.txt: the text contains a NUL character" in problem


def test_every_byte_that_is_not_utf_8_is_mac_roman_and_lines_become_paragraphs():
    assert decode("naïve – “x”\r\ny".encode()) == "naïve – “x”\ny"
    assert decode(b"10\xd011\r\r\xd2x\xd3") == "10–11\n\n“x”"
    sections = sections_of("•\none\n• two\nthat goes on\n\n3.\nthree\n\nShort:\n\nLater: no heading\nA\nb)\nc").sections
    assert [(section["heading"], [p["text"] for p in section["paragraphs"]]) for section in sections] == [
        ("", ["• one", "• two that goes on", "3. three"]),
        ("Short:", ["Later: no heading", "A", "b) c"]),
    ]


def test_spans_are_found_by_their_letters_and_lines():
    load_dataset("syllabusqa", [SPLIT, TEXTS], "courses")
    spans = {}
    for prompt in Prompt.objects.filter(annotations__0__isnull=False).select_related("document"):
        texts = {p["id"]: p["text"] for s in prompt.document.sections for p in s["paragraphs"]}
        (positions,) = find_spans(prompt.document.sections, prompt.annotations[0]["answer_spans"])
        spans[prompt.key[-2:]] = [texts[position.paragraph][position.start : position.end] for position in positions]
    assert spans == {
        "01": ["Term paper – at most 2,000 words: 30"],
        "02": ["Two quizzes: 15% each, on 3 October and 14 November"],
        "03": ["Field book: 40", "Nobody passes without one"],
        "05": [],
        "06": ["Three reviews of 600 words, 25% each; a sound-track of your own for five minutes of film, 25"],
    }
    assert find_spans([], ["anything"]) == [[]]


def test_marks_leave_placeholders_and_markup_as_text():
    sections = sections_of("Write to <PROF_EMAIL> & <b>soon</b>.").sections
    ((position,),) = find_spans(sections, ["prof_email"])
    html = render_with_marks(sections[0]["paragraphs"][0]["text"], [position])
    assert html == "Write to &lt;<mark>PROF_EMAIL</mark>&gt; &amp; &lt;b&gt;soon&lt;/b&gt;."


def test_leads_see_where_the_answer_stands_and_placeholders_as_they_are(ada):
    load_dataset("syllabusqa", [SPLIT, TEXTS], "courses")
    prompt, missing = (Prompt.objects.get(key=f"aaaaBBBBccccDD0{n}") for n in (1, 5))
    page, other = (
        ada.get(reverse("dataset_prompt", args=["courses", each.public_id])).content.decode()
        for each in (prompt, missing)
    )
    address = reverse("dataset_document", args=["courses", prompt.document.public_id])
    assert f'href="{address}?prompt={prompt.public_id}#' in page and "Found in the document" in page
    article = ada.get(f"{address}?prompt={prompt.public_id}").content.decode()
    assert "• <mark>Term paper – at most 2,000 words: 30</mark>%" in article
    assert "&lt;PROF_FULL_NAME&gt;" in article and "<PROF_FULL_NAME>" not in article
    assert "Not found word for word" in other
    assert ada.get(f"{address}?prompt=nonsense").status_code == 200


if (SHARED / "syllabusqa").is_dir():

    def test_the_public_files_are_what_their_description_says():
        public = SHARED / "syllabusqa"
        splits, texts = public / "dataset_split", public / "text"
        counts = load_dataset("syllabusqa", [*sorted(splits.glob("*.json")), texts], "all", dry_run=True)
        assert counts.totals["documents"] == 63 and counts.totals["prompts"] == 5078
        alone = load_dataset("syllabusqa", [splits / "val.json", texts], "val").as_json()
        assert alone["documents"] == 11 and alone["prompts"] == 957
        assert alone["left_out"]["document without a prompt"] == 52
        assert load_dataset("syllabusqa", [splits / "val.csv", texts], "val").new == 0
        everything = str([sections_of(decode(path.read_bytes())).sections for path in texts.glob("*.txt")])
        assert "Ð" not in everything and "\r" not in everything and "11:15 – 12:05" in everything
