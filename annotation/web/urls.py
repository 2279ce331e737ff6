"""The addresses of the pages."""

from django.urls import URLPattern, URLResolver, path

from . import datasets, exports, home, imports, jobs, people, projects, rating, reports

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("projects/new/", projects.new, name="project_new"),
    path("projects/<slug:slug>/", projects.project, name="project"),
    path("projects/<slug:slug>/members/<str:username>/remove/", projects.remove, name="project_remove"),
    path("datasets/", datasets.datasets, name="datasets"),
    path("datasets/import/", imports.dataset, name="import"),
    path("datasets/import/<uuid:public_id>/", imports.job, name="import_job"),
    path("datasets/import/<uuid:public_id>/confirm/", imports.confirm, name="import_confirm"),
    path("datasets/import/<uuid:public_id>/cancel/", imports.cancel, name="import_cancel"),
    path("datasets/<slug:slug>/", datasets.dataset, name="dataset"),
    path("datasets/<slug:slug>/responses/", imports.responses, name="dataset_responses"),
    path("datasets/<slug:slug>/documents/", datasets.documents, name="dataset_documents"),
    path("datasets/<slug:slug>/documents/<uuid:public_id>/", datasets.document, name="dataset_document"),
    path("datasets/<slug:slug>/prompts/<uuid:public_id>/", datasets.prompt, name="dataset_prompt"),
    path("people/", people.people, name="people"),
    path("people/<str:username>/link/", people.link, name="person_link"),
    path("people/<str:username>/activity/", people.activity, name="person_activity"),
    path("projects/<slug:slug>/rate/", rating.rate, name="rate"),
    path("assignments/<uuid:public_id>/", rating.workspace, name="assignment"),
    path("assignments/<uuid:public_id>/sheet/", rating.sheet, name="assignment_sheet"),
    *reports.urlpatterns,
    *exports.urlpatterns,
    *jobs.urlpatterns,
]
