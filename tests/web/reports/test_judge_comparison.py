"""The page that compares a judge with people."""

import pytest
from django.core.cache import cache
from django.urls import reverse

from annotation.exporting.judge_card import judge_card
from annotation.judging.judges import find_judge, repeat_judge
from annotation.models import AuditEvent, Item, Project, Rating, SampledItem
from annotation.reporting.sections.judge.comparison import compare_judge
from tests.cast import ACCURATE, SEVERE
from tests.reporting.project_rows import Row, judge_items, project_of
from tests.web.reports.pages import get_page

pytestmark = pytest.mark.django_db
ITEMS = {(f"q{n:02}.heron", 0): ACCURATE if n % 2 else SEVERE for n in range(12)}


@pytest.fixture(scope="module")
def june(module_rows):
    rows = [Row(f"q{n:02}", "heron", who, ACCURATE if n % 3 else SEVERE) for n in range(12) for who in ("ravi", "rosa")]
    project = project_of(rows)
    judge_items(project, ITEMS, confidence=dict.fromkeys(ITEMS, 0.75))
    return project


def page(client, version: int = 1) -> str:
    return get_page(client, "judge_comparison", "june", "j", version)


def test_it_shows_the_figures_with_the_human_ceiling_and_links_the_items(lena, june):
    text = page(lena)
    assert "Judge j@1 against people" in text and "12 sentences compared, of 12 verdicts." in text
    assert "Judge, against the majority of people" in text and "<b>50.0 %</b>" in text
    assert '<h2 id="judge-use">Use of this judge</h2>' in text
    assert "<li>The data are too few to say what this judge is good for" in text
    assert "People, against the majority of the other raters" in text and "<b>100.0 %</b>" in text
    assert "33.3 %" in text, "precision of Inaccurate"
    assert "<b>−16.7</b> <i>" in text, "the judge's rate of Accurate less people's"
    assert "Calibration: expected calibration error .250" in text
    assert text.count('data-figure="reliability"') == 1 and text.count('id="reliability-light-title"') == 1
    assert ">confidence 75.0 %: accuracy 50.0 %, n 12 [" in text, "the figure in words"
    assert "<b>50.0 %</b> <i>16.9 – 83.1</i>" in text, "and as a table"
    item = Item.objects.get(response__key="q02.heron")
    assert reverse("review_item", args=["june", item.public_id]) in text
    assert "Bias: the judge’s rate less people’s, in percentage points" in text
    assert "NaN" not in text and "None" not in text
    assert "The judge’s reason: as judged" in text
    assert "Judge: Inaccurate (confidence 75.0 %)" in " ".join(text.split())
    assert 'People: Accurate <span class="num">× 2</span>' in text
    address = reverse("judge_comparison", args=["june", "j", 1])
    assert f'<a href="{address}">' in get_page(lena, "project_judges", "june")


def test_it_says_that_figures_are_weighted_where_the_sample_has_unequal_probabilities(lena, june):
    SampledItem.objects.bulk_create(
        SampledItem(project=june, item=item, probability=1 / (1 + n % 2), is_drawn=True)
        for n, item in enumerate(Item.objects.order_by("response__key"))
    )
    weighted = "All figures are weighted by the inverse"
    Project.objects.update(sampling_design="uniform", sample_size=12)
    assert weighted not in page(lena)
    Project.objects.update(sampling_design="uncertain", sampling_judge=find_judge("j"))
    cache.clear()
    text = page(lena)
    assert weighted in text and "Weights are 1 to 2: 12 sentences are worth 11 of equal weight." in text
    assert ">4 (44.4 %)</td>" in text


def test_it_counts_what_is_excluded_and_without_ratings_in_the_project_there_is_no_page(lena, june):
    assert "Excluded:" not in page(lena)
    Rating.objects.filter(rater__username="rosa", role="rater").update(verdict_shown=True)
    assert "Excluded: 12 ratings given or changed after a verdict was shown." in page(lena)
    project_of([], "july")
    for slug, name, version in (("july", "j", 1), ("june", "j", 2), ("june", "nobody", 1)):
        assert lena.get(reverse("judge_comparison", args=[slug, name, version])).status_code == 404


def test_it_shows_the_drift_of_a_repetition_and_the_consistency_of_samples(lena, june):
    votes = {key: [ACCURATE, ACCURATE, SEVERE] for key in ITEMS}
    judge_items(june, dict.fromkeys(ITEMS, ACCURATE), judge=repeat_judge("j"), votes=votes)
    text = page(lena, 2)
    assert "Drift between versions on the same items" in text and "j@<wbr>1 (same configuration)" in text
    answers = (("Its answer", "Inaccurate"), ("Answer of this version", "Accurate"))
    cells = "".join(f'<th scope="row" data-label="{head}">{answer}</th>' for head, answer in answers)
    assert f'{cells}<td class="right" data-label="Items">6</td>' in text
    assert "Consistency over samples" in text and "<b>66.7 %</b>" in text
    first = page(lena)
    assert "j@<wbr>2 (same configuration)" in first and "Consistency over samples" not in first


def test_the_card_and_all_figures_are_files_and_the_page_leads_back(lena, june):
    root, judge = "/projects/june/judges/j/1", find_judge("j")
    text = page(lena)
    assert f'<a href="{root}/">j@<wbr>1</a>' in text and f'href="{root}/card.md"' in text
    comparison = compare_judge(june, judge)
    assert lena.get(f"{root}/card.md").content.decode() == judge_card(comparison, june.protocol.definition)
    assert lena.get(f"{root}/card.json").content == comparison.to_json()
    assert lena.get(f"{root}/card.pdf").status_code == 404
    assert lena.get("/projects/june/judges/none/1/card.md").status_code == 404
    assert AuditEvent.objects.filter(target="judge:j@1", after__name="judge-j@1.md").exists()
