"""The search: what a rater, a lead and an admin find, and nothing that is not theirs."""

import pytest
from django.test import Client

from annotation.models import Project, Prompt, System, User
from annotation.projects.archiving import archive
from annotation.projects.members import remove_member
from annotation.web.search.entries import MAX_ENTRIES
from tests.cast import person, signed_in, study
from tests.web.pages import queries, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"))]
RESULTS = "/search/results/"


def found(client: Client, query: str, project: str = "") -> dict[str, list[tuple[str, str]]]:
    """Return label and detail of the results by the label of their group."""
    groups = client.get(RESULTS, {"q": query, "project": project}).json()["groups"]
    return {group["label"]: [(entry["label"], entry["detail"]) for entry in group["entries"]] for group in groups}


def addresses(client: Client, query: str, project: str = "") -> list[str]:
    groups = client.get(RESULTS, {"q": query, "project": project}).json()["groups"]
    return [entry["url"] for group in groups for entry in group["entries"]]


def test_a_lead_finds_a_project_its_pages_actions_responses_and_rows(june, lena):
    assert found(lena, "study june")["Projects"] == [("Study june", "june")]
    assert found(lena, "agreement")["Pages"] == [("Agreement", "Study june")]
    assert found(lena, "freeze june")["Actions"] == [("Freeze report", "Study june")]
    assert addresses(lena, "freeze june") == ["/projects/june/report/#freeze"]
    assert ("Go to settings: Quality", "Study june") in found(lena, "settings quality")["Actions"]
    key = june.responses[0].key
    assert found(lena, key)["Responses"] == [(june.responses[0].prompt.text, "heron · Study june")]
    assert addresses(lena, key) == [f"/projects/june/responses/?words={key}"]
    assert key.split("-")[0] in text_of(lena.get(addresses(lena, key)[0]))
    assert len(found(lena, june.responses[0].prompt.text[:3])["Responses"]) <= MAX_ENTRIES
    assert "Pages Agreement Study june" in text_of(lena.get("/search/?q=agreement&project=june"))
    assert "No results" in text_of(lena.get("/search/?q=xyzzy"))
    assert 'href="/search/?project=june"' in lena.get("/projects/june/").content.decode()
    groups = lena.get(RESULTS, {"q": "ANALISIS plan"}, headers={"accept-language": "es"}).json()["groups"]
    assert [entry["url"] for entry in groups[0]["entries"]] == ["/projects/june/analysis-plan/"]
    assert found(lena, "june\x00" + "x" * 5000, "\x00") == {}


def test_the_current_project_comes_first_and_without_words_it_offers_where_to_go_from_it(june, lena):
    study("july")
    assert found(lena, "agreement", "july")["Pages"] == [("Agreement", "Study july"), ("Agreement", "Study june")]
    assert found(lena, "agreement", "june")["Pages"] == [("Agreement", "Study june"), ("Agreement", "Study july")]
    groups = found(lena, "", "june")
    assert groups["Pages"][0] == ("Overview", "Study june")
    assert {detail for _, detail in groups["Pages"]} == {"Study june"}
    assert {label for label, _ in groups["Projects"]} == {"Study june", "Study july"}
    assert "People" not in groups and "Responses" not in groups


def test_a_rater_finds_only_what_raters_may_open(june, ravi):
    assignment = rates(june.people["ravi"], june.project)
    prompt = assignment.sheet.response.prompt
    Prompt.objects.filter(pk=prompt.pk).update(text="How far do terns fly?")
    Prompt.objects.exclude(pk=prompt.pk).update(text="How deep do terns dive?")
    assert found(ravi, "june") == {
        "Projects": [("Study june", "june")],
        "Pages": [("Overview", "Study june"), ("My responses", "Study june"), ("Guidelines", "Study june")],
        "Actions": [("Rate responses", "Study june")],
    }
    assert found(ravi, "terns") == {"Responses": [("How far do terns fly?", "Study june")]}
    assert addresses(ravi, "terns") == [f"/assignments/{assignment.public_id}/"]
    assert found(ravi, "rosa") == found(ravi, "heron") == found(ravi, "settings") == {}


def test_who_is_in_another_project_finds_nothing(june, lena):
    study("other", raters=("otto",))
    remove_member(Project.objects.get(slug="other"), june.people["lena"])
    Prompt.objects.update(text="How far do terns fly?")
    otto = signed_in("otto")
    assert found(otto, "june") == found(otto, "terns") == {}
    assert found(lena, "other") == found(lena, "otto") == {}
    assert {detail.split(" · ")[1] for _, detail in found(lena, "terns")["Responses"]} == {"Study june"}


def test_names_do_not_reverse_others_and_formulas_of_prompts_are_plain_text(june):
    System.objects.filter(name="heron").update(name="\u202eheron")
    prompt = june.responses[0].prompt.text
    assert (prompt, "(U+202E)heron · Study june") in found(signed_in("lena"), june.responses[0].key)["Responses"]
    Prompt.objects.filter(pk=june.responses[0].prompt.pk).update(text=r"Is $\alpha \leq 2$ for **terns**?")
    rates(june.people["ravi"], june.project)
    for name in ("lena", "ravi"):
        assert "Is α ≤ 2 for terns?" in dict(found(signed_in(name), "terns")["Responses"])


def test_a_lead_finds_members_and_an_admin_every_account(june, lena, ada):
    User.objects.filter(username="rosa").update(first_name="Rosalind", last_name="Núñez", email="r@example.org")
    person("otto")
    assert found(lena, "rosalind")["People"] == [("Rosalind Núñez", "Rater · Study june")]
    assert addresses(lena, "rosalind") == [f"/projects/june/members/#member-{person('rosa').pk}"]
    assert "People" not in found(lena, "example.org") and "People" not in found(lena, "otto")
    assert found(ada, "example.org")["People"] == [("Rosalind Núñez", "rosa")]
    assert addresses(ada, "otto") == ["/people/?find=otto"]
    assert "otto" in text_of(ada.get("/people/?find=otto")) and "Núñez" not in text_of(ada.get("/people/?find=otto"))


def test_actions_of_admins_are_for_admins_and_rating_is_for_members_of_active_projects(june, ada, lena, ravi):
    assert found(ada, "new project")["Actions"] == [("New project", "")]
    assert ("Rate responses", "Study june") not in found(ada, "rate").get("Actions", [])
    assert "Actions" not in found(lena, "new project")
    study("july")
    archive(june.project)
    assert "Actions" not in found(ravi, "june")
    assert found(ravi, "study")["Projects"] == [("Study july", "july"), ("Study june", "june")]


def test_it_takes_few_queries_however_many_projects_there_are(june, lena):
    few = queries(lena, f"{RESULTS}?q=terns+june")
    for slug in ("july", "august"):
        study(slug, sentences=1)
    assert queries(lena, f"{RESULTS}?q=terns+june") == few <= 10


SETTINGS = {
    "Setting: Overlap (raters per response)": ["overlap", "raters per response"],
    "Setting: Pay rates": ["pay"],
    "Setting: Precision target": ["target"],
    "Setting: Training, qualification, hidden gold": ["hidden gold", "qualification"],
    "Setting: Offline work": ["offline", "prefetched responses"],
    "Setting: Likely claim-free items": ["claim-free"],
    "Setting: Suggested passages": ["suggested"],
    "Setting: Hidden raters": ["pseudonyms"],
    "Setting: Verdicts of judges": ["shown to raters"],
    "Setting: Pass mark, percent": ["pass mark"],
    "Setting: Queue seed": ["seed"],
    "Setting: Title": ["title"],
    "Setting: Data set, protocol and analysis plan": ["protocol"],
    "Setting: Archive project": ["archive"],
    "Setting: Delete project": ["delete"],
    "Invite people": ["invite"],
    "Assign responses": ["assign"],
}


def test_a_setting_is_found_by_its_obvious_words(lena):
    for label, queried in SETTINGS.items():
        for words in queried:
            assert (label, "Study june") in found(lena, words).get("Actions", []), words
