"""The settings of a project, by section, and where each setting is."""

import pytest

from annotation.models import Project
from tests.web.pages import html_of, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"), sentences=2)]
SETTINGS = "/projects/june/settings/"


def test_the_settings_begin_with_the_general_ones_and_archiving_opens_a_dialog(lena, june):
    assert lena.get(SETTINGS).url == f"{SETTINGS}general/"
    page = html_of(lena.get(f"{SETTINGS}danger/"))
    assert 'data-opens="archive"' in page and '<dialog id="archive"' in page
    assert 'action="/projects/june/archive/"' in page and 'name="archived" value="1"' in page
    assert "Archive Study june?" in page


def test_each_setting_is_in_its_section(lena, june):
    for section, words in {
        "general": ["Title", "Short name", "Data set", "Protocol", "Analysis plan", "Created"],
        "workload": ["2 raters per response", "Change overlap", "Assign responses", "Manage pay rates", "Queue seed"],
        "quality": ["Target margin of error", "Pass mark", "Hidden-gold frequency", "Manage training and checks"],
        "offline": ["Prefetched responses"],
        "danger": ["Archive project", "Only an admin can delete a project."],
    }.items():
        page = lena.get(f"{SETTINGS}{section}/")
        assert [word for word in words if word not in text_of(page)] == []
        assert f'href="{SETTINGS}{section}/" aria-current="page"' in html_of(page)


def test_pages_below_a_section_mark_it_and_an_admin_can_delete(ada, june):
    pages = {"overlap": "workload", "checks": "quality", "analysis-plan": "general", "delete": "danger"}
    for address, section in pages.items():
        assert f'href="{SETTINGS}{section}/" aria-current="true"' in html_of(ada.get(f"/projects/june/{address}/"))
    assert "Delete project" in text_of(ada.get(f"{SETTINGS}danger/"))


def test_a_lead_sets_the_title_and_sets_and_removes_the_target(lena, june):
    assert "The title is saved." in text_of(lena.post("/projects/june/title/", {"title": "June"}, follow=True))
    assert Project.objects.get().title == "June"
    assert "1 to 200 characters" in text_of(lena.post("/projects/june/title/", {"title": " "}, follow=True))
    assert Project.objects.get().title == "June"
    page = html_of(lena.post("/projects/june/target/", {"target": "2.5"}, follow=True))
    assert "The target is saved." in page and 'value="2.5"' in page
    assert Project.objects.get().target_half_width == 0.025
    assert "less than or equal to 50" in text_of(lena.post("/projects/june/target/", {"target": "60"}, follow=True))
    assert Project.objects.get().target_half_width == 0.025
    lena.post("/projects/june/target/", {"target": ""})
    assert Project.objects.get().target_half_width is None
