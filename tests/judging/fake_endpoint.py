"""A local HTTP server that speaks /v1/chat/completions, with faults by script.

`charged` counts what a real endpoint would charge for: requests that it answered with a completion, also where the
answer was cut or came too late, or the client was gone. `charged_tokens` has their tokens, of request and answer.
"""

import hashlib
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PROMPT_TOKENS, COMPLETION_TOKENS = 1_000, 50
GOOD = {"answers": {"accuracy": "accurate", "severity": None}, "reason": "It is there.", "quote": "Terns fly  further"}


def completion(answer: object, **fields: object) -> dict:
    """Return the body of an answer; a text stays as it is."""
    content = answer if isinstance(answer, str) else json.dumps(answer)
    return {
        "id": "c",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, **fields}],
        "usage": {"prompt_tokens": PROMPT_TOKENS, "completion_tokens": COMPLETION_TOKENS},
    }


def tokens_by_hash(body: dict) -> tuple[int, int]:
    """Return numbers of tokens that differ from request to request and are the same for the same request: 980 to 1,020
    and 10 to 60.
    """
    number = hash_of(body)
    return 980 + number % 41, 10 + number // 41 % 51


def hash_of(body: dict) -> int:
    """Return a number of 64 bits that depends on the body alone."""
    return int.from_bytes(hashlib.sha256(json.dumps(body, sort_keys=True).encode()).digest()[:8])


def split_facts(text: str) -> list[str]:
    """Return the sentences of a text, which stand for its facts."""
    return [sentence.strip() for sentence in re.split(r"[.!?](?:\s+|$)", text) if sentence.strip()]


def count_facts(answer: str, source: str) -> tuple[int, int]:
    """Return how many facts of the answer the source has, word for word, and how many it has in all."""
    facts = split_facts(answer)
    return sum(fact.lower() in source.lower() for fact in facts), len(facts)


def answer_fact_qa(body: dict) -> object:
    """Answer a request of Fact-QA in the form that it asks for."""
    form, text = (message["content"] for message in body["messages"][:2])
    [answer], [source] = (re.findall(f"<{tag}>\n(.*?)\n</{tag}>", text, re.DOTALL)[:1] for tag in ("answer", "source"))
    if "Score: " in form:
        supported, total = count_facts(answer, source)
        return f"These are the facts.\nScore: {supported}/{total}"
    facts = split_facts(answer)
    return {"facts": [{"fact": fact, "supported": fact.lower() in source.lower()} for fact in facts]}


class FakeEndpoint(ThreadingHTTPServer):
    """`answer(body)` returns the answer; `faults` are taken first, one a request: see `Handler`. `count_tokens(body)`
    returns the tokens of request and answer, if they are not always the same.
    """

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, answer: Callable[[dict], object] = lambda body: GOOD, faults: Iterable = (), port: int = 0):
        super().__init__(("127.0.0.1", port), Handler)
        self.answer, self.faults = answer, list(faults)
        self.bodies: list[dict] = []
        self.keys: list[str | None] = []
        self.charged = 0
        self.charged_tokens: list[tuple[int, int]] = []
        self.count_tokens: Callable[[dict], tuple[int, int]] | None = None
        self.statuses: Counter = Counter()
        self.open, self.most_open = 0, 0
        self.lock = threading.Lock()
        self.limit_name = "max_tokens"
        self.names: dict[str, str] = {}  # further fields of an answer, such as model
        self.accepts = ("json_schema", "json_object", "text")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def next_fault(self, body: dict) -> object:
        """Return the fault of this request, None for none."""
        return self.faults.pop(0) if self.faults else None

    def handle_error(self, request, client_address) -> None:
        """Say nothing: clients that are killed cut their connections."""


class Handler(BaseHTTPRequestHandler):
    """Faults: a number (HTTP status), status and headers, with a body or not, "cut", "junk", ("slow", seconds), a whole
    reply as bytes or a function that writes it, or an answer.
    """

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: FakeEndpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            self.server.open += 1
            self.server.most_open = max(self.server.most_open, self.server.open)
            self.server.bodies.append(body)
            self.server.keys.append(self.headers["authorization"])
            fault = self.server.next_fault(body)
        try:
            self.answer(body, fault)
        finally:
            with self.server.lock:
                self.server.open -= 1

    def answer(self, body: dict, fault: object) -> None:
        form = body.get("response_format", {"type": "text"})["type"]
        if self.path != "/v1/chat/completions":
            self.send(404, {"error": {"message": f"no {self.path}"}})
        elif form not in self.server.accepts:
            self.send(400, {"error": {"message": f"response_format {form} is not supported"}})
        elif self.server.limit_name not in body:
            self.send(400, {"error": {"message": f"Unsupported parameter. Use '{self.server.limit_name}' instead."}})
        elif isinstance(fault, bytes) or callable(fault):
            self.close_connection = True
            self.wfile.write(fault) if isinstance(fault, bytes) else fault(self.wfile)
        elif isinstance(fault, int):
            self.send(fault, {"error": {"message": "scripted"}})
        elif isinstance(fault, tuple) and isinstance(fault[0], int):
            body = fault[2] if len(fault) > 2 else {"error": {"message": "scripted"}}
            self.send(fault[0], body, fault[1])
        else:
            self.complete(body, fault)

    def complete(self, body: dict, fault: object) -> None:
        count = self.server.count_tokens
        with self.server.lock:
            self.server.charged += 1
            tokens = count(body) if count else (PROMPT_TOKENS, COMPLETION_TOKENS)
            self.server.charged_tokens.append(tokens)
        if isinstance(fault, tuple):
            time.sleep(fault[1])
            fault = None
        if fault == "cut":
            self.send_response(200)
            self.send_header("content-length", "5000")
            self.end_headers()
            self.wfile.write(b'{"choices": [{"mess')
            self.close_connection = True
        elif fault == "junk":
            self.send(200, "<html>")
        else:
            answer = self.server.answer(body) if fault is None else fault
            if isinstance(answer, dict) and "choices" in answer:
                reply = answer
            else:
                reply = completion(answer) | self.server.names
            usage = {"usage": dict(zip(("prompt_tokens", "completion_tokens"), tokens, strict=True))}
            self.send(200, reply | usage if count else reply)

    def send(self, status: int, body: object, headers: dict | None = None) -> None:
        with self.server.lock:
            self.server.statuses[status] += 1
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": len(data), **(headers or {})}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def fake_endpoint(answer: Callable[[dict], object] = lambda body: GOOD, faults: Iterable = ()):
    """Yield a running endpoint."""
    server = FakeEndpoint(answer, faults)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
