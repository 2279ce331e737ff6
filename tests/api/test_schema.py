"""What the API answers is what its OpenAPI schema says, for requests of every kind: good, bad and of strangers."""

from collections.abc import Iterator

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import one_of
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.schemas import APIOperation

from annotation import jobs, reporting
from annotation.judging import run
from annotation.models import Item, Job, Project, Rating, Report
from annotation.qualification.next_work import take_next
from annotation.reviewing.rater_questions import ask_leads
from annotation.wsgi import application
from tests.api.clients import api_schema
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, give_token, person
from tests.routes import create_site, without_jobs

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]

pytestmark = pytest.mark.django_db
repeatable = settings(derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))


schema = schemathesis.openapi.from_dict(api_schema())
schema.app = application


@pytest.fixture(autouse=True)
def _requests_run_in_the_tests_transaction() -> Iterator[None]:
    """Run requests in the test's transaction, as Django's own test client does: connections stay open."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


SITE = {"frozen_id": "frozen", "job_id": "judge_job", "report_id": "freezing"}
"""Parameters whose objects have another name in tests.routes; names of others end in _id there alone."""


@pytest.fixture(scope="module")
def real(module_rows, tmp_path_factory) -> Iterator[dict[str, str]]:
    """Return path parameters for which Lena, lead and rater, finds an object; her token is `lena`."""
    with without_jobs(tmp_path_factory.mktemp("media")), pytest.MonkeyPatch.context() as patch:
        patch.setattr("annotation.jobs.HEARTBEAT", 600.0)  # its connection would not find the job's row
        site = create_site()
        names = {each.name for operation in OPERATIONS.values() for each in operation.path_parameters}
        found = {name: str(site[key]) for name in names if (key := SITE.get(name, name.removesuffix("_id"))) in site}
        yield found | own_objects()


def own_objects() -> dict[str, str]:
    """Let raters differ, so that a report has every kind of figure; return what is Lena's own, and fixed names."""
    lena, june = person("lena"), Project.objects.get(slug="june")
    answers = {"ravi": [ACCURATE, SEVERE, CANNOT_ASSESS], "rosa": [ACCURATE, SEVERE, ACCURATE]}
    fields = {"project": june, "counted": True, "rated_at": timezone.now()}
    ratings = (
        Rating(item=item, rater=person(name), answers=each[item.position], choices=each[item.position], **fields)
        for item in Item.objects.filter(response__dataset=june.dataset, unit="sentence")
        for name, each in answers.items()
    )
    Rating.objects.bulk_create(ratings, ignore_conflicts=True)
    Job.objects.filter(kind=reporting.FREEZE).update(report=Report.objects.get())
    jobs.run(Job.objects.get(kind=run.RUN_JUDGE).pk, run.run_judge_job)
    give_token(lena, "lena")
    give_token(person("ada"), "ada")
    work = take_next(june, lena)
    item = work.sheet.response.items.get(position=0).public_id
    ids = {"assignment_id": work.public_id, "item_id": item, "sheet_id": work.sheet_id}
    ids |= {"document_id": work.sheet.document.public_id, "prefix": give_token(lena, "another-key").prefix}
    ids |= {"question_id": ask_leads(lena, work.public_id, item, "Is it so?").public_id}
    names = {"slug": "june", "dataset": "june-data", "username": "rosa", "name": "report.csv"}
    names |= {"protocol": "article-accuracy", "judge": "numbers", "judge_version": "1"}
    return names | {name: str(value) for name, value in ids.items()}


def askers_of(operation: APIOperation) -> list[str]:
    """Return who asks: the lead (also about nothing), somebody without a token, an admin where it matters."""
    for_admins = operation.definition.raw.get("description", "").endswith("For admins.")
    has_parameters = any(operation.path_parameters)
    return ["lena", "nobody", *["ada"] * for_admins, *["lena about nothing"] * has_parameters]


OPERATIONS = {result.ok().label: result.ok() for result in schema.get_all_operations()}
QUESTIONS = [(label, asker) for label, operation in OPERATIONS.items() for asker in askers_of(operation)]
CASES = [  # of others than the lead, every tenth
    pytest.param(label, asker, marks=[pytest.mark.exhaustive] if asker != "lena" and n % 10 else [])
    for n, (label, asker) in enumerate(QUESTIONS)
]


@pytest.mark.parametrize("examples", [6, pytest.param(12, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(("label", "asker"), CASES)
def test_what_anybody_asks_is_answered_as_the_schema_says(label, asker, examples, real):
    operation = OPERATIONS[label]
    known = {parameter.name: real[parameter.name] for parameter in operation.path_parameters}
    path = {} if asker == "lena about nothing" else {"path_parameters": known}
    headers = {} if asker == "nobody" else {"Authorization": f"Token {asker.split()[0]}"}

    @settings(repeatable, max_examples=examples)
    @given(case=one_of(operation.as_strategy(mode, **path) for mode in GenerationMode))
    def ask(case: Case) -> None:
        response = case.call_and_validate(headers=headers, checks=CHECKS)
        assert asker != "nobody" or response.status_code == 401

    ask()
