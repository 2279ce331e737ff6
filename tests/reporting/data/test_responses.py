"""The rule that chooses the sampling unit."""

import pytest

from annotation.reporting.data.responses import RatedPrompt, sampling_unit


def each(documents: int, prompts: int) -> dict[str | None, int]:
    """Return documents with as many prompts each."""
    return {f"d{number:02}": prompts for number in range(documents)}


@pytest.mark.parametrize(
    ("prompts_by_document", "choice", "unit"),
    [
        (each(10, 2), "auto", "document"),
        (each(20, 8), "auto", "document"),
        (each(9, 8), "auto", "prompt"),  # fewer than 10 documents
        (each(15, 1) | {"shared": 5}, "auto", "prompt"),  # 16 documents for 20 prompts are four fifths
        (each(14, 1) | {"shared": 6}, "auto", "document"),
        ({"a": 20, None: 8}, "auto", "prompt"),  # a prompt without a document is a unit of its own
        ({"a": 20, None: 9}, "auto", "document"),
        ({"a": 3, None: 9}, "auto", "prompt"),
        (each(10, 2), "prompt", "prompt"),
        (each(3, 1), "document", "document"),
    ],
)
def test_documents_are_the_unit_where_they_are_at_least_10_and_fewer_than_four_fifths_of_the_prompts(
    prompts_by_document, choice, unit
):
    prompts = [
        RatedPrompt(f"{document} {number}", {}, document)
        for document, count in prompts_by_document.items()
        for number in range(count)
    ]
    assert sampling_unit(prompts, choice) == unit
