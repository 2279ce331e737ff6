"""A sentence that display equations interrupt is one item; everything else stays as it was."""

from annotation.splitting import split, split_items

LOSS = "$$\nL = -\\frac{1}{B} \\sum_i x_i\n$$"


def texts(response: str) -> list[str]:
    return [response[span.start : span.end] for span in split_items(response)]


def test_a_sentence_its_formula_and_the_rest_are_one_item() -> None:
    response = f"We minimize it. The loss is\n\n{LOSS}\n\nwhere $x_i$ is the score. It falls."
    assert texts(response) == ["We minimize it.", f"The loss is\n\n{LOSS}\n\nwhere $x_i$ is the score.", "It falls."]
    joined = split_items(response)[1]
    assert (joined.kind, joined.rate) == ("sentence", True)
    kinds = ["sentence", "sentence", "math", "sentence", "sentence"]
    assert [span.kind for span in split(response)] == kinds, "the spans of split keep their boundaries"


def test_how_far_a_sentence_goes() -> None:
    for expected in (
        ["The loss is\n\\[ a = b \\]", "\nThen it falls."],
        ["The loss is \\[ a = b \\] and it falls."],
        ["The loss is\n$$a = b$$, and the rate is\n$$c = d$$."],
        ["As shown, the sum:\n\\[ a = b \\]\nremains small."],
        ["It is fixed.", "\n\n$$a = b$$\n\nwhere $a$ is known."],
    ):
        assert texts("".join(expected)) == [text.strip() for text in expected]
    assert texts("- The loss is\n  \\[ a = b \\]\n- It falls.") == ["The loss is\n  \\[ a = b \\]", "It falls."]


def test_what_is_not_one_sentence_stays_apart() -> None:
    for response in (
        "The loss is:\n\n$$a = b$$\n\nIt falls.", "It is fixed at this value.\n\n$$a = b$$\n\nIt falls.",
        "$$a = b$$\n\n$$c = d$$", "## The loss\n\n$$a = b$$\n\nIt falls.", "Two lines\nwithout a formula",
    ):  # fmt: skip
        assert len(split_items(response)) == len(split(response)), response
    before_a_list = "The loss is\n\n$$a = b$$.\n\n- where $a$ is known\n- where $b$ is known"
    assert len(split_items(before_a_list)) == len(split(before_a_list)) - 1
