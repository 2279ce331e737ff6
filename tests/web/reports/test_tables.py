"""Tables of report pages as text: live, frozen and shared."""

import csv
import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEvent, Membership, Project, Rating
from annotation.projects.analysis_plans import set_plan
from annotation.projects.members import add_member
from annotation.reporting import Choices, freeze
from annotation.reporting.shared_links import make_link
from tests.cast import person
from tests.reporting.project_rows import opposite_raters, project_of, worked_example
from tests.web.pages import text_of
from tests.web.reports.pages import get_page

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def addresses(text: str) -> list[str]:
    """Return the addresses of all links that copy a table."""
    return [unescape(address) for address in re.findall(r'<a href="([^"]*[?&;]table=[^"]*)" download>', text)]


def test_downloads_of_tables_and_reports_are_in_the_audit(lena, june, frozen):
    report = reverse("frozen_report", args=[frozen.public_id])
    _, with_names = make_link(frozen, with_names=True, note="", actor=person("lena"))
    _, without = make_link(frozen, with_names=False, note="", actor=person("lena"))
    for address in (
        f"{report}report.csv",
        f"{report}tables/?table=raters&format=csv",
        reverse("report_table", args=["june"]) + "?table=raters&format=csv",
        reverse("hours_file", args=["june"]),
    ):
        assert lena.get(address).status_code == 200, address
    assert lena.get(f"{report}tables/?table=nothing&format=csv").status_code == 404
    for key in (with_names, without):
        Client().get(reverse("shared_file", args=[key, "report.json"]))
        table = Client().get(reverse("shared_table", args=[key]) + "?table=raters&format=csv")
        assert ("ravi" in table.content.decode()) == (key == with_names)
    events = AuditEvent.objects.filter(action="download file", project=june).order_by("pk")
    assert [
        (event.actor and event.actor.username, event.target.split(":")[0], event.after["name"]) for event in events
    ] == [
        ("lena", "report", "report.csv"),
        ("lena", "report", "raters.csv"),
        ("lena", "project", "raters.csv"),
        ("lena", "project", "june-hours.csv"),
        (None, "report link", f"report-{frozen.data_sha256[:8]}-report.json"),
        (None, "report link", "raters.csv"),
    ]
    assert all(event.after["with_names"] for event in events)


def test_every_table_of_a_page_can_be_copied_in_every_format(lena, june, frozen):
    _, key = make_link(frozen, with_names=False, note="", actor=person("lena"))
    for page, args, client in (
        ("report", ["june"], lena),
        ("frozen_report", [frozen.public_id], lena),
        ("shared_report", [key], Client()),
    ):
        found = addresses(get_page(client, page, *args))
        names = {re.search(r"table=([^&]+)", address)[1] for address in found}
        expected = {
            "systems",
            "options",
            "answers%20to%20severity",
            "comparisons",
            "agreement",
            "raters",
            "aggregations",
        }
        assert expected | {"question_type", "system%20%C3%97%20question_type"} <= names, page
        kinds = {client.get(address)["Content-Type"] for address in found}
        assert kinds == {f"{kind}; charset=utf-8" for kind in ("application/x-tex", "text/csv", "text/markdown")}


def parts_of(page: str) -> list[str]:
    """Return each table of the report on its page, with what follows it up to the next table."""
    report = page.split('aria-labelledby="frozen"')[0]
    return report.split("<table")[1:]


@pytest.mark.parametrize("study", ["worked example", "few ratings", "planned"])
def test_below_every_table_are_its_copies_and_why_figures_are_missing(lena, study):
    project = project_of(opposite_raters()[:60] if study == "few ratings" else worked_example())
    if study == "planned":
        set_plan(project, 'measures = ["accurate"]\nfamily = "report"\nunit = "document"\n')
    live = get_page(lena, "report", "june")
    frozen = freeze(project, Choices(resamples=100))
    _, key = make_link(frozen, with_names=False, note="", actor=person("lena"))
    pages = live, get_page(lena, "frozen_report", frozen.public_id), get_page(Client(), "shared_report", key)
    for page in pages:
        parts = parts_of(page)
        assert len(parts) > 8
        for part in parts:
            table, _, below = part.partition("</table>")
            assert "data-copy-table" in below, table[:300]
            if re.search(r">\s*–\s*<", table):
                assert "“–”" in below, table
    assert ("planned_comparisons" in pages[1]) == (study == "planned")


def test_a_copied_table_has_the_numbers_that_the_page_showed(lena, june):
    compact = next(address for address in addresses(get_page(lena, "report", "june")) if "compact" in address)
    before = lena.get(compact).content.decode()
    assert r"Alder & 87.1 $\pm$ " in before and "resizebox" not in before
    Rating.objects.filter(rater=person("tom")).delete()
    assert lena.get(compact).content.decode() == before


@pytest.mark.parametrize("query", ["table=nothing&format=csv", "table=systems&format=x", "table=systems"])
def test_a_table_that_is_not_there_is_not_found(lena, june, query):
    assert lena.get(f"{reverse('report_table', args=['june'])}?{query}").status_code == 404


def test_without_a_table_the_address_leads_to_the_report(lena, june, frozen):
    _, key = make_link(frozen, with_names=False, note="", actor=person("lena"))
    for tables, report, args in (
        ("report_table", "report", ["june"]),
        ("frozen_report_table", "frozen_report", [frozen.public_id]),
        ("shared_table", "shared_report", [key]),
    ):
        assert lena.get(reverse(tables, args=args)).url == reverse(report, args=args)


@pytest.mark.parametrize("query", ["", "table=systems&format=csv"])
def test_a_table_of_an_empty_project_leads_to_the_empty_report(lena, june, query):
    add_member(Project.objects.get(slug="other"), person("lena"), Membership.Role.LEAD)
    response = lena.get(f"{reverse('report_table', args=['other'])}?{query}", follow=True)
    assert "No ratings to report yet" in text_of(response)


def test_a_shared_table_shows_raters_under_pseudonyms(lena, june, frozen):
    _, key = make_link(frozen, with_names=False, note="", actor=person("lena"))
    text = Client().get(f"{reverse('shared_table', args=[key])}?table=raters&format=csv").content.decode()
    raters = {row["value"] for row in csv.DictReader(text.splitlines())}
    assert "ravi" not in text and len(raters) == 3


def test_a_copied_table_of_differences_names_the_family_of_the_plan(lena, june):
    set_plan(june, 'measures = ["accurate"]\nfamily = "report"\n')
    frozen = freeze(june, Choices(resamples=100))
    _, key = make_link(frozen, with_names=False, note="", actor=person("lena"))
    family = "The family of the analysis plan is all comparisons on all measures"
    for page, args, client in (("frozen_report", [frozen.public_id], lena), ("shared_report", [key], Client())):
        copies = [address for address in addresses(get_page(client, page, *args)) if "table=comparisons" in address]
        texts = [client.get(address).content.decode() for address in copies if "csv" not in address]
        assert len(texts) == 3 and all(family in text for text in texts), page
