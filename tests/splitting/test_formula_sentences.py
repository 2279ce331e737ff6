"""A sentence that display equations interrupt is one item; everything else stays as it was."""

import pytest

from annotation.splitting import split, split_items

LOSS = "$$\nL = -\\frac{1}{B} \\sum_i x_i\n$$"


def texts(response: str) -> list[str]:
    return [response[span.start : span.end] for span in split_items(response)]


def test_a_sentence_its_formula_and_the_rest_are_one_item() -> None:
    response = f"We minimize it. The loss is\n\n{LOSS}\n\nwhere $x_i$ is the score. It falls."
    assert texts(response) == ["We minimize it.", f"The loss is\n\n{LOSS}\n\nwhere $x_i$ is the score.", "It falls."]
    [joined] = [span for span in split_items(response) if "\\frac" in response[span.start : span.end]]
    assert (joined.kind, joined.rate) == ("sentence", True)


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("The loss is\n\\[ a = b \\]\nThen it falls.", ["The loss is\n\\[ a = b \\]", "Then it falls."]),
        ("The loss is \\[ a = b \\] and it falls.", ["The loss is \\[ a = b \\] and it falls."]),
        (
            "The loss is\n$$a = b$$, and the rate is\n$$c = d$$.",
            ["The loss is\n$$a = b$$, and the rate is\n$$c = d$$."],
        ),
        ("As shown, the sum:\n\\[ a = b \\]\nremains small.", ["As shown, the sum:\n\\[ a = b \\]\nremains small."]),
        ("It is fixed.\n\n$$a = b$$\n\nwhere $a$ is known.", ["It is fixed.", "$$a = b$$\n\nwhere $a$ is known."]),
        ("- The loss is\n  \\[ a = b \\]\n- It falls.", ["The loss is\n  \\[ a = b \\]", "It falls."]),
    ],
)
def test_how_far_a_sentence_goes(response: str, expected: list[str]) -> None:
    assert texts(response) == expected


@pytest.mark.parametrize(
    "response",
    [
        "The loss is:\n\n$$a = b$$\n\nIt falls.", "It is fixed at this value.\n\n$$a = b$$\n\nIt falls.",
        "$$a = b$$\n\n$$c = d$$", "The loss is\n\n$$a = b$$.\n\n- where $a$ is known\n- where $b$ is known",
        "## The loss\n\n$$a = b$$\n\nIt falls.", "Two lines\nwithout a formula",
    ],
)  # fmt: skip
def test_what_is_not_one_sentence_stays_apart(response: str) -> None:
    joined = response.startswith("The loss is\n")
    assert len(split_items(response)) == len(split(response)) - joined


def test_the_spans_of_split_keep_their_boundaries() -> None:
    response = f"The loss is\n\n{LOSS}\n\nwhere $x_i$ is the score."
    assert [span.kind for span in split(response)] == ["sentence", "math", "sentence"]
