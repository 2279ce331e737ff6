"""Replies that are too large, slow or long: what they take is bounded, and what is stored is cut with a mark."""

import gzip
import json

import pytest

from annotation.judging.run import run_judge
from annotation.model_calls import endpoint as endpoints
from annotation.model_calls import request_queue
from annotation.model_calls.endpoint import Endpoint
from annotation.models import Judge, JudgeCall, Verdict
from tests.cast import study
from tests.judging.fake_endpoint import GOOD, completion, fake_endpoint
from tests.judging.judges import model_judge
from tests.model_calls.odd_replies import HEAD, QUESTION, compressed_endless, drip, endless, one_bomb


def ask(fault, timeout=5.0):
    with fake_endpoint(faults=[fault]) as server:
        endpoint = Endpoint(Judge(base_url=server.url, model="tiny", timeout=timeout), "")
        try:
            return endpoint.ask(QUESTION)
        finally:
            endpoint.close()


@pytest.mark.parametrize(
    ("fault", "status"),
    [(endless, b"200 OK"), (endless, b"500 No"), (compressed_endless, b"200 OK"), (compressed_endless, b"400 No"),
     (one_bomb, b"200 OK"), (one_bomb, b"500 No")],
)  # fmt: skip
def test_a_reply_is_read_up_to_its_greatest_size_also_decompressed(fault, status):
    def write(stream):
        class Stream:
            def write(self, data):
                stream.write(data.replace(b"200 OK", status))

        fault(Stream())

    reply = ask(write, timeout=60.0)
    assert (reply.state, reply.error) == ("lost", "the reply is larger than 5 MB")
    assert not request_queue.is_retriable(reply)


def test_a_compressed_answer_is_read():
    body = gzip.compress(json.dumps(completion("It is.")).encode())
    reply = ask(HEAD + b"content-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
    assert (reply.state, reply.text) == ("answered", "It is.")


@pytest.mark.parametrize(
    "fault",
    [
        drip(b"", b"H"),
        drip(b"HTTP/1.1 200 OK\r\nx-name: ", b"a"),
        drip(b"HTTP/1.1 200 OK\r\n", b"x-more: a\r\n"),
        drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        drip(HEAD + b"\r\n", b" "),
        drip(HEAD + b"transfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        drip(b"HTTP/1.1 500 No\r\n\r\n", b" "),
    ],
)
def test_the_timeout_is_that_of_the_whole_reply(fault):
    reply = ask(fault, timeout=0.3)
    assert reply.state == "lost" and reply.seconds < 30
    assert reply.error.startswith(("no complete reply within 0.3 s", "RemoteProtocolError"))


def test_a_redirect_is_not_followed_and_named():
    reply = ask((302, {"location": "https://elsewhere.example/login"}))
    assert (reply.state, reply.http_status) == ("failed", 302)
    assert reply.error == "The endpoint redirects to https://elsewhere.example/login"


def test_an_endpoint_is_asked_through_the_proxy_of_the_environment(monkeypatch):
    with fake_endpoint() as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.server_port}")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        endpoint = Endpoint(Judge(base_url="http://models.example/v1", model="tiny", timeout=5), "")
        reply = endpoint.ask(QUESTION)
        endpoint.close()
    assert (reply.http_status, "no http://models.example/v1/" in reply.error) == (404, True)


@pytest.mark.django_db
def test_texts_of_a_verdict_are_cut_with_a_mark():
    long = {**GOOD, "reason": "r" * 120_000, "quote": "q" * 120_000}
    wrong = {"answers": {f"w{number}": "accurate" for number in range(1_000)}}
    with fake_endpoint(faults=[long, 422, wrong, wrong]) as server:
        server.faults[1] = (422, {}, {"error": {"message": "m" * 120_000}})
        run_judge(model_judge(server, concurrency=1), study(sentences=3).project)
    first, refused, failed = Verdict.objects.order_by("item__position")
    assert first.reason == "r" * 10_000 + "… [110,000 more characters]"
    assert (first.quote[4_999:], first.quote_found) == ("q… [115,000 more characters]", False)
    assert "more characters]" in refused.problem and len(refused.problem) < 3_000
    assert "more characters]" in failed.problem and len(failed.problem) < 3_000
    assert len(str(server.bodies[-1]["messages"][2:])) < 30_000


@pytest.mark.django_db
def test_an_answer_that_is_longer_than_what_is_stored_is_invalid_also_from_the_cache():
    endless_answer = json.dumps({**GOOD, "reason": "r" * endpoints.MAX_ANSWER_LENGTH})
    with fake_endpoint(faults=[completion(endless_answer)] * 2) as server:
        judge, project = model_judge(server), study(sentences=1).project
        assert run_judge(judge, project).failed == 1
        problem = "It has more than 500,000 characters."
        assert Verdict.objects.get().problem == problem
        Verdict.objects.all().delete()
        assert run_judge(judge, project).calls.requests == 0
    assert Verdict.objects.get().problem == problem
    assert all(len(call.answer) < 510_000 for call in JudgeCall.objects.all())
