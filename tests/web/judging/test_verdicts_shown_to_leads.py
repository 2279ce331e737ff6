"""Every page, file and API answer that shows a lead a verdict of a judge records it, and no other does."""

import pytest
from django.db import transaction
from django.test import Client

from annotation.judging.run import run_judge
from annotation.models import Project, Rating, Verdict, VerdictsShown
from tests.cast import person
from tests.judging.test_run import rule_judge
from tests.test_urls import LINES, create_site
from tests.web.hidden_raters import content_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SAID = "zzverdict"
"""In the reason, quote and problem of every verdict, and nowhere else."""
EXCEPT = ("/admin/", "/accounts/", "/health/", "/r/")
ADDRESSES = [line[1] for line in LINES if line[0] == "GET" and not line[1].startswith(EXCEPT)]


@pytest.fixture(scope="module")
def site(module_rows, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tasks.jobs._send", lambda job: None)
        patch.setattr("django.conf.settings.MEDIA_ROOT", str(tmp_path_factory.mktemp("media")))
        site = create_site()
        run_judge(rule_judge(), Project.objects.get(slug="june"))
        Verdict.objects.update(reason=f"{SAID} reason", quote=f"{SAID} quote", problem=f"{SAID} problem")
        Rating.objects.filter(role="judge").update(comment=f"{SAID} comment")
        yield site


@pytest.fixture(autouse=True)
def _undone(db):
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def lena():
    client = Client()
    client.force_login(person("lena"))
    return client


def get(lena: Client, address: str) -> tuple[bool, bool]:
    """Return whether the answer shows a verdict, and whether that is recorded."""
    shows = SAID in content_of(lena.get(address, follow=True)).decode("utf-8", "replace")
    return shows, VerdictsShown.objects.filter(person=person("lena")).exists()


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_answer_that_shows_a_verdict_records_it(site, lena, address):
    shows, is_recorded = get(lena, address.format(**site))
    assert is_recorded or not shows


def test_it_is_the_case_for_many_addresses(site, lena):
    shown = {name for address in ADDRESSES if get(lena, address.format(**site))[0] for name in address.split("/")}
    assert shown >= {"judges", "items", "exports", "ratings", "verdicts"}
