"""`factuary check`: exit statuses, limits, and what is printed."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from factuary import Client, command
from factuary.command import main
from report_documents import PROJECT, document


def answer(request: httpx2.Request) -> httpx2.Response:
    path = request.url.path
    if path.endswith("/report/"):
        assert dict(request.url.params) in ({}, {"judge": "strict"})
        part = {
            "system": "model-a",
            "measures": {"accurate": {"value": 0.9, "low": 0.88, "high": 0.95, "human": {"n": 9}}},
        }
        return httpx2.Response(200, json=document(hybrid={"judge": "strict", "overall": part, "systems": [part]}))
    return httpx2.Response(200, json=PROJECT) if path == "/api/v1/projects/june/" else httpx2.Response(404, json={})


@pytest.fixture(autouse=True)
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("FACTUARY_TOKEN", "key")

    def client(address: Any) -> Client:
        return Client(address, transport=httpx2.MockTransport(answer))

    monkeypatch.setattr(command, "Client", client)
    yield


def check(*options: str) -> int:
    return main(["check", "june", "--url", "https://s", *options])


def test_a_bound_within_the_limit_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert check("--measure", "inaccurate", "--below", "0.21") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and lines[0] == (
        "passed     model-a  inaccurate 0.100 [0.050, 0.200], 10 of 100, bca  (limit: high below 0.21)"
    )


def test_the_bound_decides_not_the_value(capsys: pytest.CaptureFixture[str]) -> None:
    assert check("--measure", "inaccurate", "--below", "0.2") == 1
    assert "FAILED" in capsys.readouterr().out
    assert check("--measure", "inaccurate", "--below", "0.2", "--bound", "value") == 0
    assert check("--measure", "accurate", "--above", "0.85", "--system", "model-a") == 1
    assert check("--measure", "accurate", "--above", "0.84", "--system", "model-a") == 0


def test_an_undefined_bound_and_an_unexpected_error_are_undecided(monkeypatch, capsys) -> None:
    assert check("--measure", "accurate", "--above", "0.5") == 2
    capsys.readouterr()
    monkeypatch.setattr(command, "check", lambda *values, **named: 1 / 0)
    assert check("--measure", "accurate", "--above", "0.5") == 2
    assert capsys.readouterr().err == "error: ZeroDivisionError: division by zero\n"


def test_the_estimate_with_a_judge_is_checked() -> None:
    assert check("--measure", "accurate", "--above", "0.87", "--system", "model-a", "--judge", "strict") == 0
    assert check("--measure", "accurate", "--above", "0.87", "--system", "model-a") == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--measure right --below 0.2", "no measure 'right'"),
        ("--measure accurate --below 0.2 --report r1", "404"),
        ("--measure accurate --below 1 --system x", "no system 'x'"),
    ],
)
def test_what_cannot_be_decided_is_an_error(capsys: pytest.CaptureFixture[str], options: str, says: str) -> None:
    assert check(*options.split()) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--below", "0.2", "--above", "0.1"]])
def test_a_limit_is_needed(capsys: pytest.CaptureFixture[str], options: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        check("--measure", "accurate", *options)
    assert caught.value.code == 2
    assert "--b" in capsys.readouterr().err
