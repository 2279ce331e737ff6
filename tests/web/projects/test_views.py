"""A project's page for raters and for leads, its members, and making one."""

import pytest
from django.urls import reverse

from annotation.models import Assignment, AuditEvent, Membership, Project, Rating, Slot
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.queue.errors import ProjectError
from tests.cast import article_accuracy, dataset, person, study
from tests.web.pages import html_of, queries, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

JUNE = "/projects/june/"


@pytest.fixture
def june():
    return study(prompts=2)


@pytest.fixture
def lena(client, june):
    client.force_login(person("lena"))
    return client


@pytest.fixture
def ada(client):
    client.force_login(person("ada", admin=True))
    return client


def roles(project: Project) -> dict[str, str]:
    return dict(project.memberships.values_list("user__username", "role"))


def test_a_rater_reads_what_is_asked_and_how_far_they_are(client, june):
    rates(june.people["ravi"], june.project)
    client.force_login(june.people["ravi"])
    page = text_of(client.get(JUNE))
    assert "How accurate is the sentence according to the article?" in page
    assert "at least one factual claim is contradicted by the article or is unreasonable" in page
    assert "1 response left for you" in page
    assert "Next response" in page


def test_a_rater_learns_nothing_of_others_and_of_systems(client, june):
    rates(june.people["rosa"], june.project)
    client.force_login(june.people["ravi"])
    page = text_of(client.get(JUNE))
    assert "rosa" not in page
    assert "heron" not in page


def test_a_lead_sees_slots_raters_and_settings(lena, june):
    rates(june.people["ravi"], june.project)
    rates(june.people["rosa"], june.project, sentences=2)
    page = text_of(lena.get(JUNE))
    assert "2 responses, each to be read by 2 raters: 4 readings" in page
    assert "2 ratings of unfinished readings do not count yet" in page
    assert "Accuracy according to the article, version 1" in page
    assert june.project.protocol.sha256[:12] in page


def test_responses_with_nothing_to_rate_are_counted(client):
    empty = study("bare", sentences=0, heading=True, prompts=1)
    client.force_login(empty.people["lena"])
    assert "None of the 1 responses has anything to rate" in text_of(client.get("/projects/bare/"))


def test_a_project_without_responses_says_why_it_is_empty(ada):
    ada.post("/projects/new/", form(dataset("bare").slug))
    page = text_of(ada.get("/projects/autumn/"))
    assert "There is nothing to rate: the data set Data set bare has no responses yet" in page
    assert reverse("import_responses", args=["bare"]) in html_of(ada.get("/projects/autumn/"))


def test_a_lead_adds_somebody_by_user_name_or_email(lena, june):
    tom = person("tom")
    tom.email = "tom@example.org"
    tom.save()
    person("ines")
    for identifier in ("Tom@example.org", "INES"):
        response = lena.post(JUNE, {"username": identifier, "role": "rater"}, follow=True)
        assert "is now a rater of this project" in text_of(response)
    assert {"tom": "rater", "ines": "rater"}.items() <= roles(june.project).items()
    line = AuditEvent.objects.filter(action="add member", target="user:ines").get()
    assert (line.actor, line.project, line.after) == (person("lena"), june.project, "rater")


def test_adding_a_member_again_changes_the_role(lena, june):
    lena.post(JUNE, {"username": "ravi", "role": "lead"})
    assert roles(june.project)["ravi"] == "lead"
    assert AuditEvent.objects.get(action="add member", after="lead", target="user:ravi").before == "rater"


@pytest.mark.parametrize(
    ("posted", "message"),
    [
        ({"username": "nobody", "role": "rater"}, "Nobody has the user name “nobody”"),
        ({"username": "gone", "role": "rater"}, "The account “gone” is closed"),
        ({"username": "", "role": "rater"}, "This field is required"),
        ({"username": "ravi", "role": "owner"}, "not one of the available choices"),
        ({"username": "lena", "role": "rater"}, "You cannot take the lead away from yourself"),
    ],
)
def test_a_bad_member_is_refused_at_the_field_and_nobody_changes(lena, june, posted, message):
    gone = person("gone")
    gone.is_active = False
    gone.save()
    before = roles(june.project)
    assert message in text_of(lena.post(JUNE, posted))
    assert roles(june.project) == before


def test_removing_a_member_frees_the_lease_and_keeps_what_was_finished(lena, june):
    rates(june.people["ravi"], june.project)
    rates(june.people["ravi"], june.project, sentences=1)
    response = lena.post(reverse("remove_member", args=["june", "ravi"]), follow=True)
    assert "ravi is no longer a member" in text_of(response)
    assert "ravi" not in roles(june.project)
    assert Slot.objects.filter(holder__rater=june.people["ravi"]).count() == 1
    assert Rating.objects.filter(rater=june.people["ravi"], counted=True).count() == 3
    assert "Has left" in text_of(response)  # what he finished is still shown


def test_a_lead_cannot_remove_themselves_and_an_admin_can(client, lena, june):
    address = reverse("remove_member", args=["june", "lena"])
    assert lena.post(address).status_code == 403
    client.force_login(person("ada", admin=True))
    assert client.post(address).status_code == 302
    assert "lena" not in roles(june.project)


@pytest.mark.parametrize("name", ["ravi", "otto"])
def test_who_does_not_lead_can_neither_add_nor_remove(client, june, name):
    study("other", raters=("otto",))
    client.force_login(person(name))
    expected = 403 if name == "ravi" else 404
    assert client.post(JUNE, {"username": "tom", "role": "rater"}).status_code == expected
    assert client.post(reverse("remove_member", args=["june", "rosa"])).status_code == expected
    assert set(roles(june.project)) == {"ravi", "rosa", "lena"}


def test_three_members_take_as_many_queries_as_one(client):
    june = study(raters=("ravi",), prompts=4, overlap=4)
    rates(june.people["ravi"], june.project, sentences=1)
    client.force_login(person("lena"))
    queries_of_one = queries(client, JUNE)
    for name in ("rosa", "tom", "ines"):
        add_member(june.project, person(name), Membership.Role.RATER)
        rates(person(name), june.project)
    assert queries(client, JUNE) == queries_of_one
    assert queries_of_one <= 20


def form(data: str, **changes) -> dict:
    posted = {"dataset": data, "title": "Autumn study", "slug": "autumn", "overlap": "3", "seed": "7"}
    return {**posted, "protocol": article_accuracy().pk, **changes}


def test_an_admin_makes_a_project_with_its_people(ada, june):
    people = {"raters": [person("ravi").pk, person("rosa").pk], "leads": [person("lena").pk]}
    response = ada.post("/projects/new/", form("june-data", **people))
    assert response.url == "/projects/autumn/"
    project = Project.objects.get(slug="autumn")
    assert (project.title, project.overlap, project.seed, project.created_by) == ("Autumn study", 3, 7, person("ada"))
    assert project.slots.count() == 6
    assert roles(project) == {"ravi": "rater", "rosa": "rater", "lena": "lead"}
    assert AuditEvent.objects.filter(project=project).count() == 4


def test_a_data_set_without_documents_is_called_so_before_and_after_a_project_is_made_of_it(ada, june):
    words = "raters see prompt and response, and no article"
    assert "no documents" not in html_of(ada.get("/projects/new/"))
    assert words not in html_of(ada.post("/projects/new/", form("june-data"), follow=True))
    dataset("chat")
    assert "no documents)" in html_of(ada.get("/projects/new/"))
    assert words in html_of(ada.post("/projects/new/", form("chat", slug="winter"), follow=True))


def test_the_form_of_a_new_project_begins_with_the_data_set_of_its_link(ada, june):
    dataset("another")
    assert '<option value="june-data" selected>' in html_of(ada.get("/projects/new/?dataset=june-data"))


def test_no_project_takes_the_name_of_a_page(june):
    with pytest.raises(ProjectError, match="taken by an address of the site"):
        create_project("new", june.project.dataset, article_accuracy())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"slug": "june"}, "There is already a project “june”"),
        ({"slug": "new"}, "“new” is taken by the address of this page"),
        ({"slug": "two words"}, "consisting of letters, numbers, underscores or hyphens"),
        ({"overlap": "0"}, "greater than or equal to 1"),
        ({"overlap": "101"}, "less than or equal to 100"),
        ({"dataset": "nowhere"}, "not one of the available choices"),
        ({"title": ""}, "This field is required"),
        ({"protocol": "99999"}, "not one of the available choices"),
    ],
)
def test_a_bad_project_is_refused_at_the_field_and_nothing_is_made(ada, june, changes, message):
    page = text_of(ada.post("/projects/new/", form("june-data", **changes)))
    assert message in page
    assert Project.objects.count() == 1


def test_the_form_of_a_new_project_says_what_each_protocol_asks_about(ada, june):
    assert "Accuracy according to the article, version 1 (sentences)" in text_of(ada.get("/projects/new/"))


def test_one_person_cannot_rate_and_lead_in_a_new_project(ada, june):
    raters = [person("ravi").pk]
    page = text_of(ada.post("/projects/new/", form("june-data", raters=raters, leads=raters)))
    assert "ravi: one role a person in a project" in page
    assert Project.objects.count() == 1


def test_only_admins_make_projects(client, june):
    for name in ("lena", "ravi"):
        client.force_login(person(name))
        assert client.get("/projects/new/").status_code == 403
        assert client.post("/projects/new/", form("june-data")).status_code == 403
    assert Project.objects.count() == 1


def test_without_a_data_set_the_page_says_to_load_one_first(ada):
    assert "There is no data set yet" in text_of(ada.get("/projects/new/"))


def test_assignments_of_a_removed_rater_stay(lena, june):
    begun = rates(june.people["ravi"], june.project, sentences=1)
    lena.post(reverse("remove_member", args=["june", "ravi"]))
    assert Assignment.objects.filter(pk=begun.pk).exists()
