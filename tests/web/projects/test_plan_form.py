"""An analysis plan as a form: choices of the project, the text that a post makes, problems at their fields."""

import re
from html import unescape

import pytest

from annotation.models import Prompt
from annotation.projects.analysis_plans import newest_plan, set_plan, starting_text
from annotation.protocols.analysis_plan import AnalysisPlan, Exclusions, load_plan
from annotation.web.projects import analysis_plan
from tests.cast import study, which_is_better
from tests.web.pages import fields_of, text_of

pytestmark = pytest.mark.django_db

PAGE = "/projects/june/analysis-plan/"
SYSTEMS = ("heron", "plover", "tern")
PAIRS = ['["heron", "plover"]', '["heron", "tern"]']
FULL = """\
# Why: see the protocol of the study.
measures = ["severely_inaccurate", "accurate"]  # in this order
unit = "document"
comparisons = [["plover", "heron"], ["heron", "tern"]]
family = "planned"
target = 0.029
seed = 7
hypotheses = \"\"\"
Heron is "best".
Tern is not.\"\"\"

[exclusions]
answers = "adjudicated"
least_gold = 0.75
without_raters = ["gone", "ravi"]

[exclusions.metadata]
"question type" = ["list"]
"""


@pytest.fixture
def june(client):
    june = study(systems=SYSTEMS, prompts=2)
    for prompt, kind in zip(Prompt.objects.order_by("key"), ("list", "yes/no"), strict=True):
        prompt.metadata = {"question type": kind, "source": "lake"}
        prompt.save()
    client.force_login(june.people["lena"])
    return june


def sent_by(page: str) -> dict[str, list[str]]:
    return fields_of(page[page.index('id="plan-form"') :].partition("</form>")[0])


def opened(client, text: str) -> dict[str, list[str]]:
    """Return the fields of the form of a text."""
    return sent_by(client.post(PAGE, {"source": text, "view": "form"}).content.decode())


def text_after(client, text: str, changes: dict[str, object]) -> str:
    page = client.post(PAGE, opened(client, text) | changes | {"view": "text"}).content.decode()
    return sent_by(page)["source"][0]


def metadata_field(key: str) -> str:
    return f"plan-metadata-{key.encode().hex()}"


def test_the_form_of_a_text_gives_the_text_back_or_stays_a_text(client, june):
    for text in (FULL, 'measures = ["accurate"]', "exclusions = {}\nmeasures = []\n", starting_text(june.project)):
        assert text_after(client, text, {}) == text
    for text in ("measures = ", "exclusions = 3\n", "[exclusions]\nmetadata = 1\n"):
        assert 'name="shown"' not in client.post(PAGE, {"source": text, "view": "form"}).content.decode()


def test_the_form_has_choices_of_the_project_and_shows_the_newest_version_beside_its_text(client, june):
    page = text_of(client.get(PAGE))
    for words in ("Severely inaccurate", "heron – tern", "All pairs of systems (3)", "ravi", "question type", "yes/no"):
        assert words in page
    assert "Only prompts whose question type is" in page and "Only prompts whose source is" not in page
    set_plan(june.project, FULL)
    page = client.get(PAGE).content.decode()
    assert sent_by(page)["plan-target"] == ["2.9"] and "Edit as TOML" in page
    text = client.post(PAGE, sent_by(page) | {"view": "text"}).content.decode()
    assert sent_by(text)["source"] == [FULL] and "Edit as form" in text


def test_the_first_plan_is_written_and_stored_as_a_form(client, june):
    changes = {
        "plan-hypotheses": "Heron is best.\r\nTern is not.", "plan-measures": ["accurate"],
        "plan-comparisons-which": "selected", "plan-comparisons": PAIRS, "plan-family": "planned",
        "plan-unit": "document", "plan-target": "2,9", "plan-resamples": "", "plan-exclusions-least_gold": "75",
        "plan-exclusions-least_seconds": "1.5", "plan-exclusions-without_raters": ["rosa"],
        "plan-exclusions-systems": ["heron", "tern"], metadata_field("question type"): ["list"],
        "plan-notes": "Two raters each.",
    }  # fmt: skip
    client.post(PAGE, sent_by(client.get(PAGE).content.decode()) | changes)
    assert newest_plan(june.project).definition == AnalysisPlan(
        measures=("accurate",),
        unit="document",
        comparisons=(("heron", "plover"), ("heron", "tern")),
        family="planned",
        exclusions=Exclusions(
            least_gold=0.75,
            least_seconds=1.5,
            without_raters=("rosa",),
            systems=("heron", "tern"),
            metadata=(("question type", ("list",)),),
        ),
        target=0.029,
        seed=1,
        hypotheses="Heron is best.\nTern is not.",
        notes="Two raters each.",
    )
    source = newest_plan(june.project).source
    assert text_after(client, source, {}) == source


def test_changes_keep_comments_and_the_rest_and_what_is_cleared_leaves_the_text(client, june):
    text = text_after(client, FULL, {"plan-target": "3", "plan-measures": ["accurate"]})
    expected = FULL.replace("0.029", "0.03").replace('["severely_inaccurate", "accurate"]', '["accurate"]')
    assert text == expected
    cleared = {
        "plan-target": "", "plan-seed": "", "plan-comparisons-which": "all", "plan-exclusions-answers": "raw",
        "plan-exclusions-least_gold": "", "plan-exclusions-without_raters": [], metadata_field("question type"): [],
    }  # fmt: skip
    plan = load_plan(text_after(client, FULL, cleared))
    assert (plan.target, plan.seed, plan.comparisons, plan.exclusions) == (None, None, None, Exclusions())
    text = text_after(client, 'measures = ["accurate"]\n', {"plan-comparisons-which": "selected"})
    assert load_plan(text).comparisons == ()
    assert text_after(client, text, {}) == text


def test_a_problem_is_at_its_field_in_words(client, june):
    fields = sent_by(client.get(PAGE).content.decode())
    for field, sent, words in [
        ("plan-measures", [], "Select at least one measure."),
        ("plan-target", "60", "Enter a number from 0.1 to 50."),
        ("plan-target", "three", "Enter a number from 0.1 to 50."),
        ("plan-seed", "1.5", "Enter a whole number from 0 to 4294967295."),
        ("plan-exclusions-least_gold", "101", "Enter a number from 0 to 100."),
        ("plan-notes", "x" * 20_001, "This has 20001 characters; the limit is 20000."),
    ]:
        response = client.post(PAGE, fields | {field: sent})
        page = unescape(response.content.decode())
        assert re.findall(rf'id="id_{field}_error">\s*<li>(.*?)</li>', page) == [words]
        assert re.search(rf'<a href="#id_{field}" data-field-link>[^<]+</a>: {re.escape(words)}', page)
        [section] = [each for each in response.context["plan_form"].sections if each.problems]
        assert section.is_open
    assert not newest_plan(june.project)


def test_names_that_are_gone_are_shown_with_their_problem_and_markup_as_text(client, june):
    text = 'measures = ["accurate", "gone"]\ncomparisons = [["heron", "lost"]]\n'
    page = unescape(client.post(PAGE, opened(client, text) | {"do": "check"}).content.decode())
    assert "refers to 'gone', which is not a measure of the project's protocol" in page
    assert "refers to 'lost', which is not a system of this project" in page
    mended = {"plan-measures": ["accurate"], "plan-comparisons": ['["heron", "plover"]']}
    assert load_plan(text_after(client, text, mended)).comparisons == (("heron", "plover"),)
    text = 'measures = ["<script>x</script>"]\ncomparisons = [["<b>a", "\\"c"]]\n'
    page = client.post(PAGE, {"source": text, "view": "form"}).content.decode()
    assert "<script>x" not in page and "<b>a" not in page
    assert text_after(client, text, {}) == text


def test_a_check_stores_nothing(client, june):
    page = text_of(client.post(PAGE, opened(client, FULL.replace("gone", "rosa")) | {"do": "check"}))
    assert "No problems. Nothing is stored yet. Planned measures: 2. Planned pairs of systems: 2." in page
    assert not newest_plan(june.project)


def test_a_plan_with_more_fields_than_a_post_may_have_is_text_and_one_about_pairs_compares_no_systems(
    client, june, monkeypatch
):
    june.project.protocol = which_is_better()
    june.project.save()
    assert "plan-comparisons" not in sent_by(client.get(PAGE).content.decode())
    monkeypatch.setattr(analysis_plan, "MAX_FORM_FIELDS", 5)
    page = text_of(client.get(PAGE))
    assert "more fields than a form can send" in page and "Edit as form" in page
