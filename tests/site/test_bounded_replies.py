import httpx2
import pytest

from annotation.site.bounded_replies import ReplyTooLarge, fetch
from tests.judging.fake_endpoint import fake_endpoint
from tests.model_calls.odd_replies import HEAD, QUESTION, compressed_endless, drip, endless


def fetched(fault, *, max_size=1_000_000, seconds=60.0):
    with fake_endpoint(faults=[fault]) as server:
        request = httpx2.Request("POST", f"{server.url}/chat/completions", json=QUESTION)
        return fetch(request, max_size=max_size, seconds=seconds)


@pytest.mark.parametrize("fault", [endless, compressed_endless])
def test_an_endless_reply_is_read_up_to_its_greatest_size(fault):
    with pytest.raises(ReplyTooLarge, match="larger than 1 MB"):
        fetched(fault)


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\nx-name: ", HEAD + b"\r\n"])
def test_a_byte_now_and_then_does_not_extend_the_time(start):
    with pytest.raises(TimeoutError, match=r"no complete reply within 0\.5 s"):
        fetched(drip(start, b"a"), seconds=0.5)


def test_a_reply_within_the_limits_is_whole_and_a_redirect_is_not_followed():
    assert fetched(HEAD + b"content-length: 2\r\n\r\nok", max_size=2).content == b"ok"
    moved = fetched((302, {"location": "https://elsewhere.example/"}))
    assert (moved.status_code, moved.headers["Location"]) == (302, "https://elsewhere.example/")
