"""The form of a new project."""

import re

import pytest
from django.urls import reverse

from annotation.judging.judges import create_judge
from annotation.models import AuditEvent, Judge, Project
from annotation.projects.create import create_project
from annotation.queue.errors import ProjectError
from tests.cast import article_accuracy, dataset, person
from tests.web.pages import html_of, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=2)]


def roles(project: Project) -> dict[str, str]:
    return dict(project.memberships.values_list("user__username", "role"))


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


def test_an_empty_short_name_is_derived_from_the_title(ada, june):
    assert ada.post("/projects/new/", form("june-data", slug="")).url == "/projects/autumn-study/"
    assert ada.post("/projects/new/", form("june-data", slug="")).url == "/projects/autumn-study-2/"
    assert ada.post("/projects/new/", form("june-data", slug="", title="New")).url == "/projects/new-2/"


def test_a_data_set_without_documents_is_called_so_before_and_after_a_project_is_made_of_it(ada, june):
    words = "raters see prompt and response, and no article"
    assert "no documents" not in html_of(ada.get("/projects/new/"))
    assert words not in html_of(ada.post("/projects/new/", form("june-data"), follow=True))
    dataset("chat")
    assert "no documents)" in html_of(ada.get("/projects/new/"))
    assert words in html_of(ada.post("/projects/new/", form("chat", slug="winter"), follow=True))


def test_the_form_says_what_protocols_ask_about_and_the_only_data_set_or_that_of_the_link_is_chosen(ada, june):
    assert '<option value="june-data" selected>' in html_of(ada.get("/projects/new/"))
    assert "Accuracy according to the article, version 1 (sentences)" in text_of(ada.get("/projects/new/"))
    dataset("another")
    assert '<option value="june-data" selected>' in html_of(ada.get("/projects/new/?dataset=june-data"))
    assert '<option value="june-data">' in html_of(ada.get("/projects/new/"))


def test_no_project_takes_the_name_of_a_page(june):
    with pytest.raises(ProjectError, match="reserved by the site"):
        create_project("new", june.project.dataset, article_accuracy())


def test_a_bad_project_is_refused_at_the_field_and_nothing_is_made(ada, june):
    judge = create_judge(Judge(name="numbers", base_url="https://models.example.org/v1", model="m"))[0].pk
    ravi = [person("ravi").pk]
    for changes, message in [
        ({"slug": "june"}, "Project “june” already exists"),
        ({"slug": "new"}, "“new” is reserved by the site"),
        ({"slug": "two words"}, "consisting of letters, numbers, underscores or hyphens"),
        ({"slug": "", "title": "研究"}, "No short name can be derived from this title: enter one."),
        ({"overlap": "0"}, "greater than or equal to 1"),
        ({"overlap": "101"}, "less than or equal to 100"),
        ({"dataset": "nowhere"}, "not one of the available choices"),
        ({"title": ""}, "This field is required"),
        ({"protocol": "99999"}, "not one of the available choices"),
        ({"raters": ravi, "leads": ravi}, "ravi: a person has one role in a project"),
        ({"sample_size": "0"}, "greater than or equal to 1"),
        ({"sample_size": "99"}, "A sample of 99 cannot be drawn: the data set has"),
        ({"sample_size": "1", "sampling_design": "uncertain"}, "Name a judge for the design uncertain"),
        ({"sampling_judge": judge}, "Enter how many are drawn, or choose no judge."),
        (
            {"sample_size": "1", "sampling_design": "uncertain", "sampling_judge": judge},
            "Judge numbers@1 has no verdict with a confidence on this data set under this protocol",
        ),
    ]:
        page = html_of(ada.post("/projects/new/", form("june-data", **changes)))
        assert message in page
        assert ('id="id_sample_size_error"' in page) == any(name.startswith("sampl") for name in changes)
    assert Project.objects.count() == 1


def test_without_a_data_set_or_without_responses_the_pages_say_why(ada):
    assert "No data sets yet" in text_of(ada.get("/projects/new/"))
    ada.post("/projects/new/", form(dataset("bare").slug))
    assert "Nothing to rate: the data set Data set bare has no responses yet" in text_of(ada.get("/projects/autumn/"))
    assert reverse("import_responses", args=["bare"]) in html_of(ada.get("/projects/autumn/"))


def test_a_project_may_ask_about_a_sample(ada, june):
    sample = {"sample_size": "2", "sampling_design": "responses"}
    assert ada.post("/projects/new/", form("june-data", **sample)).url == "/projects/autumn/"
    project = Project.objects.get(slug="autumn")
    assert (project.sampling_design, project.sample_size) == ("responses", 2)
    page = text_of(ada.get("/projects/autumn/settings/general/"))
    assert re.search(r"Random sample \d of \d sentences Whole responses\. Raters are asked about these", page)


def test_a_sample_is_spread_over_prompts_if_no_design_and_not_drawn_if_no_size_is_chosen(ada, june):
    assert "Judge of the sample" not in text_of(ada.get("/projects/new/"))
    create_judge(Judge(name="numbers", base_url="https://models.example.org/v1", model="m"))
    assert "Judge of the sample" in text_of(ada.get("/projects/new/"))
    ada.post("/projects/new/", form("june-data", sample_size="2"))
    assert Project.objects.get(slug="autumn").sampling_design == "uniform"
    ada.post("/projects/new/", form("june-data", sampling_design="uniform", slug="winter"))
    assert Project.objects.get(slug="winter").sampling_design == ""
    assert "Raters are asked about these" not in text_of(ada.get("/projects/winter/settings/general/"))
