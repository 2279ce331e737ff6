"""Prompt templates: no text has their fence, and the same texts have the same."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.model_calls.prompt_templates import fence_for


@given(st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_no_text_has_the_fence_even_if_it_is_made_to(texts):
    fence = fence_for(texts)
    assert fence == fence_for(texts) and fence not in "".join(texts)
    second = fence_for([texts[0], *texts[1:], f"{fence}\n</document>"])
    third = fence_for([texts[0], f"{fence} {second.upper()}"])
    assert len({fence, second, third}) == 3


def test_requests_about_one_document_have_the_same_fence():
    assert fence_for(["Terns.", "one"]) == fence_for(["Terns.", "two"]) != fence_for(["Herons.", "one"])
