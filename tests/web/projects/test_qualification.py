"""The pages of training, qualification, hidden gold, pauses and decisions, as raters and leads meet them."""

import json
import re

import pytest
from django.test import Client

from annotation.access import assignments_for
from annotation.models import Assignment, Attempt, Membership, Notification, Project, Purpose, Rating, Reply, Sheet
from annotation.qualification.pausing import pause_rater
from annotation.reviewing.adjudication import adjudicate
from tests.cast import ACCURATE, SEVERE, Study, person, signed_in, study
from tests.gold_studies import (
    REASON,
    answer_all_items,
    gold_sheets_for,
    items,
    make_gold,
    rate_next,
    start_attempt,
    take_work,
)
from tests.web.pages import html_of, queries, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.study(prompts=4, overlap=1, sentences=2)]

TICK = "m9 12 2 2 4-4"  # the path that Lucide's icons with a tick share


class TestTheRatersWay:
    def test_the_training_stands_in_for_the_work_and_leads_through_it(self, june, ravi):
        gold_sheets_for(june, "training", 0)
        assert "Training first" in text_of(ravi.get("/"))
        assert "Training first" in text_of(ravi.get("/projects/june/rate/"))
        begun = ravi.post("/projects/june/start/", {"purpose": "training"}, follow=True)
        assert "data-feedback" in html_of(begun)
        rate_next(june, "ravi", SEVERE, but=1)
        text = text_of(ravi.get("/projects/june/training/"))
        assert "1 of 2 sentences were correct" in text and REASON in text and "Incorrect" in text
        assert ravi.get("/projects/june/rate/").status_code == 302  # now comes the work
        assert "data-feedback" not in html_of(ravi.get("/projects/june/rate/", follow=True))

    def test_a_response_of_the_training_is_a_page_of_its_own_and_feedback_comes_after_the_answer(self, june, ravi):
        gold_sheets_for(june, "training", 0)
        start_attempt(june.project, june.people["ravi"], "training")
        address = f"/assignments/{take_work(june.project, june.people['ravi']).public_id}/"
        assert ravi.get(f"{address}sheet/")["Location"] == address
        ahead = f"/api/v1/projects/june/assignments/?after={address.split('/')[2]}"
        assert ravi.post(ahead).status_code == 204
        work = take_work(june.project, june.people["ravi"])
        [first, second] = items(work)
        address = f"/assignments/{work.public_id}/items/{first.public_id}/feedback/"
        assert ravi.get(address).status_code == 404
        answer_all_items(work, SEVERE, but=1)
        wrong, right = (text_of(ravi.get(address.replace(str(first.public_id), str(item.public_id))))
                        for item in (first, second))  # fmt: skip
        assert (
            "Sentence 1: differs from the gold answer." in wrong and "Inaccurate, ! Severe" in wrong and REASON in wrong
        )
        assert "Sentence 2: correct." in right and "Gold answer" not in right
        assert signed_in("rosa").get(address).status_code == 404

    def test_there_is_no_feedback_in_qualification_gold_or_work(self, june, ravi):
        gold_sheets_for(june, "qualification", 0)
        start_attempt(june.project, june.people["ravi"], "qualification")
        work, _ = rate_next(june, "ravi", SEVERE)
        after, _ = rate_next(june, "ravi")
        for done in (work, after):
            address = f"/assignments/{done.public_id}/items/{items(done)[0].public_id}/feedback/"
            assert ravi.get(address).status_code == 404

    def test_the_qualification_says_how_it_went_and_after_the_last_try_what_comes_next(self, june, ravi):
        gold_sheets_for(june, "qualification", 0)
        assert "80 % of the sentences correct" in text_of(ravi.get("/projects/june/rate/"))
        for _ in range(2):
            ravi.post("/projects/june/start/", {"purpose": "qualification"})
            rate_next(june, "ravi", SEVERE, but=1)
            page = text_of(ravi.get("/projects/june/rate/"))
            assert "1 of 2 sentences were correct" in page and REASON not in page
        assert "have been notified and can grant another" in page
        assert "No attempts are left" in text_of(
            ravi.post("/projects/june/start/", {"purpose": "qualification"}, follow=True)
        )  # fmt: skip
        assert "did not pass the qualification test" in text_of(ravi.get("/"))

    @pytest.mark.parametrize(
        ("tries", "next_step"), [(1, "No attempts at the qualification"), (2, "you have 1 attempt")]
    )
    def test_after_a_failed_test_the_training_is_offered_and_its_end_is_shown(self, june, tries, next_step, ravi):
        Project.objects.update(tries=tries)
        gold_sheets_for(june, "training", 0)
        gold_sheets_for(june, "qualification", 1)
        ravi.post("/projects/june/start/", {"purpose": "training"})
        rate_next(june, "ravi", SEVERE, but=1)
        ravi.post("/projects/june/start/", {"purpose": "qualification"})
        rate_next(june, "ravi", SEVERE, but=1)
        failed = html_of(ravi.get("/projects/june/rate/"))
        assert "Qualification test not passed" in failed and next_step in failed
        assert 'href="/projects/june/training/"' in failed and TICK not in failed
        ravi.post("/projects/june/start/", {"purpose": "training"})
        rate_next(june, "ravi", SEVERE)
        page = text_of(ravi.get("/projects/june/start/", follow=True))
        assert "Training completed" in page and "2 of 2 sentences correct at the first answer" in page
        assert "not passed" not in page and next_step in page

    def test_a_paused_rater_reads_why_and_a_lease_of_theirs_is_refused_with_a_word(self, june, ravi):
        ravi.get("/projects/june/rate/")
        work = Assignment.objects.get()
        pause_rater(june.project, june.people["ravi"], "Please call Lena first.")
        assert "Please call Lena first." in text_of(ravi.get("/projects/june/rate/"))
        assert "You are paused" in text_of(ravi.get("/"))
        put = ravi.put(
            f"/api/v1/assignments/{work.public_id}/items/{items(work)[0].public_id}/",
            json.dumps({"answers": ACCURATE, "base_version": 0}),
            content_type="application/json",
        )
        assert put.status_code == 423 and "You are paused" in put.json()["detail"]
        assert put.json()["gate"] == "paused"
        response = ravi.post("/api/v1/projects/june/assignments/")
        assert response.status_code == 403
        assert response.json()["gate"] == "paused" and "Please call Lena first." in response.json()["detail"]

    @pytest.mark.parametrize("purpose", ["training", "qualification"])
    def test_the_api_follows_the_same_gates(self, june, purpose, ravi):
        gold_sheets_for(june, purpose, 0)
        response = ravi.post("/api/v1/projects/june/assignments/")
        assert response.status_code == 403 and response.json()["gate"] == purpose and response.json()["errors"] == {}
        start_attempt(june.project, june.people["ravi"], purpose)
        assert ravi.post("/api/v1/projects/june/assignments/").status_code == 200

    def test_nonsense_begins_nothing(self, june, ravi):
        for purpose in ("training", "qualification", "gold", ""):
            assert ravi.post("/projects/june/start/", {"purpose": purpose}).status_code == 302
        assert not Attempt.objects.exists()
        assert ravi.get("/projects/june/training/").status_code == 404


class TestHiddenGold:
    def test_neither_page_nor_api_tells_gold_from_work(self):
        june = study(prompts=6, overlap=1, sentences=1)
        gold_sheets_for(june, "gold", 0, 1)
        june.project.gold_every = 2
        june.project.save()
        ravi, pages = signed_in("ravi"), {}
        while (answered := ravi.post("/api/v1/projects/june/assignments/")).status_code == 200:
            body = answered.json()
            work = assignments_for(person("ravi")).get(public_id=body["id"])
            page = ravi.get(f"/assignments/{body['id']}/").content.decode()
            home, own = text_of(ravi.get("/")), text_of(ravi.get("/projects/june/"))
            pages.setdefault(work.purpose, []).append((_shape(body), _bare(page)))
            assert "gold" not in (page + home + own).lower() and REASON not in page
            answer_all_items(work)
            assert ravi.post(f"/api/v1/assignments/{body['id']}/finish/").json() == {}
        assert set(pages) == {"work", "gold"}
        shapes = {json.dumps(shape) for pages_of_kind in pages.values() for shape, _ in pages_of_kind}
        bare = {page for pages_of_kind in pages.values() for _, page in pages_of_kind}
        assert len(shapes) == 1 and len(bare) == 1
        finished = Assignment.objects.filter(finished_at__isnull=False).count()
        assert f"finished {finished} responses with {finished} ratings" in text_of(ravi.get("/projects/june/rate/"))

    def test_a_lead_sees_the_accuracy_and_is_notified_when_it_pauses_somebody(self):
        june = study(prompts=8, overlap=1, sentences=1)
        gold_sheets_for(june, "gold", 0, 1, 2)
        Project.objects.update(gold_every=2, least_gold=0.7, fewest_gold=1)
        june.project.refresh_from_db()
        assert _news_of(june) == "paused"
        lena = signed_in("lena")
        for address in ("/", "/projects/june/", "/projects/june/raters/"):
            assert "ravi is paused" in text_of(lena.get(address))
        page = text_of(lena.get("/projects/june/checks/"))
        assert "Paused" in page and "0 of" in page
        paused = Notification.objects.get()
        assert (paused.recipient.username, paused.kind, paused.rater.username) == ("lena", "paused", "ravi")


def test_leads_are_notified_when_a_rater_has_used_all_attempts(june):
    gold_sheets_for(june, "qualification", 0)
    Project.objects.update(tries=1)
    start_attempt(june.project, june.people["ravi"], "qualification")
    work = take_work(june.project, june.people["ravi"])
    answer_all_items(work, ACCURATE)
    signed_in("ravi").post(f"/api/v1/assignments/{work.public_id}/finish/")
    failed = Notification.objects.get()
    assert (failed.recipient.username, failed.kind, failed.rater.username) == ("lena", "failed", "ravi")


def _news_of(june: Study) -> str:
    while take_work(june.project, june.people["ravi"]):
        if news := rate_next(june, "ravi")[1]:
            return news
    return ""


def _shape(body: dict) -> dict:
    """Return the elements of the body without what differs between responses."""
    return {key: sorted(value[0]) if isinstance(value, list) else sorted(value) if isinstance(value, dict) else 0
            for key, value in body.items()}  # fmt: skip


def _bare(page: str) -> str:
    """Return the page without ids, texts of the response and the number of the response."""
    page = re.sub(r"<script id=\"work\"[^>]*>(.*?)</script>", lambda m: str(sorted(json.loads(m[1]))), page, flags=re.S)
    page = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|nonce=\"[^\"]*\"|q\d|[Pp]oint \d|part d\d|response \d+", "", page)
    page = re.sub(r"name=\"csrfmiddlewaretoken\" value=\"[^\"]*\"|\"X-CSRFToken\": \"[^\"]*\"", "", page)
    return re.sub(r"<a data-previous-response.*?</a>", "", page, flags=re.S)


class TestTheLeadsPage:
    def test_rules_are_set_in_per_cent_and_noted_and_a_bad_form_changes_nothing(self, june, lena):
        posted = {"pass_mark": 101, "tries": 0, "gold_every": 1, "least_gold": "x", "fewest_gold": ""}
        page = text_of(signed_in("lena").post("/projects/june/checks/", posted))
        assert "less than or equal to 100" in page and "greater than or equal to 2" in page
        assert Project.objects.get().tries == 2
        posted = {"pass_mark": 90, "tries": 3, "gold_every": 20, "least_gold": 75, "fewest_gold": 8,
                 "shows_decisions": "on"}  # fmt: skip
        assert "The rules are saved." in text_of(lena.post("/projects/june/checks/", posted, follow=True))
        project = Project.objects.get()
        assert (project.pass_mark, project.tries, project.gold_every) == (0.9, 3, 20)
        assert (project.least_gold, project.fewest_gold, project.shows_decisions) == (0.75, 8, True)
        page = text_of(lena.get("/projects/june/settings/quality/"))
        assert "90 %, 3 attempts" in page and "One in 20 responses; paused below 75 % of 8 or more" in page

    def test_a_response_is_set_aside_and_taken_back(self, june, lena):
        sheet = make_gold(june, 0)
        assert "2 of 2" in text_of(lena.get("/projects/june/checks/"))
        address = f"/projects/june/checks/sheets/{sheet.pk}/"
        assert "used for: training" in text_of(lena.post(address, {"purpose": "training"}, follow=True))
        assert Sheet.objects.get(pk=sheet.pk).purpose == Purpose.TRAINING
        assert "back in the queue" in text_of(lena.post(address, {"purpose": "work"}, follow=True))
        assert "Choose a use" in text_of(lena.post(address, {"purpose": "nonsense"}, follow=True))
        bare = Sheet.objects.get(response=june.responses[1])
        page = lena.post(f"/projects/june/checks/sheets/{bare.pk}/", {"purpose": "training"}, follow=True)
        assert "have no gold answer" in text_of(page)

    def test_pause_lift_grant_and_let_in(self, june):
        gold_sheets_for(june, "qualification", 0)
        lena, member = signed_in("lena"), Membership.objects.filter(user=june.people["ravi"])
        for act, words in [
            ("pause", "is paused. The leases have ended"),
            ("lift", "can continue"),
            ("grant", "has 3 attempts"),
            ("let_in", "can rate without"),
        ]:
            page = lena.post("/projects/june/checks/raters/ravi/", {"act": act}, follow=True)
            assert words in text_of(page)
        membership = member.get()
        assert (
            membership.paused_at is None
            and membership.more_tries == 1
            and membership.let_in_at
            and membership.gold_since
        )
        assert lena.post("/projects/june/checks/raters/lena/", {"act": "pause"}).status_code == 404

    def test_the_page_takes_as_many_queries_for_three_responses_as_for_one(self, june, lena):
        make_gold(june, 0)
        queries_of_one = queries(lena, "/projects/june/checks/")
        make_gold(june, 1)
        make_gold(june, 2)
        assert queries(lena, "/projects/june/checks/") == queries_of_one

    def test_set_aside_responses_are_found_among_the_responses(self, june):
        gold_sheets_for(june, "training", 0)
        page = text_of(signed_in("lena").get("/projects/june/responses/?state=aside"))
        assert "1 response found" in page and "Used for training" in page


class TestDecisions:
    @pytest.fixture
    def decided(self, june):
        """Adjudicate Ravi's first answer otherwise."""
        work, _ = rate_next(june, "ravi")
        item = items(work)[0]
        adjudicate(june.project, item, SEVERE, "Table 2 says otherwise.", june.people["lena"])
        Project.objects.update(shows_decisions=True)
        return Rating.objects.get(item=item, role="rater")

    def reply(self, client: Client, rating: Rating, **posted: str) -> str:
        page = client.get("/projects/june/adjudications/").content.decode()
        token = re.search(r'name="seen" value="([^"]+)"', page)
        values = {"seen": token[1] if token else "", **posted}
        return text_of(client.post(f"/projects/june/adjudications/{rating.item.public_id}/", values, follow=True))

    def test_a_rater_sees_own_answer_decision_and_reason_and_no_names(self, june, decided):
        page = text_of(signed_in("ravi").get("/projects/june/adjudications/"))
        assert (
            "Differs from your answer" in page and "Inaccurate, ! Severe" in page and "Table 2 says otherwise." in page
        )
        assert "lena" not in page
        empty = signed_in("rosa").get("/projects/june/adjudications/")
        assert "No adjudications of your answers" in text_of(empty)
        assert 'href="/projects/june/my-responses/">View your responses</a>' in html_of(empty)

    def test_only_where_the_project_allows_it(self, june, decided, ravi):
        Project.objects.update(shows_decisions=False)
        assert ravi.get("/projects/june/adjudications/").status_code == 404
        assert "decided" not in text_of(ravi.get("/projects/june/"))
        assert (
            ravi.post(f"/projects/june/adjudications/{decided.item.public_id}/", {"reply": "agree"}).status_code == 404
        )

    def test_a_dispute_needs_a_reason_is_said_once_and_leads_see_it(self, june, decided, ravi, lena):
        assert "Enter a reason" in self.reply(ravi, decided, reply="dispute")
        answer = self.reply(ravi, decided, reply="dispute", comment="Table 3 agrees with me.")
        assert answer.count("Thank you") == 1
        assert "You disputed it" in text_of(ravi.get("/projects/june/adjudications/"))
        again = ravi.post(
            f"/projects/june/adjudications/{decided.item.public_id}/", {"reply": "agree", "seen": "x"}, follow=True
        )
        assert "has changed in the meantime" in text_of(again)
        assert Reply.objects.get().comment == "Table 3 agrees with me."
        assert "Table 3 agrees with me." in text_of(lena.get("/projects/june/review/replies/"))
        assert "disputes it" in text_of(lena.get(f"/projects/june/review/{decided.item.public_id}/"))
        assert "1 disputed" in text_of(lena.get("/projects/june/review/"))

    def test_a_reply_changes_no_rating_and_needs_an_answer_of_ones_own(self, june, decided):
        before = list(Rating.objects.order_by("pk").values())
        self.reply(signed_in("ravi"), decided, reply="agree")
        assert list(Rating.objects.order_by("pk").values()) == before and Reply.objects.get().agrees
        rosa = signed_in("rosa")
        assert (
            rosa.post(f"/projects/june/adjudications/{decided.item.public_id}/", {"reply": "agree"}).status_code == 404
        )
