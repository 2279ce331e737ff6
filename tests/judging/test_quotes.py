"""Quotes are found word for word, whatever white space and marks, and become evidence that the checker accepts."""

import pytest

from annotation.judging.passages import PassageIndex
from annotation.judging.quotes import is_shown, locate
from annotation.models import Document
from annotation.rating.evidence import evidence_problems_in
from tests.cpu_time import cpu_seconds

TEXT = "The terns’ range (median) was 11.8\u00a0km –\nthat is  far."
INDEX = PassageIndex(Document(sections=[{"heading": "", "paragraphs": [{"id": "p1", "kind": "text", "text": TEXT}]}]))


@pytest.mark.parametrize(
    "quote",
    [
        "was 11.8 km", '"the terns\' range (median) was 11.8 km"', "11.8 km - that is far.", "…(median) was…",
        "that\nis far",
    ],
)  # fmt: skip
def test_a_quote_is_found(quote):
    passage = locate(quote, INDEX, "supports")
    assert passage is not None
    assert TEXT[passage["start"] : passage["end"]] == passage["text"]
    assert evidence_problems_in(INDEX.document, [passage]) == []


@pytest.mark.parametrize("quote", ["", " . ", "was 11x8 km", "The gulls’ range", "was 11.8 km " * 2_000])
def test_a_quote_that_is_not_there_is_not_found(quote):
    assert locate(quote, INDEX, "supports") is None
    assert locate("anything", None, "supports") is None


PARAGRAPHS = [{"id": "p1", "text": "It loses a point."}, {"id": "p2", "text": "Ask."}]
TWO = PassageIndex(Document(sections=[{"heading": "Late work", "paragraphs": PARAGRAPHS}]))


@pytest.mark.parametrize(
    ("quote", "evidence", "found"),
    [
        ("late work", [], True),
        ("loses a point. Ask", [], True),
        ("Terns fly", ["[1] https://example.org\n\nTerns  fly far."], True),
        ("Terns fly", ["Gulls do not."], False),
        ("", ["Gulls do not."], False),
    ],
)
def test_headings_paragraphs_in_a_row_and_evidence_have_quotes(quote, evidence, found):
    assert is_shown(quote, TWO, evidence) is found
    assert is_shown("Terns fly", None, ["Terns fly"]) and not is_shown("Terns fly", None, [])


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("ΟΔΟΣ ΑΘΗΝΩΝ", "οδος αθηνων", "ΟΔΟΣ ΑΘΗΝΩΝ"),
        ("In İzmir, 5 µm", "in izmir, 5 μm", "In İzmir, 5 µm"),
        ("ab  ab\tac", "ab ac", "ab\tac"),
        ("unbroken", "broke", "broke"),
    ],
)
def test_a_quote_has_the_offsets_of_the_text(text, quote, found):
    index = PassageIndex(
        Document(sections=[{"heading": "", "paragraphs": [{"id": "p1", "kind": "text", "text": f"  {text} …"}]}])
    )
    passage = locate(quote, index, "supports")
    assert passage is not None and passage["text"] == found
    assert f"  {text} …"[passage["start"] : passage["end"]] == found


@pytest.mark.parametrize(
    ("quote", "piece"), [("a " * 2_400 + "b", "a "), ("a" * 4_999 + "b", "a"), ("ab " * 1_600 + "c", "ab ")]
)
def test_the_time_to_find_a_quote_is_linear_in_the_text(quote, piece):
    assert not is_shown(quote, None, [piece * 5_000])
    once, four_times = (cpu_seconds(is_shown, quote, None, [piece * n]) for n in (5_000, 20_000))
    assert four_times < 10 * once + 0.02
