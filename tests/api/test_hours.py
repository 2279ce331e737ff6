"""The API of hours and pay rates."""

import csv
import io

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.models import AuditEvent, Rating
from tests.api.clients import send
from tests.cast import Study, signed_in
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
HOURS, RATES = "projects/june/hours/", "projects/june/pay-rates/"


@pytest.fixture(autouse=True)
def _rated(june: Study) -> None:
    for name in ("ravi", "rosa"):
        rates(june.people[name], june.project)
    Rating.objects.filter(rater=june.people["ravi"]).update(seconds=450)


def test_the_hours_are_those_of_the_file_and_an_audited_download(lena: APIClient) -> None:
    week = send(lena, "GET", HOURS)[1]["weeks"][0]
    assert (week["rate"], week["currency"], week["amount"]) == (None, None, None)
    today = timezone.localdate().isoformat()
    status, rate = send(lena, "POST", RATES, {"amount": "18.50", "currency": "EUR", "starts_on": today})
    assert (status, rate["rater"], rate["amount"]) == (201, None, "18.50")
    status, answer = send(lena, "GET", HOURS)
    assert status == 200
    text = signed_in("lena").get("/projects/june/hours/file/").content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    names = ("week_from", "rater", "annotations", "ratings", "ratings_with_time", "rate", "currency", "amount")
    assert [[str(week[name]) for name in names] for week in answer["weeks"]] == [
        [row[name] for name in names] for row in rows
    ]
    assert [(week["rater"], week["hours"], week["amount"]) for week in answer["weeks"]] == [
        ("ravi", 0.375, "6.94"),
        ("rosa", 0.0, "0.00"),
    ]
    assert AuditEvent.objects.filter(action="download file", after__name="hours.json").count() == 2


def test_a_rate_of_one_rater_goes_before_that_of_all_and_ends_with_null(lena: APIClient) -> None:
    today = timezone.localdate().isoformat()
    body = {"amount": "10", "currency": "EUR", "starts_on": today}
    send(lena, "POST", RATES, body)
    assert send(lena, "POST", RATES, {**body, "rater": "ravi", "amount": "20"})[1]["rater"] == "ravi"
    amounts = {week["rater"]: week["rate"] for week in send(lena, "GET", HOURS)[1]["weeks"]}
    assert amounts == {"ravi": "20.00", "rosa": "10.00"}
    send(lena, "POST", RATES, {**body, "rater": "ravi", "amount": None})
    assert send(lena, "GET", HOURS)[1]["weeks"][0]["rate"] == "10.00"
    assert len(send(lena, "GET", RATES)[1]["results"]) == 2
