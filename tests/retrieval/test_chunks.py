"""Chunks cover a text, are short enough, and overlap as asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.retrieval import Retriever, chunks_of

SPACES = st.lists(st.sampled_from([" ", "\n", "  ", "\n\n"]), max_size=80)


@given(SPACES, st.integers(16, 60), st.data())
def test_chunks_have_every_word_in_order_and_repeat_the_last_ones(spaces, size, data):
    words = [f"w{number}" for number in range(len(spaces) + 1)]
    text = "".join(map("".join, zip(words, [*spaces, ""], strict=True)))
    overlap = data.draw(st.integers(0, (size - 1) // 2))
    first_after = 0
    for chunk in chunks_of(text, size, overlap):
        numbers = [int(word[1:]) for word in chunk.split()]
        assert len(chunk) <= size and chunk in text
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        repeated = words[numbers[0] : first_after]
        assert numbers[0] <= first_after <= numbers[-1] and len(" ".join(repeated)) <= overlap
        first_after = numbers[-1] + 1
    assert first_after == len(words)


def test_a_chunk_ends_at_a_break_or_space_long_words_are_cut_and_blanks_have_none():
    text = "one two three four\nfive six seven eight nine ten"
    repeated = ["one two three four", "three four\nfive six", "five six seven eight", "eight nine ten"]
    assert chunks_of(text, 24, 10) == repeated
    assert chunks_of(text, 24, 0) == ["one two three four", "five six seven eight", "nine ten"]
    assert chunks_of("x" * 25, 10, 3) == ["x" * 10, "x" * 10, "x" * 5]
    for text in ("", " \n "):
        assert chunks_of(text, 10, 2) == []
        assert Retriever(text, "bm25").best("Which exam?") == []


def test_five_chunks_are_the_context_of_a_generated_answer():
    text = "\n".join(f"Week {n}: chapter {n} of the book. " * 20 for n in range(12))
    best = Retriever(text, "rag-chunks").best("What is in week 7?")
    assert len(best) == 5 and "Week 7" in best[0] and all(len(chunk) <= 1_000 for chunk in best)
    assert len(Retriever(text, "bm25").best("What is in week 7?")) == 1
    for size, overlap in ((10, 5), (10, -1), (0, 0)):
        with pytest.raises(ValueError, match="must be less than half"):
            chunks_of("text", size, overlap)
