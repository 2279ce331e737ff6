"""The addresses of the pages."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from ..projects.project_settings import CHECKS, SETTINGS
from . import accessibility_statement, authentication, exports, home, jobs, notifications
from .accounts import erasure, people, tokens
from .accounts import views as account
from .datasets import columns as import_columns
from .datasets import imports
from .datasets import labels as import_labels
from .datasets import views as datasets
from .generation import generators, new_generator
from .generation import templates as generation_templates
from .judging import fact_scores, project_judges, site_judges, verdicts
from .operation import jobs as operation_jobs
from .operation import status
from .projects import (
    analysis_plan,
    guidelines,
    hours,
    inbox,
    members,
    new,
    overview,
    qualification,
    reservations,
    response_changes,
    webhooks,
)
from .projects import responses as project_responses
from .projects import settings as project_settings
from .protocols import views as protocols
from .rating import facts, gates, own_responses, service_worker, worked_examples
from .rating import views as rating
from .reports import agreement, judge_comparison, metrics, planner, raters
from .reports import comparison as report_comparison
from .reports import shared as shared_reports
from .reports import tables as report_tables
from .reports import views as reports
from .review import adjudication_replies
from .review import item_views as review_items
from .review import rater_response as review_rater_response
from .review import views as review
from .search import views as search


class SettingAddress(StringConverter):
    """The address that changes a setting of a project; rules and overlap are changed on pages of their own."""

    regex = "|".join(s.path for s in SETTINGS.values() if s.page != CHECKS and s.name != "overlap")


register_converter(SettingAddress, "setting")

urlpatterns = [
    path("", home.home, name="home"),
    path("search/", search.search, name="search"),
    path("search/results/", search.results, name="search_results"),
    path("projects/new/", new.new, name="new_project"),
    path("projects/<slug:slug>/", overview.overview, name="project"),
    path("projects/<slug:slug>/live/", overview.live_parts, name="project_live_parts"),
    path("projects/<slug:slug>/late/", overview.late_parts, name="project_late_parts"),
    path("projects/<slug:slug>/members/", members.members, name="members"),
    path("projects/<slug:slug>/members/people/", members.suggest_people, name="suggest_people"),
    path(
        "projects/<slug:slug>/members/<str:username>/successors/", members.suggest_successors, name="suggest_successors"
    ),
    path("projects/<slug:slug>/members/<str:username>/remove/", members.removal, name="remove_member"),
    path("projects/<slug:slug>/invite/", members.invitation, name="invite"),
    path("projects/<slug:slug>/members/<str:username>/replace/", members.replacement, name="replace_rater"),
    path("projects/<slug:slug>/responses/", project_responses.responses, name="project_responses"),
    path("projects/<slug:slug>/responses/change/", response_changes.change_responses, name="change_responses"),
    path(
        "projects/<slug:slug>/assignments/<uuid:public_id>/reopen/",
        project_responses.reopen_response,
        name="reopen_response",
    ),
    path(
        "projects/<slug:slug>/assignments/<uuid:public_id>/free/", project_responses.free_response, name="free_response"
    ),
    path(
        "projects/<slug:slug>/assignments/<uuid:public_id>/",
        review_rater_response.rater_response,
        name="rater_response",
    ),
    path("projects/<slug:slug>/reservations/", reservations.reservations, name="reservations"),
    path("projects/<slug:slug>/reservations/end/", reservations.end, name="end_reservation"),
    path("projects/<slug:slug>/settings/", project_settings.first, name="project_settings"),
    path("projects/<slug:slug>/settings/<slug:section>/", project_settings.section, name="settings_section"),
    path("projects/<slug:slug>/webhooks/", webhooks.create, name="create_webhook"),
    path("projects/<slug:slug>/webhooks/<uuid:public_id>/", webhooks.webhook, name="webhook"),
    path("projects/<slug:slug>/webhooks/<uuid:public_id>/pause/", webhooks.pause, name="pause_webhook"),
    path("projects/<slug:slug>/webhooks/<uuid:public_id>/delete/", webhooks.delete, name="delete_webhook"),
    path("projects/<slug:slug>/webhooks/<uuid:public_id>/test/", webhooks.send_test_event, name="test_webhook"),
    path(
        "projects/<slug:slug>/webhooks/<uuid:public_id>/deliveries/<uuid:delivery>/send/",
        webhooks.send,
        name="send_webhook_again",
    ),
    path("projects/<slug:slug>/<setting:address>/", project_settings.change, name="change_setting"),
    path("projects/<slug:slug>/overlap/", project_settings.overlap, name="project_overlap"),
    path("projects/<slug:slug>/archive/", project_settings.archiving, name="archive_project"),
    path("projects/<slug:slug>/delete/", project_settings.delete, name="delete_project"),
    path("projects/<slug:slug>/checks/", qualification.checks, name="qualification"),
    path("projects/<slug:slug>/checks/sheets/<int:sheet>/", qualification.purpose, name="sheet_purpose"),
    path("projects/<slug:slug>/checks/raters/<str:username>/", qualification.rater, name="rater_qualification"),
    path("projects/<slug:slug>/analysis-plan/", analysis_plan.analysis_plan, name="analysis_plan"),
    path(
        "projects/<slug:slug>/analysis-plan/<int:number>/<str:name>",
        analysis_plan.plan_file,
        name="analysis_plan_file",
    ),
    path("projects/<slug:slug>/metrics/", metrics.metrics, name="project_metrics"),
    path("projects/<slug:slug>/metrics/figures.<str:format>", metrics.download, name="metrics_file"),
    path("projects/<slug:slug>/metrics/scores/", metrics.import_scores, name="import_metric_scores"),
    path("projects/<slug:slug>/metrics/scores.<str:format>", metrics.download_scores, name="metric_scores_file"),
    path("projects/<slug:slug>/judges/", project_judges.judges, name="project_judges"),
    path("projects/<slug:slug>/judges/jobs/<uuid:public_id>/cancel/", project_judges.cancel, name="cancel_judge_job"),
    path("projects/<slug:slug>/judges/<str:name>/<int:version>/", verdicts.verdicts, name="judge_verdicts"),
    path(
        "projects/<slug:slug>/judges/<str:name>/<int:version>/tuned.jsonl",
        verdicts.tuning_file,
        name="judge_project_tuning_file",
    ),
    path(
        "projects/<slug:slug>/judges/<str:name>/<int:version>/requests.jsonl",
        verdicts.download,
        name="judge_requests_file",
    ),
    path(
        "projects/<slug:slug>/judges/<str:name>/<int:version>/requests/delete/",
        verdicts.delete,
        name="delete_judge_requests",
    ),
    path(
        "projects/<slug:slug>/judges/<str:name>/<int:version>/items/<uuid:public_id>/",
        verdicts.requests,
        name="judge_requests",
    ),
    path(
        "projects/<slug:slug>/judges/<str:name>/<int:version>/fact-qa/",
        judge_comparison.judge_fact_qa,
        name="fact_qa",
    ),
    path(
        "projects/<slug:slug>/judges/<str:name>/<int:version>/scores.<str:format>",
        fact_scores.download,
        name="fact_qa_file",
    ),
    path(
        "projects/<slug:slug>/judges/<str:name>/<int:version>/responses/<uuid:public_id>/",
        fact_scores.requests,
        name="fact_qa_requests",
    ),
    path("projects/<slug:slug>/introduction/", worked_examples.introduction, name="introduction"),
    path("projects/<slug:slug>/start/", gates.start, name="start_gate"),
    path("projects/<slug:slug>/training/", gates.training, name="training"),
    path("assignments/<uuid:public_id>/items/<uuid:item_id>/feedback/", gates.feedback, name="training_feedback"),
    path("datasets/", datasets.datasets, name="datasets"),
    path("datasets/import/", imports.dataset, name="import_dataset"),
    path("datasets/import/columns/", import_columns.columns, name="import_columns"),
    path("datasets/import/<uuid:public_id>/", imports.job, name="import_job"),
    path("datasets/import/<uuid:public_id>/labels/", import_labels.labels, name="import_labels"),
    path("datasets/import/<uuid:public_id>/confirm/", imports.confirm, name="import_confirm"),
    path("datasets/import/<uuid:public_id>/cancel/", imports.cancel, name="import_cancel"),
    path("datasets/<slug:slug>/", datasets.dataset, name="dataset"),
    path("datasets/<slug:slug>/delete/", datasets.delete, name="delete_dataset"),
    path("datasets/<slug:slug>/responses/", imports.responses, name="import_responses"),
    path("datasets/<slug:slug>/generate/", new_generator.new, name="new_generator"),
    path("datasets/<slug:slug>/generators/<uuid:public_id>/", generators.generator, name="generator"),
    path("datasets/<slug:slug>/generators/<uuid:public_id>/count/", generators.count, name="count_generation_tokens"),
    path(
        "datasets/<slug:slug>/generators/<uuid:public_id>/jobs/<uuid:job_id>/cancel/",
        generators.cancel,
        name="cancel_generation",
    ),
    path(
        "datasets/<slug:slug>/generators/<uuid:public_id>/results.jsonl", generators.download, name="generated_results"
    ),
    path("generation/templates/", generation_templates.templates, name="generation_templates"),
    path("datasets/<slug:slug>/documents/", datasets.documents, name="dataset_documents"),
    path("datasets/<slug:slug>/documents/<uuid:public_id>/", datasets.document, name="dataset_document"),
    path("datasets/<slug:slug>/prompts/<uuid:public_id>/", datasets.prompt, name="dataset_prompt"),
    path("account/", account.own_account, name="own_account"),
    path("account/notifications/", account.notification_mail, name="notification_mail"),
    path("account/data/", account.download_own_data, name="own_data"),
    path("account/tokens/", tokens.own_tokens, name="own_tokens"),
    path("account/tokens/<slug:prefix>/revoke/", tokens.revoke, name="revoke_token"),
    path("notifications/", notifications.notifications, name="notifications"),
    path("notifications/newest/", notifications.newest, name="newest_notifications"),
    path("notifications/read/", notifications.read_all, name="read_notifications"),
    path("notifications/<uuid:public_id>/", notifications.notification, name="notification"),
    path("people/", people.people, name="people"),
    path("people/rename/", people.rename, name="rename_person"),
    path("people/<str:username>/tokens/", tokens.tokens_of_person, name="tokens_of_person"),
    path("people/<str:username>/link/", people.link, name="person_link"),
    path("people/<str:username>/second-factor/remove/", people.second_factor, name="remove_second_factor"),
    path("people/<str:username>/erase/", erasure.erase, name="erase_person"),
    path("people/<str:username>/erasure/", erasure.receipt, name="erasure_receipt"),
    path("people/<str:username>/activity/", people.activity, name="person_activity"),
    path("signed-in/", authentication.session_user, name="session_user"),
    path("projects/<slug:slug>/rate/", rating.rate, name="rate"),
    path("projects/<slug:slug>/my-responses/", own_responses.own_responses, name="own_responses"),
    path("projects/<slug:slug>/preview/<int:sheet>/", rating.preview, name="preview"),
    path("projects/<slug:slug>/released/", rating.confirm_release, name="confirm_release"),
    path("assignments/worker.js", service_worker.service_worker, name="service_worker"),
    path("assignments/<uuid:public_id>/", rating.workspace, name="assignment"),
    path("assignments/<uuid:public_id>/sheet/", rating.sheet, name="assignment_sheet"),
    path("projects/<slug:slug>/guidelines/", guidelines.guidelines, name="guidelines"),
    path("projects/<slug:slug>/guidelines/drawer/", guidelines.drawer, name="guidelines_drawer"),
    path("projects/<slug:slug>/guidelines/reoffer/", guidelines.reoffer, name="reoffer_guidelines"),
    path("projects/<slug:slug>/guidelines/<int:number>/", guidelines.version, name="guidelines_version"),
    path("projects/<slug:slug>/facts/", facts.facts, name="facts"),
    path("projects/<slug:slug>/facts/<uuid:public_id>/", facts.facts_of_response, name="facts_of_response"),
    path("projects/<slug:slug>/inbox/", inbox.inbox_list, name="inbox"),
    path("projects/<slug:slug>/inbox/<uuid:public_id>/", inbox.rater_question, name="rater_question"),
    path(
        "projects/<slug:slug>/inbox/<uuid:public_id>/boundaries/",
        inbox.change_boundaries,
        name="change_sentence_boundaries",
    ),
    path("projects/<slug:slug>/hours/", hours.hours, name="hours"),
    path("projects/<slug:slug>/hours/file/", hours.hours_file, name="hours_file"),
    path("projects/<slug:slug>/pace/", own_responses.pace, name="rater_pace"),
    path("projects/<slug:slug>/report/", reports.report, name="report"),
    path("projects/<slug:slug>/report/freeze/", reports.freeze, name="freeze_report"),
    path("projects/<slug:slug>/report/numbers/", reports.compute_report, name="compute_report"),
    path("projects/<slug:slug>/report/figures/<str:name>", reports.report_figure, name="report_figure"),
    path("projects/<slug:slug>/report/tables/", report_tables.live_table, name="report_table"),
    path("reports/<uuid:public_id>/", reports.frozen_report, name="frozen_report"),
    path("reports/<uuid:public_id>/tables/", report_tables.frozen_table, name="frozen_report_table"),
    path("reports/<uuid:public_id>/<str:name>", reports.report_file, name="report_file"),
    path("projects/<slug:slug>/agreement/", agreement.agreement, name="agreement"),
    path("projects/<slug:slug>/raters/", raters.raters, name="raters"),
    path("projects/<slug:slug>/raters/<str:username>/", raters.rater, name="rater"),
    path("projects/<slug:slug>/plan/", planner.planner, name="planner"),
    path("projects/<slug:slug>/adjudications/", adjudication_replies.adjudications, name="adjudications"),
    path(
        "projects/<slug:slug>/adjudications/<uuid:item_id>/", adjudication_replies.reply_to, name="adjudication_reply"
    ),
    path("projects/<slug:slug>/review/replies/", adjudication_replies.replies, name="adjudication_replies"),
    path("projects/<slug:slug>/review/", review.review, name="review"),
    path("projects/<slug:slug>/review/gold/", review.gold, name="review_gold_items"),
    path("projects/<slug:slug>/review/compared/", review.comparison, name="adjudicated_proportions"),
    path("projects/<slug:slug>/review/names/", review.change_visibility, name="change_name_visibility"),
    path("projects/<slug:slug>/review/<uuid:public_id>/", review_items.review_item, name="review_item"),
    path(
        "projects/<slug:slug>/review/<uuid:public_id>/withdraw/",
        review_items.review_withdraw,
        name="withdraw_adjudication",
    ),
    path("projects/<slug:slug>/review/<uuid:public_id>/gold/", review_items.review_gold, name="set_gold"),
    path(
        "projects/<slug:slug>/review/<uuid:public_id>/gold/remove/",
        review_items.review_gold_remove,
        name="remove_gold",
    ),
    path("projects/<slug:slug>/exports/", exports.exports, name="exports"),
    path("projects/<slug:slug>/exports/make/", exports.make_export, name="start_export"),
    path("projects/<slug:slug>/exports/ratings/", exports.export_ratings, name="export_ratings"),
    path("exports/<uuid:public_id>/", exports.export_file, name="export_file"),
    path("exports/<uuid:public_id>/delete/", exports.delete_export, name="delete_export"),
    path("sample/", home.import_sample, name="import_sample"),
    path("protocols/", protocols.protocols, name="protocols"),
    path("protocols/new/", protocols.new, name="new_protocol"),
    path("protocols/questions/", protocols.questions, name="protocol_questions"),
    path("protocols/new/questions/", protocols.preview_questions, name="preview_protocol_questions"),
    path("protocols/new/try/", protocols.preview_text, name="preview_protocol_text"),
    path("protocols/<slug:slug>/<str:version>/", protocols.protocol, name="protocol"),
    path("protocols/<slug:slug>/<str:version>/preview/", protocols.preview, name="protocol_preview"),
    path("protocols/<slug:slug>/<str:version>/source/", protocols.source, name="protocol_source"),
    path(
        "projects/<slug:slug>/judges/<str:name>/<int:version>/comparison/",
        judge_comparison.judge_comparison,
        name="judge_comparison",
    ),
    path(
        "projects/<slug:slug>/judges/<str:name>/<int:version>/card.<str:format>",
        judge_comparison.card,
        name="judge_card_file",
    ),
    path("projects/<slug:slug>/reports/compare/", report_comparison.compare, name="report_comparison"),
    path(
        "projects/<slug:slug>/reports/compare/differences.csv",
        report_comparison.compare_file,
        name="report_comparison_file",
    ),
    path("reports/<uuid:public_id>/links/", shared_reports.links, name="report_links"),
    path("reports/<uuid:public_id>/links/<uuid:link>/revoke/", shared_reports.revoke, name="revoke_report_link"),
    path("reports/<uuid:public_id>/rebuild/", shared_reports.reproduction, name="reproduce_report"),
    path("r/<str:key>/", shared_reports.shared_report, name="shared_report"),
    path("r/<str:key>/tables/", shared_reports.shared_table, name="shared_table"),
    path("r/<str:key>/<str:name>", shared_reports.shared_file, name="shared_file"),
    path("judges/", site_judges.judges, name="judges"),
    path("judges/new/", site_judges.new, name="new_judge"),
    path("judges/<str:name>/<int:version>/", site_judges.judge, name="judge"),
    path("judges/<str:name>/<int:version>/tuned.jsonl", site_judges.tuning_file, name="judge_tuning_file"),
    path("status/", status.status, name="status"),
    path("status/findings/", status.findings, name="status_findings"),
    path("jobs/", operation_jobs.all_jobs, name="all_jobs"),
    path("jobs/<uuid:public_id>/retry/", operation_jobs.retry, name="retry_job"),
    path("jobs/<uuid:public_id>/cancel/", operation_jobs.cancel, name="cancel_job"),
    path("jobs/<uuid:public_id>/", jobs.job, name="job"),
    path("accessibility/", accessibility_statement.accessibility, name="accessibility"),
]
RENAMED = {
    "projects/<slug:slug>/parts/": "reservations",
    "projects/<slug:slug>/decisions/": "adjudications",
    "projects/<slug:slug>/given-back/": "confirm_release",
    "reports/<uuid:public_id>/rebuilt/": "reproduce_report",
}
"""Addresses of 0.7.1, which bookmarks and open pages have, by the name of the page that they lead to."""
urlpatterns += [
    path(old, require_safe(RedirectView.as_view(pattern_name=name, query_string=True))) for old, name in RENAMED.items()
]
