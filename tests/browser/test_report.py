"""A lead freezes a report in a real browser, with a real worker."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from annotation import jobs, reporting
from annotation.models import Job, Project, Report
from tests.cast import person
from tests.reporting.project_rows import project_of, worked_example

from .workspace import release_requests

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def lena(page: Page, visit: Callable) -> Page:
    project_of(worked_example())
    return visit(page, "lena", "/projects/june/report/")


def test_a_lead_freezes_a_report_and_takes_it_home(lena: Page, celery_worker):
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


def test_progress_survives_a_reload_and_a_failure_says_why(lena: Page):
    job = jobs.create(reporting.FREEZE, project=Project.objects.get(slug="june"), actor=person("lena"))
    Job.objects.filter(pk=job.pk).update(state="running", done=2, total=5, message="Comparing systems")
    for _ in range(2):
        lena.reload()
        expect(lena.get_by_text("Comparing systems")).to_be_visible()
        expect(lena.get_by_text("step 2 of 5")).to_be_visible()
    Job.objects.filter(pk=job.pk).update(done=3, message="Agreement between raters")
    expect(lena.get_by_text("Agreement between raters").first).to_be_visible()
    expect(lena.get_by_text("step 3 of 5")).to_be_visible()
    Job.objects.filter(pk=job.pk).update(
        state="failed", problems=["The disk is full: free some space."], ended_at=job.created_at
    )
    expect(lena.get_by_text("The disk is full: free some space.")).to_be_visible()
    expect(lena.get_by_text("Freezing a report failed")).to_be_visible()


def test_progress_survives_a_lost_network_and_an_ended_session(lena: Page):
    job = jobs.create(reporting.FREEZE, project=Project.objects.get(slug="june"), actor=person("lena"))
    Job.objects.filter(pk=job.pk).update(state="running", done=2, total=5, message="Comparing systems")
    lena.reload()
    message = lena.locator("[data-job-message]")
    expect(message).to_have_text("Comparing systems")
    message.evaluate("message => message.dataset.same = 'element'")
    lena.route("**/jobs/**", lambda route: route.abort())
    expect(message).to_have_text("No answer from the server; trying again")
    lena.unroute("**/jobs/**")
    expect(message).to_have_text("Comparing systems", timeout=15_000)
    lena.context.clear_cookies()
    expect(message).to_have_text("No answer from the server; trying again")
    expect(lena.locator("[data-same=element]")).to_be_visible()  # a screen reader watches this element


def test_the_report_fits_the_screen_and_breaks_no_rule_of_the_site(lena: Page, live_server):
    problems: list[str] = []
    lena.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    for width, name in [(390, "report"), (1440, "report"), (1440, "exports"), (390, "exports")]:
        lena.set_viewport_size({"width": width, "height": 900})
        if name not in lena.url or width == 390:
            lena.goto(f"{live_server.url}/projects/june/{name}/")
        assert lena.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
    assert problems == []


def test_a_switch_answers_without_leaving_the_page_and_keeps_unfolded_parts(lena: Page, live_server):
    problems: list[str] = []
    lena.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
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
    expect(lena.locator("#details-raters[open]")).to_have_count(0)
    expect(lena.locator(".drawing svg[role=img]")).to_have_count(4)
    assert problems == []
    lena.reload()
    expect(lena.get_by_text("102 of 153 ratings.")).to_be_visible()
    lena.get_by_role("link", name="Exports").click()
    lena.go_back()
    expect(lena.get_by_text("102 of 153 ratings.")).to_be_visible()
    lena.get_by_role("link", name="Remove: Without the ratings of tom").click()
    expect(lena.get_by_text("102 of 153 ratings.")).to_have_count(0)


def test_a_switch_keeps_how_the_table_is_shown(lena: Page, live_server):
    lena.goto(f"{live_server.url}/projects/june/report/?live=1&by=topic")
    lena.get_by_text("Options", exact=True).click()
    lena.get_by_label("Seed").first.fill("7")
    lena.keyboard.press("Enter")
    lena.wait_for_url("**/report/?live=1&seed=7&by=topic")


def test_a_switch_after_the_session_ended_goes_to_the_sign_in_page(lena: Page):
    lena.get_by_text("Options", exact=True).click()
    lena.context.clear_cookies()
    lena.get_by_label("tom", exact=True).check()
    lena.wait_for_url(re.compile("/accounts/login/.*without_raters"))


def test_switches_work_without_a_script(browser, live_server, context):
    project_of(worked_example(), "plain")
    without = browser.new_context(java_script_enabled=False, storage_state=None)
    page = without.new_page()
    page.goto(f"{live_server.url}/accounts/login/?next=/projects/plain/report/")
    page.fill("[name=login]", "lena")
    page.fill("[name=password]", "factuary-demo")
    page.keyboard.press("Enter")
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("tom", exact=True).check()
    page.get_by_role("button", name="Apply options").click()
    expect(page.get_by_text("102 of 153 ratings.")).to_be_visible()
    without.close()


def test_figures_come_after_the_table_and_take_the_colours_of_the_theme(lena: Page):
    drawn = lena.locator(".drawing svg[role=img]")
    expect(drawn).to_have_count(4)
    bar = lena.locator('[data-figure="options"] path[aria-roledescription="bar"]').first
    colors = []
    for scheme in ("light", "dark"):
        lena.emulate_media(color_scheme=scheme)
        colors.append(bar.evaluate("bar => getComputedStyle(bar).fill"))
    assert colors == ["rgb(22, 112, 79)", "rgb(99, 199, 157)"]


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


def test_on_a_phone_a_figure_is_narrow_and_turned_it_is_wide(lena: Page):
    lena.set_viewport_size({"width": 390, "height": 844})
    lena.reload()
    options = lena.locator('[data-figure="options"]')
    expect(options.locator('[data-layout="narrow"] svg')).to_be_visible()
    expect(lena.locator('.drawing [data-layout="narrow"] svg')).to_have_count(4)
    assert lena.evaluate("[...document.querySelectorAll('.canvas')].every(c => c.scrollWidth <= c.clientWidth)")
    lena.set_viewport_size({"width": 844, "height": 390})
    expect(options.locator('[data-layout="wide"] svg')).to_be_visible()
    expect(options.locator('[data-layout="narrow"] svg')).to_be_hidden()


def test_the_link_of_the_section_that_is_read_is_marked(lena: Page, live_server):
    for width in (1440, 390):
        lena.set_viewport_size({"width": width, "height": 900})
        lena.goto(f"{live_server.url}/projects/june/report/?live=1")
        links = lena.get_by_role("navigation", name="Sections of the report")
        expect(links.locator("[aria-current]")).to_have_text("Proportions")
        links.get_by_role("link", name="Methods").click()
        expect(links.locator("[aria-current]")).to_have_text("Methods")
        expect(lena.get_by_role("heading", name="Methods")).to_be_in_viewport()
        expect(links.get_by_role("link", name="Methods")).to_be_in_viewport()
        covered = lena.evaluate("document.elementFromPoint(innerWidth / 2, methods.getBoundingClientRect().top + 8).id")
        assert covered == "methods"
