"""Leads are notified once of a quality alert and of a reached target."""

import pytest

from annotation.models import Item, Notification
from annotation.notifications.wording import sentence, url
from annotation.projects.project_settings import change_settings
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.reporting import live, quality_events
from annotation.reporting.quality_events import notify_leads
from tests.cast import ACCURATE, SEVERE, Study, study

pytestmark = pytest.mark.django_db


@pytest.fixture
def june() -> Study:
    """Twelve prompts, enough for intervals, rated by two who disagree on half."""
    june = study(prompts=12, sentences=1)
    for n, item in enumerate(Item.objects.order_by("response__prompt__key")):
        said = {"ravi": ACCURATE, "rosa": SEVERE if n % 2 else ACCURATE}
        store_ratings(june.project, [NewRating(item, june.people[name], answers) for name, answers in said.items()])
    return june


@pytest.fixture
def alerted(monkeypatch) -> list[str]:
    """Return the list of the raters with an alert, which tests fill."""
    names: list[str] = []
    monkeypatch.setattr(quality_events, "alerted_raters", lambda raters: names)
    return names


def test_a_target_is_reached_when_every_interval_is_within_it(june, alerted):
    change_settings(june.project, {"target_half_width": 0.01})
    assert notify_leads() == 0
    change_settings(june.project, {"target_half_width": 0.5})
    assert notify_leads() == 1
    reached = Notification.objects.get()
    assert (reached.recipient.username, sentence(reached)) == ("lena", "The precision target is reached.")
    assert url(reached) == "/projects/june/#precision"
    Notification.objects.update(read_at=reached.created_at)
    assert notify_leads() == 0  # once of each target
    change_settings(june.project, {"target_half_width": 0.49})
    assert notify_leads() == 1


def test_an_alert_of_a_rater_notifies_the_leads_once(june, alerted):
    alerted += ["rosa", "nobody"]
    assert notify_leads() == 1
    alert = Notification.objects.get()
    assert (alert.kind, sentence(alert)) == ("alert", "rosa has a quality alert.")
    assert url(alert) == "/projects/june/raters/rosa/"
    Notification.objects.update(read_at=alert.created_at)
    assert notify_leads() == 0


def test_a_large_project_has_no_alerts_computed_and_an_archived_one_nothing(june, alerted, monkeypatch):
    alerted.append("rosa")
    monkeypatch.setattr(live, "MANY_RATINGS", 3)
    change_settings(june.project, {"target_half_width": 0.5})
    assert notify_leads() == 1
    assert Notification.objects.get().kind == "target"
    june.project.archived_at = june.project.created_at
    june.project.save()
    Notification.objects.all().delete()
    assert notify_leads() == 0
