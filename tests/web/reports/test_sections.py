"""What the report's page shows, and what it says where there is nothing to show."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Item, Project, Rating
from annotation.reporting.sections.agreement.figures import Agreement
from annotation.reporting.shared_links import make_link
from annotation.reporting.text.names import Names
from annotation.stats.intervals import wilson
from annotation.web.reports.sections import interpretations
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person, which_is_better
from tests.reporting.project_rows import Row, project_of
from tests.reporting.scored_projects import scored_project
from tests.web.reports.pages import get_page

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
ORDER = ("proportions", "differences", "answers", "sensitivity", "agree", "methods", "exports")


def test_the_table_shows_share_interval_and_k_of_n_and_what_was_left_out(lena, june):
    text = get_page(lena, "report", "june")
    assert re.search(
        r"<b>87\.1 %</b> <i>\d\d\.\d – \d\d\.\d</i>( <span class=\"best\">best</span>)? <small>61 of 70</small>", text
    )
    assert "<small>18 of 67</small>" in text
    assert "Korn-Graubard" in text
    assert "Excluded: 16 ratings “Can&#x27;t assess”." in text
    assert "Live numbers, not frozen" in text
    assert '<th scope="col" class="secondary">Disputed</th><th scope="col" class="secondary">Unsupported</th>' in text
    assert "As if ratings were independent" in text and "too narrow" in text
    bounds = wilson(61, 70)
    assert f"as if independent {100 * bounds.low:.1f} – {100 * bounds.high:.1f}" in text
    assert "Largest disagreements" in text
    assert "Sensitivity to aggregation" in text and "Majority vote" in text
    assert "All 3 raters" not in text and '<h2 id="by">By question type</h2>' in text


def test_scores_are_below_the_table_of_systems_compared_and_on_the_page_of_the_protocol(lena):
    answers = {"heron": [SEVERE, ACCURATE], "tern": [ACCURATE, ACCURATE, CANNOT_ASSESS]}
    project = scored_project(
        [
            Row(f"q{n:02}", system, "ravi", kinds[n % len(kinds)], response=f"{system}.{n}")
            for system, kinds in answers.items()
            for n in range(20)
        ],
        "scored",
    )
    text = get_page(lena, "report", "scored")
    assert "Scores: weighted errors per 100 rated sentences" in text
    assert re.search(r"<b>150\.0</b> <i>\d+\.\d – \d+\.\d</i> <small>n = 20</small>", text)
    assert "Weighted errors: the sum of weights per 100 rated sentences (3: Inaccurate, Severe; 0.5: " in text
    page = get_page(lena, "protocol", project.protocol.slug, project.protocol.version)
    assert "Scores per 100 sentences" in page and "Weights: 3: Inaccurate, Severe; 0.5: Inaccurate or Disputed." in page
    scores = text[text.index('<h2 id="scores">') : text.index('<h2 id="answers">')]
    assert "Differences between systems" in scores and "heron − tern" in scores
    assert "table=score_comparisons&amp;format=latex" in scores and "table=scores&amp;format=csv" in scores
    assert "Differences of scores, per 100 rated sentences, on the prompts that both systems" in scores
    assert re.search(r"<b>\+\d+\.\d</b> <i>−?\+?\d+\.\d to \+\d+\.\d</i>", scores) and "tern is better" in scores
    assert "Scores were compared in the same way, each as its share of the largest possible score." in text


def test_the_breakdown_that_was_asked_for_is_shown_and_nothing_to_assess_is_said_in_words(lena):
    text = get_page(lena, "report", "june", query="?by=rater")
    assert "By rater" in text and '<th scope="row">rosa</th>' in text
    assert "By question type" in get_page(lena, "report", "june", query="?by=nonsense")
    text = get_page(lena, "report", "june", query="?by=system+%C3%97+question_type")
    assert "not estimable: no assessed rating" in text
    assert "NaN" not in text and "None" not in text


def test_without_assessed_ratings_the_page_says_so_and_never_0_percent(lena):
    project_of([], "empty")
    for name in ("exports", "report"):
        text = get_page(lena, name, "empty")
        assert "0.0 %" not in text and not re.search(r"\bNone\b(?! yet)|\bnan\b", text)
    assert "No ratings to report yet" in text and "data-section-links" not in text
    project_of([Row("q1", "heron", rater, CANNOT_ASSESS) for rater in ("ravi", "rosa")], "unclear")
    text = get_page(lena, "report", "unclear")
    assert text.count("not estimable: no assessed rating") >= 3
    assert re.search(r"100\.0 %(</?[^>]*>| |[\d.–])*<small>2 of 2</small>", text), "the answers are shown all the same"


def one_sided(*systems: str) -> list[Row]:
    """Create twelve prompts; the first system is right about every one of them, the others about none."""
    answers = {name: ACCURATE if name == systems[0] else SEVERE for name in systems}
    return [
        Row(f"q{n:02}", name, rater, answers[name]) for n in range(12) for name in systems for rater in ("ravi", "rosa")
    ]


def test_the_best_value_is_marked_where_it_is_significantly_better_than_every_other(lena):
    project_of(one_sided("heron", "plover", "tern"), "clear")
    text = get_page(lena, "report", "clear")
    row = re.findall(r"<tr><th scope=\"row\">heron</th>.*?</tr>", text)[0]
    assert row.count('class="best"') == 3, "the highest accurate share, the lowest inaccurate ones"
    assert text.count('class="best"') == 4, "and the line that says what it means"
    rows = one_sided("heron", "plover")
    twins = [Row(row.prompt, "heron twin", row.rater, row.answers) for row in rows if row.system == "heron"]
    project_of([*rows, *twins], "twins")
    assert 'class="best"' not in get_page(lena, "report", "twins"), "two share the first place"


def test_few_prompts_have_counts_and_no_interval_and_many_raters_are_folded_away(lena):
    project_of([Row(f"q{n}", "heron", "ravi", ACCURATE) for n in range(9)], "few")
    text = get_page(lena, "report", "few")
    assert "No interval where fewer than 10" not in text.split("Distribution of answers")[0], "it is said once"
    assert "Fewer than 10 prompts have been rated" in text and "<small>9 of 9</small>" in text
    assert "Differences between systems" not in text, "there is one system"
    project_of([Row(f"q{n:02}", "heron", f"rater{n}", ACCURATE) for n in range(21)], "many")
    assert "<summary>All 21 raters</summary>" in get_page(lena, "report", "many")


def test_pairs_have_shares_of_their_own_and_no_comparisons(lena):
    rows = [Row(f"q{n:02}", name, "ravi", ACCURATE) for n in range(12) for name in ("heron", "tern")]
    project = project_of(rows, "pairs")
    Project.objects.filter(pk=project.pk).update(protocol=which_is_better())
    project.ratings.all().delete()
    for n in range(12):
        first, second = project.dataset.responses.filter(prompt__key=f"q{n:02}").order_by("system__name")
        pair = Item.objects.create(response=first, against=second, unit="pair", position=0, text="A and B")
        answers = {"better": "first" if n % 3 else "second"}
        Rating.objects.create(
            project=project, item=pair, rater=person("ravi"), answers=answers, choices=answers, counted=True,
            rated_at=timezone.now(),
        )  # fmt: skip
    text = get_page(lena, "report", "pairs")
    assert '<th scope="col">Pair of systems</th>' in text and '<th scope="col">System</th>' not in text
    assert '<th scope="row">heron vs tern</th>' in text and "<small>8 of 12</small>" in text
    assert "Differences between systems" not in text and 'class="best"' not in text and "rank 1" not in text
    assert "reported from the side of the system named first" in text and "combines different pairs" not in text
    assert "Live report" in text and "Excluded:" not in text
    for name, status in (("options-light.svg", 200), ("differences-light.svg", 404)):
        assert lena.get(reverse("report_figure", args=["pairs", name])).status_code == status


def test_each_way_to_read_the_agreement_names_its_questions():
    rows = {"accuracy": (9, 0.9), "severity": (4, 0.2), "scale": (9, 0.85), "unshared": (0, 0.9)}
    figures = {key: Agreement(items, 2, 0.9, each, each, each, None) for key, (items, each) in rows.items()}
    (good, tells), (low, warns) = interpretations(figures, Names(None))
    assert (good, low) == ("Accuracy, Scale", "Severity")
    assert "usually called good" in tells and "too low for firm conclusions" in warns


def test_the_section_links_lead_to_every_heading(lena, frozen):
    _, key = make_link(frozen)
    for address in ("/projects/june/report/?live=1", f"/reports/{frozen.public_id}/", f"/r/{key}/"):
        html = lena.get(address).content.decode()
        links = re.findall(r'href="#([\w-]+)"', html.split("data-section-links")[1].split("</nav>")[0])
        headings = re.findall(r'<h2 id="([\w-]+)"', html.split('id="proportions"')[1].split("<dialog")[0])
        assert links == ["proportions", *headings]
        assert [name for name in links if name in ORDER] == [name for name in ORDER if name in links]
