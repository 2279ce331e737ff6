"""Cutting by hand: lines in, stretches of the same text out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.splitting.manual_boundaries import NotTheText, line_spans


def test_white_space_is_not_compared_and_a_changed_letter_is_told():
    assert line_spans("One.\n Two  three.", ["One.", "", "  Two three. "]) == [(0, 4), (6, 17)]
    with pytest.raises(NotTheText, match="“Twa” does not match the response, which has “Two” there"):
        line_spans("One. Two", ["One.", "Twa"])


@given(st.lists(st.text(min_size=1, max_size=8).filter(str.strip), min_size=1, max_size=6))
def test_what_was_joined_is_cut_again(parts):
    text = " ".join(parts)
    spans = line_spans(text, parts)
    assert ["".join(text[a:b].split()) for a, b in spans] == ["".join(part.split()) for part in parts]
