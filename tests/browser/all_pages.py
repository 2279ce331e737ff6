"""Every page of the site, each with content, for the tests of accessibility.

`every_page()` makes a study in which each page has something to show, and gives who looks at which address.
`test_accessibility.test_no_page_is_left_out` compares the list with the addresses of the site.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from itertools import cycle
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.files.base import ContentFile
from playwright.sync_api import CDPSession, Page, expect

from annotation import jobs, reporting
from annotation.accounts.tokens import create_token
from annotation.generation import token_counts
from annotation.generation.generators import create_generator
from annotation.generation.run import generate_responses
from annotation.generation.templates import find_template
from annotation.importing import load_dataset, load_responses, uploads
from annotation.judging.judges import create_judge
from annotation.judging.run import run_judge
from annotation.model_calls.runs import RunLimits
from annotation.models import (
    Assignment,
    Dataset,
    Export,
    Generator,
    Judge,
    Membership,
    Notification,
    Project,
    Prompt,
    Slot,
    WebhookDelivery,
)
from annotation.notifications import notify
from annotation.privacy.erase import erase_person
from annotation.projects.analysis_plans import set_plan
from annotation.projects.create import create_project
from annotation.projects.guidelines import publish_guidelines
from annotation.projects.members import add_member
from annotation.reporting.shared_links import make_link
from annotation.reviewing.adjudication import adjudicate
from annotation.reviewing.adjudication_replies import add_reply
from annotation.reviewing.lead_ratings import version_token
from annotation.reviewing.rater_questions import ask_leads
from annotation.webhooks.webhooks import create_webhook, send_test
from tests.reporting.project_rows import judge_items

from ..cast import ACCURATE, SEVERE, Study, dataset, document, newest_version, person, study, study_from_files
from ..fact_qa_studies import score_facts
from ..gold_studies import gold_sheets_for, items, rate_next
from ..judging.fake_endpoint import completion, fake_endpoint
from ..routes import MODELS
from ..web.datasets.files import labels_job
from .accessibility import BOTH, accessibility_problems
from .layout import CUT, ENLARGED, MOVES, SMALL, SPACED, WIDTH
from .workspace import load_page

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
STUDIES = {  # project -> format, sample, protocol
    "pairs": ("lfqa_eval", "lfqa_eval/preferences.jsonl", "pairwise-preference"),
    "experts": ("expertqa", "expertqa/answers.jsonl", "claim-attribution"),
    "web": ("jsonl", "jsonl/dataset.jsonl", "web-factuality"),
}
PAGES = """
- /accounts/ login/ login/?next=/ password/reset/ password/reset/done/ password/reset/key/1-nokey/
- /accounts/ password/reset/key/done/ signup/ inactive/ confirm-email/ confirm-email/nokey/
- / accessibility/ r/{key}/
ravi / . notifications/ search/?q=june assignments/{finished}/
ravi /projects/june/ . introduction/ my-responses/ rate/ guidelines/ guidelines/1/ training/ adjudications/
ravi /projects/ pairs/rate/ experts/rate/ web/rate/ facts/rate/ facts/facts/ facts/facts/{response}/
ravi /account/ . tokens/
ravi /accounts/ sessions/ 2fa/ 2fa/webauthn/ password/change/ email/ logout/ reauthenticate/
ravi /datasets/ .
ines / .
lena / . search/?q=june
lena /projects/june/ . members/ settings/general/ settings/workload/ settings/quality/ settings/offline/
lena /projects/june/ settings/webhooks/ webhooks/{webhook}/ settings/danger/ report/ report/?live=1 agreement/
lena /projects/june/ metrics/ raters/?compare=1&without=ravi raters/ravi/ hours/ plan/ responses/ preview/{sheet}/
lena /projects/june/ invite/ members/ravi/replace/ reservations/ analysis-plan/ overlap/ exports/ judges/
lena /projects/june/ judges/numbers/1/ judges/numbers/1/items/{item}/ reports/compare/?a={frozen}&b={frozen}
lena /projects/june/ guidelines/ inbox/ inbox/{question}/ checks/ review/ review/{item}/ review/gold/
lena /projects/june/ assignments/{finished}/ review/compared/ review/replies/ judges/compared/1/comparison/
lena /projects/june/ judges/facts/1/ judges/facts/1/fact-qa/ judges/facts/1/responses/{scored}/
lena /projects/ bare/ pairs/metrics/
lena /reports/ {frozen}/ {frozen}/links/ {frozen}/rebuild/
lena /jobs/ {freezing}/
lena /protocols/ . new/ article-accuracy/{version}/ article-accuracy/{version}/preview/
lena /datasets/june-data/ . documents/ documents/{document}/ prompts/{prompt}/
ada / . generation/templates/ status/ status/findings/ nowhere/
ada /judges/ . new/ new/?kind=rule new/?kind=fact_qa new/?kind=repetition strict/1/
ada /datasets/ . import/ import/{load}/ import/{labels}/labels/ terns/ terns/generate/ terns/generators/{generator}/
ada /datasets/june-data/ . responses/ delete/
ada /projects/ new/?dataset=june-data
ada /projects/june/ delete/
ada /people/ . ravi/tokens/ ravi/erase/ {erased}/erasure/
ada /jobs/ . {load}/
adam /admin/ . annotation/ annotation/user/?q=nobody&is_active__exact=1 annotation/user/add/
adam /admin/ annotation/user/{user}/password/ annotation/membership/add/ annotation/membership/{membership}/delete/
adam /admin/ annotation/auditevent/?action__exact=nothing password_change/ password_change/done/
""" + "".join(f"adam /admin/annotation/{model}/ . {{{model}}}/change/ {{{model}}}/history/\n" for model in MODELS)
"""In each line somebody, and pages below an address that they see; "." is the address itself."""
WHY_NO_PAGE = {  # why addresses outside /api/ answer with no page of their own, and which
    "for a program": """
        health/live/ health/ready/ signed-in/ admin/autocomplete/
        accounts/saml/<slug:organization_slug>/metadata/
    """,
    "a file": """
        projects/<slug:slug>/hours/file/ projects/<slug:slug>/metrics/figures.<str:format>
        projects/<slug:slug>/metrics/scores.<str:format> judges/<str:name>/<int:version>/tuned.jsonl
        projects/<slug:slug>/judges/<str:name>/<int:version>/requests.jsonl
        projects/<slug:slug>/judges/<str:name>/<int:version>/tuned.jsonl
        projects/<slug:slug>/judges/<str:name>/<int:version>/card.<str:format>
        projects/<slug:slug>/judges/<str:name>/<int:version>/scores.<str:format>
        datasets/<slug:slug>/generators/<uuid:public_id>/results.jsonl
        protocols/<slug:slug>/<str:version>/source/ accounts/2fa/recovery-codes/download/
        projects/<slug:slug>/report/figures/<str:name> projects/<slug:slug>/exports/ratings/
        projects/<slug:slug>/analysis-plan/<int:number>/<str:name>
        projects/<slug:slug>/reports/compare/differences.csv reports/<uuid:public_id>/<str:name>
        projects/<slug:slug>/report/tables/ reports/<uuid:public_id>/tables/ r/<str:key>/tables/
        r/<str:key>/<str:name> exports/<uuid:public_id>/ admin/jsi18n/
    """,
    "part of a page": """
        notifications/newest/ projects/<slug:slug>/live/ projects/<slug:slug>/late/
        projects/<slug:slug>/guidelines/drawer/ projects/<slug:slug>/pace/ assignments/<uuid:public_id>/sheet/
        assignments/<uuid:public_id>/items/<uuid:item_id>/feedback/ protocols/questions/
    """,
    "leads on": """
        notifications/<uuid:public_id>/ projects/<slug:slug>/released/ projects/<slug:slug>/settings/
        projects/<slug:slug>/start/ projects/<slug:slug>/parts/ projects/<slug:slug>/decisions/
        projects/<slug:slug>/given-back/ reports/<uuid:public_id>/rebuilt/ accounts/2fa/reauthenticate/
        accounts/2fa/webauthn/reauthenticate/ accounts/password/set/ accounts/login/code/confirm/
        accounts/3rdparty/signup/ accounts/oidc/(?P<provider_id>[^/]+)/login/
        accounts/oidc/<slug:provider_id>/login/ accounts/oidc/(?P<provider_id>[^/]+)/login/callback/
        accounts/oidc/<slug:provider_id>/login/callback/ accounts/saml/<slug:organization_slug>/login/
        accounts/social/connections/ accounts/social/login/cancelled/ accounts/social/login/error/
        accounts/social/signup/
    """,
    "for a script": """
        search/results/ projects/<slug:slug>/members/people/
        projects/<slug:slug>/members/<str:username>/successors/ accounts/2fa/webauthn/login/
    """,
    "a script": "assignments/worker.js",
    "leads on without files": "datasets/import/columns/",
    "test_second_factor": """
        accounts/2fa/authenticate/ accounts/2fa/totp/activate/ accounts/2fa/recovery-codes/
        accounts/2fa/webauthn/add/
    """,
    "confirms a password first": """
        accounts/2fa/totp/deactivate/ accounts/2fa/recovery-codes/generate/
        accounts/2fa/webauthn/keys/<int:pk>/edit/ accounts/2fa/webauthn/keys/<int:pk>/remove/
    """,
    "test_sign_in_providers": """
        accounts/reauthenticate/provider/ accounts/3rdparty/ accounts/3rdparty/login/cancelled/
        accounts/3rdparty/login/error/
    """,
}
NO_PAGE = {address for addresses in WHY_NO_PAGE.values() for address in addresses.split()}


def every_page(whose: str) -> list[tuple[str, str]]:
    """Make the study; return user ("-": signed out) and address of each page, for the users named in `whose`."""
    study("bare", systems=())
    june = study(prompts=3, systems=("heron", "plover"), heading=True)
    for name in ("ada", "adam"):
        person(name, admin=True)
    Project.objects.update(shows_decisions=True)
    names = rate_study(june) | make_stored_results(june)
    for slug, (fmt, path, protocol) in STUDIES.items():
        study_from_files(slug, fmt, [FIXTURES / path], protocol)
    names["erased"] = erase_person(person("eva"))["pseudonym"]
    names |= {"response": make_fact_project(), "version": june.project.protocol.version}
    names |= {model: apps.get_model("annotation", model).objects.order_by("pk")[0].pk for model in MODELS}
    return [(user, address.format(**names)) for user, address in listed_pages() if user in whose.split()]


def listed_pages() -> list[tuple[str, str]]:
    """Return who opens which address, in the order of PAGES."""
    lines = [line.split() for line in PAGES.strip().splitlines()]
    return [(user, start + rest.removeprefix(".")) for user, start, *pages in lines for rest in pages]


def sampled(pages: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Keep one page of each third model in Django's admin: the list, the form of a row, or the row's history, in turn.
    The models share their templates.
    """
    found = [(page, re.fullmatch(r"/admin/annotation/(\w+)/(?:\w+/(change|history)/)?", page[1])) for page in pages]
    models = list(dict.fromkeys(match[1] for _, match in found if match))
    kept = dict(zip(models[::3], cycle((None, "change", "history"))))
    return [page for page, match in found if not match or kept.get(match[1], "") == match[2]]


def rate_study(june: Study) -> dict[str, Any]:
    """Let two raters finish a response and disagree; add a plan, a question, an adjudication and training."""
    lena = june.people["lena"]
    create_token(june.people["ravi"], name="nightly export", project=june.project, days=30)
    set_plan(june.project, 'measures = ["accurate"]\nseed = 2\n', actor=lena)
    publish_guidelines(
        june.project, "# Reading\n\nRead | it\n---|---\n*twice* | `so`", {"accuracy": {"disputed": "Two differ."}}
    )
    work, _ = rate_next(june, "ravi", ACCURATE)
    earlier = work.taken_at - timedelta(weeks=2)  # a second week, so that the trends have a chart
    Assignment.objects.filter(pk=work.pk).update(taken_at=earlier, finished_at=earlier)
    Slot.objects.filter(holder=work).update(finished_at=earlier)
    rate_next(june, "rosa", SEVERE)
    set_plan(june.project, 'measures = ["accurate"]\nseed = 1\n', actor=lena)
    item = items(work)[0]
    question = ask_leads(june.people["ravi"], work.public_id, items(work)[1].public_id, "Is it so?")
    decision = adjudicate(june.project, item, SEVERE, "Table 2 says otherwise.", lena)
    gold_sheets_for(june, "training", 5)
    notify([june.people["ravi"].pk], Notification.Kind.ASSIGNED, project=june.project, count=12)
    notify([lena.pk], Notification.Kind.PAUSED, project=june.project, rater=june.people["rosa"])
    add_reply(
        june.project,
        june.people["ravi"],
        item,
        agrees=False,
        comment="It does not.",
        expected_version=version_token(decision),
    )
    return {
        "item": item.public_id, "question": question.public_id, "sheet": work.sheet_id, "finished": work.public_id,
        "document": work.sheet.response.prompt.document.public_id, "prompt": work.sheet.response.prompt.public_id,
    }  # fmt: skip


def make_stored_results(june: Study) -> dict[str, Any]:
    """Create a frozen report with a link, an export, two jobs, and judges, of which a rule has rated."""
    lena = june.people["lena"]
    create_judge(Judge(name="strict", base_url="https://models.example.org/v1", model="large-1"))
    run_judge(create_judge(Judge(name="numbers", rule="numbers"))[0], june.project, actor=lena)
    events = ["report.frozen", "job.failed"]
    webhook, _secret = create_webhook(june.project, "https://example.org/hook", events, actor=lena)
    failed = send_test(webhook, actor=lena)
    WebhookDelivery.objects.filter(pk=failed.pk).update(status="failed", attempts=19, last_error="timeout")
    report = reporting.freeze(june.project, reporting.Choices(resamples=200), actor=lena)
    export = Export(project=june.project, kind="ratings", name="ratings.csv", size=1, sha256="")
    export.file.save("ratings", ContentFile(b"x"))
    generator = make_generator()
    load = jobs.create(uploads.LOAD_DATASET, params={"slug": "more", "dry_run": True}, actor=person("ada"))
    labels = labels_job(person("ada"))
    judge_items(june.project, {(june.responses[0].key, june.items()[0].position): ACCURATE}, name="compared")
    scored = [response.key for response in june.responses]
    score_facts(june.project, {key: ((number % 3, 3), (1, 2)) for number, key in enumerate(scored)})
    freezing = jobs.create(reporting.FREEZE, project=june.project, actor=lena)
    return {
        "scored": june.responses[0].public_id, "generator": generator.public_id,
        "frozen": report.public_id, "key": make_link(report)[1], "export": export.public_id,
        "webhook": webhook.public_id, "load": load.public_id, "labels": labels.public_id,
        "freezing": freezing.public_id,
    }  # fmt: skip


def make_generator() -> Generator:
    """Create a data set with a generated system: a response in steps, a failed prompt, one that is missing, one that is
    too long, and one without a document.
    """
    terns = dataset("terns")
    for key, text in {"q1": "What?", "q2": "How?", "q3": "Why?", "q4": "Why so far? " * 90}.items():
        Prompt.objects.create(dataset=terns, document=document(terns, key), key=key, text=text)
    Prompt.objects.create(dataset=terns, key="q5", text="Where?")
    steps = completion("Type: single fact\nSteps: The results say it.\nAnswer: Terns fly further.")
    prices = {"input_price": Decimal("2"), "output_price": Decimal("10")}
    with fake_endpoint(faults=[steps, completion("Terns fly further.")]) as endpoint:
        settings = Generator(
            dataset=terns,
            system="model-a",
            base_url=endpoint.url,
            model="large-1",
            template=find_template("chain-of-thought"),
            context_tokens=2_300,
            concurrency=1,
            **prices,
        )
        generator, _is_new = create_generator(settings)
        generate_responses(generator, RunLimits(limit=2), actor=person("ada"))
    job = jobs.create(token_counts.COUNT_TOKENS, params={"generator": generator.pk}, actor=person("ada"))
    jobs.run(job.pk, token_counts.count_tokens_job)
    return generator


def make_fact_project() -> Any:
    """Create a project in which facts are written and rated; return the id of a response in it."""
    here = FIXTURES / "syllabusqa"
    load_dataset("syllabusqa", [here / "test.json", here / "text"], "courses")
    load_responses(here / "facts.jsonl", Dataset.objects.get(slug="courses"))
    project = create_project("facts", Dataset.objects.get(slug="courses"), newest_version("fact-support"))
    add_member(project, person("ravi"), Membership.Role.LEAD)
    return project.sheets.order_by("rank")[0].response.public_id


def visit_pages(page: Page, base: str, log_in: Any, pages: list[tuple[str, str]]) -> Iterator[str]:
    """Open one page after the other; yield user and address, with the page in the browser."""
    before = None
    for user, path in pages:
        if user != before:
            page.context.clear_cookies()
            if user != "-":
                log_in(page, person(user))
        before = user
        page.set_viewport_size({"width": 1440, "height": 900})
        load_page(page, base + path)
        expect(page.locator("[data-loads-text]")).to_have_count(0)  # charts and agreement of the overview
        yield f"{user} {path}"


def problems_of_pages(page: Page, base: str, log_in: Any, whose: str, *, whole: int) -> str:
    """Return the problems of all pages of these users, a line each. Each `whole`-th page is also checked in the dark
    and at 390 pixels; with 1 all are, and all pages of Django's admin.
    """
    pages, problems = every_page(whose), []
    session = page.context.new_cdp_session(page)
    for n, where in enumerate(visit_pages(page, base, log_in, pages if whole == 1 else sampled(pages))):
        problems += page_problems(page, session, where, is_whole=n % whole == 0)
    return "\n".join(problems)


def page_problems(page: Page, session: CDPSession, where: str, *, is_whole: bool) -> list[str]:
    """Return axe's findings in light and dark, and obstacles for readers with other settings: horizontal scrolling at
    320 CSS pixels (400 % of 1280) or on a phone, small targets, text cut off by wider spacing, motion with reduced
    motion set, fields that a phone enlarges. The page cannot be used afterwards."""
    problems = accessibility_problems(page, where, BOTH if is_whole else BOTH[:1])
    problems += [f"{where} moves: {change}" for change in page.evaluate(MOVES)]
    for width in (390, 320, 1280) if is_whole else (320, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        needed, targets = page.evaluate(f"(least) => [{WIDTH}, ({SMALL})(least)]", 24)
        problems += [f"{where} at {width} is {needed} wide"] * (needed > width)
        problems += [f"{where} at {width} has a small target: {target}" for target in targets]
    needed, texts = page.evaluate(f"() => {{ {SPACED}; return [{WIDTH}, ({CUT})()]; }}")
    problems += [f"{where} spaced is {needed} wide"] * (needed > 1280)
    problems += [f"{where} spaced cuts {text}" for text in texts]
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    problems += [f"{where} is enlarged by {field}" for field in page.evaluate(ENLARGED)]
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    return problems
