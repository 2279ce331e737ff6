"""What the report's page shows, and what it says where there is nothing to show."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.exporting.report_formats import render, table_files
from annotation.models import Item, Project, Rating
from annotation.reporting import build
from annotation.reporting.sections.agreement.figures import Agreement
from annotation.reporting.shared_links import make_link
from annotation.reporting.text.names import Names
from annotation.stats.intervals import wilson
from annotation.web.reports.sections import interpretations
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, newest_version, person, which_is_better
from tests.exporting.bundles import FEW
from tests.exporting.bundles import frozen as frozen_report
from tests.reporting.project_rows import Row, project_of, scored_project
from tests.web.reports.pages import get_page, section

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
SEVERITY = "do you think the issue is severe?"
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


def two_systems(*, shared: bool) -> list[Row]:
    """Return twelve prompts for each of two systems, the same ones or others."""
    return [
        Row(f"q{n}" if shared else f"{system}{n}", system, "ravi", ACCURATE if n % 2 else SEVERE)
        for system in ("heron", "tern")
        for n in range(12)
    ]


def test_page_and_files_say_why_nothing_is_compared(lena):
    project = project_of(two_systems(shared=False), "apart")
    text = get_page(lena, "report", "apart")
    part = section(text, "differences")
    assert "No two systems have assessed ratings for the same prompt" in part and "<table" not in part
    assert "Systems were not compared in pairs" in text
    markdown = render(build(project, FEW), "markdown")
    assert "Systems were not compared in pairs" in markdown and "Differences between systems" not in markdown


def test_systems_with_prompts_in_common_are_compared_and_a_pair_without_is_named_so(lena):
    project_of(two_systems(shared=True), "together")
    text = get_page(lena, "report", "together")
    assert "No two systems have assessed" not in text and "no significant difference" in section(text, "differences")
    project_of([*two_systems(shared=True), *(Row(f"other{n}", "wren", "ravi", ACCURATE) for n in range(12))], "mixed")
    part = section(get_page(lena, "report", "mixed"), "differences")
    assert "no prompts in common" in part and "no significant difference" in part


def test_many_pairs_have_a_figure_for_each_measure_and_every_pair_in_the_table(lena):
    systems = [f"system {letter}" for letter in "abcdefg"]
    rows = [
        Row(f"q{n:02}", system, "ravi", SEVERE if n % 7 == number else ACCURATE)
        for n in range(12)
        for number, system in enumerate(systems)
    ]
    stored = frozen_report(project_of(rows, "many"), figures=True)
    live, frozen = get_page(lena, "report", "many"), get_page(lena, "frozen_report", stored.public_id)
    for page in (section(text, "differences") for text in (live, frozen)):
        figures = re.findall(r'data-figure="([\w-]+)"', page)
        assert figures == ["differences-accurate", "differences-inaccurate", "differences-severely_inaccurate"]
        assert len(re.findall(" is better<|no significant difference<", page)) == 3 * 21
    assert section(frozen, "differences").count(">p = ") == 3 * 21
    for name in ("differences-accurate-light.png", "differences-accurate-narrow-light.svg"):
        assert lena.get(reverse("report_file", args=[stored.public_id, name])).status_code == 200
        assert lena.get(reverse("report_figure", args=["many", name])).status_code == 200


def test_a_page_that_does_not_show_all_pairs_says_how_many(lena, monkeypatch):
    monkeypatch.setattr("annotation.reporting.tables.table.MAX_ROWS", 1)
    third = [Row(f"q{n}", "wren", "ravi", SEVERE) for n in range(12)]
    project = scored_project(two_systems(shared=True) + third, "many")
    text = get_page(lena, "report", project.slug)
    measures, scores = section(text, "differences"), section(text, "scores")
    assert "1 of 9 rows are shown; “Copy as” and the files" in " ".join(measures.split())
    assert "1 of 3 rows are shown; “Copy as” and the files" in " ".join(scores.split())


def test_the_crossed_models_are_on_the_page_of_a_frozen_report_only(lena, frozen):
    text = get_page(lena, "frozen_report", frozen.public_id)
    assert "Crossed random-effects model: odds ratios" in text and "or for raters in general?" in text
    assert "Alder / Birch" in text and "The models are fitted to the raters’ own answers" in text
    assert "Crossed random-effects model" not in get_page(lena, "report", "june", query="?live=1")


def table(text: str, caption: str, nth: int = 0) -> str:
    """Return the text of the nth table whose caption has these words, with spaces between cells."""
    parts = (part.partition("</caption>") for part in text.split("<table")[1:])
    rows = [head + end + body for head, end, body in parts if end and caption in head]
    return re.sub(r"(<[^>]*>|\s)+", " ", rows[nth].split("</table>")[0])


def share_of(count: int, all_of: int) -> str:
    return f"{100 * count / all_of:.1f} %"


def test_page_and_files_have_a_table_of_every_question(lena, june, frozen):
    report = build(june, FEW)
    counts = next(cell for cell in report.systems if cell.system == "Birch").questions["severity"]
    severe, answers = counts["severe"], sum(counts.values())
    assert answers > 20
    shares = [f"{share_of(counts[key], answers)} {counts[key]} of {answers}" for key in ("severe", "not_severe")]
    row = f"Birch {' '.join(shares)} {answers} "
    live = get_page(lena, "report", "june", query="?live=1")
    for text in (live, get_page(lena, "frozen_report", frozen.public_id)):
        assert row in table(text, SEVERITY)
        assert "All systems" in table(text, SEVERITY)
    kappa = report.agreement["accuracy"].fleiss_kappa
    assert f"<b>{kappa:.3f}</b>".replace("0.", ".") in live, "with the three digits that studies publish"
    text = render(report, "markdown").split("## Distribution of answers: ")[1].split("\n## ")[0]
    assert f"| Birch | {share_of(severe, answers)} ({severe}/{answers})" in text
    names = {name.split("-", 1)[1] for name, _ in table_files(report)}
    assert {"answers-to-severity.md", "answers-to-severity.tex"} <= names


def test_shares_are_of_those_who_were_asked_by_system_and_in_a_breakdown(lena, june):
    """Published labels may leave the first question out (null) and answer others: it was asked all the same."""
    some = june.ratings.filter(rater__username="rosa", choices__accuracy="accurate")[:5]
    june.ratings.filter(pk__in=[rating.pk for rating in some]).update(choices={"severity": "severe"})
    report = build(june, FEW).to_dict()
    rosa, overall = next(cell for cell in report["by"]["rater"] if cell["value"] == "rosa"), report["overall"]
    assert sum(rosa["options"].values()) == rosa["ratings"] - 5
    text = get_page(lena, "report", "june", query="?by=rater")
    accurate, severity = rosa["options"]["accurate"], rosa["questions"]["severity"]
    by_rater, severe, asked = "Distribution of answers by rater", severity["severe"], sum(severity.values())
    assert f" rosa {share_of(accurate, rosa['ratings'])} {accurate} of {rosa['ratings']} " in table(text, by_rater)
    assert f" rosa {share_of(severe, asked)} {severe} of {asked} " in table(text, by_rater, nth=1)
    in_all = share_of(overall["options"]["accurate"], overall["ratings"])
    assert f"All systems {in_all} " in table(text, "Distribution of answers")


def test_a_question_that_nobody_answered_has_no_table(lena, june):
    june.ratings.filter(answers__has_key="severity").delete()
    text = get_page(lena, "report", "june")
    assert "Other question" not in text
    assert SEVERITY not in " ".join(part.split("</caption>")[0] for part in text.split("<caption")[1:])


def test_what_raters_disagreed_on_most_stands_with_its_prompt_and_no_imported_ids(lena, june):
    worst = build(june, FEW).to_dict()["disagreements"][0]
    prompt = june.dataset.prompts.get(key=worst["prompt"])
    prompt.text = "Where do the swifts sleep?"
    prompt.save()
    html = section(get_page(lena, "report", "june"), "disputed")
    assert f"{worst['system']} · Where do the swifts sleep?" in html
    assert f"{worst['response']}, sentence" not in html


def test_of_two_options_the_other_one_has_no_column_beside_the_measures(lena):
    """With factual information: the rest are those without, and a column of their own headed No would say no more."""
    project = project_of([Row(f"q{n:02}", "heron", "ravi", ACCURATE) for n in range(12)], "web")
    Project.objects.filter(pk=project.pk).update(protocol=newest_version("web-factuality"))
    for n, rating in enumerate(Rating.objects.filter(project=project)):
        answers = {"factual": "yes", "accuracy": "accurate"} if n % 3 else {"factual": "no"}
        Rating.objects.filter(pk=rating.pk).update(answers=answers, choices=answers)
    text = get_page(lena, "report", "web")
    measures = section(text, "proportions").split("</table>")[0]
    assert "With factual information" in measures and 'class="secondary"' not in measures
    assert " heron 100.0 % 8 of 8 " in table(text, "How accurate is the factual information?")
