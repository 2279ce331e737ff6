"""The sample of a project: drawing it, and keeping a row for every item that can be rated.

The first draw is among the items that are there when the project is created. Items that come later (new responses, new
facts) are drawn with the same fraction. An item that replaces a retired one takes its place in the sample.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from django.db import connection
from django.db.models import Avg, F, Min
from django.utils.translation import gettext as _

from ..i18n.numbers import localized
from ..i18n.unit_names import counted
from ..models import Item, Project, SampledItem, Verdict
from ..models.rated_items import is_rateable_sql
from ..stats.sampling import Floats, Frame, draw_items, draw_responses, unequal_probabilities
from .errors import SampleError
from .slots import ANALYZE_ABOVE


class _NewItem(NamedTuple):
    """An item without a row, with the names from which its random numbers are computed."""

    pk: int
    prompt: str
    response: str
    name: str


_SHEETS = """
    FROM annotation_sheet sheet
    JOIN annotation_item item ON item.response_id = sheet.response_id
        AND item.against_id IS NOT DISTINCT FROM sheet.against_id
"""
_WITHOUT_ROW = f"""
    WHERE sheet.project_id = %(project)s AND item.unit = %(unit)s AND {is_rateable_sql("item", "%(skips)s")}
        AND NOT EXISTS (
            SELECT FROM annotation_sampleditem s WHERE s.item_id = item.id AND s.project_id = sheet.project_id
        )
"""
# In the order of imported names, so that sums of probabilities are the same on every machine.
_NEW_ITEMS = f"""
    SELECT item.id, prompt.key, concat_ws(':', response.key, against.key),
        concat_ws(':', response.key, against.key, item.unit, item.position)
    {_SHEETS}
    JOIN annotation_response response ON response.id = sheet.response_id
    JOIN annotation_prompt prompt ON prompt.id = response.prompt_id
    LEFT JOIN annotation_response against ON against.id = sheet.against_id
    {_WITHOUT_ROW}
    ORDER BY prompt.key COLLATE "C", response.key COLLATE "C", against.key COLLATE "C", item.position
"""
_INSERT = """
    INSERT INTO annotation_sampleditem (project_id, item_id, probability, is_drawn)
    SELECT %s, item, probability, is_drawn FROM unnest(%s::bigint[], %s::float8[], %s::boolean[])
        AS new (item, probability, is_drawn)
"""
_JOIN_RESPONSES = f"""
    INSERT INTO annotation_sampleditem (project_id, item_id, probability, is_drawn)
    SELECT %(project)s, item.id, earlier.probability, earlier.is_drawn
    {_SHEETS}
    CROSS JOIN LATERAL (
        SELECT s.probability, s.is_drawn
        FROM annotation_item other JOIN annotation_sampleditem s ON s.item_id = other.id
        WHERE other.response_id = item.response_id AND other.against_id IS NOT DISTINCT FROM item.against_id
            AND other.unit = item.unit AND s.project_id = %(project)s
        LIMIT 1
    ) earlier
    {_WITHOUT_ROW}
"""  # noqa: S608 - only constants
_REPLACE = """
    INSERT INTO annotation_sampleditem (project_id, item_id, probability, is_drawn)
    SELECT project_id, %(new)s, probability, is_drawn FROM annotation_sampleditem WHERE item_id = %(old)s
    ON CONFLICT DO NOTHING
"""


def draw_sample(project: Project) -> int:
    """Draw among the project's items that can be rated and have no row yet. Return how many are drawn.

    Without a sample nothing happens. The caller has locked the project. Raises SampleError if the first draw is among
    fewer items than the sample has, or if the judge has no confidence in any of them.
    """
    if not project.sampling_design:
        return 0
    is_first = not SampledItem.objects.filter(project=project).exists()
    items = _new_items(project, is_first=is_first)
    if is_first:
        _check_size(project, len(items))
    elif not items:
        return 0
    names = ([item.prompt for item in items], [item.response for item in items], [item.name for item in items])
    frame = Frame.of_names(project.seed, *names)
    probability = _first_probabilities(project, items, frame) if is_first else _later_probabilities(project, len(items))
    if project.sampling_design == Project.SamplingDesign.RESPONSES:
        drawn = draw_responses(project.seed, frame, float(probability[0]))
    else:
        drawn = draw_items(project.seed, frame, probability)
    keys = [item.pk for item in items]
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, [project.pk, keys, probability.tolist(), drawn.tolist()])
        if len(items) > ANALYZE_ABOVE:
            cursor.execute("ANALYZE annotation_sampleditem")
    return int(drawn.sum())


def replace_in_samples(old: Sequence[Item], new: Sequence[Item]) -> None:
    """Give items that replace retired `old` ones (sentences, in order) their rows in the samples of all projects.

    A new item takes the row of the first retired one that shares characters with it: so a part of a split sentence is
    drawn if the sentence was, and a merged one if its first part was, with exactly that probability in every design.
    """
    with connection.cursor() as cursor:
        for item in new:
            if overlapped := [each for each in old if _share_characters(each, item)]:
                first = min(overlapped, key=lambda each: each.start or 0)
                cursor.execute(_REPLACE, {"new": item.pk, "old": first.pk})


def _share_characters(first: Item, second: Item) -> bool:
    is_overlap = (first.start or 0) < (second.end or 0) and (second.start or 0) < (first.end or 0)
    return is_overlap and first.response_id == second.response_id


def _new_items(project: Project, *, is_first: bool) -> list[_NewItem]:
    """Return the items without a row. Where whole responses are drawn, new items of a response get its row before."""
    values: dict[str, int | str | bool] = {
        "project": project.pk,
        "unit": project.protocol.definition.unit,
        "skips": project.skips_claim_free,
    }
    with connection.cursor() as cursor:
        if project.sampling_design == Project.SamplingDesign.RESPONSES and not is_first:
            cursor.execute(_JOIN_RESPONSES, values)
        cursor.execute(_NEW_ITEMS, values)
        return [_NewItem(*row) for row in cursor.fetchall()]


def _check_size(project: Project, items: int) -> None:
    assert project.sample_size is not None
    if project.sample_size > items:
        message = _("a sample of %(size)s cannot be drawn: the data set has %(items)s that raters can be asked about")
        unit = project.protocol.definition.unit
        raise SampleError(message % {"size": localized(f"{project.sample_size:,}"), "items": counted(items, unit)})


def _first_probabilities(project: Project, items: Sequence[_NewItem], frame: Frame) -> Floats:
    size = project.sample_size or 0
    if project.sampling_design == Project.SamplingDesign.UNCERTAIN:
        return unequal_probabilities(size, _uncertainty(project, items))
    if project.sampling_design == Project.SamplingDesign.RESPONSES:
        responses = len(np.unique(frame.response))
        return np.full(len(items), max(1, round(size * responses / len(items))) / responses)
    return np.full(len(items), size / len(items))


def _later_probabilities(project: Project, items: int) -> Floats:
    """Return the fraction of the earlier draws: their constant probability, or the mean of those by a judge."""
    rows = SampledItem.objects.filter(project=project)
    fraction = Avg if project.sampling_design == Project.SamplingDesign.UNCERTAIN else Min
    return np.full(items, rows.aggregate(value=fraction("probability"))["value"])


def _uncertainty(project: Project, items: Sequence[_NewItem]) -> list[float]:
    """Return 1 − the judge's confidence for each item, 1 where it has none.

    Its newest verdicts in projects with the same data set and protocol are used. Raises SampleError if none has one.
    """
    judge = project.sampling_judge
    assert judge is not None
    verdicts = Verdict.objects.filter(
        judge=judge, project__dataset=project.dataset_id, project__protocol=project.protocol_id
    )
    uncertainty = dict(verdicts.order_by("pk").values_list("item", 1 - F("confidence")))
    if all(uncertainty.get(item.pk) is None for item in items):
        raise SampleError(
            _(
                "judge %(judge)s has no verdict with a confidence on this data set under this protocol: let it rate "
                "in a project without a sample first, with several samples or log-probabilities, or choose another "
                "design"
            )
            % {"judge": judge.label}
        )
    return [1.0 if (value := uncertainty.get(item.pk)) is None else value for item in items]
