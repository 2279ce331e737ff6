"""Erasing: no name is left anywhere, ratings and figures stay, and what must not be erased is refused."""

import io
import json
import re
import zipfile
from html import unescape

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from annotation import jobs, reporting
from annotation.accounts.names import PersonError
from annotation.accounts.sign_ins import record_failure, record_sign_in
from annotation.accounts.tokens import create_token
from annotation.accounts.users import create_user, set_active, set_display_name
from annotation.audit import record
from annotation.exporting.bundle import Bundle
from annotation.exporting.export_jobs import check_export
from annotation.judging.judges import create_judge
from annotation.judging.run import run_judge
from annotation.models import AuditEvent, Export, Job, Judge, RaterQuestion, Rating, RatingEvent, Report, Slot, User
from annotation.notifications import notify
from annotation.privacy.erase import ERASE_JOB, erase_person, erase_person_job, preview_erasure, pseudonym_of
from annotation.privacy.receipts import hash_of, receipt_of
from annotation.projects.analysis_plans import set_plan
from annotation.projects.members import add_member
from annotation.reporting import live
from annotation.reporting.choices import Choices
from annotation.reporting.report_comparison import rebuild
from annotation.site.database_transactions import ignored_triggers
from tests.cast import PASSWORD, Study, person, study
from tests.judging.fake_endpoint import fake_endpoint
from tests.reporting.project_rows import opposite_raters, project_of
from tests.web.pages import rates

pytestmark = pytest.mark.django_db

NAME, DISPLAY, MAIL = "ravi", "Ravi Kumar-Sen", "ravi.kumar@example.org"
PLAN = 'measures = ["accurate"]\n[exclusions]\nwithout_raters = ["ravi"]\n'


@pytest.fixture(scope="module")
def stored(module_rows) -> Study:
    """Two responses finished by Ravi and Rosa, one that Ravi has in hand, and Ravi's name in all kinds of tables."""
    prepared = study(prompts=3)
    ravi, rosa, lena = (prepared.people[name] for name in (NAME, "rosa", "lena"))
    set_display_name(ravi, "Ravi the Former")
    set_display_name(ravi, DISPLAY)
    User.objects.filter(pk=ravi.pk).update(email=MAIL)
    EmailAddress.objects.create(user=ravi, email=MAIL)
    Authenticator.objects.create(user=ravi, type="totp", data={})
    Client().post("/accounts/login/", {"login": NAME, "password": PASSWORD})
    create_token(ravi, name="Ravi's laptop", actor=ravi)
    record_sign_in(ravi, "192.0.2.7")
    record_failure(ravi, "192.0.2.7")
    for rater in (ravi, rosa, ravi, rosa):
        rates(rater, prepared.project)
    Rating.objects.filter(rater=rosa).update(comment=f"as @ravi says, and {DISPLAY}: ravioli")
    RaterQuestion.objects.create(
        project=prepared.project, item=prepared.items()[0], asker=rosa, text=f"Is {NAME} right?"
    )
    rates(ravi, prepared.project, sentences=1)
    reporting.freeze(prepared.project, Choices(resamples=100), actor=ravi)
    notify([ravi.pk], "assigned", project=prepared.project)
    notify([lena.pk], "alert", project=prepared.project, rater=ravi)
    jobs.create(reporting.FREEZE, project=prepared.project, params={"without_raters": [NAME]}, actor=lena)
    export = Export(project=prepared.project, kind="ratings", name="ratings.csv", size=4, sha256="0")
    export.file.save("ratings", ContentFile(b"ravi"))
    record(lena, "anything", "project:june", before={"raters": [NAME, "rosa"]}, after=f"because of {NAME}")
    return prepared


@pytest.fixture
def project(stored) -> Study:
    """Return the study with people as they are stored: erasing changes them."""
    return Study(stored.project, stored.responses, {name: person(name) for name in stored.people})


@pytest.fixture
def ravi(project) -> User:
    return project.people[NAME]


def rows_with(*words: str) -> list[str]:
    """Return the tables that have one of the words in a row, whatever the case."""
    tables = {model._meta.db_table for model in apps.get_models() if model._meta.managed and not model._meta.proxy}
    found = []
    with connection.cursor() as cursor:
        for table in sorted(tables):
            for word in words:
                cursor.execute(f"SELECT count(*) FROM {table} t WHERE t::text ~* %s", [rf"\m{word}\M"])
                if cursor.fetchone()[0]:
                    found.append(f"{table}: {word}")
    return found


def test_no_name_is_left_in_any_table_and_the_account_cannot_be_used_again(ravi, django_capture_on_commit_callbacks):
    assert len(rows_with("ravi")) > 8
    stored, browser = Export.objects.get().file, Client()
    assert browser.login(username=NAME, password=PASSWORD)
    with django_capture_on_commit_callbacks(execute=True):
        receipt = erase_person(ravi, actor=person("ada", admin=True))
    assert rows_with("ravi", "Ravi the Former", "Kumar", "example.org") == []
    assert not stored.storage.exists(stored.name)
    assert "ravi" not in json.dumps(receipt).lower()
    assert browser.get("/account/").status_code == 302
    assert not browser.login(username=NAME, password=PASSWORD)
    assert not UserSession.objects.filter(user=ravi).exists()
    user = User.objects.get(username=receipt["pseudonym"])
    for use in (lambda: set_active(user, True), lambda: create_user(user.username)):
        with pytest.raises(PersonError, match="pseudonym of an erased person"):
            use()
    with pytest.raises(PersonError, match="erased already"):
        erase_person(user)


def test_no_name_is_left_of_who_created_a_judge_and_ran_it(project, ravi, capsys):
    """Ravi's ratings are beside those of the judge; the requests to the endpoint never had a name."""
    with fake_endpoint() as endpoint:
        judge, _is_new = create_judge(Judge(name="small", base_url=endpoint.url, model="tiny"), actor=ravi)
        run_judge(judge, project.project, actor=ravi)
    call_command("export_judge_calls", "small", project="june")
    assert NAME not in capsys.readouterr().out.lower()
    assert set(AuditEvent.objects.filter(target="judge:small@1").values_list("action", "actor__username")) == {
        ("create judge", NAME),
        ("run judge", NAME),
    }
    receipt = erase_person(ravi, actor=person("ada", admin=True))
    assert rows_with("ravi", "Kumar", "example.org") == []
    assert {row["rows"] for label, row in receipt["stays"].items() if "Judge" in label} == {1}
    judge.refresh_from_db()
    assert judge.created_by == judge.runs.get().started_by == User.objects.get(username=receipt["pseudonym"])
    for command in (["export_judge_calls", "small"], ["export_ratings", "--format", "jsonl"]):
        call_command(*command, project="june")
        exported = capsys.readouterr().out
        assert '"small@1"' in exported and not re.search(r"\b(ravi|Kumar)\b", exported, re.IGNORECASE)


def test_ratings_stay_under_the_pseudonym_and_work_in_hand_goes_to_the_next_rater(project, ravi):
    before = list(Rating.objects.order_by("pk").values("item", "answers", "seconds", "rated_at", "rater", "counted"))
    history = RatingEvent.objects.count()
    held = Slot.objects.filter(holder__rater=ravi, finished_at=None)
    assert held.count() == 1
    receipt = erase_person(ravi)
    assert list(Rating.objects.order_by("pk").values(*before[0])) == before
    assert RatingEvent.objects.count() == history and held.count() == 0
    erased = User.objects.get(pk=ravi.pk)
    assert receipt["pseudonym"] == pseudonym_of(erased) == erased.username
    assert receipt["stays"]["annotation.Rating"]["rows"] == 7
    comment = Rating.objects.filter(rater=project.people["rosa"]).first().comment
    assert comment == f"as @{receipt['pseudonym']} says, and {receipt['pseudonym']}: ravioli"


def figures_of(value):
    """Return the numbers of a report, in the order of names that the pseudonym has too."""
    if isinstance(value, dict):
        return {key: figures_of(inner) for key, inner in value.items() if key != "sha256"}
    if isinstance(value, list):
        return sorted((figures_of(inner) for inner in value), key=str)
    return "name" if isinstance(value, str) and (value == NAME or value.startswith("erased-")) else value


def test_a_frozen_report_has_the_pseudonym_the_same_figures_and_is_still_reproducible(project, ravi):
    frozen = Report.objects.get()
    before = json.loads(frozen.document)
    assert f'"{NAME}"' in frozen.document
    erase_person(ravi)
    frozen.refresh_from_db()
    after = json.loads(frozen.document)
    assert NAME not in frozen.document
    assert NAME not in json.dumps([frozen.provenance, frozen.figures])
    assert after["data"]["sha256"] == frozen.data_sha256 != before["data"]["sha256"]
    assert figures_of(after) == figures_of(before)
    check_export(project.project, {"what": "bundle", "report": str(frozen.public_id)})
    assert rebuild(frozen).identical


@pytest.fixture
def alerted():
    """Return a project whose raters Kim and Bo have a quality alert."""
    return project_of(opposite_raters(), "alerts")


def test_stored_drawings_that_name_the_person_are_deleted_and_drawn_anew(alerted, client):
    frozen = freeze_as_before(alerted)
    erase_person(person("kim"))
    assert rows_with("kim") == []
    frozen.refresh_from_db()
    assert "sensitivity-light" not in frozen.figures and "options-light" in frozen.figures
    client.force_login(person("lena"))
    drawing = client.get(reverse("report_file", args=[frozen.public_id, "sensitivity-light.svg"])).content.decode()
    assert "Excluding rater 1 of 2" in drawing
    assert any("figures/sensitivity-light.svg" in name for name in bundled_files(frozen))


def freeze_as_before(project):
    """Freeze a report whose drawing of the sensitivity analyses names raters, as those of 0.7.1 do."""
    frozen = reporting.freeze(project, Choices(resamples=100))
    renamed = frozen.figures["sensitivity-light"].replace("Excluding rater 2 of 2", "Excluding kim")
    with ignored_triggers("annotation.Report:report_is_immutable"):
        Report.objects.filter(pk=frozen.pk).update(figures=frozen.figures | {"sensitivity-light": renamed})
    assert "annotation_report: kim" in rows_with("kim")
    return frozen


def bundled_files(frozen):
    archive = zipfile.ZipFile(io.BytesIO(b"".join(Bundle(Report.objects.get(pk=frozen.pk), with_names=True))))
    return archive.namelist()


def test_caches_and_pages_that_were_open_do_not_have_the_name(alerted, client, django_capture_on_commit_callbacks):
    client.force_login(person("lena"))
    page = client.get(reverse("report", args=["alerts"])).content.decode()
    table = next(unescape(found) for found in re.findall(r'href="([^"]*table=raters[^"]*)"', page))
    drawing = next(unescape(found) for found in re.findall(r'data-draws="([^"]*)"', page))
    assert "kim" in client.get(table).content.decode() and client.get(drawing).status_code == 200
    assert cached_with("kim")
    with django_capture_on_commit_callbacks(execute=True):
        erase_person(person("kim"))
    assert cached_with("kim") == [] and cached_with("") == []
    assert "kim" not in client.get(table).content.decode()
    assert "erased-" in client.get(table).content.decode()


def test_a_page_that_was_computed_while_the_person_was_erased_is_not_served_afterwards(
    alerted, client, monkeypatch, django_capture_on_commit_callbacks
):
    compute = live.live_report

    def compute_and_erase(*args, **options):
        report = compute(*args, **options)
        with django_capture_on_commit_callbacks(execute=True):
            erase_person(person("kim"))
        return report

    client.force_login(person("lena"))
    with monkeypatch.context() as patch:
        patch.setattr(live, "live_report", compute_and_erase)
        page = client.get(reverse("report", args=["alerts"])).content.decode()
    table = next(unescape(found) for found in re.findall(r'href="([^"]*table=raters[^"]*)"', page))
    served = client.get(table).content.decode()
    assert "kim" not in served and "erased-" in served


def cached_with(name):
    """Return the keys of reports, results and figures in the cache that have the name."""
    values = caches["default"]._cache
    return [key for key, value in values.items() if name.encode() in value and re.search("live|report|figure", key)]


def test_a_report_whose_data_has_changed_gets_a_keyed_hash(project, ravi):
    rates(project.people["rosa"], project.project)
    frozen = Report.objects.get()
    before = frozen.data_sha256
    erase_person(ravi)
    frozen.refresh_from_db()
    assert frozen.data_sha256 != before
    assert before not in frozen.document


def test_a_plan_and_the_audit_have_the_pseudonym_and_no_network_codes(project, ravi):
    plan, _new = set_plan(project.project, PLAN)
    source, events = plan.sha256, AuditEvent.objects.count()
    receipt = erase_person(ravi, actor=person("ada", admin=True))
    pseudonym, target = receipt["pseudonym"], f"user:{receipt['pseudonym']}"
    plan.refresh_from_db()
    assert plan.definition.exclusions.without_raters == (pseudonym,) and plan.sha256 != source
    assert AuditEvent.objects.count() >= events
    assert {event.after == {} for event in AuditEvent.objects.filter(target=target, action="sign in")} == {True}
    changed = AuditEvent.objects.get(action="anything")
    assert (changed.before, changed.after) == ({"raters": [pseudonym, "rosa"]}, f"because of {pseudonym}")
    event = AuditEvent.objects.get(action="erase person")
    assert (event.target, event.actor) == (target, person("ada"))
    user = User.objects.get(pk=ravi.pk)
    assert receipt_of(user) == receipt and hash_of(receipt_of(user)) == receipt["sha256"]
    deleted = {"annotation.Notification": 2, "mfa.Authenticator": 1, "account.EmailAddress": 1}
    assert {table: receipt["deleted"][table] for table in deleted} == deleted
    assert "Backups" in receipt["backups"]["kept"]


def test_sessions_without_a_list_entry_end_and_those_of_others_are_not_read(ravi, monkeypatch):
    others, old = Client(), SessionStore()
    others.post("/accounts/login/", {"login": "rosa", "password": PASSWORD})
    known = set(UserSession.objects.filter(user=person("rosa")).values_list("session_key", flat=True))
    old["_auth_user_id"] = str(ravi.pk)
    old.create()
    read, decode = [], Session.get_decoded
    monkeypatch.setattr(Session, "get_decoded", lambda row: read.append(row.pk) or decode(row))
    erase_person(ravi)
    assert known and known.isdisjoint(read)
    assert not Session.objects.filter(pk=old.session_key).exists()
    assert Session.objects.filter(pk__in=known).exists()


def test_an_open_job_starts_again_and_its_first_run_stores_nothing(ravi):
    job = Job.objects.get(kind=reporting.FREEZE)
    Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, attempts=1)
    running = Job.objects.get(pk=job.pk)
    receipt = erase_person(ravi)
    job.refresh_from_db()
    assert (job.state, job.params) == (Job.State.QUEUED, {"without_raters": [receipt["pseudonym"]]})
    with pytest.raises(jobs.Stopped), transaction.atomic():
        jobs.Progress(job=running).lock_job()


def test_the_only_admin_and_oneself_are_refused():
    ada = person("ada", admin=True)
    with pytest.raises(PersonError, match="only admin"):
        erase_person(ada)
    ines = person("ines", admin=True)
    with pytest.raises(PersonError, match="cannot erase yourself"):
        erase_person(ada, actor=ada)
    set_active(ines, False)
    with pytest.raises(PersonError, match="only admin"):
        erase_person(ada)


def test_a_preview_changes_nothing(ravi):
    preview = preview_erasure(ravi)
    assert preview["deleted"]["mfa.Authenticator"] == 1
    assert User.objects.filter(username=NAME, erased_at=None, is_active=True).exists()
    assert Authenticator.objects.filter(user=ravi).exists()


def test_the_job_ends_with_a_second_run_and_says_why_it_refuses(ravi):
    ada = person("ada", admin=True)
    job = jobs.create(ERASE_JOB, params={"user": ravi.pk}, actor=ada)
    jobs.run(job.pk, erase_person_job)
    job.refresh_from_db()
    assert (job.state, job.problems) == (Job.State.DONE, [])
    assert erase_person_job(job, jobs.Progress()) == {}
    refused = jobs.create(ERASE_JOB, params={"user": ada.pk}, actor=ada)
    jobs.run(refused.pk, erase_person_job)
    refused.refresh_from_db()
    assert refused.problems == ["you cannot erase yourself: ask another admin"]


@pytest.mark.parametrize("name", ["rater", "lead", "x"])
def test_a_name_that_is_a_role_or_one_letter_changes_no_other_words(project, name):
    other = person(name)
    add_member(project.project, other, "rater")
    record(None, "note", "project:june", after={"role": name, "text": f"each {name} counts"})
    receipt = erase_person(other)
    event = AuditEvent.objects.get(action="note")
    assert event.after["text"] == f"each {name} counts"
    assert AuditEvent.objects.get(action="add member", target=f"user:{receipt['pseudonym']}").after == "rater"


def test_names_that_others_have_are_not_replaced(ravi):
    tom = person("tom")
    User.objects.filter(pk__in=[ravi.pk, tom.pk]).update(first_name="Sam Doe")
    record(None, "note", "project:june", after="Sam Doe")
    erase_person(ravi)
    assert AuditEvent.objects.get(action="note").after == "Sam Doe"


def test_a_former_user_name_is_found(ravi):
    ada = person("ada", admin=True)
    record(ada, "create user", "user:oldravi", after={"email": "", "admin": False})
    change = ({"username": "oldravi", "email": ""}, {"username": NAME, "email": ""})
    record(ada, "change user", f"user:{NAME}", before=change[0], after=change[1])
    erase_person(ravi)
    assert rows_with("oldravi", NAME) == []


def test_the_function_of_the_database_replaces_names_of_accounts_alone(ravi):
    with pytest.raises(Exception, match="no account to erase"), transaction.atomic():
        connection.cursor().execute("SELECT annotation_erase_names_in_audit(%s, 'somebody else')", [ravi.pk])
