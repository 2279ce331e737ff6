"""Judges: versions, what is refused, keys, and accounts that no person can use."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from annotation.accounts.names import PersonError
from annotation.accounts.users import create_user, set_active
from annotation.judging import judges
from annotation.judging.judges import create_judge, find_judge, is_repetition, repeat_judge
from annotation.judging.run import run_judge
from annotation.model_calls.errors import ModelError
from annotation.model_calls.keys import key_of
from annotation.models import AuditEvent, Judge, JudgeRun, User
from annotation.privacy.erase import erase_person
from tests.cast import person, study

pytestmark = pytest.mark.django_db
URL = "http://localhost:9/v1"


def model(name: str = "strict", **values: Any) -> Judge:
    return Judge(name=name, **{"base_url": URL, "model": "small", **values})


def test_the_same_configuration_is_the_same_version_and_another_one_the_next():
    first, is_new = create_judge(Judge(name="strict", rule="numbers"))
    assert (first.label, is_new) == ("strict@1", True)
    assert create_judge(Judge(name="strict", rule="numbers")) == (first, False)
    second, is_new = create_judge(Judge(name="strict", rule="lexical-overlap"))
    assert (second.label, second.user.username, is_new) == ("strict@2", "strict@2", True)
    assert find_judge("strict") == find_judge("strict@2") == second
    assert find_judge("strict@1") == first
    events = AuditEvent.objects.filter(action="create judge").order_by("id")
    assert [event.target for event in events] == ["judge:strict@1", "judge:strict@2"]
    with pytest.raises(DatabaseError), transaction.atomic():
        Judge.objects.filter(pk=first.pk).update(rule="always-accurate")
    for label in ("mild", "strict@7", "strict@x", "strict@", "\0", "strict@" + "9" * 5_000):
        with pytest.raises(ModelError, match="there are: strict"):
            find_judge(label)


def test_a_repetition_is_the_next_version_with_the_same_configuration_and_key():
    first, _ = create_judge(model(), key="sk-secret")
    again = repeat_judge("strict")
    assert (again.label, again.setting_values()) == ("strict@2", first.setting_values())
    assert key_of(again) == "sk-secret" and again.user != first.user
    assert (is_repetition(first), is_repetition(again)) == (False, True)
    other, _ = create_judge(model(temperature=1.0))
    assert not is_repetition(other)
    assert create_judge(model())[0].label == "strict@4"
    create_judge(Judge(name="rule", rule="numbers"))
    for name, problem in (("nobody", "no judge 'nobody' to repeat"), ("rule", "is a rule")):
        with pytest.raises(ModelError, match=problem):
            repeat_judge(name)
    assert Judge.objects.count() == 5


@pytest.mark.django_db(transaction=True)
def test_of_two_creations_at_once_one_is_the_first_version_and_the_other_finds_it(monkeypatch):
    both, check = threading.Barrier(2), judges._check

    def check_together(*values):
        check(*values)
        both.wait(timeout=30)

    def create(_number):
        try:
            return create_judge(Judge(name="strict", rule="numbers"))
        finally:
            connection.close()

    monkeypatch.setattr(judges, "_check", check_together)
    with ThreadPoolExecutor(2) as pool:
        created = list(pool.map(create, range(2)))
    assert created[0][0] == created[1][0] == Judge.objects.get()
    assert {is_new for _judge, is_new in created} == {True, False}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Judge(name="a@2", rule="numbers"), "A name has letters"),
        (Judge(name="ravi", rule="numbers"), "a person has the name 'ravi'"),
        (Judge(name="Ravi", rule="numbers"), "a person has the name 'Ravi'"),
        (Judge(name="j"), "needs a rule, or the address"),
        (Judge(name="j", rule="luck"), "'luck' is not a valid choice"),
        (Judge(name="j", rule="numbers", model="small"), "give the rule alone"),
        (model("j", base_url="ftp://x/v1"), "is not an address"),
        (model("j", base_url="https://me:secret@x.org/v1"), "has a user name or password"),
        (model("j", samples=3), "temperature above 0"),
        (model("j", concurrency=0), "concurrency: Ensure"),
        (model("j", template="$items"), r"needs the placeholders \$items, \$questions, may have \$document"),
        (model("j", template="$x $items $questions"), "placeholders"),
    ],
)
def test_what_cannot_run_is_refused(settings, message):
    person("ravi")
    with pytest.raises(ModelError, match=message):
        create_judge(settings)
    assert not Judge.objects.exists()


def test_a_key_comes_from_the_environment_or_is_stored_encrypted(monkeypatch):
    judge, _ = create_judge(model("small"), key="sk-first")
    assert "sk-first" not in judge.encrypted_key
    assert key_of(judge) == "sk-first"
    judge, is_new = create_judge(model("small"), key="sk-second")
    judge.refresh_from_db()
    assert (key_of(judge), is_new) == ("sk-second", False)
    assert "sk-" not in str(list(AuditEvent.objects.values_list("before", "after", "target")))
    named, _ = create_judge(model("named", key_env="JUDGE_KEY"))
    with pytest.raises(ModelError, match="JUDGE_KEY"):
        key_of(named)
    monkeypatch.setenv("JUDGE_KEY", "sk-third")
    assert key_of(named) == "sk-third"


def test_a_new_version_has_the_stored_key_only_at_the_same_address():
    create_judge(model("small"), key="sk-first")
    same_address, _ = create_judge(model("small", model="larger"))
    assert key_of(same_address) == "sk-first"
    other_address, _ = create_judge(model("small", base_url="https://other.example.org/v1"))
    assert other_address.encrypted_key == "" and key_of(other_address) == ""


def test_a_key_stored_with_another_secret_key_must_be_stored_again(settings, monkeypatch):
    judge, _ = create_judge(model("small"), key="sk-first")
    settings.SECRET_KEY = "another-secret-key-of-a-restored-site-with-enough-length"
    with pytest.raises(ModelError, match="stored key of small@1 cannot be decrypted with this SECRET_KEY: store"):
        run_judge(judge, study().project)
    assert not JudgeRun.objects.exists()
    create_judge(model("small"), key="sk-second")
    judge.refresh_from_db()
    assert key_of(judge) == "sk-second"


def test_nobody_can_use_a_judges_account_and_it_is_not_listed_among_people(ada):
    judge, _ = create_judge(Judge(name="strict", rule="numbers"))
    account = User.objects.get(username="strict@1")
    assert not account.is_active and not account.has_usable_password()
    for use in (
        lambda: create_user("strict@1"),
        lambda: set_active(judge.user, True),
        lambda: erase_person(judge.user),
    ):
        with pytest.raises(PersonError, match="is a judge"):
            use()
    page = ada.get(reverse("people"), {"find": "strict"})
    assert page.status_code == 200
    assert not [user for user in page.context["page"] if user.username.startswith("strict")]
