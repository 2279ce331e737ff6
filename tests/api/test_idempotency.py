"""Idempotency keys: a request that is repeated is carried out once, whatever happens to the first one."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.api import idempotency
from annotation.models import ApiToken, AuditEvent, IdempotentRequest, Job, Project
from annotation.models.users import digest_of
from annotation.privacy.retention import apply_retention
from annotation.projects import project_settings
from tests.api.clients import program, send
from tests.cast import give_token, person

KEY = {"Idempotency-Key": "first"}


@pytest.mark.django_db
class TestRepeatedRequests:
    def test_a_repeated_request_gets_the_same_answer_which_says_so_and_is_carried_out_once(self, lena):
        answers = [send(lena, "POST", "projects/june/reports/", {"seed": 1}, **KEY) for _ in range(3)]
        assert answers[0] == answers[1] == answers[2] and answers[0][0] == 202
        assert Job.objects.count() == 1
        assert send(lena, "POST", "projects/june/reports/", {"seed": 1}, **{"Idempotency-Key": "second"})[0] == 202
        assert Job.objects.count() == 2
        key = {"Idempotency-Key": "third"}
        first, again = (lena.patch("/api/v1/projects/june/", {"title": "A"}, format="json", headers=key) for _ in "12")
        assert first["ETag"] == again["ETag"] and first.json() == again.json()
        assert "Idempotent-Replayed" not in first and again["Idempotent-Replayed"] == "true"
        assert AuditEvent.objects.filter(action="set title").count() == 1

    def test_the_key_of_another_body_address_query_or_token_is_refused(self, lena):
        assert send(lena, "PATCH", "projects/june/", {"title": "A"}, **KEY)[0] == 200
        for method, address, body in (
            ("PATCH", "projects/june/", {"title": "B"}),
            ("POST", "projects/june/reports/", {"title": "A"}),
        ):
            status, problem = send(lena, method, address, body, **KEY)
            assert (status, problem["type"]) == (422, "urn:problem-type:factuary:key-reused")
        assert Project.objects.get().title == "A"
        key, address = {"Idempotency-Key": "of a query"}, "projects/june/assignments/"
        assert send(lena, "POST", address, **key)[0] == 200
        assert send(lena, "POST", f"{address}?after={uuid4()}", **key)[0] == 422
        key = {"Idempotency-Key": "of a token"}
        assert send(lena, "POST", "tokens/", {"name": "export"}, **key)[0] == 201
        give_token(person("lena"), "for-leading")
        ApiToken.objects.filter(digest=digest_of("for-leading")).update(scope=ApiToken.Scope.LEAD)
        leading = APIClient(HTTP_AUTHORIZATION="Token for-leading")
        status, problem = send(leading, "POST", "tokens/", {"name": "export"}, **key)
        assert status == 422 and "key" not in problem

    def test_a_failed_request_leaves_the_key_free(self, lena):
        assert send(lena, "PATCH", "projects/june/", {"overlap": 0}, **KEY)[0] == 400
        assert not IdempotentRequest.objects.exists()
        assert send(lena, "PATCH", "projects/june/", {"overlap": 3}, **KEY)[0] == 200

    def test_another_user_may_use_the_same_key(self, lena, ada):
        for name, client in (("lena", lena), ("ada", ada)):
            assert send(client, "PATCH", "projects/june/", {"title": name}, **KEY)[0] == 200
        assert Project.objects.get().title == "ada"

    def test_a_new_key_is_not_stored_in_clear_text(self, lena):
        status, token = send(lena, "POST", "tokens/", {"name": "export"}, **KEY)
        assert status == 201 and send(lena, "POST", "tokens/", {"name": "export"}, **KEY) == (201, token)
        stored = IdempotentRequest.objects.get()
        assert token["key"].encode() not in bytes(stored.answer) and "first" not in stored.key_digest

    def test_keys_expire_and_are_deleted(self, lena):
        assert send(lena, "PATCH", "projects/june/", {"title": "A"}, **KEY)[0] == 200
        IdempotentRequest.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert send(lena, "PATCH", "projects/june/", {"title": "B"}, **KEY)[0] == 200
        IdempotentRequest.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        apply_retention()
        assert not IdempotentRequest.objects.exists()

    def test_an_answer_of_before_a_change_of_the_secret_key_is_not_carried_out_again(self, settings, lena):
        assert send(lena, "PATCH", "projects/june/", {"title": "A"}, **KEY)[0] == 200
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another-secret-key-of-the-site" * 2, []
        status, problem = send(lena, "PATCH", "projects/june/", {"title": "A"}, **KEY)
        assert (status, problem["type"]) == (409, "urn:problem-type:factuary:request-in-progress")

    def test_a_key_that_is_too_long_is_refused_and_not_cut_short(self, lena):
        longest, longer = ({"Idempotency-Key": "k" * length} for length in (200, 201))
        assert send(lena, "PATCH", "projects/june/", {"title": "A"}, **longest)[0] == 200
        status, problem = send(lena, "PATCH", "projects/june/", {"title": "A"}, **longer)
        assert (status, list(problem["errors"])) == (400, ["Idempotency-Key"])


@pytest.fixture
def slow_title(monkeypatch) -> tuple[Event, Event]:
    """Let the first change of a title begin and wait: set the second event to let it go on."""
    begun, may_end, change = Event(), Event(), project_settings.record

    def wait(*args: object, **kwargs: object) -> object:
        changed = change(*args, **kwargs)
        if not begun.is_set():
            begun.set()
            assert may_end.wait(60)
        return changed

    monkeypatch.setattr(project_settings, "record", wait)
    return begun, may_end


def change_title(name: str) -> tuple[int, object]:
    """Send a change in a thread of its own, with a connection of its own."""
    try:
        return send(program(name), "PATCH", "projects/june/", {"title": "A"}, **KEY)
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
class TestRequestsAtOnce:
    def test_two_requests_at_once_are_carried_out_once(self, slow_title, lena):
        begun, may_end = slow_title
        with ThreadPoolExecutor() as threads:
            first = threads.submit(change_title, "lena")
            assert begun.wait(60)
            second = threads.submit(change_title, "lena")
            assert not second.done()
            may_end.set()
            answers = [first.result(60), second.result(60)]
        assert answers[0] == answers[1] and answers[0][0] == 200
        assert AuditEvent.objects.filter(action="set title").count() == 1

    def test_a_request_does_not_wait_for_ever(self, slow_title, monkeypatch, lena):
        monkeypatch.setattr(idempotency, "WAIT", "50ms")
        begun, may_end = slow_title
        with ThreadPoolExecutor() as threads:
            first = threads.submit(change_title, "lena")
            assert begun.wait(60)
            status, problem = threads.submit(change_title, "lena").result(60)
            may_end.set()
            assert first.result(60)[0] == 200
        assert (status, problem["type"]) == (409, "urn:problem-type:factuary:request-in-progress")
        assert change_title("lena")[0] == 200

    def test_a_killed_process_leaves_neither_key_nor_work(self, lena):
        with transaction.atomic():  # what PostgreSQL does when the connection of a killed process ends
            assert send(lena, "PATCH", "projects/june/", {"title": "A"}, **KEY)[0] == 200
            transaction.set_rollback(True)
        assert not IdempotentRequest.objects.exists()
        assert Project.objects.get().title != "A"
        assert change_title("lena")[0] == 200
