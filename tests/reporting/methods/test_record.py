"""What the Methods state from the provenance record of a frozen report."""

import pytest
from msgspec.structs import replace

from annotation.reporting.methods.record import process_sentences
from annotation.reporting.provenance_record import Lengths, SystemLengths
from tests.reporting.methods.recorded_methods import BLINDING, PREPARATION, RECORD, names

pytestmark = pytest.mark.django_db


def process(**changes) -> str:
    return " ".join(process_sentences(replace(RECORD, **changes), names()))


def test_dates_training_blinding_splitter_and_lengths_are_stated():
    assert process() == (
        "The ratings were given from 2025-01-02 to 2025-02-03; each response was assigned to 3 raters. Raters"
        " were trained on 2 responses; 5 completed it (90.0 % of 20 answers correct). They had to pass a "
        "qualification test of 3 responses (at least 80.0 % correct, up to 2 attempts); 4 passed, and it was "
        "waived for 1. One response in 10 was hidden gold (75.0 % of 4 answers equal to gold). Factuary does "
        "not show raters which system produced a response, and assigns responses in random order. Responses "
        "were split into sentences by Factuary’s splitter, version 1, which uses Punkt (Kiss and Strunk, "
        "2006). Mean lengths of responses: heron 4.2 sentences (CV² 0.31) and 60 words."
    )


def test_ratings_and_items_are_told_apart_by_origin_date_kind_and_number():
    text = process(blinding=replace(BLINDING, imported=7), splitters={"": 40}, preparation=replace(
        PREPARATION, training_responses=0, qualification_responses=0, hidden_gold_every=None))  # fmt: skip
    assert "7 ratings were imported, given under conditions that the software did not control." in text
    imported = process(blinding=replace(BLINDING, imported=100))
    assert "random order" not in imported and "was assigned" not in imported
    assert "The sentences came with the data." in text and "Punkt" not in text
    assert "There was neither training nor a qualification test in the software." in text and "hidden gold" not in text
    assert process(last_rating=RECORD.first_rating).startswith("The ratings were given on 2025-01-02; each response")
    text = process(not_rated={"heading": 4, "lead_in": 1})
    assert "Not rated because of their kind: 5 items (heading 4 and lead-in to a list 1)." in text
    text = process(nothing_to_rate={"heron": 11, "tern": 1})
    assert "because nothing in them is rated: responses of heron (11) and tern (1)." in text


def test_items_marked_as_free_of_claims_are_counted_also_in_the_singular():
    marked = "that were rated are marked by their wording as likely free of claims (question 1 and courtesy 2)."
    assert f"3 sentences {marked}" in process(marked_claim_free={"question": 1, "courtesy": 2})
    assert "1 sentence that was rated is marked by its wording" in process(marked_claim_free={"question": 1})
    short = SystemLengths("heron", 1, Lengths(1.0, 1.0, None), Lengths(1.0, 1.0, None))
    assert "heron 1.0 sentences (CV² –) and 1 word." in process(lengths=[short])
