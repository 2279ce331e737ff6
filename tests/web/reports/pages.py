"""What the tests of the report's pages ask for."""

from urllib.parse import urlencode

from django.urls import reverse

from annotation import jobs, reporting
from annotation.models import Project
from tests.cast import person
from tests.web.pages import without_layout

PAGES = ["report", "exports"]


def get_page(client, name: str, *args: str, query: str = "") -> str:
    response = client.get(reverse(name, args=args) + query)
    assert response.status_code == 200, (name, response.status_code)
    return without_layout(response.content.decode())


def page_addresses(june: Project, frozen) -> list[str]:
    job = jobs.create(reporting.FREEZE, project=june, actor=person("lena"))
    names = [reverse(name, args=[june.slug]) for name in [*PAGES, "export_ratings"]]
    files = [reverse("report_file", args=[frozen.public_id, name]) for name in ("report.json", "options-light.svg")]
    files.append(reverse("report_figure", args=[june.slug, "options-light.svg"]))
    return [
        *names,
        *files,
        reverse("frozen_report", args=[frozen.public_id]),
        reverse("job", args=[job.public_id]),
    ]


def page_with_options(client, **switches: str | list[str]) -> str:
    return get_page(client, "report", "june", query="?" + urlencode(switches, doseq=True))
