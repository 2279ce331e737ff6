"""Gold is compared by the protocol's checked question everywhere: in the raters' table, the threshold of a report, and
what is called right in training and on hidden gold."""

from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Item, Project, Rating
from annotation.projects.create import create_project
from annotation.protocols import builtin
from annotation.reporting.choices import Choices
from annotation.reporting.data.filters import select
from annotation.reporting.data.reader import read_ratings
from annotation.reporting.data.study import raters_below_gold
from annotation.reporting.live import live_figures
from annotation.reporting.sections.raters.figures import rater_details, raters_of
from tests.cast import newest_version, person, study

pytestmark = pytest.mark.django_db

NO_FACTS = {"factual": "no"}
ACCURATE = {"factual": "yes", "accuracy": "accurate"}
SEVERE = {"factual": "yes", "accuracy": "inaccurate", "severity": "severe"}
MILD = SEVERE | {"severity": "not_severe"}


def store_answers(project: Project, name: str, *answers: dict[str, Any], role: str = "rater") -> None:
    items = Item.objects.filter(response__dataset=project.dataset, unit=project.protocol.definition.unit)
    for item, answer in zip(items.order_by("kind", "position"), answers, strict=True):
        Rating.objects.create(
            project=project, item=item, rater=person(name), role=role, answers=answer, choices=answer,
            rated_at=timezone.now(), counted=role == "rater",
        )  # fmt: skip


def test_the_checked_questions_of_the_builtin_protocols():
    assert {slug: [q.key for q in protocol.checked_questions] for slug, protocol in builtin().items()} == {
        "article-accuracy": ["accuracy"],
        "article-accuracy-weighted": ["accuracy"],
        "web-factuality": ["accuracy"],
        "claim-attribution": ["support"],
        "pairwise-preference": ["preference"],
        "fact-support": ["in_reference", "in_response"],
        "reference-support": ["precision"],
    }


def test_a_rater_is_right_about_gold_who_answers_the_checked_question_as_it_does():
    """Gold is accurate, inaccurate, no facts. Ravi gets only the accuracy wrong; Rosa is right."""
    web = study(sentences=3).project
    Project.objects.update(protocol=newest_version("web-factuality"))
    web.refresh_from_db()
    store_answers(web, "ines", ACCURATE, SEVERE, NO_FACTS, role="gold")
    store_answers(web, "ravi", SEVERE, ACCURATE, NO_FACTS)
    store_answers(web, "rosa", ACCURATE, MILD, NO_FACTS)
    gold = {row.rater: (row.gold.k, row.gold.n) for row in live_figures(web, raters_of)}
    assert gold == {"ravi": (1, 3), "rosa": (3, 3)}
    assert raters_below_gold(web, 0.5) == ["ravi"]
    assert raters_below_gold(web, 0.3) == []
    selection = select(read_ratings(web), Choices(least_gold=0.5), web.protocol.definition)
    assert (len(selection.by_raters.item), selection.left_out["below_gold"]) == (3, 3)
    figures = live_figures(web, rater_details, "ravi")
    assert figures and figures.gold
    accurate, inaccurate, not_asked = (figures.checked_options.index(key) for key in ("accurate", "inaccurate", ""))
    assert figures.gold[accurate][inaccurate] == figures.gold[inaccurate][accurate] == 1
    assert figures.gold[not_asked][not_asked] == 1


def test_facts_of_both_kinds_are_compared_each_by_its_own_question():
    june = study(sentences=2)
    for position, kind in enumerate(("fact", "reference_fact")):
        Item.objects.create(response=june.responses[0], unit="fact", position=position, kind=kind, text=kind)
    facts = create_project("facts", june.project.dataset, newest_version("fact-support"))
    in_reference, in_response = ({question: "supported"} for question in ("in_reference", "in_response"))
    store_answers(facts, "ines", in_reference, in_response, role="gold")
    store_answers(facts, "ravi", in_reference, {"in_response": "not_supported"})
    (row,) = live_figures(facts, raters_of)
    assert (row.gold.k, row.gold.n) == (1, 2)
    assert raters_below_gold(facts, 0.6) == ["ravi"]
