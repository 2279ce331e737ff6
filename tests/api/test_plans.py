"""Analysis plans and protocols, by a program."""

import pytest

from annotation.models import AuditEvent, ProtocolVersion
from tests.api.clients import send
from tests.protocol_text import choice, protocol_text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("june")]
PLAN = "projects/june/analysis-plan/"


def test_a_plan_is_stored_in_versions(lena):
    status, first = send(lena, "POST", PLAN, {"toml": 'measures = ["accurate"]'})
    assert (status, first["number"], first["before_first_rating"]) == (201, 1, True)
    assert send(lena, "POST", PLAN, {"toml": 'measures = ["accurate"]'}) == (200, first)
    assert send(lena, "POST", PLAN, {"toml": 'measures = ["inaccurate"]'})[1]["number"] == 2
    assert [row["number"] for row in send(lena, "GET", PLAN)[1]["results"]] == [2, 1]
    status, problem = send(lena, "POST", PLAN, {"toml": 'measures = ["nothing"]'})
    assert status == 400 and problem["errors"]["toml"]
    assert AuditEvent.objects.filter(action="set analysis plan").count() == 2


def test_protocols_are_listed_read_and_stored(lena):
    rows = send(lena, "GET", "protocols/")[1]["results"]
    assert "article-accuracy" in {row["slug"] for row in rows}
    source = protocol_text("own", choice("ok", "Is it so?", {"yes": "Yes", "no": "No"}), counts={"ok": ["yes"]})
    status, stored = send(lena, "POST", "protocols/", {"toml": source})
    assert status == 201 and stored["toml"] == source
    assert send(lena, "POST", "protocols/", {"toml": source})[0] == 200
    address = f"protocols/{stored['slug']}/{stored['version']}/"
    assert send(lena, "GET", address) == (200, stored)
    assert stored["definition"]["questions"][0]["key"] == "ok"
    changed = source.replace("Is it so?", "Is it?")
    assert send(lena, "POST", "protocols/", {"toml": changed})[0] == 409
    status, problem = send(lena, "POST", "protocols/", {"toml": "slug ="})
    assert status == 400 and problem["errors"]["toml"]
    assert ProtocolVersion.objects.filter(slug=stored["slug"]).count() == 1
