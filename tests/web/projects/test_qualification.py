"""The pages of training, qualification, hidden gold, pauses and decisions, as raters and leads meet them."""

import json
import re

import pytest
from django.http import HttpResponse
from django.test import Client

from annotation.access import assignments_for
from annotation.models import Assignment, Attempt, Membership, Notification, Project, Purpose, Rating, Reply, Sheet
from annotation.qualification.pausing import pause_rater
from annotation.reviewing.adjudication import adjudicate
from tests.cast import ACCURATE, SEVERE, person, signed_in, study
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

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=4, overlap=1, sentences=2)]

JUNE = "/projects/june/"
CHECKS = f"{JUNE}checks/"
TICK = "m9 12 2 2 4-4"  # the path that Lucide's icons with a tick share


class TestTheRatersWay:
    def test_the_training_stands_in_for_the_work_and_leads_through_it(self, june, ravi):
        gold_sheets_for(june, "training", 0)
        refused = post_next(ravi)
        assert (refused.status_code, refused.json()["gate"], refused.json()["errors"]) == (403, "training", {})
        for address in ("/", f"{JUNE}rate/"):
            assert "Training first" in text_of(ravi.get(address))
        begun = ravi.post(f"{JUNE}start/", {"purpose": "training"}, follow=True)
        assert "data-feedback" in html_of(begun)
        assert post_next(ravi).status_code == 200
        rate_next(june, "ravi", SEVERE, but=1)
        text = text_of(ravi.get(f"{JUNE}training/"))
        assert "1 of 2 sentences were correct" in text and REASON in text and "Incorrect" in text
        assert ravi.get(f"{JUNE}rate/").status_code == 302  # now comes the work
        assert "data-feedback" not in html_of(ravi.get(f"{JUNE}rate/", follow=True))

    def test_a_response_of_the_training_is_a_page_of_its_own_and_feedback_comes_after_the_answer(self, june, ravi):
        gold_sheets_for(june, "training", 0)
        start_attempt(june.project, june.people["ravi"], "training")
        work = take_work(june.project, june.people["ravi"])
        address = f"/assignments/{work.public_id}/"
        assert ravi.get(f"{address}sheet/")["Location"] == address
        assert ravi.post(f"/api/v1{JUNE}assignments/?after={work.public_id}").status_code == 204
        first, second = (feedback_address(work, item) for item in (0, 1))
        assert ravi.get(first).status_code == 404
        answer_all_items(work, SEVERE, but=1)
        wrong, right = text_of(ravi.get(first)), text_of(ravi.get(second))
        assert "Sentence 1: differs from the gold answer." in wrong
        assert "Inaccurate, ! Severe" in wrong and REASON in wrong
        assert "Sentence 2: correct." in right and "Gold answer" not in right
        assert signed_in("rosa").get(first).status_code == 404

    def test_the_qualification_says_how_it_went_gives_no_feedback_and_after_the_last_try_what_comes_next(
        self, june, ravi
    ):
        gold_sheets_for(june, "qualification", 0)
        assert post_next(ravi).json()["gate"] == "qualification"
        assert "80 % of the sentences correct" in text_of(ravi.get(f"{JUNE}rate/"))
        for _ in range(2):
            ravi.post(f"{JUNE}start/", {"purpose": "qualification"})
            work, _news = rate_next(june, "ravi", SEVERE, but=1)
            assert ravi.get(feedback_address(work)).status_code == 404
            page = text_of(ravi.get(f"{JUNE}rate/"))
            assert "1 of 2 sentences were correct" in page and REASON not in page
        assert "have been notified and can grant another" in page
        page = text_of(ravi.post(f"{JUNE}start/", {"purpose": "qualification"}, follow=True))
        assert "No attempts are left" in page
        assert "did not pass the qualification test" in text_of(ravi.get("/"))

    @pytest.mark.parametrize(
        ("tries", "next_step"), [(1, "No attempts at the qualification"), (2, "you have 1 attempt")]
    )
    def test_after_a_failed_test_the_training_is_offered_and_its_end_is_shown(self, june, tries, next_step, ravi):
        Project.objects.update(tries=tries)
        for response, purpose in enumerate(("training", "qualification")):
            gold_sheets_for(june, purpose, response)
        for purpose in ("training", "qualification"):
            start_attempt(june.project, june.people["ravi"], purpose)
            rate_next(june, "ravi", SEVERE, but=1)
        failed = html_of(ravi.get(f"{JUNE}rate/"))
        assert "Qualification test not passed" in failed and next_step in failed
        assert f'href="{JUNE}training/"' in failed and TICK not in failed
        start_attempt(june.project, june.people["ravi"], "training")
        rate_next(june, "ravi", SEVERE)
        page = text_of(ravi.get(f"{JUNE}start/", follow=True))
        assert "Training completed" in page and "2 of 2 sentences correct at the first answer" in page
        assert "not passed" not in page and next_step in page

    def test_a_paused_rater_reads_why_and_a_lease_of_theirs_is_refused_with_a_word(self, june, ravi):
        work = take_work(june.project, june.people["ravi"])
        pause_rater(june.project, june.people["ravi"], "Please call Lena first.")
        assert "Please call Lena first." in text_of(ravi.get(f"{JUNE}rate/"))
        assert "You are paused" in text_of(ravi.get("/"))
        address = f"/api/v1/assignments/{work.public_id}/items/{items(work)[0].public_id}/"
        put = ravi.put(address, {"answers": ACCURATE, "base_version": 0}, content_type="application/json")
        assert put.status_code == 423 and "You are paused" in put.json()["detail"]
        assert put.json()["gate"] == "paused"
        refused = post_next(ravi)
        assert refused.status_code == 403
        assert refused.json()["gate"] == "paused" and "Please call Lena first." in refused.json()["detail"]

    def test_nonsense_begins_nothing_and_work_has_no_feedback(self, june, ravi):
        for purpose in ("training", "qualification", "gold", ""):
            assert ravi.post(f"{JUNE}start/", {"purpose": purpose}).status_code == 302
        assert not Attempt.objects.exists()
        assert ravi.get(f"{JUNE}training/").status_code == 404
        work, _news = rate_next(june, "ravi")
        assert ravi.get(feedback_address(work)).status_code == 404


def post_next(client: Client) -> HttpResponse:
    return client.post(f"/api/v1{JUNE}assignments/")


def feedback_address(work: Assignment, item: int = 0) -> str:
    return f"/assignments/{work.public_id}/items/{items(work)[item].public_id}/feedback/"


class TestHiddenGold:
    def test_neither_page_nor_api_tells_gold_from_work(self):
        june = study(prompts=4, overlap=1, sentences=1)
        gold_sheets_for(june, "gold", 0)
        Project.objects.update(gold_every=2)
        ravi, pages = signed_in("ravi"), {}
        while (answered := ravi.post("/api/v1/projects/june/assignments/")).status_code == 200:
            body = answered.json()
            work = assignments_for(person("ravi")).get(public_id=body["id"])
            page = ravi.get(f"/assignments/{body['id']}/").content.decode()
            home, own = text_of(ravi.get("/")), text_of(ravi.get(JUNE))
            pages.setdefault(work.purpose, []).append((_shape(body), _bare(page)))
            assert "gold" not in (page + home + own).lower() and REASON not in page
            answer_all_items(work)
            assert ravi.post(f"/api/v1/assignments/{body['id']}/finish/").json() == {}
        assert set(pages) == {"work", "gold"}
        shapes = {json.dumps(shape) for pages_of_kind in pages.values() for shape, _ in pages_of_kind}
        bare = {page for pages_of_kind in pages.values() for _, page in pages_of_kind}
        assert len(shapes) == 1 and len(bare) == 1
        finished = Assignment.objects.filter(finished_at__isnull=False).count()
        assert f"finished {finished} responses with {finished} ratings" in text_of(ravi.get(f"{JUNE}rate/"))

    def test_a_lead_sees_the_accuracy_and_is_notified_when_it_pauses_somebody(self):
        june = study(prompts=6, overlap=1, sentences=1)
        gold_sheets_for(june, "gold", 0, 1)
        Project.objects.update(gold_every=2, least_gold=0.7, fewest_gold=1)
        june.project.refresh_from_db()
        while not (news := rate_next(june, "ravi")[1]):
            pass
        assert news == "paused"
        lena = signed_in("lena")
        for address in ("/", JUNE, f"{JUNE}raters/"):
            assert "ravi is paused" in text_of(lena.get(address))
        page = text_of(lena.get(f"{JUNE}checks/"))
        assert "Paused" in page and "0 of" in page
        assert notified() == [("lena", "paused", "ravi")]


def test_leads_are_notified_when_a_rater_has_used_all_attempts(june, ravi):
    gold_sheets_for(june, "qualification", 0)
    Project.objects.update(tries=1)
    start_attempt(june.project, june.people["ravi"], "qualification")
    work = take_work(june.project, june.people["ravi"])
    answer_all_items(work, ACCURATE)
    ravi.post(f"/api/v1/assignments/{work.public_id}/finish/")
    assert notified() == [("lena", "failed", "ravi")]


def notified() -> list[tuple[str, str, str]]:
    return list(Notification.objects.values_list("recipient__username", "kind", "rater__username"))


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
        page = text_of(lena.post(CHECKS, posted))
        assert "less than or equal to 100" in page and "greater than or equal to 2" in page
        assert Project.objects.get().tries == 2
        posted = {"pass_mark": 90, "tries": 3, "gold_every": 20, "least_gold": 75, "fewest_gold": 8}
        page = text_of(lena.post(CHECKS, posted | {"shows_decisions": "on"}, follow=True))
        assert "The rules are saved." in page
        rules = {"pass_mark": 0.9, "tries": 3, "gold_every": 20, "least_gold": 0.75, "fewest_gold": 8}
        assert Project.objects.filter(**rules, shows_decisions=True).exists()
        page = text_of(lena.get(f"{JUNE}settings/quality/"))
        assert "90 %, 3 attempts" in page and "One in 20 responses; paused below 75 % of 8 or more" in page

    def test_a_response_is_set_aside_found_and_taken_back(self, june, lena):
        sheet = make_gold(june, 0)
        assert "2 of 2" in text_of(lena.get(CHECKS))

        def use(sheet: Sheet, purpose: str) -> str:
            return text_of(lena.post(f"{CHECKS}sheets/{sheet.pk}/", {"purpose": purpose}, follow=True))

        assert "used for: training" in use(sheet, "training")
        assert Sheet.objects.get(pk=sheet.pk).purpose == Purpose.TRAINING
        page = text_of(lena.get(f"{JUNE}responses/?state=aside"))
        assert "1 response found" in page and "Used for training" in page
        assert "back in the queue" in use(sheet, "work")
        assert "Choose a use" in use(sheet, "nonsense")
        assert "have no gold answer" in use(Sheet.objects.get(response=june.responses[1]), "training")

    def test_pause_lift_grant_and_let_in(self, june, lena):
        gold_sheets_for(june, "qualification", 0)
        for act, words in [
            ("pause", "is paused. The leases have ended"),
            ("lift", "can continue"),
            ("grant", "has 3 attempts"),
            ("let_in", "can rate without"),
        ]:
            assert words in text_of(lena.post(f"{CHECKS}raters/ravi/", {"act": act}, follow=True))
        ravi = Membership.objects.get(user=june.people["ravi"])
        assert (ravi.paused_at, ravi.more_tries) == (None, 1)
        assert ravi.let_in_at and ravi.gold_since
        assert lena.post(f"{CHECKS}raters/lena/", {"act": "pause"}).status_code == 404

    def test_the_page_takes_as_many_queries_for_three_responses_as_for_one(self, june, lena):
        make_gold(june, 0)
        queries_of_one = queries(lena, CHECKS)
        make_gold(june, 1)
        make_gold(june, 2)
        assert queries(lena, CHECKS) == queries_of_one


class TestDecisions:
    PAGE = f"{JUNE}adjudications/"

    @pytest.fixture
    def decided(self, june):
        """Adjudicate Ravi's first answer otherwise."""
        work, _ = rate_next(june, "ravi")
        item = items(work)[0]
        adjudicate(june.project, item, SEVERE, "Table 2 says otherwise.", june.people["lena"])
        Project.objects.update(shows_decisions=True)
        return Rating.objects.get(item=item, role="rater")

    def reply(self, client: Client, rating: Rating, **posted: str) -> HttpResponse:
        page = client.get(self.PAGE).content.decode()
        token = re.search(r'name="seen" value="([^"]+)"', page)
        values = {"seen": token[1] if token else "", **posted}
        return client.post(f"{self.PAGE}{rating.item.public_id}/", values, follow=True)

    def test_a_rater_sees_own_answer_decision_and_reason_and_no_names_where_the_project_allows_it(self, decided, ravi):
        page = text_of(ravi.get(self.PAGE))
        assert "Differs from your answer" in page and "Inaccurate, ! Severe" in page
        assert "Table 2 says otherwise." in page and "lena" not in page
        before = list(Rating.objects.order_by("pk").values())
        rosa = signed_in("rosa")
        empty = html_of(rosa.get(self.PAGE))
        assert "No adjudications of your answers" in empty
        assert f'href="{JUNE}my-responses/">View your responses</a>' in empty
        assert self.reply(rosa, decided, reply="agree").status_code == 404
        assert self.reply(ravi, decided, reply="agree").status_code == 200
        assert Reply.objects.get().agrees and list(Rating.objects.order_by("pk").values()) == before
        Project.objects.update(shows_decisions=False)
        assert ravi.get(self.PAGE).status_code == self.reply(ravi, decided, reply="agree").status_code == 404
        assert "decided" not in text_of(ravi.get(JUNE))

    def test_a_dispute_needs_a_reason_is_said_once_and_leads_see_it(self, decided, ravi, lena):
        assert "Enter a reason" in text_of(self.reply(ravi, decided, reply="dispute"))
        answer = text_of(self.reply(ravi, decided, reply="dispute", comment="Table 3 agrees with me."))
        assert answer.count("Thank you") == 1
        assert "You disputed it" in text_of(ravi.get(self.PAGE))
        assert "has changed in the meantime" in text_of(self.reply(ravi, decided, reply="agree", seen="x"))
        assert Reply.objects.get().comment == "Table 3 agrees with me."
        for address, words in {
            "replies/": "Table 3 agrees with me.",
            f"{decided.item.public_id}/": "disputes it",
            "": "1 disputed",
        }.items():
            assert words in text_of(lena.get(f"{JUNE}review/{address}"))
