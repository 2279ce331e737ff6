"""Render the rating pages that the tests in Node load: a folder for each study, with one file for each page."""

import json
from pathlib import Path

from django.test import Client

from annotation.models import Project, User
from annotation.projects.project_settings import change_settings
from annotation.projects.protocol_versions import store_protocol
from tests.browser.evidence_study import write_sections
from tests.cast import Study, newest_version, signed_in, study
from tests.protocol_text import choice, protocol_text, question

MAX_RESPONSES = 10
WITH_WORDS = protocol_text(
    "with-words",
    choice("good", "Is it good?", {"yes": "Yes", "no": "No"}, "yx"),
    question("why", "Why not?", max_length=20, show_when={"good": ["no"]}),
    choice(
        "sure",
        "Are you sure?",
        {"quite": "Quite", "not_quite": "Not quite"},
        "qw",
        required=False,
        show_when={"good": ["no"]},
    ),
    counts={"good": ["yes"]},
)


def render(folder: Path) -> None:
    """Render each study with all responses that Ravi rates, in their order."""
    only_ravi = {"overlap": 1, "raters": ("ravi",)}
    evidence = study("evidence", prompts=2, sentences=4, **only_ravi)
    write_sections(evidence)  # to all that are there
    write_pages(folder / "evidence", evidence)
    june = study(prompts=MAX_RESPONSES, sentences=4, heading=True, **only_ravi)
    write_pages(folder / "june", june)
    write_pages(folder / "july", study("july", prompts=2, sentences=2, **only_ravi))
    web = study("web", **only_ravi)
    Project.objects.filter(pk=web.project.pk).update(protocol=newest_version("web-factuality"))
    write_pages(folder / "web", web)
    words = study("words", sentences=4, **only_ravi)
    Project.objects.filter(pk=words.project.pk).update(protocol=store_protocol(WITH_WORDS)[0])
    write_pages(folder / "words", words)
    preview = signed_in("lena").get(f"/projects/june/preview/{june.project.sheets.first().pk}/")
    (folder / "june" / "preview.html").write_bytes(preview.content)
    User.objects.filter(username="ravi").update(is_superuser=True, is_staff=True)
    (folder / "admin.html").write_bytes(signed_in("ravi").get("/admin/").content)
    (folder / "home.html").write_bytes(signed_in("ravi").get("/").content)
    (folder / "login.html").write_bytes(Client().get("/accounts/login/").content)


def write_pages(folder: Path, prepared: Study) -> None:
    """Write the page and the sheet of each response, and a list of the assignments."""
    folder.mkdir()
    change_settings(prepared.project, {"prefetch_limit": MAX_RESPONSES})
    ravi, api = signed_in("ravi"), f"/api/v1/projects/{prepared.project.slug}/assignments"
    first = ravi.post(f"{api}/").json()["id"]
    ahead = ravi.post(f"{api}/ahead/?after={first}").json()["assignments"]
    for assignment in (first, *ahead):
        page, sheet = (ravi.get(f"/assignments/{assignment}/{rest}") for rest in ("", "sheet/"))
        (folder / f"{assignment}.html").write_bytes(page.content)
        (folder / f"{assignment}.sheet.html").write_bytes(sheet.content)
    (folder / "assignments.json").write_text(json.dumps([first, *ahead]))
