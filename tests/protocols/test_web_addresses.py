"""Web addresses are checked for form: what may become a link, and what a rater is told about the rest."""

import pytest

from annotation.protocols import problems, prune
from annotation.protocols.loading import ProtocolError, load
from annotation.protocols.web_addresses import address_problems, addresses, is_address
from tests.protocol_text import choice, protocol_text, question

ASKS = protocol_text(
    "pages",
    choice("found", "Found?", {"yes": "Yes", "no": "No"}),
    question("pages", "Where?", "urls", shortcut="p", max_length=60, require_when={"found": ["yes"]}),
    question("useful", "Useful as a whole?", once=True),
    counts={"found": ["yes"]},
)


def test_an_address_with_a_host_that_others_can_open_is_one_and_what_could_run_or_mislead_is_none() -> None:
    for good in (
        "https://a.example/b?c=d#e", "HTTP://A.EXAMPLE", "https://münchen.example/straße",
        "https://a.example:8080/x|y{z}'", "https://[2001:db8::1]/", "http://192.0.2.1/",
    ):  # fmt: skip
        assert is_address(good), good
    for bad in (
        "javascript:alert(1)", "data:text/html,x", "//a.example", "a.example/page", "https://localhost/",
        "https://user@a.example/", "https://a.example\\@b.example/", "https://a..example",
        "https://a.example/two words", "https://a.example/\u202efdp", "https://a.example/<script>", "https://",
        "https://a.example/" + "x" * 2000,
    ):  # fmt: skip
        assert not is_address(bad) and len(address_problems(bad)) == 1, bad


def test_addresses_are_read_by_line_required_and_limited() -> None:
    text = " https://a.example \r\n\n\thttps://b.example\n"
    assert addresses(text) == ["https://a.example", "https://b.example"]
    assert address_problems(text) == []
    [message] = problems(load(ASKS), {"found": "no", "pages": "https://a.example\nsee below", "useful": "so"})["pages"]
    assert message == (
        "Address 2, 'see below', is not a web address: it must start with http:// or https:// and have no space."
    )
    protocol, long = load(ASKS), "https://a.example/" + "x" * 60
    assert problems(protocol, {"found": "yes", "pages": " \n"})["pages"] == ["This question needs an answer."]
    assert "at most 60" in problems(protocol, {"found": "yes", "pages": long})["pages"][0]
    assert problems(protocol, {"found": "yes", "pages": 7})["pages"] == ["A number is not a text."]


def test_what_is_asked_once_is_not_asked_of_others_and_gaps_may_be_forgiven() -> None:
    protocol = load(ASKS)
    assert "useful" in problems(protocol, {"found": "no"})
    others = protocol.for_item(is_last=False, kind="claim")
    assert problems(others, {"found": "no"}) == {}
    assert "is not a question of this protocol" in problems(others, {"found": "no", "useful": "very"})["useful"][0]
    assert protocol.for_item(is_last=True, kind="claim") is protocol
    assert problems(protocol, {"found": "yes"}, may_have_gaps=True) == {}
    assert list(problems(protocol, {"found": "maybe"}, may_have_gaps=True)) == ["found"]
    assert prune(protocol, {"found": "yes", "pages": ""}) == {"found": "yes"}


def test_a_question_of_every_item_cannot_hang_on_one_that_is_asked_once_and_the_key_of_a_field_is_its_own() -> None:
    once = ASKS.replace('key = "found"\ntext = "Found?"', 'key = "found"\nonce = true\ntext = "Found?"')
    hangs = "question 'pages' refers to 'found', which is asked once per response, but question 'pages' is not"
    taken = ASKS.replace('shortcut = "p"', 'shortcut = "u"')
    for text, says in ((once, hangs), (taken, "has the shortcut 'u', which means undo in the workspace")):
        with pytest.raises(ProtocolError) as caught:
            load(text)
        assert says in str(caught.value)
