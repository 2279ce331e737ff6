"""A link opens one frozen report until it is revoked; nobody can read its key out of the database."""

import pytest

from annotation.models import AuditEvent, ReportLink
from annotation.reporting.shared_links import MAX_NOTE_LENGTH, find_link, make_link, revoke_link
from tests.cast import person
from tests.seeds import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


@pytest.fixture
def report():
    return seeded("june").reports.get()


def test_a_key_opens_its_report_until_it_is_revoked(report):
    link, key = make_link(report)
    other, other_key = make_link(report)
    assert find_link(key) == link and find_link(other_key) == other
    assert link.report == report and not link.with_names
    assert key not in str(ReportLink.objects.values().first()) and len(key) >= 32
    for wrong in ("", key[:-1], key + "x", key.swapcase(), link.digest):
        assert find_link(wrong) is None
    first = revoke_link(link).revoked_at
    assert find_link(key) is None and find_link(other_key) is not None
    assert revoke_link(link).revoked_at == first


def test_who_made_and_revoked_it_is_on_record_with_a_note_of_one_short_line(report):
    lena = person("lena")
    link, key = make_link(report, with_names=True, note="  the \n editor ", actor=lena)
    for _ in range(2):
        revoke_link(link, actor=lena)
    events = AuditEvent.objects.filter(target=f"link:{link.public_id}").order_by("pk")
    expected = [(lena, f"{verb} report link", report.project) for verb in ("make", "revoke")]
    assert [(event.actor, event.action, event.project) for event in events] == expected
    assert events[0].after == {"report": str(report.public_id), "with_names": True, "note": "the editor"}
    assert all(key not in str(event.after) for event in events)
    assert make_link(report, note=" for\x00 the\nreviewers ")[0].note == "for the reviewers"
    assert len(make_link(report, note="x" * 500)[0].note) == MAX_NOTE_LENGTH
