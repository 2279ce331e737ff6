"""A project that hides raters: its leads see pseudonyms on every page, in every file and in the API."""

import re
from datetime import UTC, datetime

import pytest
from django.core import mail
from django.test import Client

from annotation.accounts.tokens import create_token
from annotation.models import AuditEvent, Job, Membership, PayRate, Report, User
from annotation.notifications.mail import send_due_mails
from annotation.projects.project_settings import change_settings
from annotation.pseudonyms import active
from tests.cast import person, signed_in
from tests.routes import LINES, ask, undone, without_jobs
from tests.web.hidden_raters import ROSA, SECRET, TOM, content_of, hidden_site, leaks

pytestmark = pytest.mark.django_db

FILES = """
/projects/june/?
/projects/june/responses/?rater={rosa}
/projects/june/responses/?state=reserved
/projects/june/report/?live=1
/projects/june/report/?live=1&without_raters={rosa}
/projects/june/report/?live=1&without_raters=nobody
/projects/june/report/?live=1&answers=adjudicated&by=rater
/projects/june/report/figures/options-light.svg?without_raters={rosa}
/projects/june/report/tables/?table=raters&format=csv
/projects/june/report/tables/?table=rater&format=csv
/projects/june/report/tables/?table=agreement&format=json
/projects/june/report/tables/?table=systems&format=csv
/projects/june/raters/?without={rosa}&without={tom}
/projects/june/raters/{rosa}/
/projects/june/raters/{tom}/
/projects/june/agreement/?figure=ac1
/projects/june/checks/
/projects/june/inbox/?show=all
/projects/june/inbox/{other_question}/
/projects/june/review/?rater={rosa}
/projects/june/review/{item}/?rater={rosa}
/projects/june/assignments/{begun}/?anonymous
/projects/june/settings/general/
/projects/june/settings/quality/
/projects/june/settings/danger/
/projects/june/exports/ratings/?format=jsonl
/projects/june/exports/ratings/?format=csv
/projects/june/exports/ratings/?format=csv&pseudonymous
/projects/june/exports/ratings/?format=parquet
/exports/{safe_export}/
/reports/{frozen}/report.json
/reports/{frozen}/report.csv
/reports/{frozen}/report.md
/reports/{frozen}/report.tex
/reports/{frozen}/report.html
/reports/{frozen}/report.bib
/reports/{frozen}/provenance.json
/reports/{frozen}/tables/?table=raters&format=csv
/reports/{frozen}/tables/?table=rater&format=markdown
/reports/{frozen}/options-light.svg
/reports/{without}/
/reports/{without}/report.json
/reports/{without}/report.md
/reports/{without}/provenance.json
/r/{key}/
/r/{key}/report.json
/r/{key}/report.html
/r/{key}/provenance.json
/r/{key}/options-light.svg
/projects/june/reports/compare/?a={frozen}&b={without}
/projects/june/reports/compare/differences.csv?a={frozen}&b={without}
/search/results/?q=zzuniq&in=june
/search/results/?q=zzuniqrosa
/projects/other/members/people/?q=zzuniq
/jobs/{freezing}/?format=json
/api/v1/projects/june/questions/?state=all
/api/v1/projects/june/report/
/api/v1/projects/june/report/?without_raters={rosa}
/api/v1/projects/june/report/?without_raters=nobody
/api/v1/reports/{freezing}/
"""
"""Addresses that a lead may get, beside those of the table of all routes."""


@pytest.fixture(scope="module")
def site(module_rows, tmp_path_factory):
    with without_jobs(tmp_path_factory.mktemp("media")):
        yield hidden_site()


@pytest.fixture(autouse=True)
def _undone(db):
    with undone():
        yield


@pytest.fixture
def june(site):
    return site["study"]


@pytest.fixture
def leading(site):
    """Return a client with a token for leading of an admin."""
    return Client(headers={"Authorization": f"Token {site['leading']}"})


def routes(site):
    """Return method and address of each route outside Django's admin pages and the forms of one's own account."""
    for method, address, *_ in LINES:
        if not address.startswith(("/admin/", "/accounts/", "/people/")) and "{load}" not in address:
            yield method, address.replace("/rosa/", "/{rosa}/").format(**site)


def test_no_route_names_a_rater_to_a_lead(site, lena):
    found = {}
    for method, address in routes(site):
        with undone():
            response = ask(lena, method, address)
            found[method, address] = leaks(response)
            if response.status_code == 302:
                found[method, address] += leaks(lena.get(response.url))
    assert len(found) > 300 and not {line: leak for line, leak in found.items() if leak}


def test_no_page_and_no_file_names_a_rater_to_a_lead(site, lena):
    found = {}
    for address in FILES.split():
        response = lena.get(address.format(**site))
        allowed = (200, 400) if "nobody" in address else (200,)
        found[address] = leaks(response) or (response.status_code not in allowed and response.content)
    for what in ("ratings", "bundle", "dataset"):
        params = {"what": what, "format": "csv", "with_names": "1", "report": site["frozen"]}
        response = lena.post("/projects/june/exports/make/", params)
        found[what] = leaks(response) or (response.status_code != 200 and response.content)
    assert not {address: problem for address, problem in found.items() if problem}


def test_a_user_name_and_a_file_with_names_are_not_found(site, lena, ada):
    for address in (f"/exports/{site['export']}/", f"/projects/june/raters/{ROSA}/"):
        assert [client.get(address).status_code for client in (lena, ada)] == [404, 200]


def test_whether_a_user_name_exists_cannot_be_told(site, lena):
    """Addresses, filters and forms answer the same for a rater's user name and for a name that nobody has."""
    for name in (ROSA, f"{SECRET}nobody"):
        assert lena.post(f"/projects/june/checks/raters/{name}/", {"act": "pause"}).status_code == 404
        assert lena.get("/projects/june/responses/", {"rater": name}).context["page"].paginator.count == 0
        assert lena.get("/api/v1/projects/june/report/", {"without_raters": name}).status_code == 400
        assert lena.get("/projects/june/review/", {"rater": name}).context["query"].selection.rater is None
        rate = {"rater": name, "currency": "EUR", "starts_on": "2026-11-23"}
        assert "rater" in lena.post("/projects/june/hours/", rate).context["form"].errors
        assert "raters" in lena.post("/projects/june/reservations/", {"raters": name}).context["form"].errors


ACTS = [
    ("/projects/june/checks/raters/{rosa}/", {"act": "pause"}),
    ("/projects/june/checks/raters/{ravi}/", {"act": "lift"}),
    ("/projects/june/hours/", {"rater": "{rosa}", "currency": "EUR", "amount": "3", "starts_on": "2026-11-23"}),
    ("/projects/june/reservations/", {"raters": "{rosa}", "by": "random", "n": "1", "confirmed": "1"}),
    ("/projects/june/reservations/", {"raters": ["{rosa}", "{tom}"], "by": "random", "n": "1"}),
    ("/projects/june/responses/change/", {"action": "free", "all": "1", "rater": "{rosa}"}),
    ("/projects/june/responses/change/", {"action": "reopen", "all": "1"}),
    ("/projects/june/assignments/{assignment}/reopen/", {"reason": "Again."}),
    ("/projects/june/assignments/{begun}/free/", {}),
    ("/projects/june/inbox/{question}/", {"answer": "It is."}),
    ("/projects/june/report/freeze/", {"without_raters": "{rosa}"}),
    ("/projects/june/report/numbers/", {"without_raters": "{rosa}"}),
    ("/projects/june/review/names/", {"kind": "raters", "shown": "1", "next": "/projects/june/review/{item}/"}),
]


def test_leads_act_on_raters_by_pseudonym(site, lena):
    for address, data in ACTS:
        with undone():
            values = {
                name: [each.format(**site) for each in value] if isinstance(value, list) else value.format(**site)
                for name, value in data.items()
            }
            response = lena.post(address.format(**site), values)
            assert not leaks(response), address
            if response.status_code == 302:
                response = lena.get(response.url)
            assert (response.status_code, leaks(response)) == (200, []), address


def test_a_rate_for_a_rater_by_pseudonym_is_stored(site, lena):
    data = {"rater": site["rosa"], "currency": "EUR", "amount": "3", "starts_on": "2026-11-23"}
    assert lena.post("/projects/june/hours/", data).status_code == 302
    assert PayRate.objects.get(amount=3).rater.username == ROSA


def test_the_report_without_a_rater_is_that_of_the_user_name(site, lena, ada):
    hidden = lena.get("/api/v1/projects/june/report/", {"without_raters": site["rosa"]}).json()
    named = ada.get("/api/v1/projects/june/report/", {"without_raters": ROSA}).json()
    assert hidden["overall"] == named["overall"]
    assert hidden["filters"]["without_raters"] == [site["rosa"]]
    assert hidden["data"].pop("sha256") != named["data"].pop("sha256")
    assert hidden["data"] == named["data"]


def test_a_rater_has_one_pseudonym_everywhere_in_their_order(site, lena):
    shown = sorted(site[name] for name in ("rosa", "ravi", "tom"))
    progress = [row["rater"] for row in lena.get("/api/v1/projects/june/progress/").json()["raters"]]
    report = lena.get(f"/reports/{site['frozen']}/report.json").json()
    assert [cell["value"] for cell in report["by"]["rater"]] == [row["rater"] for row in report["raters"]] == shown
    assert [name for name in progress if name != site["max"]] == shown
    exported = lena.get("/projects/june/exports/ratings/", {"format": "csv"})
    text = b"".join(exported.streaming_content).decode()
    for page in ("members/", "raters/", "checks/", "hours/", "reservations/", "", "responses/"):
        html = lena.get(f"/projects/june/{page}").content.decode()
        assert set(re.findall(r"rater-[0-9a-f]{12}", html)) <= {*shown, site["max"]}, page
        assert site["rosa"] in html, page
    assert site["rosa"] in text
    members = re.findall(r"rater-[0-9a-f]{12}", lena.get("/projects/june/members/").content.decode())
    assert list(dict.fromkeys(members)) == shown


def test_no_page_of_a_lead_has_the_number_of_an_account(site, lena):
    """Numbers are the same in all projects: one in which names are shown would tell who it is."""
    html = lena.get("/projects/june/reservations/").content.decode()
    values = re.findall(r'name="raters" value="([^"]*)"', html)
    assert sorted(values) == sorted(site[name] for name in ("rosa", "ravi", "tom"))


def test_a_token_of_a_lead_gets_no_names(site):
    headers = {"Authorization": f"Token {create_token(site['lead'])[0]}"}
    for path in ("projects/june/progress/", "projects/june/questions/", "projects/june/report/"):
        response = Client().get(f"/api/v1/{path}", headers=headers)
        assert site["rosa"] in response.content.decode()
        assert not leaks(response)
    assert not leaks(Client().get(f"/api/v1/reports/{site['freezing']}/", headers=headers))


def test_no_route_names_a_rater_to_a_token_for_leading_of_an_admin(site, leading):
    found = {}
    for method, address in routes(site):
        if address.startswith("/api/"):
            with undone():
                found[method, address] = leaks(ask(leading, method, address))
    assert len(found) > 100 and not {line: leak for line, leak in found.items() if leak}


def test_files_made_with_a_token_for_leading_have_no_names(site, leading):
    body = {"what": "ratings", "format": "csv", "with_names": True}
    answer = leading.post("/api/v1/projects/june/exports/", body, content_type="application/json")
    assert "with_names" not in Job.objects.get(public_id=answer.json()["id"]).params
    assert leading.get(f"/api/v1/exports/{site['export']}/file/").status_code == 404


LISTS = """
/projects/june/members/
/projects/june/hours/
/projects/june/reservations/
/projects/june/report/tables/?table=raters&format=csv
/reports/{frozen}/report.json
/reports/{frozen}/provenance.json
/api/v1/projects/june/members/?limit=2
/api/v1/projects/june/progress/
/api/v1/projects/june/raters/
/api/v1/projects/june/hours/
/api/v1/projects/june/checks/raters/
/api/v1/projects/june/report/
"""


def test_no_list_of_raters_has_an_order_of_names_or_of_joining(site, lena):
    """Raters appear in the order of their pseudonyms, in all pages of a list, however it is sorted otherwise."""
    for address in LISTS.format(**site).split():
        shown, page = [], address
        while page:
            response = lena.get(page)
            shown += re.findall(r"rater-[0-9a-f]{12}", content_of(response).decode())
            page = response.json().get("next") if "application/json" in response["Content-Type"] else None
        first = list(dict.fromkeys(shown))
        assert len(first) >= 3 and first == sorted(first), address


def test_no_list_has_times_of_joining_or_what_an_account_has_elsewhere(site, lena):
    User.objects.filter(username=ROSA).update(is_active=False)
    Membership.objects.filter(user__username=ROSA).update(created_at=datetime(2001, 2, 3, tzinfo=UTC))
    members = lena.get("/api/v1/projects/june/members/").json()["results"]
    hidden = [member for member in members if member["username"].startswith("rater-")]
    assert len(hidden) == 3 and all(member["created_at"] is None for member in hidden)
    assert all(member["created_at"] for member in members if member not in hidden)
    html = content_of(lena.get("/projects/june/members/")).decode()
    assert "Account closed" not in html and "3 Feb 2001" not in html


def test_mails_to_leads_have_no_names(site, settings):
    settings.EMAIL_HOST = "mail.example.org"
    assert send_due_mails() == 1
    [message] = mail.outbox
    assert message.to == ["lena@example.org"]
    assert site["rosa"] in message.body
    assert SECRET not in f"{message.subject} {message.body}".lower()


def test_raters_see_their_own_name_and_no_other(site):
    june = site["study"]
    own, other = june.people[ROSA], june.people[TOM]
    for path in ("/", "/projects/june/", "/projects/june/my-responses/", "/account/", f"/assignments/{site['begun']}/"):
        html = content_of(signed_in(own.username).get(path)).decode().lower()
        assert other.username not in html, path
    assert "zzuniqrosa zzuniqname" in signed_in(own.username).get("/account/").content.decode().lower()


def test_admins_see_names_which_the_audit_says(site, ada):
    paths = "members/ raters/ checks/ hours/ hours/file/ reservations/ responses/ inbox/?show=all"
    for path in ("", *paths.split()):
        with undone():
            response = ada.get(f"/projects/june/{path}")
            assert leaks(response), path
            assert site["rosa"] not in content_of(response).decode(), path
            ada.get(f"/projects/june/{path}")
            [event] = AuditEvent.objects.filter(action="view hidden names")
            assert (event.actor, event.target) == (site["admin"], "project:june")


def test_only_admins_hide_raters_and_show_them(site, lena, ada):
    assert lena.post("/projects/june/hidden-raters/", {"hides_raters": "off"}).status_code == 403
    assert not leaks(lena.get("/projects/june/members/"))
    ada.post("/projects/june/hidden-raters/", {"hides_raters": "off"})
    assert leaks(lena.get("/projects/june/members/"))
    assert lena.get(f"/projects/june/raters/{ROSA}/").status_code == 200
    ada.post("/projects/june/hidden-raters/", {"hides_raters": "on"})
    events = AuditEvent.objects.filter(action="hide raters").order_by("pk")
    assert [(event.before, event.after) for event in events] == [(True, False), (False, True)]


def test_only_admins_change_members_of_a_project_that_hides_raters(site, lena, ada):
    person("eva")
    for client, status in ((lena, 403), (ada, 302)):
        assert client.post("/projects/june/members/", {"username": "eva", "role": "rater"}).status_code == status
    for path in ("members/people/?q=eva", "invite/", f"members/{site['rosa']}/replace/"):
        assert lena.get(f"/projects/june/{path}").status_code == 403
    assert lena.post(f"/projects/june/members/{ROSA}/remove/").status_code == 403


def test_what_is_stored_keeps_its_bytes(site, ada):
    stored = Report.objects.get(public_id=site["frozen"])
    assert ada.get(f"/reports/{site['frozen']}/report.json").content.decode() == stored.document
    assert ROSA in stored.document


def test_searches_and_suggestions_elsewhere_do_not_tell_who_the_raters_are(site, lena):
    for address in (f"/search/results/?q={SECRET}", f"/projects/other/members/people/?q={SECRET}"):
        assert not leaks(lena.get(address))
    change_settings(site["study"].project, {"hides_raters": False}, actor=site["admin"])
    for address in (f"/search/results/?q={SECRET}", f"/projects/other/members/people/?q={SECRET}"):
        assert leaks(lena.get(address))


def test_names_are_hidden_for_one_request_only(site, lena):
    lena.get("/projects/june/members/")
    assert str(site["study"].people[ROSA]) == "Zzuniqrosa Zzuniqname"
    assert active() is None
