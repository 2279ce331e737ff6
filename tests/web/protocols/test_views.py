"""Protocols in the browser: those there are, one's own with what is wrong line by line, tried, stored and chosen."""

import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation import protocols
from annotation.models import AuditEvent, Dataset, Membership, Project, ProtocolVersion
from annotation.projects.members import add_member
from annotation.projects.protocol_versions import store_protocol
from tests.cast import person, study
from tests.web.pages import html_of, rates, text_of
from tests.web.protocols.sentences import SENTENCES, own_protocol

pytestmark = pytest.mark.django_db


NEW = "/protocols/new/"


def test_what_is_there_is_listed_with_versions_and_own_projects(lena):
    study("other", raters=("otto",))
    page = text_of(lena.get("/protocols/"))
    for title in (definition.title for definition in protocols.builtin().values()):
        assert title in page.replace("&#x27;", "'")
    assert Project.objects.get(slug="june").title in page


def test_a_lead_sees_own_and_used_protocols_and_none_of_other_leads(lena, ada):
    store_protocol(SENTENCES.replace("own", "of-lena"), actor=person("lena"))
    other = study("other", raters=("otto",))
    add_member(other.project, person("olga"), Membership.Role.LEAD)
    version, _ = store_protocol(SENTENCES.replace("own", "of-olga"), actor=person("olga"))
    store_protocol(SENTENCES.replace("own", "of-the-site"))
    page = lena.get("/protocols/").content.decode()
    assert (
        "/protocols/of-lena/1/" in page and "/protocols/of-the-site/1/" in page and "/protocols/of-olga/1/" not in page
    )
    for address in ("/protocols/of-olga/1/", "/protocols/of-olga/1/source/", "/protocols/of-olga/1/preview/"):
        assert lena.get(address).status_code == 404, address
    assert "Is it so?" not in text_of(lena.get(f"{NEW}?from=of-olga:1"))
    assert lena.get(f"/protocols/questions/?protocol={version.pk}").status_code == 404
    Project.objects.filter(slug="june").update(protocol=version)
    assert lena.get("/protocols/of-olga/1/").status_code == 200
    assert "/protocols/of-lena/1/" in ada.get("/protocols/").content.decode()


def test_a_text_is_checked_shown_stored_and_then_not_offered_again(lena):
    page = text_of(lena.post(NEW, {"source": SENTENCES, "do": "check"}))
    assert "Nothing is stored yet" in page and "Store version 1" in page
    assert not ProtocolVersion.objects.filter(slug="own").exists()
    response = lena.post(NEW, {"source": SENTENCES, "do": "store"}, follow=True)
    assert response.redirect_chain == [("/protocols/own/1/", 302)]
    assert "The protocol is stored. Projects can use it." in text_of(response)
    assert AuditEvent.objects.get(action="load protocol", target="protocol:own").actor == person("lena")
    lena.post(NEW, {"source": SENTENCES, "do": "store"})
    page = html_of(lena.post(NEW, {"source": SENTENCES, "do": "check"}))
    assert 'value="store"' not in page
    assert '<a href="/protocols/own/1/">This version</a> is already stored with this text.' in page


def test_a_file_wins_over_the_text(lena):
    sent = SimpleUploadedFile("own.toml", SENTENCES.replace("\n", "\r\n").encode())
    lena.post(NEW, {"source": "nonsense", "file": sent, "do": "store"})
    assert ProtocolVersion.objects.get(slug="own").source == SENTENCES


def test_every_problem_is_shown_with_its_line_its_text_and_a_remedy(lena):
    broken = SENTENCES.replace('counts = { so = ["yes"] }', 'counts = { so = ["yess"] }').replace('"2"', '"1"')
    page = text_of(lena.post(NEW, {"source": broken, "do": "store"})).replace("&#x27;", "'").replace("&quot;", '"')
    line = broken.split("\n").index('counts = { so = ["yess"] }') + 1
    assert "There are 3 problems" in page
    assert f"Line {line}: measure 'so' refers to 'yess', which is not an option of 'so'; did you mean 'yes'?" in page
    assert 'counts = { so = ["yess"] }' in page and "which line 14 has" in page
    assert not ProtocolVersion.objects.filter(slug="own").exists()


def test_what_is_no_protocol_is_said(lena):
    for text, says in [
        ({"source": ""}, "Choose one: a text or a file"),
        ({"source": "slug = "}, "Line 1: this is not valid TOML"),
        ({"file": SimpleUploadedFile("a.toml", b'a = 1\nb = "\xff"')}, "Line 2 is not UTF-8"),
        ({"file": SimpleUploadedFile("a.toml", b"#" * 900_000)}, "The file is too large"),
    ]:
        assert says in text_of(lena.post(NEW, {**text, "do": "store"}))
    assert "There is a problem" in text_of(lena.post(f"{NEW}try/", {"source": "slug = "}))


def test_a_stored_version_never_changes_and_another_text_can_begin_with_it(lena):
    lena.post(NEW, {"source": SENTENCES, "do": "store"})
    changed = SENTENCES.replace('label = "So"', 'label = "Thus"')
    assert "give the new text a new version" in text_of(lena.post(NEW, {"source": changed, "do": "store"}))
    lena.post(NEW, {"source": changed.replace('version = "1"', 'version = "2"'), "do": "store"})
    page = lena.get("/protocols/own/1/")
    assert reverse("protocol", args=["own", "2"]) in html_of(page)
    assert "Is it so?" in html_of(lena.get(f"{NEW}?from=own:1"))
    assert "article-accuracy" in html_of(lena.get(NEW))


@pytest.mark.parametrize("do", ["check", "store"])
def test_a_name_that_is_not_ones_own_is_said_with_its_line_and_a_remedy(client, lena, do):
    lena.post(NEW, {"source": SENTENCES, "do": "store"})
    text = SENTENCES.replace("own", "article-accuracy").replace('version = "1"', 'version = "99"')
    page = text_of(lena.post(NEW, {"source": text, "do": do})).replace("&#x27;", "'")
    assert "Line 1: slug 'article-accuracy' is the name of a built-in protocol" in page
    assert "such as 'own-article-accuracy'" in page
    study("other", raters=("otto",))
    Membership.objects.filter(user=person("otto")).update(role=Membership.Role.LEAD)
    client.force_login(person("otto"))
    theirs = SENTENCES.replace('version = "1"', 'version = "2"')
    page = text_of(client.post(NEW, {"source": theirs, "do": do})).replace("&#x27;", "'")
    assert "Line 1: slug 'own' is the name of another user's protocol" in page
    assert [each.version for each in ProtocolVersion.objects.filter(slug__in=["own", "article-accuracy"])] == ["1", "1"]


@pytest.mark.parametrize("unit", ["sentence", "claim", "fact", "response", "pair"])
def test_it_is_seen_as_a_rater_sees_it_and_nothing_is_left_of_the_sample(lena, unit):
    before = (Dataset.objects.count(), Project.objects.count(), ProtocolVersion.objects.count())
    page = html_of(lena.post("/protocols/new/try/", {"source": own_protocol(unit)}))
    assert "Preview: nothing is saved." in page and "Is it so?" in page and "Common terns look for fish" in page
    assert f'"unit": "{unit}"' in page and '"items": []' not in page
    assert (Dataset.objects.count(), Project.objects.count(), ProtocolVersion.objects.count()) == before


@pytest.mark.parametrize("slug", sorted(protocols.builtin()))
def test_every_protocol_that_comes_with_the_program_is_shown(lena, slug):
    builtin = protocols.builtin()[slug]
    address = f"/protocols/{slug}/{builtin.version}/"
    assert builtin.questions[0].text in unescape(text_of(lena.get(address)))
    assert "Preview: nothing is saved." in html_of(lena.get(f"{address}preview/"))
    assert lena.get(f"{address}source/").content.decode() == builtin.source


def test_a_lead_chooses_it_for_an_own_project_in_which_nobody_has_begun(lena, june):
    other = study("other", raters=("otto",))
    Membership.objects.filter(project=other.project, role=Membership.Role.LEAD).delete()
    lena.post(NEW, {"source": SENTENCES, "do": "store"})
    assert lena.post("/protocols/own/1/", {"project": "other"}).status_code == 404
    assert 'value="june"' in html_of(lena.get("/protocols/own/1/"))
    response = lena.post("/protocols/own/1/", {"project": "june"}, follow=True)
    assert response.redirect_chain == [("/projects/june/", 302)]
    june.project.refresh_from_db()
    assert (june.project.protocol.slug, june.project.protocol.version) == ("own", "1")
    event = AuditEvent.objects.get(action="change protocol")
    assert (event.actor, event.after) == (person("lena"), {"protocol": "own 1"})


def test_a_project_that_has_begun_keeps_its_protocol(lena, june):
    rates(june.people["ravi"], june.project, sentences=1)
    lena.post(NEW, {"source": SENTENCES, "do": "store"})
    assert 'value="june"' not in html_of(lena.get("/protocols/own/1/"))
    page = text_of(lena.post("/protocols/own/1/", {"project": "june"}, follow=True))
    assert "Project &#x27;june&#x27; has started" in page
    assert "Create another project on the same data set for this protocol." in page
    june.project.refresh_from_db()
    assert june.project.protocol.slug == "article-accuracy"


def test_a_project_about_another_unit_keeps_its_protocol(lena, june):
    lena.post(NEW, {"source": own_protocol("claim"), "do": "store"})
    assert "create another project for it" in text_of(lena.post("/protocols/own/1/", {"project": "june"}, follow=True))


def test_an_admin_makes_a_project_with_it(ada, june):
    ada.post(NEW, {"source": SENTENCES, "do": "store"})
    version = ProtocolVersion.objects.get(slug="own")
    page = html_of(ada.get(f"/projects/new/?protocol={version.pk}"))
    [radio] = [tag for tag in re.findall("<input [^>]*>", page) if f'name="protocol" value="{version.pk}"' in tag]
    assert "checked" in radio
