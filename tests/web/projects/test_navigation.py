"""The navigation inside a project: sections by rights, the current one, the switcher, and the site's navigation."""

import re

import pytest

from annotation.models import Project
from annotation.projects.archiving import archive
from annotation.projects.members import remove_member
from annotation.web.projects.navigation import FILTERED_FROM
from tests.cast import study
from tests.web.pages import html_of, queries

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"), sentences=2)]
JUNE = "/projects/june/"


def links(html: str) -> dict[str, str]:
    """Return the links of the project navigation: label and value of aria-current."""
    nav = re.search(r'<nav class="project-bar".*?</nav>', html, re.DOTALL)
    assert nav
    found = re.findall(r'<a href="[^"]+"(?: aria-current="(\w+)")?>(.*?)</a>', nav[0])
    return {label.strip(): current for current, label in found}


def test_a_lead_has_every_section_and_the_current_one_is_marked_in_projects_only(lena, june):
    overview = links(html_of(lena.get(JUNE)))
    assert list(overview) == [
        "Overview", "Responses", "Members", "Guidelines", "Inbox", "Review", "Judges", "Agreement", "Raters", "Hours",
        "Report", "Planner", "Exports", "Settings",
    ]  # fmt: skip
    assert {label for label, current in overview.items() if current} == {"Overview"}
    assert "project-bar" not in html_of(lena.get("/"))


def test_pages_mark_their_section_and_have_the_heading_and_the_project_as_title(lena):
    for address, section, current, heading in [
        ("members/", "Members", "page", "Members"),
        ("invite/", "Members", "true", "Invite people"),
        ("settings/workload/", "Settings", "true", "Work"),
        ("overlap/", "Settings", "true", "Overlap"),
        ("checks/", "Settings", "true", "Training and checks"),
        ("reservations/", "Responses", "true", "Assign responses"),
        ("agreement/", "Agreement", "page", "Agreement between raters"),
        ("review/", "Review", "page", "Review"),
        ("review/gold/", "Review", "true", "Gold answers"),
        ("raters/", "Raters", "page", "Rater quality"),
        ("hours/", "Hours", "page", "Hours"),
        ("report/", "Report", "page", "Live report"),
        ("plan/", "Planner", "page", "Sample-size planner"),
        ("exports/", "Exports", "page", "Exports"),
    ]:
        html = html_of(lena.get(JUNE + address))
        assert {name: value for name, value in links(html).items() if value} == {section: current}
        title = re.search(r"<title>(.*?)</title>", html, re.DOTALL)
        assert title and " ".join(title[1].split()) == f"{heading} · Study june · Factuary"


def test_raters_have_what_they_may_open(ravi, june):
    assert list(links(html_of(ravi.get(JUNE)))) == ["Overview", "My responses", "Guidelines"]
    Project.objects.update(shows_decisions=True)
    assert list(links(html_of(ravi.get(JUNE)))) == ["Overview", "My responses", "Guidelines", "Adjudications"]


def test_the_sites_navigation_stays(ada, june):
    html = html_of(ada.get(JUNE))
    for address in ("/", "/datasets/", "/protocols/", "/people/"):
        assert re.search(rf'<nav class="site-links".*?href="{address}".*?</nav>', html, re.DOTALL)


def test_the_switcher_lists_the_users_projects_that_are_not_archived(lena, june):
    for slug in ("may", "july"):
        study(slug)
    study("other", raters=("otto",))
    remove_member(Project.objects.get(slug="other"), june.people["lena"])
    archive(Project.objects.get(slug="may"))
    html = html_of(lena.get(JUNE))
    assert '<a href="/projects/june/" dir="auto" aria-current="true">' in html
    assert '<a href="/projects/july/" dir="auto">' in html
    assert "/projects/may/" not in html and "/projects/other/" not in html and "filter_list.js" not in html


def test_many_projects_have_a_field_to_filter_them_and_take_no_more_queries(lena, june):
    few = queries(lena, f"{JUNE}members/")
    for n in range(FILTERED_FROM - 1):
        study(f"study{n}", prompts=1)
    assert queries(lena, f"{JUNE}members/") == few
    assert 'data-filters="project-list"' in html_of(lena.get(JUNE))
