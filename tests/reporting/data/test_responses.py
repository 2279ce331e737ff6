"""The rule that chooses the sampling unit."""

import pytest

from annotation.reporting.data.responses import RatedPrompt, sampling_unit


def prompts(by_document: dict[str | None, int]) -> list[RatedPrompt]:
    """Return prompts of documents; those of None have no document."""
    return [
        RatedPrompt(f"{document} {number}", {}, document)
        for document, count in by_document.items()
        for number in range(count)
    ]


def of_documents(documents: int, prompts_each: int) -> list[RatedPrompt]:
    return prompts({f"d{number:02}": prompts_each for number in range(documents)})


class TestSamplingUnit:
    def test_documents_are_the_unit_where_they_are_at_least_10_and_fewer_than_four_fifths_of_the_prompts(self):
        assert sampling_unit(of_documents(10, 2), "auto") == "document"
        assert sampling_unit(of_documents(20, 8), "auto") == "document"

    def test_with_fewer_than_10_documents_prompts_are_the_unit(self):
        assert sampling_unit(of_documents(9, 8), "auto") == "prompt"

    @pytest.mark.parametrize(("shared", "unit"), [(5, "prompt"), (6, "document")])
    def test_as_many_documents_as_four_fifths_of_the_prompts_are_too_many(self, shared, unit):
        """Of 5 + 15 prompts 5 share a document with another: 16 documents for 20 prompts are 0.8."""
        counts = {"shared": shared} | {f"d{number:02}": 1 for number in range(20 - shared)}
        assert sampling_unit(prompts(counts), "auto") == unit

    def test_a_prompt_without_a_document_is_a_unit_of_its_own(self):
        assert sampling_unit(prompts({"a": 20, None: 8}), "auto") == "prompt"
        assert sampling_unit(prompts({"a": 20, None: 9}), "auto") == "document"
        assert sampling_unit(prompts({"a": 3, None: 9}), "auto") == "prompt"

    @pytest.mark.parametrize("choice", ["prompt", "document"])
    def test_a_choice_wins(self, choice):
        assert sampling_unit(of_documents(10, 2), choice) == choice
        assert sampling_unit(of_documents(3, 1), choice) == choice
