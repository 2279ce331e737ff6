"""Tables of report pages as text: live, frozen and shared."""

import csv
import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEvent, Membership, Rating, Report
from annotation.projects.analysis_plans import set_plan
from annotation.projects.members import add_member
from annotation.reporting.shared_links import make_link
from tests.cast import person
from tests.exporting.bundles import frozen as freeze
from tests.reporting.project_rows import opposite_raters, project_of
from tests.seeds import seeded
from tests.web.pages import text_of
from tests.web.reports.pages import get_page

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


def shared(report: Report) -> str:
    """Return the key of a link to the report under pseudonyms."""
    return make_link(report, actor=person("lena"))[1]


def addresses(text: str) -> list[str]:
    """Return the addresses of all links that copy a table."""
    return [unescape(address) for address in re.findall(r'<a href="([^"]*[?&;]table=[^"]*)" download>', text)]


def test_downloads_of_tables_and_reports_are_in_the_audit(lena, june, frozen):
    report = reverse("frozen_report", args=[frozen.public_id])
    _, with_names = make_link(frozen, with_names=True, note="", actor=person("lena"))
    for address in (
        f"{report}report.csv",
        f"{report}tables/?table=raters&format=csv",
        "/projects/june/report/tables/?table=raters&format=csv",
        reverse("hours_file", args=["june"]),
    ):
        assert lena.get(address).status_code == 200, address
    assert lena.get(f"{report}tables/?table=nothing&format=csv").status_code == 404
    for key in (with_names, shared(frozen)):
        Client().get(f"/r/{key}/report.json")
        table = Client().get(f"/r/{key}/tables/?table=raters&format=csv").content.decode()
        raters = {row["value"] for row in csv.DictReader(table.splitlines())}
        assert len(raters) == 3 and ("ravi" in table) == (key == with_names)
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


def test_every_table_of_a_page_can_be_copied_in_every_format(lena, frozen):
    key = shared(frozen)
    expected = {"systems", "options", "answers%20to%20severity", "comparisons", "agreement", "raters", "aggregations"}
    expected |= {"question_type", "system%20%C3%97%20question_type"}
    for page, args, client in (
        ("report", ["june"], lena),
        ("frozen_report", [frozen.public_id], lena),
        ("shared_report", [key], Client()),
    ):
        found = addresses(get_page(client, page, *args))
        by_table = {re.search(r"table=([^&]+)", address)[1]: address for address in found}
        assert expected <= set(by_table), page
        asked = {*found[:4], *(by_table.values() if page == "frozen_report" else ())}  # each format, and each table
        kinds = {client.get(address)["Content-Type"] for address in asked}
        assert kinds == {f"{kind}; charset=utf-8" for kind in ("application/x-tex", "text/csv", "text/markdown")}


@pytest.mark.parametrize("study", ["few ratings", "planned"])
def test_below_every_table_are_its_copies_and_why_figures_are_missing(lena, june, study):
    project = project_of(opposite_raters()[:60], "few") if study == "few ratings" else june
    if study == "planned":
        set_plan(june, 'measures = ["accurate"]\nfamily = "report"\nunit = "document"\n')
    live = get_page(lena, "report", project.slug)
    frozen = freeze(project)
    pages = (
        (live, lena),
        (get_page(lena, "frozen_report", frozen.public_id), lena),
        (get_page(Client(), "shared_report", shared(frozen)), Client()),
    )
    for page, _client in pages:
        parts = page.split('aria-labelledby="frozen"')[0].split("<table")[1:]
        assert len(parts) > 8
        for part in parts:
            table, _, below = part.partition("</table>")
            assert "data-copy-table" in below, table[:300]
            if re.search(r">\s*–\s*<", table):
                assert "“–”" in below, table
    assert ("planned_comparisons" in pages[1][0]) == (study == "planned")
    for page, client in pages[1:] if study == "planned" else ():
        copies = [address for address in addresses(page) if "table=comparisons" in address and "csv" not in address]
        texts = [client.get(address).content.decode() for address in copies]
        family = "The family of the analysis plan is all comparisons on all measures"
        assert len(texts) == 3 and all(family in text for text in texts)


def test_a_copied_table_has_the_numbers_that_the_page_showed(lena, june):
    compact = next(address for address in addresses(get_page(lena, "report", "june")) if "compact" in address)
    before = lena.get(compact).content.decode()
    assert r"Alder & 87.1 $\pm$ " in before and "resizebox" not in before
    Rating.objects.filter(rater=person("tom")).delete()
    assert lena.get(compact).content.decode() == before


def test_a_table_that_is_not_there_is_not_found_and_without_one_the_address_leads_to_the_report(lena, frozen):
    for query in ("table=nothing&format=csv", "table=systems&format=x", "table=systems"):
        assert lena.get(f"{reverse('report_table', args=['june'])}?{query}").status_code == 404, query
    for tables, report, *args in (
        ("report_table", "report", "june"),
        ("frozen_report_table", "frozen_report", frozen.public_id),
        ("shared_table", "shared_report", shared(frozen)),
    ):
        assert lena.get(reverse(tables, args=args)).url == reverse(report, args=args)
    add_member(seeded("other"), person("lena"), Membership.Role.LEAD)
    for query in ("", "table=systems&format=csv"):
        response = lena.get(f"{reverse('report_table', args=['other'])}?{query}", follow=True)
        assert "No ratings to report yet" in text_of(response), "of an empty project"
