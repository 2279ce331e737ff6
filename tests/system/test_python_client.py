"""The tour and the release gate of the Python client's README, as they are written there, against a running site."""

import json
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Membership, Rating

from ..api.clients import program_of
from ..cast import ACCURATE, SEVERE, give_token, person
from ..conftest import CODE
from .raters import rate_everything

pytestmark = [pytest.mark.django_db(transaction=True)]

README = CODE / "clients" / "python" / "README.md"
CLIENT = CODE / "clients" / "python" / "src"
ANSWERS = {
    "model-a": "They go off at midnight. Not all lights do. Some go off at one.",
    "model-b": "They never go off. This is certain. Ask the council.",
}


def tour() -> list[str]:
    """Return the parts of the tour: what an admin does, and what follows when the ratings are there."""
    return re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_tour_and_the_gate_work_as_written(
    live_server: Any, celery_worker: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    give_token(person("ada", admin=True), "ada-key-of-the-tour")
    person("maria")
    answers = product(range(12), ANSWERS.items())
    rows = [{"prompt": f"Question {n}?", "response": text, "system": system} for n, (system, text) in answers]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FACTUARY_URL", live_server.url)
    monkeypatch.setenv("FACTUARY_TOKEN", "ada-key-of-the-tour")
    first, second = tour()
    names: dict[str, Any] = {}
    exec(first, names)
    assert Membership.objects.get(project__slug="june", user__username="maria").role == "rater"
    rate_everything(program_of(person("maria")), "june", lambda text: SEVERE if "never" in text else ACCURATE)
    assert (ratings := Rating.objects.count()) == 24 * 3

    capsys.readouterr()
    exec(second, names)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == ratings + 1
    assert printed[0].endswith("{'accuracy': 'accurate'}") or "inaccurate" in printed[0]
    assert printed[-1].startswith("1.000 [") and "36 of 36" in printed[-1]
    assert names["df"]["answers.accuracy"].value_counts().to_dict() == {"accurate": 60, "inaccurate": 12}
    report = names["report"]
    assert report["severely_inaccurate", "model-b"].k == 12
    assert "<svg" in report._repr_html_()
    assert (tmp_path / "report.csv").read_text(encoding="utf-8").startswith('"table",')
    assert report.file("json") and json.loads(report.file("json")) == report.document

    gate = re.search(r"^factuary (check june .*)$", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert gate
    command = [sys.executable, "-c", "import sys; from factuary.command import main; sys.exit(main())"]
    for more, status in (("", 1), ("--system model-a --below 0.5", 0)):
        options = [*gate[1].split(), *more.split()]
        environment = os.environ | {"PYTHONPATH": str(CLIENT)}
        done = subprocess.run([*command, *options], env=environment, capture_output=True, text=True)
        assert (done.returncode, "FAILED     model-b" in done.stdout) == (status, status == 1), done
