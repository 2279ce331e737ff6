import re
import subprocess
import sys
from pathlib import Path

import pytest

from annotation.models import Rating, Slot
from tests.api.clients import api_schema
from tests.cast import give_token, study

TEXT = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")


def test_every_route_is_listed_and_no_other() -> None:
    routes = {f"{method.upper()} {path}" for path, methods in api_schema()["paths"].items() for method in methods}
    listed = set(re.findall(r"^\| `([A-Z]+ /api/v1/[^`?]+)", TEXT, re.MULTILINE))
    assert listed == routes - {"GET /api/v1/schema/", "GET /api/v1/docs/"}


@pytest.mark.django_db(transaction=True)
def test_the_program_in_the_documents_rates_everything(live_server, tmp_path) -> None:
    june = study(prompts=2, systems=("heron", "plover"), heading=True, overlap=1)
    give_token(june.people["ravi"], "key")
    (program,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "rate.py").write_text(program, encoding="utf-8")
    arguments = [live_server.url.removeprefix("http://"), "june", "key"]
    done = subprocess.run(
        [sys.executable, tmp_path / "rate.py", *arguments], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 4
    assert Rating.objects.filter(counted=True).count() == 12
    assert not Slot.objects.filter(finished_at=None).exists()
