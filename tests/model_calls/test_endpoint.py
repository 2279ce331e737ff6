"""The key of a judge is in no line of the log, whatever the endpoint does and however much is logged."""

import logging

import pytest

from annotation import jobs
from annotation.judging.run import RUN_JUDGE, run_judge_job
from annotation.model_calls import request_queue
from annotation.models import Job, Verdict
from annotation.site.log_settings import logging_settings
from tests.cast import study
from tests.judging.fake_endpoint import GOOD, completion, fake_endpoint
from tests.judging.judges import model_judge

pytestmark = pytest.mark.django_db
KEY = "sk-zzuniq-0123456789"
ECHO = {"error": {"message": f"Incorrect API key provided: Bearer {KEY}"}}
HEADERS = {"x-request-id": "r-1", "www-authenticate": f"Bearer {KEY}"}
AGAIN = (429, {"retry-after": "0", **HEADERS})
ANSWERED = ["cut", "junk", 500, AGAIN, ("slow", 0.7), completion({**GOOD, "reason": KEY})]
CLIENTS = ("openai", "httpx2")


@pytest.fixture
def _site_at_debug(caplog):
    """Log as a site with LOG_LEVEL=DEBUG does."""
    settings = logging_settings(is_server=False, line_format="line", level="DEBUG")
    caplog.set_level(settings["root"]["level"])
    for name, values in settings["loggers"].items():
        caplog.set_level(values["level"], name)
    caplog.handler.setLevel(logging.DEBUG)  # set_level sets this, too


@pytest.fixture
def _clients_at_debug(caplog, _site_at_debug):
    for name in CLIENTS:
        caplog.set_level(logging.DEBUG, name)


def logged(caplog) -> str:
    """Return the lines with their tracebacks, and all that the records have besides."""
    return caplog.text + "\n".join(repr(vars(record)) for record in caplog.records)


def run(endpoint, monkeypatch) -> Job:
    monkeypatch.setattr(request_queue, "FIRST_PAUSE", 0.01)
    judge = model_judge(endpoint, key=KEY, concurrency=1, timeout=0.3)
    job = jobs.create(RUN_JUDGE, project=study(sentences=3).project, params={"judge": judge.pk})
    jobs.run(job.pk, run_judge_job)
    assert f"Bearer {KEY}" in endpoint.keys
    job.refresh_from_db()
    return job


@pytest.mark.parametrize("level", ["_site_at_debug", "_clients_at_debug"])
@pytest.mark.parametrize("is_refused", [False, True])
def test_no_key_is_logged_of_answers_and_faults_or_if_it_is_refused_and_repeated(
    request, level, is_refused, caplog, monkeypatch
):
    request.getfixturevalue(level)
    with fake_endpoint(faults=[(401, HEADERS, ECHO)] if is_refused else [*ANSWERED]) as endpoint:
        job = run(endpoint, monkeypatch)
    assert Verdict.objects.filter(state="rated").count() == (0 if is_refused else 3)
    assert KEY not in logged(caplog) and KEY not in str(job.problems)
    if is_refused:
        assert job.state == "failed" and "Incorrect API key provided: Bearer …" in str(job.problems)
        assert f"job {job.public_id} (run_judge) refused" in caplog.text
    else:
        assert job.state == "done" and f"job {job.public_id} (run_judge) done" in caplog.text
        names = {record.name.split(".")[0] for record in caplog.records}
        assert names >= set(CLIENTS) if level == "_clients_at_debug" else not names & {*CLIENTS, "httpcore2"}


def test_no_key_is_logged_if_the_program_fails(_clients_at_debug, caplog, monkeypatch):
    def fail(*_):
        raise RuntimeError("scripted")

    with fake_endpoint() as endpoint:
        monkeypatch.setattr("annotation.model_calls.reply_processing.ReplyProcessing.note_reply", fail)
        job = run(endpoint, monkeypatch)
    assert job.state == "failed"
    assert KEY not in logged(caplog) and "RuntimeError: scripted" in caplog.text
