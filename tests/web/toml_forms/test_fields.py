"""The fields of a form about a TOML text: what they show, and the value that a post gives them."""

import pytest
from django.http import QueryDict

from annotation.web.toml_forms.fields import (
    FLAG,
    LINE,
    NUMBER,
    PERCENT,
    SEVERAL,
    WORDS,
    Choice,
    FormField,
    posted_value,
)

BIRDS = [Choice("tern", "Tern"), Choice("heron", "Heron"), Choice("gull", "Gull")]


@pytest.mark.parametrize(
    ("kind", "before", "sent", "after"),
    [
        (LINE, "a", "b", "b"),
        (LINE, "a", " a ", None),
        (LINE, "", "", None),
        (FLAG, False, "on", True),
        (FLAG, True, "on", None),
        (NUMBER, "", "3", 3),
        (NUMBER, 3, "3", None),
        (NUMBER, 3, "2,5", 2.5),
        (NUMBER, 3, "many", "many"),
        (NUMBER, 3, "", ""),
        (PERCENT, 0.029, "2.9", None),
        (PERCENT, 0.02, "2.9", 0.029),
        (PERCENT, "", "70", 0.7),
        (PERCENT, 0.02, "3 %", "3 %"),
        (WORDS, "", "code, table_row", ["code", "table_row"]),
    ],
)
def test_a_post_gives_a_field_a_value(kind, before, sent, after):
    post = QueryDict(mutable=True)
    post["x"] = sent
    value = posted_value(FormField("x", "x", kind, before), post)
    assert (value, type(value)) == (after, type(after))


def test_fields_that_are_not_sent_and_values_that_are_no_choice_stay_and_shares_are_in_percent():
    assert posted_value(FormField("x", "x", LINE, "a"), QueryDict()) is None
    shown = FormField("x", "x", SEVERAL, ["auk"], BIRDS).all_choices
    assert [(choice.value, is_chosen) for choice, is_chosen in shown][3] == ("auk", True)
    assert FormField("x", "x", PERCENT, 0.029).shown == "2.9"
    assert FormField("x", "x", PERCENT, "3 %").shown == "3 %"


@pytest.mark.parametrize(
    ("sent", "after"),
    [
        (["tern", "heron"], None),
        (["heron", "gull", "tern"], ["heron", "tern", "gull"]),
        (["gull"], ["gull"]),
        ([], []),
        (["heron", "tern", "elk"], None),
    ],
)
def test_ticked_choices_keep_their_order_and_others_are_ignored(sent, after):
    post = QueryDict(mutable=True)
    post.setlist("x", sent)
    assert posted_value(FormField("x", "x", SEVERAL, ["heron", "tern"], BIRDS), post) == after
