"""The addresses of the pages."""

from django.urls import URLPattern, URLResolver, path

from . import accessibility_statement, authentication, exports, home, jobs
from .accounts import views as people
from .datasets import columns as import_columns
from .datasets import imports
from .datasets import views as datasets
from .projects import guidelines, inbox, members, prefetch, qualification, suggestions
from .projects import lifecycle as project_changes
from .projects import reservations as project_parts
from .projects import responses as project_responses
from .projects import views as projects
from .protocols import views as protocols
from .rating import facts, gates, rater_overview, service_worker
from .rating import views as rating
from .reports import agreement, planner, raters
from .reports import comparison as report_comparison
from .reports import shared as shared_reports
from .reports import views as reports
from .review import adjudication_replies
from .review import item_views as review_deciding
from .review import views as review

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("projects/new/", projects.new, name="project_new"),
    path("projects/<slug:slug>/", projects.project, name="project"),
    path("projects/<slug:slug>/members/<str:username>/remove/", projects.remove, name="project_remove"),
    path("projects/<slug:slug>/now/", projects.live_parts, name="project_now"),
    path("projects/<slug:slug>/standing/", projects.precision, name="project_standing"),
    *members.urlpatterns,
    *project_responses.urlpatterns,
    *project_parts.urlpatterns,
    *project_changes.urlpatterns,
    *qualification.urlpatterns,
    *gates.urlpatterns,
    path("datasets/", datasets.datasets, name="datasets"),
    path("datasets/import/", imports.dataset, name="import"),
    path("datasets/import/columns/", import_columns.columns, name="import_columns"),
    path("datasets/import/<uuid:public_id>/", imports.job, name="import_job"),
    path("datasets/import/<uuid:public_id>/confirm/", imports.confirm, name="import_confirm"),
    path("datasets/import/<uuid:public_id>/cancel/", imports.cancel, name="import_cancel"),
    path("datasets/<slug:slug>/", datasets.dataset, name="dataset"),
    path("datasets/<slug:slug>/delete/", datasets.delete, name="dataset_delete"),
    path("datasets/<slug:slug>/responses/", imports.responses, name="dataset_responses"),
    path("datasets/<slug:slug>/documents/", datasets.documents, name="dataset_documents"),
    path("datasets/<slug:slug>/documents/<uuid:public_id>/", datasets.document, name="dataset_document"),
    path("datasets/<slug:slug>/prompts/<uuid:public_id>/", datasets.prompt, name="dataset_prompt"),
    path("people/", people.people, name="people"),
    path("people/<str:username>/link/", people.link, name="person_link"),
    path("people/<str:username>/activity/", people.activity, name="person_activity"),
    path("projects/<slug:slug>/suggestions/", suggestions.switch, name="project_suggestions"),
    path("projects/<slug:slug>/ahead/", prefetch.change, name="project_ahead"),
    path("signed-in/", authentication.session_user, name="signed_in"),
    path("projects/<slug:slug>/rate/", rating.rate, name="rate"),
    path("projects/<slug:slug>/preview/<int:sheet>/", rating.preview, name="preview"),
    path("projects/<slug:slug>/given-back/", rating.confirm_release, name="given_back"),
    path("assignments/worker.js", service_worker.service_worker, name="service_worker"),
    path("assignments/<uuid:public_id>/", rating.workspace, name="assignment"),
    path("assignments/<uuid:public_id>/sheet/", rating.sheet, name="assignment_sheet"),
    *guidelines.urlpatterns,
    *facts.urlpatterns,
    *inbox.urlpatterns,
    *rater_overview.urlpatterns,
    *reports.urlpatterns,
    *agreement.urlpatterns,
    *raters.urlpatterns,
    *planner.urlpatterns,
    *adjudication_replies.urlpatterns,
    *review.urlpatterns,
    *review_deciding.urlpatterns,
    *exports.urlpatterns,
    *protocols.urlpatterns,
    *report_comparison.urlpatterns,
    *shared_reports.urlpatterns,
    *jobs.urlpatterns,
    *accessibility_statement.urlpatterns,
]
