"""The rater's pages: who gets them, what is in them, and what they cost."""

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Assignment, Item, Notification, Project, Prompt, Response, Slot
from annotation.notifications import notify
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.queue.leases import release
from annotation.queue.reopening import reopen
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from tests.cast import ACCURATE, CANNOT_ASSESS, PASSWORD, article_accuracy, dataset, person, response, signed_in, study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db


def take(client: Client, slug: str = "june") -> str:
    """Return the address of the work that the rating page redirects to."""
    answer = client.get(f"/projects/{slug}/rate/")
    assert answer.status_code == 302
    return answer["Location"]


def page(client: Client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.content.decode()


def test_rating_leads_to_the_workspace_of_the_project_and_the_same_article_is_not_sent_again(june, ravi):
    url = take(ravi)
    assert take(ravi) == url
    document = str(Assignment.objects.get().sheet.document.public_id)
    assert '<a href="/projects/june/" dir="auto">' in page(ravi, url)
    article = ravi.get(url).context["work"]["article"]
    for query, has_article in (
        ("", True),
        ("?article=none", True),
        (f"?article=none&article={article}", False),
        ("?article=none&article=another", True),
        (f"?article={document}", False),
    ):
        part = page(ravi, f"{url}sheet/{query}")
        assert ('data-part="article"' in part) == has_article, query
        assert 'data-part="answer"' in part and "<html" not in part


@pytest.mark.study(heading=True)
def test_prompt_article_response_and_questions_are_in_the_page(june, ravi):
    html = page(ravi, take(ravi))
    assert "What about point 1?" in html
    assert re.search(r'<p\s+data-paragraph="p2" dir="auto"\s*>The median range was 11.8 km.</p>', html)
    assert html.count('<span class="s first" data-item="') == 3
    assert "How accurate is the sentence according to the article?" in html
    for option in article_accuracy().definition.questions[0].options:
        assert f'value="{option.key}"' in html
    assert june.project.title in html
    Item.objects.filter(position=1).update(start=None, end=None, text="A claim of its own.")
    below = '<li><span class="s first" data-item="1">A claim of its own.</span></li>'
    assert below in page(ravi, take(ravi)), "it has no position in the text"


@pytest.mark.study(systems=("Plover-secret",))
def test_neither_system_nor_imported_ids_are_in_the_page(ravi):
    Item.objects.update(text="A sentence.")
    Response.objects.update(text="A sentence.", key="imported-key")
    Prompt.objects.update(key="imported-prompt", reference="The gold answer.", annotations=["gold"])
    html = page(ravi, take(ravi))
    for secret in ("Plover-secret", "imported-key", "imported-prompt", "gold"):
        assert secret not in html


def test_own_answers_come_back_and_those_of_others_do_not(june, ravi):
    rosa = signed_in("rosa")
    ours, theirs = take(ravi), take(rosa)
    for name, answers in (("ravi", ACCURATE), ("rosa", CANNOT_ASSESS)):
        work = Assignment.objects.get(rater=person(name))
        save(person(name), work.public_id, june.items()[0].public_id, Submission(answers, 0))
    assert '"answers": {"accuracy": "accurate"}, "version": 1' in page(ravi, ours)
    assert "cannot_assess&quot;" not in page(ravi, ours)
    assert '"answers": {"accuracy": "cannot_assess"}, "version": 1' in page(rosa, theirs)
    assert rosa.get(ours).status_code == rosa.get(f"{ours}sheet/").status_code == 404


def test_work_that_was_given_back_is_said_to_be_gone(june, ravi):
    url = take(ravi)
    release(Assignment.objects.get())
    answer = ravi.get(url)
    assert answer.status_code == ravi.get(f"{url}sheet/").status_code == 410
    assert "This response is no longer assigned to you" in answer.content.decode()


def test_when_nothing_is_left_the_page_says_what_was_done_and_leads_to_the_next_project_with_work(june, ravi):
    work = rates(june.people["ravi"], june.project)
    html = page(ravi, reverse("assignment", args=[work.public_id]))
    assert '"finished": true' in html and "finished response" in html, "finished work can be looked at"
    html = page(ravi, "/projects/june/rate/")
    assert "All done" in html and "<b>1</b> response with <b>3</b> ratings" in html and "Next project" not in html
    study("july")
    Project.objects.filter(pk=study("may").project.pk).update(archived_at=timezone.now())
    html = page(ravi, "/projects/june/rate/")
    assert "Next project: Study july" in html and 'href="/projects/july/rate/"' in html and "may" not in html


def test_a_reopened_response_says_who_reopened_it_until_it_is_finished_again(june, ravi):
    work = rates(june.people["ravi"], june.project)
    address = reverse("assignment", args=[work.public_id])
    assert "reopened this response" not in page(ravi, address)
    reopen(work, reason="Check <sentence 2>.", actor=june.people["lena"])
    assert "lena reopened this response on" in page(ravi, address)
    assert r"Reason: Check \u003Csentence 2\u003E." in page(ravi, address)
    finish(work)
    assert "reopened this response" not in page(ravi, address)


def test_the_page_takes_as_many_queries_for_thirty_sentences_as_for_three(django_assert_max_num_queries):
    study("small", sentences=3)
    study("large", sentences=30, prompts=6)
    ravi = signed_in("ravi")
    small, large = take(ravi, "small"), take(ravi, "large")
    with django_assert_max_num_queries(11) as of_small:
        page(ravi, small)
    with django_assert_max_num_queries(11) as of_large:
        page(ravi, large)
    assert len(of_small) == len(of_large)


def test_the_workspace_leads_to_the_notifications_and_has_an_article_only_if_there_is_one(june, ravi):
    notify([person("ravi").pk], Notification.Kind.ASSIGNED, project=june.project)
    html = page(ravi, take(ravi))
    entry, bell = re.findall(r"<a[^>]*data-opens-notifications[^>]*>.*?</a>", html, re.DOTALL)
    assert re.search(r"1\s*<span[^>]*>unread", bell) and ">1</span>" in entry
    Project.objects.get().sheets.update(document=None)
    Slot.objects.update(document=None)
    html = page(ravi, take(ravi))
    assert "data-article" not in html and june.responses[0].text.splitlines()[0] in html


def test_hostile_texts_stay_text_in_the_page():
    data = dataset("bad")
    bad = "</script><script>alert(1)</script>"
    shown = response(Prompt.objects.create(dataset=data, key="q", text=bad), "heron", 1)
    Response.objects.update(text=bad)
    Item.objects.filter(response=shown).update(start=0, end=len(bad), text=bad)
    add_member(create_project("bad", data, article_accuracy(), title=bad), person("ravi"), "rater")
    ravi = signed_in("ravi")
    assert "<script>alert" not in page(ravi, take(ravi, "bad"))


# The look that every page shares


def test_the_chosen_appearance_comes_with_the_page_if_it_is_offered(client):
    for cookie in ("dark", "light"):
        client.cookies["factuary_theme"] = cookie
        assert f'data-theme="{cookie}"' in page(client, "/accounts/login/")
    client.cookies["factuary_theme"] = '"><script>'
    html = page(client, "/accounts/login/")
    assert "data-theme=" not in html.split("<head>")[0] and "><script>" not in html


def test_every_account_page_is_in_our_words_and_look_and_no_page_holds_inline_script_or_style(client, ravi):
    for reader, url, words in (
        (client, "login/", "Sign in"),
        (client, "signup/", "Accounts are by invitation"),
        (client, "password/reset/", "Reset password"),
        (client, "password/reset/done/", "Check your email"),
        (client, "password/reset/key/1-abc-def/", "This link no longer works"),
        (client, "password/reset/key/done/", "Your password is set"),
        (client, "inactive/", "This account is closed"),
        (client, "confirm-email/nothing/", "This link no longer works"),
        (client, "confirm-email/", "Check your email"),
        (ravi, "logout/", "Sign out?"),
        (ravi, "password/change/", "Change your password"),
        (ravi, "email/", "Your email addresses"),
    ):
        html = page(reader, f"/accounts/{url}")
        assert words in html and "css/base.css" in html and 'class="topbar"' in html, url
        assert_nothing_inline(html)
    assert_nothing_inline(page(ravi, take(ravi)))


def assert_nothing_inline(html: str) -> None:
    assert " style=" not in html and "<style" not in html and "onclick" not in html and "javascript:" not in html
    scripts = [part for part in html.split("<script")[1:] if "src=" not in part.split(">")[0]]
    assert all("json" in part for part in scripts)


def test_a_wrong_password_is_said_beside_the_form_and_signing_in_is_not_announced(client):
    person("ravi")
    html = client.post("/accounts/login/", {"login": "ravi", "password": "wrong"}).content.decode()
    assert "The user name or password is not correct." in html and 'role="alert"' in html
    answer = client.post("/accounts/login/", {"login": "ravi", "password": PASSWORD}, follow=True)
    assert answer.status_code == 200 and answer.wsgi_request.user.username == "ravi"
    assert 'class="messages"' not in answer.content.decode()


def test_error_pages_can_be_shown_without_a_request_and_in_our_look_for_everybody(client):
    for name, words in (
        ("400", "Bad request"),
        ("404", "Page not found"),
        ("500", "Server error"),
        ("503", "Site not available"),
    ):
        html = render_to_string(f"{name}.html")
        assert words in html and "css/base.css" in html
    for reader in (client, signed_in("ravi")):
        assert "Page not found" in reader.get("/no/such/page/").content.decode()
