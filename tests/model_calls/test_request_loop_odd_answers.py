"""Whatever an endpoint answers about one item, the run goes on, and all other items get their results."""

import itertools
import json
import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.generation.generators import create_generator
from annotation.generation.run import generate_responses
from annotation.generation.templates import find_template
from annotation.importing import load_dataset
from annotation.judging import item_requests
from annotation.judging.item_requests import ItemRequests
from annotation.judging.run import run_judge
from annotation.model_calls import request_queue
from annotation.model_calls.errors import ModelError
from annotation.models import Dataset, FactScore, Generator, JudgeCall, Verdict
from tests.cast import study
from tests.fact_qa_studies import fact_qa_study
from tests.fact_qa_studies import prompt as fact_prompt
from tests.importing.files import lines
from tests.importing.files import prompt as import_prompt
from tests.judging.fake_endpoint import GOOD, answer_fact_qa, completion, fake_endpoint
from tests.judging.judges import MODES, PRICES, model_judge

pytestmark = pytest.mark.django_db
NAMES = {"model": "tiny-1"}
VALID = json.dumps(GOOD)
HTML = "<!doctype html><title>Sign in</title>"


@pytest.fixture(autouse=True)
def _few_short_retries(monkeypatch):
    monkeypatch.setattr(request_queue, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(request_queue, "ATTEMPTS", 2)
    monkeypatch.setattr(request_queue, "LONGEST_RETRY_AFTER", 0.001)
    monkeypatch.setattr("annotation.model_calls.request_queue.LONGEST_DELAY", 0.001)


def http(body: bytes | str, status: object = 200, **headers: object) -> bytes:
    data = body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")
    values = {"content-length": len(data), **{name.replace("_", "-"): value for name, value in headers.items()}}
    head = "".join(f"{name}: {value}\r\n" for name, value in values.items())
    return f"HTTP/1.1 {status} Odd\r\n{head}\r\n".encode("latin-1", "replace") + data


def answered(**fields: object) -> bytes:
    return http(json.dumps(completion(VALID) | NAMES | fields))


def with_choice(**fields: object) -> bytes:
    return answered(choices=[{"message": {"content": VALID}, **fields}])


def with_logprob(logprob: object) -> bytes:
    half = VALID.index("accurate")
    tokens = [VALID[:half], VALID[half:]]
    return with_choice(logprobs={"content": [{"token": token, "logprob": logprob} for token in tokens]})


def texts_of(content: object) -> bytes:
    return answered(choices=[{"message": {"content": content}}])


ODD = [
    *(with_logprob(value) for value in (5_000, math.nan, math.inf, -math.inf, -1e308, "x", None, [1], 10**4_000)),
    answered(model=None),  # apart from the others: three in a row end a run
    *(with_choice(logprobs=value) for value in ([], "x", 3, {"content": "x"}, {"content": [1]}, {"content": [{}]})),
    *(with_choice(finish_reason=value) for value in (None, 3, ["stop"], "\ud800")),
    answered(model=3),
    *(answered(usage=value) for value in ("12", [], 3, -1, {"prompt_tokens": "9"}, {"prompt_tokens": -5})),
    *(answered(usage={"prompt_tokens": value, "completion_tokens": value}) for value in (2**31, 2**63, 1e400, True)),
    *(answered(system_fingerprint=value) for value in (None, 3, ["x"], "\x00\ud800")),
    answered(model=[]),
    *(answered(choices=value) for value in (None, {}, "x", [], [None], [[]], [{}], [{"message": "x"}], {"0": 1})),
    *(texts_of(value) for value in (None, "", " ", 3, [], {}, ["x"], "\x00", "\ud800", "{", "}", "[]", "null", "NaN")),
    *(texts_of(json.dumps(value)) for value in ([1], 3, "x", {"answers": [1]}, {"answers": {"accuracy": [1]}})),
    *(texts_of(json.dumps({**GOOD, "reason": value})) for value in (3, ["x"], "\x00\ud800", None)),
    *(texts_of(json.dumps({**GOOD, "answers": {"accuracy": value}})) for value in (1, None, {}, "\ud800", math.nan)),
    answered(model={"a": 1}),
    *(texts_of('{"answers": ' * depth) for depth in (10, 2_000, 100_000)),
    texts_of('{"answers": {"accuracy": ' + "9" * 5_000 + "}}"),
    http('{"choices": ' + "[" * 100_000),
    http("[" * 900 + "]" * 900),
    http(json.dumps(completion(VALID) | NAMES | {"deep": None}).replace("null", "[" * 800 + "]" * 800, 1)),
    http('{"id": ' + "9" * 5_000 + "}"),
    http(json.dumps(completion(VALID) | NAMES)[:-1] + ', "number": ' + "9" * 4_000 + ', "big": 1e999}'),
    *(http(body) for body in ("", " ", "null", "3", '"x"', "{}", "[]", HTML, b"\xff\xfe\x00", b"\xef\xbb\xbf{}")),
    *(http(json.dumps(completion(VALID) | NAMES), content_type=kind) for kind in ("text/html", "", "x; charset=zip")),
    answered(model=""),
    *(http("x", 200, content_encoding=kind) for kind in ("gzip", "deflate", "br", "zstd", "x")),
    *(http("", status) for status in (201, 204, 301, 302, 304, 307, 400, 418, 422, 500, 599, 700, 999)),
    *(http("", 302, location=value) for value in ("http://[", "/", "\x7f", "javascript:x")),
    *(http("x", 429, retry_after=value) for value in ("nan", "inf", "-inf", "-1", "1e999", "", "x", "٣", "9" * 400)),
    http("x", 503, retry_after="Fri, 31 Dec 999999999999 23:59:59 GMT"),
    http("x", 503, retry_after="Fri, 31 Dec 9999 23:59:59 +9999"),
    *(b"", b"x", b"HTTP/1.1\r\n\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n", b"HTTP/9 200 OK\r\n\r\n"),
    http(VALID, 200, transfer_encoding="chunked"),
    http(json.dumps(completion(VALID) | NAMES), 200, x_more="x" * 200_000),
]
REFUSALS = [http("x", 401), http("x", 404)]
"""These end a run that has no answer yet, and one that gets three in a row."""
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text(st.characters(), max_size=8)
    | st.sampled_from(
        [VALID, "accurate", "tiny-1", "length", "content_filter", "Score: 1/2", "Score: 9..9/.", "Answer: x"]
    ),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=8), values, max_size=3),
    max_leaves=6,
)


def _fields(names: str) -> st.SearchStrategy:
    return st.fixed_dictionaries({}, optional=dict.fromkeys(names.split(), JSON))


_CHOICES = st.lists(
    st.fixed_dictionaries({"message": _fields("content refusal reasoning_content")}, optional={"logprobs": JSON}),
    max_size=2,
)
_ANSWERS = st.builds(lambda fields: fields | {"model": NAMES["model"]}, _fields("usage id")) | _fields(
    "usage model"
).filter(
    lambda fields: not isinstance(fields.get("model"), str)  # the name of another model ends a run
)
_BODIES = st.builds(lambda fields, choices: json.dumps({**fields, "choices": choices}), _ANSWERS, _CHOICES | JSON)
_CONTENTS = st.builds(
    lambda fields: texts_of(json.dumps(fields)),
    _fields("answers reason quote items facts")
    | st.builds(lambda entries: {"items": entries}, st.lists(_fields("number answers reason"), max_size=3))
    | st.builds(lambda entries: {"facts": entries}, st.lists(_fields("fact supported"), max_size=3)),
)
_STATUSES = st.sampled_from([200, 200, 201, 204, 302, 400, 413, 429, 500])
_HEADERS = st.fixed_dictionaries(
    {}, optional={"retry_after": st.text(st.characters(codec="latin-1", exclude_characters="\r\n"), max_size=9)}
)
REPLIES = (
    st.builds(lambda body, status, headers: http(body, status, **headers), _BODIES, _STATUSES, _HEADERS) | _CONTENTS
)


class OddEndpoint:
    """Answers every second request by one of the odd replies, also when it is repeated, and all others well."""

    def __init__(self, odd, good):
        self.odd, self.good = itertools.cycle(odd), good
        self.by_request, self.number = {}, itertools.count()

    def fault_of(self, body):
        key = json.dumps(body["messages"][:2])
        if key not in self.by_request:
            is_odd = next(self.number) % 2 == 0
            self.by_request[key] = next(self.odd) if is_odd else None
        fault = self.by_request[key]
        return fault if fault is not None else completion(self.good(body)) | NAMES

    @property
    def good_requests(self):
        return sum(fault is None for fault in self.by_request.values())


def run_with(odd, good, run):
    """Return the odd endpoint and what `run(server)` returned."""
    endpoint = OddEndpoint(odd, good)
    with fake_endpoint() as server:
        server.next_fault = endpoint.fault_of
        return endpoint, run(server)


@pytest.mark.parametrize(("concurrency", "part"), [(1, slice(None, None, 3)), (6, slice(None))])
def test_all_other_items_get_their_verdicts(concurrency, part):
    odd = [*ODD[part], *REFUSALS]
    project = study(prompts=math.ceil(len(odd) / 5), sentences=10).project
    run = judge_run(project, concurrency=concurrency, logprobs=True)
    endpoint, result = run_with(odd, lambda body: GOOD, run)
    assert result.missing == result.calls.unanswered < len(odd)
    assert Verdict.objects.count() == result.new + result.failed
    assert result.new >= endpoint.good_requests >= len(odd)
    assert not JudgeCall.objects.filter(state="sent").exists()


def generator_run(folder):
    """Return a function that lets a new system answer 16 prompts."""
    prompts = [import_prompt(f"q{n}", text=f"Why {n}?") for n in range(16)]
    load_dataset("jsonl", [lines(folder / "birds.jsonl", prompts)], "birds")
    names = itertools.count()

    def run(server):
        values = {"model": "tiny", "template": find_template("zero-shot"), "timeout": 5.0, **PRICES}
        system = {"dataset": Dataset.objects.get(), "system": f"s{next(names)}"}
        return generate_responses(create_generator(Generator(base_url=server.url, **system, **values))[0])

    return run


def judge_run(project, **values):
    """Return a function that lets a new judge rate the project."""
    names = itertools.count()
    return lambda server: run_judge(model_judge(server, f"fuzz{next(names)}", **values), project)


@pytest.mark.parametrize("asks", ["sentence", "response", *MODES, "generator"])
def test_a_run_goes_on_whatever_is_answered(tmp_path, asks):
    if asks == "generator":
        requests, good, run = 16, "Terns fly further.", generator_run(tmp_path)
    elif asks in MODES:
        project = fact_qa_study(tmp_path, (fact_prompt(number) for number in range(12)))
        requests, good, run = 12, None, judge_run(project, fact_qa=asks, precision_only=True)
    else:
        project = study(prompts=4, sentences=6).project
        entries = [{"number": number, **GOOD} for number in range(1, 7)]
        requests, good = (24, GOOD) if asks == "sentence" else (4, {"items": entries})
        run = judge_run(project, request_unit=asks)

    replies = REPLIES if asks in ("sentence", "response") else REPLIES | st.sampled_from(ODD)

    @settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(replies, min_size=requests // 2, max_size=requests // 2))
    def check(odd):
        endpoint, result = run_with(odd, lambda body: good or answer_fact_qa(body), run)
        assert endpoint.good_requests == requests // 2
        if asks == "generator":
            assert result.new >= endpoint.good_requests
        elif asks == "response":
            assert result.new >= 6 * endpoint.good_requests
        else:
            assert result.new >= endpoint.good_requests
            assert result.new + result.failed + result.calls.unanswered == requests

    check()
    assert FactScore.objects.exists() == (asks in MODES)


def test_an_item_has_a_number():
    entries = [[1], {"a": 1}, True, 1.0, "1", None, math.nan]
    project = study(prompts=2 * len(entries), sentences=1).project
    items = [texts_of(json.dumps({"items": [{**GOOD, "number": entry}]})) for entry in entries]
    good = {"items": [{**GOOD, "number": 1}]}
    _endpoint, result = run_with(items, lambda body: good, judge_run(project, request_unit="response"))
    assert (result.new, result.failed) == (len(entries), len(entries))


@pytest.mark.parametrize("place", ["note_answer", "probability_of"])
def test_what_a_reader_does_not_expect_fails_its_item_alone(monkeypatch, place, caplog):
    original, calls = getattr(ItemRequests, place), itertools.count()

    def fail_once(self, *values):
        if next(calls) < 2:
            raise ZeroDivisionError("scripted")
        return original(self, *values)

    monkeypatch.setattr(ItemRequests, place, fail_once)
    with fake_endpoint() as server:
        result = run_judge(model_judge(server, concurrency=1), study(sentences=3).project)
    assert (result.new, result.failed) == (2, 1)
    assert Verdict.objects.get(state="failed").problem == "It cannot be read (ZeroDivisionError)."
    assert "scripted" in caplog.text


def test_what_cannot_be_stored_fails_its_item_alone(monkeypatch):
    original = item_requests.store_verdicts

    def store(run, verdicts):
        if any(verdict.reason == "odd" for verdict in verdicts):
            raise ValueError("the database refuses it")
        return original(run, verdicts)

    monkeypatch.setattr(item_requests, "store_verdicts", store)
    with fake_endpoint(faults=[GOOD, {**GOOD, "reason": "odd"}]) as server:
        result = run_judge(model_judge(server, concurrency=3), study(sentences=4).project)
    assert (result.new, result.failed, result.calls.requests) == (3, 1, 4)
    assert Verdict.objects.get(state="failed").problem == "It cannot be stored: the database refuses it"


@pytest.mark.parametrize("status", [401, 402, 403, 404])
def test_a_refusal_of_access_ends_a_run_with_answers_when_it_is_about_several_items(status):
    with fake_endpoint(faults=[GOOD, status, GOOD, *[status] * 9]) as server:
        with pytest.raises(ModelError, match=f"HTTP {status}"):
            run_judge(model_judge(server, concurrency=1), study(sentences=9).project)
        assert (len(server.bodies), Verdict.objects.filter(state="rated").count()) == (6, 2)


def test_a_name_of_the_model_that_the_first_answer_alone_lacks_is_learned_from_the_next():
    with fake_endpoint(faults=[completion(GOOD)]) as server:
        server.names = NAMES
        judge = model_judge(server, concurrency=1)
        assert run_judge(judge, study(sentences=4).project).new == 4
    judge.refresh_from_db()
    assert judge.returned_model == "tiny-1"
