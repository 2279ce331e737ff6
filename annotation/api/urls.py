"""The routes of the API, all under /api/v1/."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from . import assignments, bookmarks, docs, documents, guidance, judges, reports, tokens

urlpatterns = [
    path("projects/<slug:slug>/assignments/", assignments.NextWork.as_view(), name="api_next_work"),
    path("projects/<slug:slug>/assignments/ahead/", assignments.PrefetchedWork.as_view(), name="api_work_ahead"),
    path("assignments/<uuid:assignment_id>/items/<uuid:item_id>/", assignments.Answer.as_view(), name="api_answer"),
    path("assignments/<uuid:assignment_id>/finish/", assignments.Finish.as_view(), name="api_finish"),
    path("assignments/<uuid:assignment_id>/release/", assignments.Release.as_view(), name="api_release"),
    path("assignments/<uuid:assignment_id>/beside/", guidance.SidePanel.as_view(), name="api_beside"),
    path("assignments/<uuid:assignment_id>/items/<uuid:item_id>/mark/", bookmarks.Bookmark.as_view(), name="api_mark"),
    path(
        "assignments/<uuid:assignment_id>/items/<uuid:item_id>/questions/",
        guidance.AskQuestion.as_view(),
        name="api_ask",
    ),
    path("assignments/<uuid:assignment_id>/questions/seen/", guidance.ReadAnswers.as_view(), name="api_seen"),
    path("projects/<slug:slug>/questions/", guidance.Questions.as_view(), name="api_questions"),
    path(
        "projects/<slug:slug>/questions/<uuid:question_id>/answer/",
        guidance.AnswerQuestion.as_view(),
        name="api_answered",
    ),
    path("projects/<slug:slug>/guidelines/", guidance.Guidelines.as_view(), name="api_guidelines"),
    path("documents/<uuid:document_id>/", documents.DocumentText.as_view(), name="api_document"),
    path("projects/<slug:slug>/progress/", documents.Progress.as_view(), name="api_progress"),
    path("projects/<slug:slug>/report/", reports.LiveReport.as_view(), name="api_live_report"),
    path("projects/<slug:slug>/reports/", reports.FreezeReport.as_view(), name="api_freeze_report"),
    path("reports/<uuid:report_id>/", reports.ReportJob.as_view(), name="api_report_job"),
    path("projects/<slug:slug>/judges/", judges.ProjectJudges.as_view(), name="api_judges"),
    path("projects/<slug:slug>/judge-runs/", judges.JudgeRuns.as_view(), name="api_judge_runs"),
    path("projects/<slug:slug>/judge-runs/<uuid:job_id>/", judges.JudgeRunJob.as_view(), name="api_judge_run"),
    path("projects/<slug:slug>/verdicts/", judges.Verdicts.as_view(), name="api_verdicts"),
    path("projects/<slug:slug>/fact-qa/", judges.FactQA.as_view(), name="api_fact_qa"),
    path("projects/<slug:slug>/fact-scores/", judges.FactScores.as_view(), name="api_fact_scores"),
    path("tokens/", tokens.Tokens.as_view(), name="api_tokens"),
    path("tokens/<slug:prefix>/", tokens.Token.as_view(), name="api_token"),
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("docs/", docs.ApiDocs.as_view(), name="api_docs"),
]
