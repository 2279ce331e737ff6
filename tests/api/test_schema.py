"""What the API answers is what its OpenAPI schema says, for requests of every kind: good, bad and of strangers."""

from collections.abc import Iterator
from uuid import UUID

import pytest
import schemathesis
from django.core.files.base import ContentFile
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import override_settings
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
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
from annotation.generation.generators import GeneratorConfiguration, create_generator
from annotation.judging import run
from annotation.judging.judges import Configuration, create_judge
from annotation.models import Export, Item, Project, Rating, Report
from annotation.qualification.next_work import take_next
from annotation.reporting.shared_links import make_link
from annotation.reviewing.rater_questions import ask_leads
from annotation.webhooks.webhooks import create_webhook, send_test
from annotation.wsgi import application
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, give_token, person, study

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]

pytestmark = pytest.mark.django_db
few = settings(max_examples=12, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))


def the_schema() -> schemathesis.BaseSchema:
    schema = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))
    schema.app = application
    return schema


schema = the_schema()


@pytest.fixture(autouse=True)
def _requests_run_in_the_tests_transaction() -> Iterator[None]:
    """Run requests in the test's transaction, as Django's own test client does: connections stay open."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def rate(june: Study) -> None:
    """Let two raters answer; they differ on every third sentence, so the report has every kind of figure."""
    answers = {"ravi": [ACCURATE, SEVERE, CANNOT_ASSESS], "rosa": [ACCURATE, SEVERE, ACCURATE]}
    fields = {"project": june.project, "counted": True, "rated_at": timezone.now()}
    Rating.objects.bulk_create(
        Rating(item=item, rater=june.people[name], answers=answer, choices=answer, **fields)
        for item in Item.objects.all()
        for name, answer in ((name, several[item.position]) for name, several in answers.items())
    )


def exported_file(project: Project) -> Export:
    export = Export(project=project, kind="ratings", name="ratings.csv", size=1, sha256="")
    export.file.save("ratings", ContentFile(b"x"))
    return export


@pytest.fixture(scope="module")
def real(module_rows, tmp_path_factory) -> Iterator[dict[str, str]]:
    """Return path parameters for which Lena, lead and rater, finds an object; her token is `lena`."""
    media = tmp_path_factory.mktemp("media")
    with override_settings(MEDIA_ROOT=media), pytest.MonkeyPatch.context() as patch:
        patch.setattr("annotation.jobs.HEARTBEAT", 600.0)  # its connection would not find the job's row
        yield path_parameters()


def path_parameters() -> dict[str, str]:
    june = study(prompts=12, systems=("heron", "plover"), overlap=3)
    lena = june.people["lena"]
    rate(june)
    give_token(lena, "lena")
    give_token(person("ada", admin=True), "ada")
    work = take_next(june.project, lena)
    item = work.sheet.response.items.get(position=0)
    job = jobs.create(reporting.FREEZE, project=june.project, actor=lena)
    document = reporting.build(june.project).to_json().decode()
    job.report = Report.objects.create(project=june.project, document=document, data_sha256="0" * 64)
    job.save()
    other_token = give_token(lena, "another-key")
    judge, _is_new = create_judge("numbers", Configuration(rule="numbers"))
    judge_job = jobs.create(run.RUN_JUDGE, project=june.project, params={"judge": judge.pk}, actor=lena)
    jobs.run(judge_job.pk, run.run_judge_job)
    webhook, _secret = create_webhook(june.project, "https://example.org/", ["report.frozen"], actor=lena)
    settings = GeneratorConfiguration(base_url="https://models.example.org/v1", model="large-1")
    generator, _is_new = create_generator(june.project.dataset, "model-a", settings)
    ids: dict[str, UUID | str] = {
        "prefix": other_token.prefix,
        "assignment_id": work.public_id,
        "item_id": item.public_id,
        "document_id": work.sheet.document.public_id,
        "report_id": job.public_id,
        "job_id": judge_job.public_id,
        "dataset": "june-data",
        "prompt_id": june.responses[0].prompt.public_id,
        "username": "rosa",
        "frozen_id": job.report.public_id,
        "link_id": make_link(job.report)[0].public_id,
        "export_id": exported_file(june.project).public_id,
        "name": "report.csv",
        "sheet_id": work.sheet_id,
        "protocol": "article-accuracy",
        "version": june.project.protocol.version,
        "question_id": ask_leads(lena, work.public_id, item.public_id, "Is it so?").public_id,
        "webhook_id": webhook.public_id,
        "generator_id": generator.public_id,
        "delivery_id": send_test(webhook, actor=lena).public_id,
    }
    return {"slug": "june", "judge": "numbers", "judge_version": "1"} | {
        name: str(value) for name, value in ids.items()
    }


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


@pytest.mark.parametrize(("label", "asker"), CASES)
def test_what_anybody_asks_is_answered_as_the_schema_says(label, asker, real):
    operation = OPERATIONS[label]
    known = {parameter.name: real[parameter.name] for parameter in operation.path_parameters}
    path = {} if asker == "lena about nothing" else {"path_parameters": known}
    headers = {} if asker == "nobody" else {"Authorization": f"Token {asker.split()[0]}"}

    @few
    @given(case=one_of(operation.as_strategy(mode, **path) for mode in GenerationMode))
    def ask(case: Case) -> None:
        response = case.call_and_validate(headers=headers, checks=CHECKS)
        assert asker != "nobody" or response.status_code == 401

    ask()
