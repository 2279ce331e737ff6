"""Single scores in the browser: their file, and the import of a file."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.exporting.metric_scores import export_metric_scores
from annotation.metrics import score_files
from annotation.models import AuditEvent, MetricScore
from tests.cast import person
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db
ROW = b'{"response": "q00-wren", "metric": "bleurt", "value": 0.5}\n'
IMPORT = "/projects/birds/metrics/scores/"


def post(client, content: bytes, **form: str):
    upload = SimpleUploadedFile("scores.jsonl", content)
    return client.post(IMPORT, {"upload": upload, **form}, follow=True)


def imported():
    return MetricScore.objects.filter(metric="bleurt")


def test_a_file_is_stored_and_shown_replaced_only_if_the_box_is_checked_and_taken_home(lena, birds):
    answer = post(lena, ROW)
    assert answer.redirect_chain == [(reverse("project_metrics", args=["birds"]), 302)]
    shown = text_of(answer)
    assert "Scores imported: 1 new, 0 changed." in shown and "bleurt" in shown
    assert AuditEvent.objects.get(action="import metric scores").project == birds
    other = ROW.replace(b"0.5", b"0.75")
    assert "choose to replace values that differ" in text_of(post(lena, other))
    assert "Scores imported: 0 new, 1 changed." in text_of(post(lena, other, replace="on"))
    assert imported().get().value == 0.75
    answer = lena.get(reverse("metric_scores_file", args=["birds", "jsonl"]))
    assert answer.content == b"".join(export_metric_scores(birds, "jsonl")) != b""
    assert answer["Content-Disposition"] == 'attachment; filename="birds-metric-scores.jsonl"'
    assert AuditEvent.objects.filter(action="download file", project=birds).count() == 1
    assert lena.get(reverse("metric_scores_file", args=["birds", "xlsx"])).status_code == 404


def test_each_problem_is_shown_by_its_line_and_nothing_is_stored(lena, birds, settings, monkeypatch):
    computed = b'{"response": "q99", "metric": "rouge1", "value": 1}\n{"response": "q00-wren"}\n'
    shown = text_of(post(lena, ROW + computed))
    assert "scores.jsonl:2: rouge1 is computed by the site; give the imported metric another name" in shown
    assert "scores.jsonl:3: " in shown
    assert "This field is required." in text_of(lena.post(IMPORT))
    other = Client(enforce_csrf_checks=True)
    other.force_login(person("lena"))
    assert post(other, ROW).status_code == 403
    monkeypatch.setattr(score_files, "MAX_IN_A_REQUEST", 1)
    shown = text_of(post(lena, ROW + ROW.replace(b"wren", b"tern")))
    assert "scores.jsonl:2: there are more than 1 scores; use the command import_metric_scores" in shown
    settings.MAX_UPLOAD_MB = 0
    assert "The files are larger than 0 MB" in text_of(post(lena, ROW))
    assert not imported().exists()
