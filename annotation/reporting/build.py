"""The report: one dictionary in the contract's shape, ready for JSON.

It holds no time, no project and no database id, and everything in it is in a fixed order, so the same data, protocol
and choices give the same bytes wherever they are.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from django.utils.translation import gettext_noop

from .. import __version__
from ..jobs import Progress
from ..models import Project
from ..rating.question_language import count_question_languages
from .choices import DEFAULT, Choices
from .compute import breakdowns
from .compute.aggregations import aggregations
from .compute.agreement import Bootstrap, agreement
from .compute.cells import LEVEL, Cells, Groups, all_together, cells_of
from .compute.comparisons import comparisons
from .compute.disagreements import disagreements
from .compute.means import add_means, correlation_rows, response_rows
from .compute.ranks import ranks
from .compute.rater_pairs import rater_pairs
from .compute.raters import raters_of
from .data.available_choices import shared_documents
from .data.report_input import ReportInput, read_counts, read_report_input
from .data.snapshot import one_snapshot
from .data.table import Counts, RatingTable

SCHEMA = "factuary-report/1"
STEPS = 6  # of freezing: five here, then the figures


def build(
    project: Project,
    choices: Choices = DEFAULT,
    *,
    agreement_intervals: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The report of this moment under these choices.

    Without `agreement_intervals`, what takes seconds is None: the intervals of agreement, each two raters, and Dawid
    and Skene's estimates. Raises
    ValueError for choices that `Choices.problems` finds fault with.
    """
    if problems := choices.problems():
        raise ValueError("; ".join(f"{field}: {lines[0]}" for field, lines in problems.items()))
    say = progress or Progress()
    say(0, STEPS, gettext_noop("Reading the ratings"))
    with one_snapshot():
        found = read_report_input(project, choices)
        cells = cells_of(project.protocol.definition, found.table, choices)
        say(1, STEPS, gettext_noop("Raters"))
        raters = raters_of(found, cells)
        disputed = disagreements(found.by_raters, cells)
        digest = found.sha256
        translated = _translated(project)
    say(2, STEPS, gettext_noop("Intervals of the proportions"))
    proportions = _proportions(found.table, cells)
    say(3, STEPS, gettext_noop("Comparing the systems"))
    compared = _compared(found.table, cells, choices)
    say(4, STEPS, gettext_noop("Agreement between raters"))
    bootstrap = Bootstrap(choices.resamples, choices.seed) if agreement_intervals else None
    agreed = _agreement(found, cells, bootstrap)
    data = _data(found.table, proportions, found.left_out)
    return {
        **_made(project),
        "data": {
            "sha256": digest,
            **data,
            "items": len(found.table.items),
            "raters": len(found.by_raters.raters),
            **translated,
        },
        **_chosen(choices),
        **proportions,
        **_of_responses(found.table, cells, slow=agreement_intervals),
        **compared,
        "aggregations": aggregations(found.table.with_turned_answers(), cells, slow=agreement_intervals),
        "agreement": agreed,
        "disagreements": disputed,
        "raters": raters,
    }


def build_from_tally(project: Project, choices: Choices = DEFAULT, *, most_draws: int | None = None) -> dict[str, Any]:
    """What the tally alone says of this moment, in the shape of a report: it takes as long with 30 ratings a sentence
    as with 3.

    Proportions by system and metadata, comparisons and ranks are the report's own. Where clusters × resamples are more
    than `most_draws`, intervals are closed forms, and there are no comparisons and ranks: `resamples` is 0. What has to
    look at single ratings is empty: agreement, disagreements, raters, aggregations, the data's sha256. Filters that the
    tally cannot answer are not applied.
    """
    chosen = choices.from_the_tally()
    with one_snapshot():
        ratings, missing = read_counts(project, chosen)
    if most_draws is not None and ratings.responses.clusters * chosen.resamples > most_draws:
        chosen = replace(chosen, resamples=0)
    cells = cells_of(project.protocol.definition, ratings, chosen)
    proportions = _proportions(ratings, cells)
    return {
        **_made(project),
        "data": {"sha256": "", **_data(ratings, proportions, missing), "items": None, "raters": None},
        **_chosen(chosen),
        **proportions,
        **_of_responses(ratings, cells, slow=False),
        **_compared(ratings, cells, chosen),
        "aggregations": [],
        "agreement": {},
        "disagreements": [],
        "raters": [],
    }


def _made(project: Project) -> dict[str, Any]:
    """What the report is made with: the beginning of every report."""
    pinned = project.protocol
    return {
        "schema": SCHEMA,
        "protocol": {"slug": pinned.slug, "version": pinned.version, "sha256": pinned.sha256},
        "software": {"factuary": __version__, "numpy": np.__version__},
    }


def _chosen(choices: Choices) -> dict[str, Any]:
    return {
        "method": {"level": LEVEL, "cluster": choices.cluster, "resamples": choices.resamples, "seed": choices.seed},
        "filters": choices.filters(),
    }


def _data(ratings: RatingTable, proportions: dict[str, Any], missing: dict[str, int]) -> dict[str, Any]:
    return {
        "ratings": int(ratings.counts.n.sum()),
        "assessed": proportions["overall"]["assessed"],
        "left_out": missing,
        "prompts": len(ratings.responses.prompts),
        "responses": len(ratings.responses),
        **shared_documents(ratings),
    }


def _translated(project: Project) -> dict[str, Any]:
    """That raters were shown the protocol in other words than its own, whatever is chosen; nothing where none were."""
    found = count_question_languages(project)
    return {"shown_in_translation": found} if found else {}


def _proportions(ratings: RatingTable, cells: Cells) -> dict[str, Any]:
    """`overall`, `systems` and `by`, all computed together; by rater and week only of single ratings."""
    cells.keep(ratings.counts, breakdowns.by_system(ratings))
    names: list[str] = []
    groups: list[tuple[Counts, Groups]] = [
        (ratings.counts, all_together(ratings.counts)),
        (ratings.counts, breakdowns.by_system(ratings)),
    ]
    for name, of, divided in _breakdowns(ratings):
        names.append(name)
        groups.append((of, divided))
    found = cells.of_all(groups)
    add_means(cells, groups, found)
    overall, systems, *by = found
    return {
        "overall": overall[0],
        "systems": systems,
        "by": dict(zip(names, by, strict=True)),
        "multi_valued": breakdowns.multi_valued(ratings),
        "without_value": breakdowns.without_value(ratings),
    }


def _breakdowns(ratings: RatingTable) -> Iterator[tuple[str, Counts, Groups]]:
    """Every metadata key, the raters, the weeks if there are several, then every metadata key within systems."""
    entries, keys = ratings.counts, breakdowns.metadata_keys(ratings)
    for name, key in keys.items():
        yield name, entries, breakdowns.by_metadata(ratings, key)
    if ratings.has_single_ratings:
        rated = ratings.counts_by_rater
        yield breakdowns.RATER, rated, breakdowns.by_rater(ratings)
        if len(ratings.weeks) > 1:
            yield breakdowns.WEEK, rated, breakdowns.by_week(ratings)
    for name, key in keys.items():
        yield f"{breakdowns.WITHIN_SYSTEM}{name}", entries, breakdowns.by_system_and_metadata(ratings, key)


def _of_responses(ratings: RatingTable, cells: Cells, *, slow: bool) -> dict[str, Any]:
    """What is said of responses, each with a value of its own; nothing where the protocol has no means."""
    if not cells.protocol.means:
        return {}
    return {
        "correlations": correlation_rows(ratings, cells, slow=slow),
        "responses": response_rows(ratings, cells),
    }


def _compared(ratings: RatingTable, cells: Cells, choices: Choices) -> dict[str, Any]:
    """Systems against each other; nothing of it without resamples."""
    if not choices.resamples:
        return {"comparisons": [], "ranks": []}
    return {"comparisons": comparisons(ratings, cells, choices), "ranks": ranks(ratings, cells)}


def _agreement(found: ReportInput, cells: Cells, bootstrap: Bootstrap | None) -> dict[str, Any]:
    """Agreement between raters is about what they said themselves, adjudicated or not. Each two raters take as long as
    there are pairs of ratings of one item, so they come with the intervals."""
    pairs = rater_pairs(found.by_raters, cells) if bootstrap else {}
    return {
        key: {**of, "rater_pairs": pairs.get(key)} for key, of in agreement(found.by_raters, cells, bootstrap).items()
    }


def as_bytes(report: dict[str, Any]) -> bytes:
    """The report as a file: UTF-8, in its own order, numbers in the shortest form that reads back the same."""
    return (json.dumps(report, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()
