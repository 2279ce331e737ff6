"""A project that hides its raters, with something of theirs in every place: names are strings found nowhere else."""

import io
import re
import zipfile
from datetime import timedelta
from typing import Any

from django.core.files.base import ContentFile
from django.utils import timezone

from annotation import jobs, reporting
from annotation.accounts.tokens import create_token
from annotation.exporting.export_jobs import EXPORT
from annotation.generation.generators import create_generator
from annotation.generation.templates import DEFAULT_TEMPLATE, find_template
from annotation.generation.token_counts import COUNT_TOKENS
from annotation.judging.judges import create_judge
from annotation.judging.run import RUN_JUDGE, run_judge
from annotation.model_calls.runs import RunLimits
from annotation.models import (
    Assignment,
    Export,
    Generator,
    Judge,
    Membership,
    Notification,
    ProtocolVersion,
    Rating,
    Report,
    User,
    Webhook,
)
from annotation.notifications import notify
from annotation.projects.analysis_plans import set_plan
from annotation.projects.guidelines import publish_guidelines
from annotation.projects.members import add_member, remove_member
from annotation.projects.pay_rates import set_pay_rate
from annotation.pseudonyms import Pseudonyms
from annotation.qualification.pausing import pause_rater
from annotation.queue.reservations import Selection, reserve
from annotation.reporting.shared_links import make_link
from annotation.reviewing.adjudication import adjudicate
from annotation.reviewing.adjudication_replies import add_reply
from annotation.reviewing.lead_ratings import version_token
from annotation.reviewing.rater_questions import ask_leads
from annotation.webhooks.webhooks import create_webhook
from tests.cast import ACCURATE, SEVERE, Study, person, study
from tests.gold_studies import gold_sheets_for, items, rate_next
from tests.web.datasets.files import labels_job
from tests.web.pages import rates

SECRET = "zzuniq"
"""Part of every user name, display name and address of a rater, in lower case."""
ROSA, RAVI, TOM, MAX = (f"{SECRET}{name}" for name in ("rosa", "ravi", "tom", "max"))
NAMES = (ROSA, RAVI, TOM, MAX)


def hidden_site() -> dict[str, Any]:
    """Create the project june, which hides its raters, and return what names its objects in addresses."""
    june = study("june", prompts=6, systems=("heron", "plover"), raters=NAMES)
    lena, ada = june.people["lena"], person("ada", admin=True)
    for name in NAMES:
        User.objects.filter(username=name).update(
            first_name=name.capitalize(), last_name="Zzuniqname", email=f"{name}@example.org"
        )
        june.people[name].refresh_from_db()
    User.objects.filter(pk=lena.pk).update(email="lena@example.org", notification_mail="at_once")
    study("other", raters=())
    june.project.shows_decisions = True
    june.project.save()
    names = _work(june, lena) | _results(june, lena)
    june.project.hides_raters = True
    june.project.gold_every, june.project.least_gold = 5, 0.9
    june.project.save()
    pseudonyms = Pseudonyms(june.project)
    names |= {name.removeprefix(SECRET): pseudonyms.pseudonym(name) for name in NAMES}
    return names | {
        "study": june,
        "lead": lena,
        "admin": ada,
        "dataset": june.project.dataset.pk,
        "version": ProtocolVersion.objects.get().version,
        "token": create_token(lena)[1].prefix,
        "leading": create_token(ada, scope="lead")[0],
    }


def _work(june: Study, lena: User) -> dict[str, Any]:
    project, rosa, ravi, tom, max_ = june.project, *(june.people[name] for name in NAMES)
    set_plan(project, 'measures = ["accurate"]\n', actor=lena)
    webhook, _secret = create_webhook(project, "https://example.org/", Webhook.Event.values, actor=lena)
    publish_guidelines(project, "Read it twice.", actor=lena)
    work, _ = rate_next(june, ROSA, ACCURATE)
    _weeks_ago(work)
    rate_next(june, RAVI, SEVERE)
    for name in (ROSA, RAVI):
        rate_next(june, name, ACCURATE)
        rate_next(june, name, SEVERE)
    rate_next(june, TOM, ACCURATE)
    rates(tom, project, sentences=1)
    Rating.objects.filter(rater=rosa).update(seconds=9, comment="It is so.")
    item = items(work)[0]
    question = ask_leads(rosa, work.public_id, items(work)[1].public_id, "Is it so?")
    other = ask_leads(ravi, Assignment.objects.filter(rater=ravi)[0].public_id, item.public_id, "Or so?")
    decision = adjudicate(project, item, SEVERE, "Table 2 says otherwise.", lena)
    add_reply(project, rosa, item, agrees=False, comment="No.", expected_version=version_token(decision))
    gold_sheets_for(june, "training", 1)
    reserve(project, [rosa, ravi], Selection("random", n=2, seed=1), actor=lena)
    set_pay_rate(project, 12, "EUR", timezone.localdate() - timedelta(weeks=3), rater=rosa, actor=lena)
    remove_member(project, max_, actor=lena)
    pause_rater(project, ravi, actor=lena)
    add_member(project, person("ines"), Membership.Role.LEAD)
    for kind in (Notification.Kind.PAUSED, Notification.Kind.ALERT, Notification.Kind.FAILED):
        notify([lena.pk], kind, project=project, rater=rosa)
    begun = rates(rosa, project, sentences=1)
    return {
        "assignment": work.public_id, "item": item.public_id, "begun": begun.public_id, "sheet": work.sheet_id,
        "webhook": webhook.public_id, "delivery": webhook.deliveries.filter(rater=rosa).first().public_id,
        "question": question.public_id, "other_question": other.public_id,
        "document": work.sheet.response.prompt.document.public_id,
        "response": work.sheet.response.public_id,
        "prompt": work.sheet.response.prompt.public_id, "notified": Notification.objects.latest("pk").public_id,
    }  # fmt: skip


def _weeks_ago(work: Assignment) -> None:
    """Move a finished assignment two weeks back, so that there are trends."""
    earlier = work.taken_at - timedelta(weeks=2)
    Assignment.objects.filter(pk=work.pk).update(taken_at=earlier, finished_at=earlier)


def _results(june: Study, lena: User) -> dict[str, Any]:
    project = june.project
    freezing = jobs.create(reporting.FREEZE, project=project, actor=lena)
    report = reporting.freeze(project, reporting.Choices(resamples=200), job=freezing, actor=lena)
    without = reporting.freeze(project, reporting.Choices(resamples=200, without_raters=(TOM,)), actor=lena)
    named, _ = make_link(report, with_names=True, actor=lena)[0], None
    link, key = make_link(report, with_names=True, actor=lena)
    judge = create_judge(Judge(name="numbers", rule="numbers"))[0]
    run_judge(judge, project, RunLimits(limit=1), actor=june.people[ROSA])
    judge_job = jobs.create(RUN_JUDGE, project=project, params={"judge": judge.pk}, actor=june.people[ROSA])
    assert SECRET in Report.objects.get(pk=report.pk).document
    settings = Generator(
        dataset=project.dataset,
        system="model-a",
        base_url="https://models.example.org/v1",
        model="large-1",
        template=find_template(DEFAULT_TEMPLATE),
    )
    generator, _is_new = create_generator(settings, actor=june.people[ROSA])
    token_count = jobs.create(COUNT_TOKENS, params={"generator": generator.pk}, actor=june.people[ROSA])
    return {
        "generator": generator.public_id, "token_count": token_count.public_id,
        "labels": labels_job(june.people[ROSA]).public_id,
        "judge_job": judge_job.public_id,
        "freezing": freezing.public_id, "frozen": report.public_id, "without": without.public_id,
        "key": key, "link": link.public_id, "revocable": named.public_id,
        "export": _export(june, lena, with_names=True), "safe_export": _export(june, lena, with_names=False),
    }  # fmt: skip


def _export(june: Study, lena: User, *, with_names: bool) -> Any:
    params = {"what": "ratings", "format": "csv"} | ({"with_names": True} if with_names else {})
    job = jobs.create(EXPORT, params=params, project=june.project, actor=lena)
    job.state, job.ended_at = "done", timezone.now()
    job.save()
    export = Export(project=june.project, job=job, kind="ratings", name="ratings.csv", size=1, sha256="")
    export.file.save("ratings", ContentFile(ROSA.encode() if with_names else b"rater"))
    return export.public_id


def content_of(response: Any) -> bytes:
    """Return the status line, the headers, the body and the files in it."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return "\n".join(f"{name}: {value}" for name, value in response.headers.items()).encode() + body + _unzipped(body)


def _unzipped(body: bytes) -> bytes:
    if not zipfile.is_zipfile(io.BytesIO(body)):
        return b""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return b"\n".join(name.encode() + archive.read(name) for name in archive.namelist())


def leaks(response: Any) -> list[str]:
    """Return where the content has a name of a rater, with what is around it."""
    text = content_of(response).decode("utf-8", "replace").lower()
    return [text[max(0, found.start() - 90) : found.end() + 34] for found in re.finditer(SECRET, text)][:3]
