"""The report in a browser: frozen by a lead, changed by its switches, at every width."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from annotation import jobs, reporting
from annotation.models import Job, Project, Report

from ..cast import person
from ..reporting.project_rows import project_of, worked_example
from .workspace import release_requests

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LATER = "(now => { Date.now = () => now() + 10_000; })(Date.now)"  # the page pauses 5 s after a lost answer


@pytest.fixture
def lena(page: Page, visit: Callable) -> Page:
    project_of(worked_example())
    return visit(page, "lena", "/projects/june/report/")


def test_a_lead_freezes_a_report_and_takes_it_home(lena: Page, worker):
    expect(lena.get_by_text("Live numbers, not frozen.")).to_be_visible()
    lena.get_by_role("button", name="Freeze report").click()
    lena.get_by_role("dialog").get_by_label("Resamples").fill("300")
    lena.get_by_role("dialog").get_by_role("button", name="Freeze report").click()
    lena.wait_for_url(re.compile("/reports/"))
    expect(lena.get_by_text(re.compile(r"Frozen \d[^·]* by lena"))).to_be_visible()
    expect(lena.get_by_role("cell", name=re.compile("87.1 %.*61 of 70")).first).to_be_visible()
    lena.get_by_text("Download", exact=True).click()
    with lena.expect_download() as download:
        lena.get_by_role("link", name="JSON report.json").click()
    assert download.value.path().read_bytes() == Report.objects.get().document.encode()


def test_progress_survives_a_reload_a_lost_network_and_an_ended_session_and_a_failure_says_why(lena: Page):
    job = jobs.create(reporting.FREEZE, project=Project.objects.get(slug="june"), actor=person("lena"))
    stored = Job.objects.filter(pk=job.pk)
    stored.update(state="running", done=2, total=5, message="Comparing systems")
    for _ in range(2):
        lena.reload()
        expect(lena.get_by_text("Comparing systems")).to_be_visible()
        expect(lena.get_by_text("step 2 of 5")).to_be_visible()
    message = lena.locator("[data-job-message]")
    message.evaluate("message => message.dataset.same = 'element'")
    lena.route("**/jobs/**", lambda route: route.abort())
    expect(message).to_have_text("No answer from the server; trying again")
    lena.unroute("**/jobs/**")
    lena.evaluate(LATER)
    stored.update(done=3, message="Agreement between raters")
    expect(message).to_have_text("Agreement between raters")
    expect(lena.get_by_text("step 3 of 5")).to_be_visible()
    cookies = lena.context.cookies()
    lena.context.clear_cookies()
    expect(message).to_have_text("No answer from the server; trying again")
    expect(lena.locator("[data-same=element]")).to_be_visible()  # a screen reader watches this element
    stored.update(state="failed", problems=["The disk is full: free some space."], ended_at=job.created_at)
    lena.context.add_cookies(cookies)
    lena.evaluate(LATER)
    expect(lena.get_by_text("The disk is full: free some space.")).to_be_visible()
    expect(lena.get_by_text("Freezing a report failed")).to_be_visible()


@pytest.fixture
def complaints(lena: Page) -> list[str]:
    """Return the errors and warnings in the browser's console, such as those of the content security policy."""
    texts: list[str] = []
    lena.on("console", lambda message: texts.append(message.text) if message.type in ("error", "warning") else None)
    return texts


def test_at_every_width_report_and_exports_fit_and_the_section_that_is_read_is_marked(
    lena: Page, live_server, complaints: list[str]
):
    for width in (1440, 390):
        lena.set_viewport_size({"width": width, "height": 900})
        for name in ("exports", "report"):
            lena.goto(f"{live_server.url}/projects/june/{name}/")
            assert lena.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
        links = lena.get_by_role("navigation", name="Sections of the report")
        expect(links.locator("[aria-current]")).to_have_text("Proportions")
        links.get_by_role("link", name="Methods").click()
        expect(links.locator("[aria-current]")).to_have_text("Methods")
        expect(lena.get_by_role("heading", name="Methods")).to_be_in_viewport()
        expect(links.get_by_role("link", name="Methods")).to_be_in_viewport()
        covered = lena.evaluate("document.elementFromPoint(innerWidth / 2, methods.getBoundingClientRect().top + 8).id")
        assert covered == "methods"
    options = lena.locator('[data-figure="options"]')
    expect(options.locator('[data-layout="narrow"] svg')).to_be_visible()
    expect(lena.locator('.drawing [data-layout="narrow"] svg')).to_have_count(4)
    assert lena.evaluate("[...document.querySelectorAll('.canvas')].every(c => c.scrollWidth <= c.clientWidth)")
    lena.set_viewport_size({"width": 844, "height": 390})
    expect(options.locator('[data-layout="wide"] svg')).to_be_visible()
    expect(options.locator('[data-layout="narrow"] svg')).to_be_hidden()
    bar = lena.locator('[data-figure="options"] [data-layout="wide"] path[aria-roledescription="bar"]').first
    colors = []
    for scheme in ("light", "dark"):
        lena.emulate_media(color_scheme=scheme)
        colors.append(bar.evaluate("bar => getComputedStyle(bar).fill"))
    assert colors == ["rgb(22, 112, 79)", "rgb(99, 199, 157)"]
    assert complaints == []


def test_a_switch_answers_without_leaving_the_page_and_keeps_unfolded_parts(
    lena: Page, live_server, complaints: list[str]
):
    line = lena.get_by_text("as if independent").first
    expect(line).to_be_hidden()
    lena.get_by_label("As if ratings were independent").check()
    expect(line).to_be_visible()
    lena.locator("#details-proportions summary").click()
    lena.get_by_text("Options", exact=True).click()
    lena.evaluate("document.body.dataset.same = 'page'")
    lena.get_by_label("tom", exact=True).check()
    expect(lena.get_by_text("102 of 153 ratings.")).to_be_visible()
    expect(lena.get_by_text("The numbers are up to date.")).to_be_visible()
    assert lena.url.endswith("/report/?live=1&without_raters=tom")
    assert lena.evaluate("document.body.dataset.same") == "page"
    expect(lena.get_by_label("tom", exact=True)).to_be_focused()
    expect(lena.get_by_label("As if ratings were independent")).to_be_checked()
    expect(lena.locator("#details-proportions[open]")).to_have_count(1)
    expect(lena.locator("#table-differences[open]")).to_have_count(0)
    expect(lena.locator(".drawing svg[role=img]")).to_have_count(4)
    assert complaints == []
    lena.reload()
    expect(lena.get_by_text("102 of 153 ratings.")).to_be_visible()
    lena.get_by_role("link", name="Exports").click()
    lena.go_back()
    expect(lena.get_by_text("102 of 153 ratings.")).to_be_visible()
    lena.get_by_role("link", name="Remove: Without the ratings of tom").click()
    expect(lena.get_by_text("102 of 153 ratings.")).to_have_count(0)
    lena.goto(f"{live_server.url}/projects/june/report/?live=1&by=topic")
    lena.get_by_text("Options", exact=True).click()
    lena.get_by_label("Seed").first.fill("7")
    lena.keyboard.press("Enter")
    lena.wait_for_url("**/report/?live=1&seed=7&by=topic")
    lena.context.clear_cookies()
    lena.get_by_label("tom", exact=True).check()
    lena.wait_for_url(re.compile("/accounts/login/.*without_raters"))


def test_switches_work_without_a_script(visit, browser):
    project_of(worked_example())
    context = browser.new_context(java_script_enabled=False)
    page = visit(context.new_page(), "lena", "/projects/june/report/")
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("tom", exact=True).check()
    page.get_by_role("button", name="Apply options").click()
    expect(page.get_by_text("102 of 153 ratings.")).to_be_visible()
    context.close()


def test_a_figure_that_is_asked_for_twice_is_drawn_once(lena: Page):
    held: list[Route] = []
    is_released: list[bool] = []
    lena.route("**/report/figures/**", lambda route: route.continue_() if is_released else held.append(route))
    lena.reload()
    lena.set_viewport_size({"width": 390, "height": 800})
    lena.set_viewport_size({"width": 1440, "height": 900})
    lena.set_viewport_size({"width": 390, "height": 800})
    is_released.append(True)
    release_requests(lena, held)
    narrow = lena.locator("[data-figure=measures] [data-layout=narrow], [data-figure=options] [data-layout=narrow]")
    expect(narrow.first).to_be_attached()
    expect(lena.locator("[data-draws-narrow]:not(:has([data-layout=narrow]))")).to_have_count(0)
    lena.wait_for_load_state("networkidle")
    assert (
        lena.evaluate(
            "[...document.querySelectorAll('.canvas')].filter((canvas) =>"
            " canvas.querySelectorAll(':scope > [data-layout=narrow]').length !== 1).length"
        )
        == 0
    )
