"""Leads are notified once of a quality alert and of a reached target."""

import pytest

from annotation.models import Notification
from annotation.notifications.wording import sentence, url
from annotation.projects.precision_target import set_target
from annotation.reporting import live, quality_events
from annotation.reporting.quality_events import notify_leads
from tests.cast import ACCURATE, SEVERE, Study, study
from tests.gold_studies import rate_next

pytestmark = pytest.mark.django_db


@pytest.fixture
def june() -> Study:
    """Twelve prompts, enough for intervals, rated by two who disagree on half."""
    june = study(prompts=12, sentences=1)
    for n in range(12):
        rate_next(june, "ravi", ACCURATE)
        rate_next(june, "rosa", SEVERE if n % 2 else ACCURATE)
    return june


def kinds() -> list[str]:
    return list(Notification.objects.order_by("pk").values_list("kind", flat=True))


def test_a_target_is_reached_when_every_interval_is_within_it(june, monkeypatch):
    monkeypatch.setattr(quality_events, "alerted_raters", lambda raters: [])
    set_target(june.project, 0.01)
    assert notify_leads() == 0
    set_target(june.project, 0.5)
    assert notify_leads() == 1
    reached = Notification.objects.get()
    assert (reached.recipient.username, sentence(reached)) == ("lena", "The precision target is reached.")
    assert url(reached) == "/projects/june/#precision"
    Notification.objects.update(read_at=reached.created_at)
    assert notify_leads() == 0  # once of each target
    set_target(june.project, 0.49)
    assert notify_leads() == 1


def test_an_alert_of_a_rater_notifies_the_leads_once(june, monkeypatch):
    monkeypatch.setattr(quality_events, "alerted_raters", lambda raters: ["rosa", "nobody"])
    assert notify_leads() == 1
    alert = Notification.objects.get()
    assert (sentence(alert), url(alert)) == ("rosa has a quality alert.", "/projects/june/raters/rosa/")
    Notification.objects.update(read_at=alert.created_at)
    assert notify_leads() == 0
    assert kinds() == ["alert"]


def test_a_large_project_has_no_alerts_computed_and_an_archived_one_nothing(june, monkeypatch):
    monkeypatch.setattr(quality_events, "alerted_raters", lambda raters: ["rosa"])
    monkeypatch.setattr(live, "MANY_RATINGS", 3)
    set_target(june.project, 0.5)
    assert notify_leads() == 1
    assert kinds() == ["target"]
    june.project.archived_at = june.project.created_at
    june.project.save()
    Notification.objects.all().delete()
    assert notify_leads() == 0
