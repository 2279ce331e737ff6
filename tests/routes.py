"""The status of every route for every method that it takes and every kind of user.

A new route is one line of TABLE: methods, address, and the answers for nobody in particular (no session), Otto (a rater
of another project), Ravi (a rater), Lena (the lead) and Ada (the admin). 302 without a session is the way to the login
page. `test_no_route_is_missing` walks the resolver and fails until the line is there; `test_other_methods_do_nothing`
tries what the table does not list. Names in braces are objects of the site that `create_site` makes.
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
from annotation.generation.generators import GeneratorConfiguration, create_generator
from annotation.importing import uploads
from annotation.judging import run
from annotation.judging.judges import Configuration, create_judge
from annotation.models import AuditEvent, Export, Job, Membership, Notification, ProtocolVersion
from annotation.notifications import notify
from annotation.projects.analysis_plans import set_plan
from annotation.projects.guidelines import publish_guidelines
from annotation.projects.members import add_member
from annotation.reporting.shared_links import make_link
from annotation.reviewing import rater_questions
from annotation.webhooks.webhooks import create_webhook, send_test
from tests.cast import ACCURATE, person, study
from tests.fact_qa_studies import score_facts
from tests.reporting.judged_rows import judge_items
from tests.web.datasets.files import labels_job
from tests.web.pages import rates

WHO = ("nobody", "otto", "ravi", "lena", "ada")
TABLE = """
GET /health/live/ 200 200 200 200 200
GET /health/ready/ 200 200 200 200 200
GET / 302 200 200 200 200
GET /accessibility/ 200 200 200 200 200
GET /signed-in/ 200 200 200 200 200
POST /language/ 302 302 302 302 302
POST /sample/ 302 403 403 403 302
GET /search/ 302 200 200 200 200
GET /search/results/?q=june 302 200 200 200 200
GET|POST /projects/new/ 302 403 403 403 200
GET /projects/june/ 302 404 200 200 200
GET|POST /projects/june/members/ 302 404 403 200 200
GET /projects/june/members/people/?q=ro 302 404 403 200 200
GET /projects/june/members/rosa/successors/?q=ra 302 404 403 200 200
POST /projects/june/members/rosa/remove/ 302 404 403 302 302
GET /projects/june/live/ 302 404 403 200 200
GET /projects/june/late/ 302 404 403 200 200
GET|POST /projects/june/invite/ 302 404 403 200 200
GET|POST /projects/june/members/rosa/replace/ 302 404 403 200 200
GET /projects/june/responses/ 302 404 403 200 200
POST /projects/june/responses/change/ 302 404 403 302 302
POST /projects/june/assignments/{assignment}/reopen/ 302 404 403 302 302
GET /projects/june/assignments/{assignment}/ 302 404 403 200 200
POST /projects/june/assignments/{assignment}/free/ 302 404 403 302 302
GET /projects/june/my-responses/ 302 404 200 200 403
GET /projects/june/preview/{sheet}/ 302 404 403 200 200
GET|POST /projects/june/reservations/ 302 404 403 200 200
GET /projects/june/parts/ 302 302 302 302 302
GET /projects/june/decisions/ 302 302 302 302 302
GET /projects/june/given-back/ 302 302 302 302 302
GET /reports/{frozen}/rebuilt/ 302 302 302 302 302
POST /projects/june/reservations/end/ 302 404 403 302 302
GET|POST /projects/june/analysis-plan/ 302 404 403 200 200
GET /projects/june/analysis-plan/1/plan.md 302 404 403 200 200
GET /projects/june/settings/ 302 404 403 302 302
GET /projects/june/settings/workload/ 302 404 403 200 200
POST /projects/june/webhooks/ 302 404 403 200 200
GET /projects/june/webhooks/{webhook}/ 302 404 403 200 200
POST /projects/june/webhooks/{webhook}/pause/ 302 404 403 302 302
POST /projects/june/webhooks/{webhook}/test/ 302 404 403 302 302
POST /projects/june/webhooks/{webhook}/deliveries/{delivery}/send/ 302 404 403 302 302
POST /projects/june/webhooks/{webhook}/delete/ 302 404 403 302 302
GET /projects/june/settings/webhooks/ 302 404 403 200 200
GET /projects/june/settings/nothing/ 302 404 403 404 404
POST /projects/june/title/ 302 404 403 302 302
POST /projects/june/hidden-raters/ 302 403 403 403 302
POST /projects/june/target/ 302 404 403 302 302
GET|POST /projects/june/overlap/ 302 404 403 200 200
POST /projects/june/archive/ 302 404 403 302 302
GET|POST /projects/june/delete/ 302 403 403 403 200
GET /projects/june/released/ 302 404 302 302 302
POST /projects/june/claim-free/ 302 404 403 302 302
POST /projects/june/verdict-visibility/ 302 404 403 302 302
POST /projects/june/suggestions/ 302 404 403 302 302
POST /projects/june/prefetch/ 302 404 403 302 302
GET /projects/june/guidelines/ 302 404 200 200 200
POST /projects/june/guidelines/ 302 404 403 200 200
GET /projects/june/guidelines/drawer/ 302 404 200 200 200
GET /projects/june/guidelines/1/ 302 404 200 200 200
POST /projects/june/guidelines/reoffer/ 302 404 403 200 200
GET /projects/june/facts/ 302 404 404 404 404
GET|POST /projects/june/facts/{assignment}/ 302 404 404 404 404
GET /projects/june/inbox/ 302 404 403 200 200
GET /projects/june/inbox/{question}/ 302 404 403 200 200
POST /projects/june/inbox/{question}/ 302 404 403 400 400
POST /projects/june/inbox/{question}/boundaries/ 302 404 403 302 302
GET|POST /projects/june/hours/ 302 404 403 200 200
GET /projects/june/hours/file/ 302 404 403 200 200
GET /projects/june/pace/ 302 404 200 200 200
GET|POST /projects/june/checks/ 302 404 403 200 200
POST /projects/june/checks/sheets/{sheet}/ 302 404 403 302 302
POST /projects/june/checks/raters/rosa/ 302 404 403 302 302
GET|POST /projects/june/judges/ 302 404 403 200 200
POST /projects/june/judges/jobs/{judge_job}/cancel/ 302 404 403 302 302
GET /projects/june/judges/numbers/1/ 302 404 403 200 200
GET /projects/june/judges/numbers/1/tuned.jsonl 302 404 403 200 200
GET /projects/june/judges/numbers/1/requests.jsonl 302 404 403 200 200
POST /projects/june/judges/numbers/1/requests/delete/ 302 403 403 403 302
GET /projects/june/judges/numbers/1/items/{item}/ 302 404 403 200 200
GET|POST /projects/june/introduction/ 302 404 200 200 200
GET|POST /projects/june/start/ 302 404 302 302 403
GET /projects/june/training/ 302 404 404 404 403
GET /assignments/{assignment}/items/{item}/feedback/ 302 404 404 404 404
GET /projects/june/adjudications/ 302 404 404 404 403
POST /projects/june/adjudications/{item}/ 302 404 404 404 403
GET /projects/june/review/replies/ 302 404 403 200 200
GET /projects/june/rate/ 302 404 302 302 403
GET /assignments/worker.js 200 200 200 200 200
GET /assignments/{assignment}/ 302 404 200 404 404
GET /assignments/{assignment}/sheet/ 302 404 200 404 404
GET /projects/june/report/ 302 404 403 200 200
POST /projects/june/report/freeze/ 302 404 403 302 302
POST /projects/june/report/numbers/ 302 404 403 302 302
GET /projects/june/report/figures/options-light.svg 302 404 403 404 404
GET /projects/june/report/tables/ 302 404 403 302 302
GET /projects/june/agreement/ 302 404 403 200 200
GET /projects/june/metrics/ 302 404 403 200 200
POST /projects/june/metrics/ 302 404 403 302 302
GET /projects/june/metrics/figures.csv 302 404 403 200 200
POST /projects/june/metrics/scores/ 302 404 403 200 200
GET /projects/june/metrics/scores.csv 302 404 403 200 200
GET /projects/june/raters/ 302 404 403 200 200
GET /projects/june/raters/rosa/ 302 404 403 404 404
GET /projects/june/plan/ 302 404 403 200 200
POST /projects/june/plan/ 302 404 403 302 302
GET /projects/june/review/ 302 404 403 200 200
GET /projects/june/review/gold/ 302 404 403 200 200
GET /projects/june/review/compared/ 302 404 403 200 200
POST /projects/june/review/names/ 302 404 403 302 302
GET /projects/june/review/{item}/ 302 404 403 200 200
POST /projects/june/review/{item}/ 302 404 403 400 400
POST /projects/june/review/{item}/withdraw/ 302 404 403 302 302
POST /projects/june/review/{item}/gold/ 302 404 403 400 400
POST /projects/june/review/{item}/gold/remove/ 302 404 403 302 302
GET /projects/june/exports/ 302 404 403 200 200
GET /projects/june/exports/ratings/ 302 404 403 200 200
POST /projects/june/exports/make/ 302 404 403 302 302
GET /exports/{export}/ 302 404 403 200 200
POST /exports/{export}/delete/ 302 404 403 302 302
GET /projects/june/reports/compare/ 302 404 403 200 200
GET /projects/june/judges/facts/1/fact-qa/ 302 404 403 200 200
GET /projects/june/judges/facts/1/scores.csv 302 404 403 200 200
GET /projects/june/judges/facts/1/responses/{response}/ 302 404 403 200 200
GET /projects/june/judges/compared/1/comparison/ 302 404 403 200 200
GET /projects/june/judges/compared/1/card.md 302 404 403 200 200
GET /projects/june/reports/compare/differences.csv?a={frozen}&b={frozen} 302 404 403 200 200
GET /reports/{frozen}/links/ 302 404 403 200 200
POST /reports/{frozen}/links/ 302 404 403 302 302
POST /reports/{frozen}/links/{link}/revoke/ 302 404 403 302 302
GET /reports/{frozen}/rebuild/ 302 404 403 200 200
POST /reports/{frozen}/rebuild/ 302 404 403 302 302
GET /r/{key}/ 200 200 200 200 200
GET /r/{key}/report.json 200 200 200 200 200
GET /r/{key}/tables/?table=overall 404 404 404 404 404
GET /reports/{frozen}/ 302 404 403 200 200
GET /reports/{frozen}/tables/?table=nothing 302 404 403 404 404
GET /reports/{frozen}/report.json 302 404 403 200 200
GET /jobs/{freezing}/ 302 404 403 200 200
GET /jobs/{load}/ 302 404 404 404 200
GET /jobs/{token_count}/ 302 404 404 404 200
GET /datasets/ 302 200 200 200 200
GET|POST /datasets/import/ 302 403 403 403 200
GET /datasets/import/{load}/ 302 403 403 403 200
GET|POST /datasets/import/columns/ 302 403 403 403 302
GET|POST /datasets/import/{labels}/labels/ 302 403 403 403 200
POST /datasets/import/{load}/confirm/ 302 403 403 403 302
POST /datasets/import/{load}/cancel/ 302 403 403 403 302
GET /datasets/june-data/ 302 404 404 200 200
GET|POST /datasets/june-data/delete/ 302 403 403 403 200
GET|POST /datasets/june-data/responses/ 302 403 403 403 200
GET|POST /datasets/june-data/generate/ 302 403 403 403 200
GET|POST /datasets/june-data/generators/{generator}/ 302 403 403 403 200
POST /datasets/june-data/generators/{generator}/count/ 302 403 403 403 302
POST /datasets/june-data/generators/{generator}/jobs/{token_count}/cancel/ 302 403 403 403 302
GET /datasets/june-data/generators/{generator}/results.jsonl 302 403 403 403 200
GET|POST /generation/templates/ 302 403 403 403 200
GET /datasets/june-data/documents/ 302 404 404 200 200
GET /datasets/june-data/documents/{document}/ 302 404 404 200 200
GET /datasets/june-data/prompts/{prompt}/ 302 404 404 200 200
GET /protocols/ 302 403 403 200 200
GET|POST /protocols/new/ 302 403 403 200 200
POST /protocols/new/try/ 302 403 403 200 200
POST /protocols/new/questions/ 302 403 403 200 200
GET /protocols/questions/ 302 403 403 404 404
GET /protocols/article-accuracy/{version}/ 302 403 403 200 200
POST /protocols/article-accuracy/{version}/ 302 403 403 404 404
GET /protocols/article-accuracy/{version}/preview/ 302 403 403 200 200
GET /protocols/article-accuracy/{version}/source/ 302 403 403 200 200
GET|POST /account/ 302 200 200 200 200
POST /account/notifications/ 302 302 302 302 302
GET /account/tokens/ 302 200 200 200 200
POST /account/tokens/ 302 302 302 302 302
POST /account/tokens/{token}/revoke/ 302 404 404 302 302
GET /notifications/ 302 200 200 200 200
GET /notifications/newest/ 302 200 200 200 200
POST /notifications/read/ 302 302 302 302 302
GET /notifications/{notified}/ 302 404 404 302 404
GET|POST /people/ 302 403 403 403 200
GET /people/rosa/tokens/ 302 403 403 403 200
POST /account/data/ 302 200 200 200 200
GET|POST /people/rosa/erase/ 302 403 403 403 200
GET /people/rosa/erasure/ 302 403 403 403 404
POST /people/rosa/link/ 302 403 403 403 302
POST /people/rosa/activity/ 302 403 403 403 302
POST /people/rename/ 302 403 403 403 404
GET /api/v1/formats/ 401 200 200 200 200
POST /api/v1/imports/ 401 415 415 415 415
POST /api/v1/imports/{load}/confirm/ 401 403 403 403 409
GET /api/v1/datasets/ 401 200 200 200 200
GET /api/v1/datasets/june-data/ 401 404 404 200 200
DELETE /api/v1/datasets/june-data/ 401 403 403 403 409
GET /api/v1/datasets/june-data/documents/ 401 404 404 200 200
GET /api/v1/datasets/june-data/documents/{document}/ 401 404 404 200 200
GET /api/v1/datasets/june-data/prompts/ 401 404 404 200 200
GET /api/v1/datasets/june-data/prompts/{prompt}/ 401 404 404 200 200
GET /api/v1/datasets/june-data/responses/ 401 404 404 200 200
POST /api/v1/datasets/june-data/responses/imports/ 401 415 415 415 415
GET /api/v1/datasets/june-data/imports/ 401 404 404 200 200
GET /api/v1/datasets/june-data/generators/ 401 403 403 403 200
POST /api/v1/datasets/june-data/generators/ 401 403 403 403 400
GET /api/v1/datasets/june-data/generators/{generator}/ 401 403 403 403 200
POST /api/v1/datasets/june-data/generators/{generator}/token-counts/ 401 403 403 403 409
GET /api/v1/datasets/june-data/generators/{generator}/runs/ 401 403 403 403 200
POST /api/v1/datasets/june-data/generators/{generator}/runs/ 401 403 403 403 202
GET /api/v1/datasets/june-data/generators/{generator}/results/ 401 403 403 403 200
GET /api/v1/generation-templates/ 401 403 403 403 200
POST /api/v1/generation-templates/ 401 403 403 403 400
GET /api/v1/projects/ 401 200 200 200 200
POST /api/v1/projects/ 401 403 403 403 400
GET|PATCH /api/v1/projects/june/ 401 404 403 200 200
DELETE /api/v1/projects/june/ 401 403 403 403 202
GET /api/v1/projects/june/jobs/ 401 404 403 200 200
GET /api/v1/projects/june/webhooks/ 401 404 403 200 200
POST /api/v1/projects/june/webhooks/ 401 404 403 400 400
GET|PATCH|DELETE /api/v1/projects/june/webhooks/{webhook}/ 401 404 403 200 200
POST /api/v1/projects/june/webhooks/{webhook}/test/ 401 404 403 201 201
GET /api/v1/projects/june/webhooks/{webhook}/deliveries/ 401 404 403 200 200
POST /api/v1/projects/june/webhooks/{webhook}/deliveries/{delivery}/send/ 401 404 403 200 200
GET /api/v1/projects/june/members/ 401 404 403 200 200
GET|DELETE /api/v1/projects/june/members/rosa/ 401 404 403 200 200
PUT /api/v1/projects/june/members/rosa/ 401 404 403 400 400
POST /api/v1/projects/june/members/rosa/replace/ 401 404 403 400 400
POST /api/v1/projects/june/invitations/ 401 404 403 400 400
GET /api/v1/people/ 401 403 403 403 200
POST /api/v1/people/ 401 403 403 403 400
GET /api/v1/people/rosa/ 401 403 403 403 200
PATCH /api/v1/people/rosa/ 401 403 403 403 400
POST /api/v1/people/rosa/link/ 401 403 403 403 201
GET /api/v1/people/rosa/tokens/ 401 403 403 403 200
DELETE /api/v1/people/lena/tokens/{token}/ 401 403 403 403 200
GET /api/v1/jobs/ 401 403 403 403 200
GET /api/v1/audit/ 401 403 403 403 200
GET /api/v1/projects/june/ratings/ 401 404 403 200 200
GET /api/v1/projects/june/reports/ 401 404 403 200 200
GET /api/v1/projects/june/reports/{frozen}/ 401 404 403 200 200
GET /api/v1/projects/june/reports/{frozen}/files/report.json/ 401 404 403 200 200
POST /api/v1/projects/june/reports/{frozen}/rebuild/ 401 404 403 202 202
GET /api/v1/projects/june/reports/{frozen}/comparison/?earlier={frozen} 401 404 403 200 200
GET /api/v1/projects/june/reports/{frozen}/links/ 401 404 403 200 200
POST /api/v1/projects/june/reports/{frozen}/links/ 401 404 403 201 201
DELETE /api/v1/projects/june/reports/{frozen}/links/{link}/ 401 404 403 200 200
GET /api/v1/projects/june/exports/ 401 404 403 200 200
POST /api/v1/projects/june/exports/ 401 404 403 202 202
GET|DELETE /api/v1/projects/june/exports/{export}/ 401 404 403 200 200
GET /api/v1/projects/june/exports/{export}/file/ 401 404 403 200 200
GET /api/v1/projects/june/responses/ 401 404 403 200 200
POST /api/v1/projects/june/responses/change/ 401 404 403 400 400
PUT /api/v1/projects/june/responses/{sheet}/purpose/ 401 404 403 400 400
POST /api/v1/projects/june/assignments/{assignment}/reopen/ 401 404 403 409 409
POST /api/v1/projects/june/assignments/{assignment}/free/ 401 404 403 200 200
GET /api/v1/projects/june/reservations/ 401 404 403 200 200
POST /api/v1/projects/june/reservations/ 401 404 403 400 400
POST /api/v1/projects/june/reservations/end/ 401 404 403 400 400
GET /api/v1/projects/june/gold/ 401 404 403 200 200
GET /api/v1/projects/june/review/ 401 404 403 200 200
GET /api/v1/projects/june/review/gold/ 401 404 403 200 200
GET|DELETE /api/v1/projects/june/review/{item}/ 401 404 403 200 200
PUT /api/v1/projects/june/review/{item}/ 401 404 403 400 400
PUT|DELETE /api/v1/projects/june/review/{item}/gold/ 401 404 403 200 200
GET|PATCH /api/v1/projects/june/checks/ 401 404 403 200 200
GET /api/v1/projects/june/checks/raters/ 401 404 403 200 200
POST /api/v1/projects/june/checks/raters/rosa/ 401 404 403 400 400
GET /api/v1/projects/june/analysis-plan/ 401 404 403 200 200
POST /api/v1/projects/june/analysis-plan/ 401 404 403 400 400
GET /api/v1/protocols/ 401 403 403 200 200
POST /api/v1/protocols/ 401 403 403 400 400
GET /api/v1/protocols/article-accuracy/{version}/ 401 403 403 200 200
GET /api/v1/jobs/{freezing}/ 401 404 403 200 200
DELETE /api/v1/jobs/{freezing}/ 401 403 403 403 200
POST /api/v1/jobs/{freezing}/retry/ 401 403 403 403 409
POST /api/v1/projects/june/assignments/ 401 404 200 200 403
POST /api/v1/projects/june/assignments/ahead/?after={assignment} 401 404 200 200 403
DELETE /api/v1/projects/june/assignments/ahead/ 401 404 200 200 403
PUT /api/v1/assignments/{assignment}/items/{item}/ 401 404 200 404 404
DELETE /api/v1/assignments/{assignment}/items/{item}/?base_version=1 401 404 200 404 404
POST /api/v1/assignments/{assignment}/finish/ 401 404 409 404 404
POST /api/v1/assignments/{assignment}/release/ 401 404 200 404 404
GET /api/v1/assignments/{assignment}/beside/ 401 404 200 404 404
PUT|DELETE /api/v1/assignments/{assignment}/items/{item}/mark/ 401 404 200 404 404
POST /api/v1/assignments/{assignment}/items/{item}/questions/ 401 404 400 404 404
POST /api/v1/assignments/{assignment}/questions/seen/ 401 404 400 404 404
GET /api/v1/projects/june/questions/ 401 404 403 200 200
PUT /api/v1/projects/june/questions/{question}/answer/ 401 404 403 400 400
GET /api/v1/projects/june/questions/{question}/ 401 404 403 200 200
POST /api/v1/projects/june/questions/{question}/boundaries/ 401 404 403 400 400
GET /api/v1/projects/june/guidelines/versions/ 401 404 200 200 200
POST /api/v1/projects/june/guidelines/reoffer/ 401 404 403 200 200
GET /api/v1/projects/june/guidelines/ 401 404 200 200 200
POST /api/v1/projects/june/guidelines/ 401 404 403 400 400
GET /api/v1/documents/{document}/ 401 404 200 200 200
GET /api/v1/projects/june/progress/ 401 404 403 200 200
GET /api/v1/projects/june/report/ 401 404 403 200 200
POST /api/v1/projects/june/reports/ 401 404 403 202 202
GET /api/v1/projects/june/judges/ 401 404 403 200 200
GET /api/v1/projects/june/judges/compared/1/comparison/ 401 404 403 200 200
GET /api/v1/projects/june/hours/ 401 404 403 200 200
GET /api/v1/projects/june/pay-rates/ 401 404 403 200 200
POST /api/v1/projects/june/pay-rates/ 401 404 403 400 400
GET /api/v1/projects/june/raters/ 401 404 403 200 200
GET /api/v1/projects/june/planner/ 401 404 403 200 200
GET /api/v1/projects/june/planner/judge/?judge=compared 401 404 403 200 200
GET /api/v1/projects/june/judge-runs/ 401 404 403 200 200
POST /api/v1/projects/june/judge-runs/ 401 404 403 400 400
GET|DELETE /api/v1/projects/june/judge-runs/{judge_job}/ 401 404 403 200 200
GET /api/v1/projects/june/judge-requests/?judge=numbers 401 404 403 200 200
DELETE /api/v1/projects/june/judge-requests/?judge=numbers 401 403 403 403 200
GET /api/v1/projects/june/judges/compared/1/tuning-items/ 401 404 403 200 200
GET /api/v1/projects/june/verdicts/?judge=numbers 401 404 403 200 200
GET /api/v1/projects/june/metrics/ 401 404 403 200 200
POST /api/v1/projects/june/metrics/ 401 404 403 202 202
GET /api/v1/projects/june/metrics/scores/ 401 404 403 200 200
POST /api/v1/projects/june/metrics/scores/ 401 415 415 415 415
GET /api/v1/projects/june/fact-qa/?judge=facts 401 404 403 200 200
GET /api/v1/projects/june/fact-scores/?judge=facts 401 404 403 200 200
GET /api/v1/judges/ 401 403 403 403 200
POST /api/v1/judges/ 401 403 403 403 400
GET /api/v1/tokens/ 401 200 200 200 200
POST /api/v1/tokens/ 401 403 403 403 403
DELETE /api/v1/tokens/{token}/ 401 404 404 200 404
GET /api/v1/reports/{freezing}/ 401 404 403 200 200
GET /api/v1/schema/ 401 200 200 200 200
GET /api/v1/docs/ 302 200 200 200 200
GET|POST /accounts/login/ 200 302 302 302 302
GET /accounts/logout/ 302 200 200 200 200
POST /accounts/logout/ 302 302 302 302 302
GET /accounts/inactive/ 200 200 200 200 200
GET|POST /accounts/signup/ 200 302 302 302 302
GET|POST /accounts/reauthenticate/ 302 200 200 200 200
GET /accounts/reauthenticate/provider/ 302 302 302 302 302
GET /accounts/sessions/ 302 200 200 200 200
POST /accounts/sessions/ 302 302 302 302 302
GET /accounts/email/ 302 200 200 200 200
POST /accounts/email/ 302 302 302 302 302
GET /accounts/confirm-email/ 200 200 200 200 200
GET /accounts/confirm-email/nokey/ 200 200 200 200 200
POST /accounts/confirm-email/nokey/ 404 404 404 404 404
GET|POST /accounts/password/change/ 302 200 200 200 200
GET|POST /accounts/password/set/ 302 302 302 302 302
GET|POST /accounts/password/reset/ 200 200 200 200 200
GET /accounts/password/reset/done/ 200 200 200 200 200
GET|POST /accounts/password/reset/key/1-nokey/ 200 200 200 200 200
GET /accounts/password/reset/key/done/ 200 200 200 200 200
GET|POST /accounts/login/code/confirm/ 302 302 302 302 302
GET /accounts/2fa/ 302 200 200 200 200
GET|POST /accounts/2fa/authenticate/ 302 302 302 302 302
GET|POST /accounts/2fa/reauthenticate/ 302 302 302 302 302
GET|POST /accounts/2fa/totp/activate/ 302 302 302 302 302
GET|POST /accounts/2fa/totp/deactivate/ 302 404 404 404 404
GET /accounts/2fa/recovery-codes/ 302 404 404 404 404
GET /accounts/2fa/recovery-codes/download/ 302 404 404 404 404
GET|POST /accounts/2fa/recovery-codes/generate/ 302 302 302 302 302
GET /accounts/2fa/webauthn/ 302 200 200 200 200
GET|POST /accounts/2fa/webauthn/add/ 302 302 302 302 302
GET|POST /accounts/2fa/webauthn/keys/1/edit/ 302 302 302 302 302
GET|POST /accounts/2fa/webauthn/keys/1/remove/ 302 302 302 302 302
GET|POST /accounts/2fa/webauthn/login/ 302 302 302 302 302
GET|POST /accounts/2fa/webauthn/reauthenticate/ 302 302 302 302 302
POST /people/otto/second-factor/remove/ 302 403 403 403 302
GET /judges/ 302 403 403 403 200
GET|POST /judges/new/ 302 403 403 403 200
GET /judges/numbers/1/ 302 403 403 403 200
GET /judges/numbers/1/tuned.jsonl 302 403 403 403 200
GET /status/ 302 403 403 403 200
GET /status/findings/ 302 403 403 403 200
GET /jobs/ 302 403 403 403 200
POST /jobs/{freezing}/retry/ 302 403 403 403 302
POST /jobs/{freezing}/cancel/ 302 403 403 403 302
GET|POST /accounts/3rdparty/ 302 200 200 200 200
GET /accounts/3rdparty/login/cancelled/ 200 200 200 200 200
GET /accounts/3rdparty/login/error/ 302 401 401 401 401
GET /accounts/3rdparty/signup/ 302 302 302 302 302
GET|POST /accounts/oidc/uni/login/ 404 404 404 404 404
GET /accounts/oidc/no.such/login/ 404 404 404 404 404
GET /accounts/oidc/uni/login/callback/ 404 404 404 404 404
GET /accounts/oidc/no.such/login/callback/ 404 404 404 404 404
GET|POST /accounts/saml/campus/login/ 404 404 404 404 404
POST /accounts/saml/campus/acs/ 404 404 404 404 404
GET /accounts/saml/campus/metadata/ 404 404 404 404 404
GET /accounts/social/login/cancelled/ 302 301 301 301 301
GET /accounts/social/login/error/ 302 301 301 301 301
GET /accounts/social/signup/ 302 301 301 301 301
GET /accounts/social/connections/ 302 301 301 301 301
GET /admin/ 302 302 302 302 200
GET /admin/login/ 302 403 403 403 302
POST /admin/logout/ 302 302 302 302 200
GET /admin/password_change/ 302 302 302 302 200
GET /admin/password_change/done/ 302 302 302 302 200
GET /admin/autocomplete/?app_label=annotation&model_name=membership&field_name=user 302 302 302 302 200
GET /admin/jsi18n/ 302 302 302 302 200
GET /admin/r/1/1/ 302 302 302 302 404
GET /admin/annotation/ 302 302 302 302 200
GET /admin/annotation/user/{user}/password/ 302 302 302 302 200
GET /admin/nowhere/ 302 302 302 302 404
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


LINES = [
    [method, *rest]
    for methods, *rest in map(str.split, (*TABLE.strip().splitlines(), *admin_lines()))
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
    judge, _is_new = create_judge("numbers", Configuration(rule="numbers"))
    run.run_judge(judge, june.project)
    judge_job = jobs.create(run.RUN_JUDGE, project=june.project, params={"judge": judge.pk}, actor=lena)
    generator, _is_new = create_generator(june.project.dataset, "model-a", GeneratorConfiguration(**ENDPOINT))
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
