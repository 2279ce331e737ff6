"""The status of every route for every method that it takes and every kind of user.

In TABLE, the routes with the same beginning and the same statuses follow a line with both: the answers for nobody in
particular (no session), Otto (a rater of another project), Ravi (a rater), Lena (the lead) and Ada (the admin). 302
without a session is the way to the login page. A new route is its methods and the rest of its address (`.` for none)
under such a line. `test_no_route_is_missing` walks the resolver and fails until it is there;
`test_other_methods_do_nothing` tries what the table does not list. Names in braces are objects of the site that
`create_site` makes.
"""

import json
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.db import transaction
from django.http import HttpResponse
from django.test import Client, override_settings

from annotation import jobs, reporting
from annotation.accounts.tokens import create_token
from annotation.generation import token_counts
from annotation.generation.generators import create_generator
from annotation.generation.templates import DEFAULT_TEMPLATE, find_template
from annotation.importing import uploads
from annotation.judging import run
from annotation.judging.judges import create_judge
from annotation.models import AuditEvent, Export, Generator, Job, Judge, Membership, Notification, ProtocolVersion
from annotation.notifications import notify
from annotation.projects.analysis_plans import set_plan
from annotation.projects.guidelines import publish_guidelines
from annotation.projects.members import add_member
from annotation.reporting.shared_links import make_link
from annotation.reviewing import rater_questions
from annotation.webhooks.webhooks import create_webhook, send_test
from tests.cast import ACCURATE, person, study
from tests.fact_qa_studies import score_facts
from tests.reporting.project_rows import judge_items
from tests.web.datasets.files import labels_job
from tests.web.pages import rates

WHO = ("nobody", "otto", "ravi", "lena", "ada")
TABLE = """
/ 200 200 200 200 200
    GET health/live/ health/ready/ accessibility/ signed-in/ assignments/worker.js r/{key}/ r/{key}/report.json
/ 302 200 200 200 200
    GET . search/ search/results/?q=june account/tokens/ notifications/ notifications/newest/
    GET|POST account/
    POST account/data/
/ 302 302 302 302 302
    POST language/ account/notifications/ account/tokens/ notifications/read/
/ 302 403 403 403 302
    POST sample/ people/rosa/link/ people/rosa/activity/ people/otto/second-factor/remove/ jobs/{freezing}/retry/
        jobs/{freezing}/cancel/
    GET admin/login/
/ 302 403 403 403 200
    GET|POST projects/new/ generation/templates/ people/ people/rosa/erase/ judges/new/
    GET people/rosa/tokens/ judges/ judges/numbers/1/ judges/numbers/1/tuned.jsonl status/ status/findings/ jobs/
/ 302 404 404 404 404
    GET assignments/{assignment}/items/{item}/feedback/
/ 302 404 200 404 404
    GET assignments/{assignment}/ assignments/{assignment}/sheet/
/ 302 404 403 200 200
    GET exports/{export}/ jobs/{freezing}/
/ 302 404 403 302 302
    POST exports/{export}/delete/
/ 404 404 404 404 404
    GET r/{key}/tables/?table=overall
/ 302 404 404 404 200
    GET jobs/{load}/ jobs/{token_count}/
/ 302 403 403 200 200
    GET protocols/ protocols/article-accuracy/{version}/ protocols/article-accuracy/{version}/preview/
        protocols/article-accuracy/{version}/source/
    GET|POST protocols/new/
    POST protocols/new/try/ protocols/new/questions/
/ 302 403 403 404 404
    GET protocols/questions/
    POST protocols/article-accuracy/{version}/
/ 302 404 404 302 302
    POST account/tokens/{token}/revoke/
/ 302 404 404 302 404
    GET notifications/{notified}/
/ 302 403 403 403 404
    GET people/rosa/erasure/
    POST people/rename/
/ 302 302 302 302 200
    GET admin/ admin/password_change/ admin/password_change/done/
        admin/autocomplete/?app_label=annotation&model_name=membership&field_name=user admin/jsi18n/
        admin/annotation/ admin/annotation/user/{user}/password/
    POST admin/logout/
/ 302 302 302 302 404
    GET admin/r/1/1/ admin/nowhere/
/accounts/ 200 302 302 302 302
    GET|POST login/ signup/
/accounts/ 302 200 200 200 200
    GET logout/ sessions/ email/ 2fa/ 2fa/webauthn/
    GET|POST reauthenticate/ password/change/ 3rdparty/
/accounts/ 302 302 302 302 302
    POST logout/ sessions/ email/
    GET reauthenticate/provider/ 3rdparty/signup/
    GET|POST password/set/ login/code/confirm/ 2fa/authenticate/ 2fa/reauthenticate/ 2fa/totp/activate/
        2fa/recovery-codes/generate/ 2fa/webauthn/add/ 2fa/webauthn/keys/1/edit/ 2fa/webauthn/keys/1/remove/
        2fa/webauthn/login/ 2fa/webauthn/reauthenticate/
/accounts/ 200 200 200 200 200
    GET inactive/ confirm-email/ confirm-email/nokey/ password/reset/done/ password/reset/key/done/
        3rdparty/login/cancelled/
    GET|POST password/reset/ password/reset/key/1-nokey/
/accounts/ 404 404 404 404 404
    POST confirm-email/nokey/ saml/campus/acs/
    GET|POST oidc/uni/login/ saml/campus/login/
    GET oidc/no.such/login/ oidc/uni/login/callback/ oidc/no.such/login/callback/ saml/campus/metadata/
/accounts/ 302 404 404 404 404
    GET|POST 2fa/totp/deactivate/
    GET 2fa/recovery-codes/ 2fa/recovery-codes/download/
/accounts/ 302 401 401 401 401
    GET 3rdparty/login/error/
/accounts/ 302 301 301 301 301
    GET social/login/cancelled/ social/login/error/ social/signup/ social/connections/
/datasets/ 302 200 200 200 200
    GET .
/datasets/ 302 403 403 403 200
    GET|POST import/ import/{labels}/labels/ june-data/delete/ june-data/responses/ june-data/generate/
        june-data/generators/{generator}/
    GET import/{load}/ june-data/generators/{generator}/results.jsonl
/datasets/ 302 403 403 403 302
    GET|POST import/columns/
    POST import/{load}/confirm/ import/{load}/cancel/ june-data/generators/{generator}/count/
        june-data/generators/{generator}/jobs/{token_count}/cancel/
/datasets/ 302 404 404 200 200
    GET june-data/ june-data/documents/ june-data/documents/{document}/ june-data/prompts/{prompt}/
/projects/june/ 302 404 200 200 200
    GET . guidelines/ guidelines/drawer/ guidelines/1/ pace/
    GET|POST introduction/
/projects/june/ 302 404 403 200 200
    GET|POST members/ invite/ members/rosa/replace/ reservations/ analysis-plan/ overlap/ hours/ checks/ judges/
    GET members/people/?q=ro members/rosa/successors/?q=ra live/ late/ responses/ assignments/{assignment}/
        preview/{sheet}/ analysis-plan/1/plan.md settings/workload/ webhooks/{webhook}/ settings/webhooks/ inbox/
        inbox/{question}/ hours/file/ judges/numbers/1/ judges/numbers/1/tuned.jsonl judges/numbers/1/requests.jsonl
        judges/numbers/1/items/{item}/ review/replies/ report/ agreement/ metrics/ metrics/figures.csv
        metrics/scores.csv raters/ plan/ review/ review/gold/ review/compared/ review/{item}/ exports/
        exports/ratings/ reports/compare/ judges/facts/1/fact-qa/ judges/facts/1/scores.csv
        judges/facts/1/responses/{response}/ judges/compared/1/comparison/ judges/compared/1/card.md
        reports/compare/differences.csv?a={frozen}&b={frozen}
    POST webhooks/ guidelines/ guidelines/reoffer/ metrics/scores/
/projects/june/ 302 404 403 302 302
    POST members/rosa/remove/ responses/change/ assignments/{assignment}/reopen/ assignments/{assignment}/free/
        reservations/end/ webhooks/{webhook}/pause/ webhooks/{webhook}/test/
        webhooks/{webhook}/deliveries/{delivery}/send/ webhooks/{webhook}/delete/ title/ target/ archive/
        claim-free/ verdict-visibility/ suggestions/ prefetch/ inbox/{question}/boundaries/ checks/sheets/{sheet}/
        checks/raters/rosa/ judges/jobs/{judge_job}/cancel/ report/freeze/ report/numbers/ metrics/ plan/
        review/names/ review/{item}/withdraw/ review/{item}/gold/remove/ exports/make/
    GET settings/ report/tables/
/projects/june/ 302 404 200 200 403
    GET my-responses/
/projects/june/ 302 302 302 302 302
    GET parts/ decisions/ given-back/
/projects/june/ 302 404 403 404 404
    GET settings/nothing/ report/figures/options-light.svg raters/rosa/
/projects/june/ 302 403 403 403 302
    POST hidden-raters/ judges/numbers/1/requests/delete/
/projects/june/ 302 403 403 403 200
    GET|POST delete/
/projects/june/ 302 404 302 302 302
    GET released/
/projects/june/ 302 404 404 404 404
    GET facts/
    GET|POST facts/{assignment}/
/projects/june/ 302 404 403 400 400
    POST inbox/{question}/ review/{item}/ review/{item}/gold/
/projects/june/ 302 404 302 302 403
    GET|POST start/
    GET rate/
/projects/june/ 302 404 404 404 403
    GET training/ adjudications/
    POST adjudications/{item}/
/reports/{frozen}/ 302 302 302 302 302
    GET rebuilt/
/reports/{frozen}/ 302 404 403 200 200
    GET links/ rebuild/ . report.json
/reports/{frozen}/ 302 404 403 302 302
    POST links/ links/{link}/revoke/ rebuild/
/reports/{frozen}/ 302 404 403 404 404
    GET tables/?table=nothing
/api/v1/ 401 200 200 200 200
    GET formats/ datasets/ projects/ tokens/ schema/
/api/v1/ 401 415 415 415 415
    POST imports/
/api/v1/ 401 403 403 403 409
    POST imports/{load}/confirm/ jobs/{freezing}/retry/
/api/v1/ 401 403 403 403 200
    GET generation-templates/ people/ people/rosa/ people/rosa/tokens/ jobs/ audit/ judges/
    DELETE people/lena/tokens/{token}/ jobs/{freezing}/
/api/v1/ 401 403 403 403 400
    POST generation-templates/ projects/ people/ judges/
    PATCH people/rosa/
/api/v1/ 401 403 403 403 201
    POST people/rosa/link/
/api/v1/ 401 403 403 200 200
    GET protocols/ protocols/article-accuracy/{version}/
/api/v1/ 401 403 403 400 400
    POST protocols/
/api/v1/ 401 404 403 200 200
    GET jobs/{freezing}/ reports/{freezing}/
/api/v1/ 401 404 200 404 404
    PUT assignments/{assignment}/items/{item}/
    DELETE assignments/{assignment}/items/{item}/?base_version=1
    POST assignments/{assignment}/release/
    GET assignments/{assignment}/beside/
    PUT|DELETE assignments/{assignment}/items/{item}/mark/
/api/v1/ 401 404 409 404 404
    POST assignments/{assignment}/finish/
/api/v1/ 401 404 400 404 404
    POST assignments/{assignment}/items/{item}/questions/ assignments/{assignment}/questions/seen/
/api/v1/ 401 404 200 200 200
    GET documents/{document}/
/api/v1/ 401 403 403 403 403
    POST tokens/
/api/v1/ 401 404 404 200 404
    DELETE tokens/{token}/
/api/v1/ 302 200 200 200 200
    GET docs/
/api/v1/datasets/june-data/ 401 404 404 200 200
    GET . documents/ documents/{document}/ prompts/ prompts/{prompt}/ responses/ imports/
/api/v1/datasets/june-data/ 401 403 403 403 409
    DELETE .
    POST generators/{generator}/token-counts/
/api/v1/datasets/june-data/ 401 415 415 415 415
    POST responses/imports/
/api/v1/datasets/june-data/ 401 403 403 403 200
    GET generators/ generators/{generator}/ generators/{generator}/runs/ generators/{generator}/results/
/api/v1/datasets/june-data/ 401 403 403 403 400
    POST generators/
/api/v1/datasets/june-data/ 401 403 403 403 202
    POST generators/{generator}/runs/
/api/v1/projects/june/ 401 404 403 200 200
    GET|PATCH . checks/
    GET jobs/ webhooks/ webhooks/{webhook}/deliveries/ members/ ratings/ reports/ reports/{frozen}/
        reports/{frozen}/files/report.json/ reports/{frozen}/comparison/?earlier={frozen} reports/{frozen}/links/
        exports/ exports/{export}/file/ responses/ reservations/ gold/ review/ review/gold/ checks/raters/
        analysis-plan/ questions/ questions/{question}/ progress/ report/ judges/ judges/compared/1/comparison/
        hours/ pay-rates/ raters/ planner/ planner/judge/?judge=compared judge-runs/ judge-requests/?judge=numbers
        judges/compared/1/tuning-items/ verdicts/?judge=numbers metrics/ metrics/scores/ fact-qa/?judge=facts
        fact-scores/?judge=facts
    GET|PATCH|DELETE webhooks/{webhook}/
    POST webhooks/{webhook}/deliveries/{delivery}/send/ assignments/{assignment}/free/ guidelines/reoffer/
    GET|DELETE members/rosa/ exports/{export}/ review/{item}/ judge-runs/{judge_job}/
    DELETE reports/{frozen}/links/{link}/
    PUT|DELETE review/{item}/gold/
/api/v1/projects/june/ 401 403 403 403 202
    DELETE .
/api/v1/projects/june/ 401 404 403 400 400
    POST webhooks/ members/rosa/replace/ invitations/ responses/change/ reservations/ reservations/end/
        checks/raters/rosa/ analysis-plan/ questions/{question}/boundaries/ guidelines/ pay-rates/ judge-runs/
    PUT members/rosa/ responses/{sheet}/purpose/ review/{item}/ questions/{question}/answer/
/api/v1/projects/june/ 401 404 403 201 201
    POST webhooks/{webhook}/test/ reports/{frozen}/links/
/api/v1/projects/june/ 401 404 403 202 202
    POST reports/{frozen}/rebuild/ exports/ reports/ metrics/
/api/v1/projects/june/ 401 404 403 409 409
    POST assignments/{assignment}/reopen/
/api/v1/projects/june/ 401 404 200 200 403
    POST assignments/ assignments/ahead/?after={assignment}
    DELETE assignments/ahead/
/api/v1/projects/june/ 401 404 200 200 200
    GET guidelines/versions/ guidelines/
/api/v1/projects/june/ 401 403 403 403 200
    DELETE judge-requests/?judge=numbers
/api/v1/projects/june/ 401 415 415 415 415
    POST metrics/scores/
"""
BODIES = {"PUT": {"answers": {"accuracy": "disputed", "severity": "severe"}, "base_version": 1}}
MODELS = ("user", "membership", "project", "protocolversion", "dataset", "job", "notification", "auditevent")
ENDPOINT = {"base_url": "https://models.example.org/v1", "model": "large-1"}


def admin_lines() -> Iterator[str]:
    """Return lines for Django's admin pages: superusers see them, others are sent to a login that refuses them."""
    for model in MODELS:
        add = 200 if model in ("user", "membership") else 403
        delete = 200 if model == "membership" else 403
        pages = {"": 200, "add/": add, "{%s}/history/": 200, "{%s}/change/": 200, "{%s}/delete/": delete, "{%s}/": 302}
        for page, status in pages.items():
            yield f"GET /admin/annotation/{model}/{page.replace('%s', model)} 302 302 302 302 {status}"


def table_lines() -> Iterator[str]:
    """Return a line with methods, address and statuses for each route of TABLE."""
    beginning = statuses = methods = ""
    for words in map(str.split, TABLE.strip().splitlines()):
        if words[0].startswith("/"):
            beginning, statuses = words[0], " ".join(words[1:])
            continue
        if words[0].isupper():
            methods = words.pop(0)
        yield from (f"{methods} {beginning}{word.removeprefix('.')} {statuses}" for word in words)


LINES = [
    [method, *rest]
    for methods, *rest in map(str.split, (*table_lines(), *admin_lines()))
    for method in methods.split("|")
]
"""A method, an address and the five statuses."""


def placeholders() -> dict[str, object]:
    """Return a value for each route's parameters: whether the object exists does not matter for finding the route."""
    numbers = dict.fromkeys((*MODELS, "sheet", "version"), 1)
    return {name: uuid.uuid4() for name in re.findall("{(.+?)}", TABLE)} | numbers


def ask(client: Client, method: str, address: str, **headers: str) -> HttpResponse:
    """Return the answer. API routes get JSON, pages a form."""
    if not address.startswith("/api/"):
        return getattr(client, method.lower())(address, headers=headers)
    body = json.dumps(BODIES.get(method, {}))
    headers["Idempotency-Key"] = uuid.uuid4().hex
    return client.generic(method, address, body, content_type="application/json", headers=headers)


@contextmanager
def undone() -> Iterator[None]:
    """Roll back what is done within, in the database and in the cache."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    cache.clear()


@contextmanager
def without_jobs(media: Path) -> Iterator[None]:
    """Send no job to a worker, and store files in the folder."""
    with pytest.MonkeyPatch.context() as patch, override_settings(MEDIA_ROOT=media):
        patch.setattr("tasks.jobs._send", lambda job: None)
        yield


def create_site() -> dict[str, Any]:
    """Create the study june with begun work, a report, an export, a job and an import, and a project of Otto's."""
    june = study("june", prompts=2)
    study("other", raters=("otto",))
    ada = person("ada", admin=True)
    lena = june.people["lena"]
    add_member(june.project, person("ines"), Membership.Role.LEAD, actor=ada)
    begun = rates(june.people["ravi"], june.project, sentences=1)
    response = begun.sheet.response
    publish_guidelines(june.project, "Read it twice.", actor=lena)
    item = june.items(june.responses.index(response))[0].public_id
    set_plan(june.project, 'measures = ["accurate"]', actor=lena)
    freezing = jobs.create(reporting.FREEZE, project=june.project, actor=lena)
    judge, _is_new = create_judge(Judge(name="numbers", rule="numbers"))
    run.run_judge(judge, june.project)
    judge_job = jobs.create(run.RUN_JUDGE, project=june.project, params={"judge": judge.pk}, actor=lena)
    template = find_template(DEFAULT_TEMPLATE)
    generator, _is_new = create_generator(
        Generator(dataset=june.project.dataset, system="model-a", template=template, **ENDPOINT)
    )
    token_count = jobs.create(token_counts.COUNT_TOKENS, params={"generator": generator.pk}, actor=ada)
    load = jobs.create(uploads.LOAD_DATASET, params={"slug": "more", "dry_run": True}, actor=ada)
    labels = labels_job(ada)
    report = reporting.freeze(june.project, reporting.Choices(resamples=100))
    link, key = make_link(report)
    export = Export(project=june.project, kind="ratings", name="ratings.csv", size=1, sha256="")
    export.file.save("ratings", ContentFile(b"x"))
    judge_items(june.project, {(response.key, 0): ACCURATE}, name="compared")
    score_facts(june.project, {response.key: ((1, 2), (1, 1))})
    notify([lena.pk], Notification.Kind.PAUSED, project=june.project, rater=june.people["rosa"])
    notification = Notification.objects.get()
    webhook, _secret = create_webhook(june.project, "https://example.org/", ["job.failed"], actor=lena)
    question = rater_questions.ask_leads(june.people["ravi"], begun.public_id, item, "Is this so?")
    return {
        "assignment": begun.public_id, "item": item, "question": question.public_id, "sheet": begun.sheet_id,
        "document": response.prompt.document.public_id, "response": response.public_id,
        "prompt": response.prompt.public_id, "freezing": freezing.public_id, "judge_job": judge_job.public_id,
        "generator": generator.public_id, "token_count": token_count.public_id, "load": load.public_id,
        "labels": labels.public_id, "frozen": report.public_id, "link": link.public_id, "key": key,
        "export": export.public_id, "token": create_token(lena)[1].prefix,
        "leading": create_token(ada, scope="lead")[0], "webhook": webhook.public_id,
        "delivery": send_test(webhook, actor=lena).public_id, "notified": notification.public_id,
        "notification": notification.pk, "user": june.people["rosa"].pk,
        "membership": june.project.memberships.get(user=june.people["rosa"]).pk, "project": june.project.pk,
        "protocolversion": ProtocolVersion.objects.get().pk, "version": ProtocolVersion.objects.get().version,
        "dataset": june.project.dataset.pk, "job": Job.objects.first().pk,
        "auditevent": AuditEvent.objects.first().pk,
    }  # fmt: skip
