"""The sample of a project: drawing it, and keeping a row for every item that can be rated.

The first draw is among the items that are there when the project is created. Items that come later (new responses, new
facts) are drawn with the same fraction. An item that replaces a retired one takes its place in the sample.
"""

from collections.abc import Sequence

import numpy as np
from django.db import connection
from django.db.models import Avg, F, Min

from ..i18n.english import localized
from ..i18n.unit_names import counted
from ..models import Item, Project, SampledItem, Verdict
from ..models.rated_items import is_rateable_sql
from ..site.database_transactions import analyze_after
from ..stats.sampling import Floats, Frame, draw_items, draw_responses, unequal_probabilities
from .errors import SampleError

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
# In the order of imported names, so that sums of probabilities are the same on every machine. A row a sheet and not a
# row an item, and names are joined to sheets and not to items: 300,000 rows with names take several times as long.
_NEW_ITEMS = f"""
    SELECT prompt.key, concat_ws(':', response.key, against.key), new.items, new.positions
    FROM (
        SELECT sheet.response_id, sheet.against_id, array_agg(item.id ORDER BY item.position) AS items,
            array_agg(item.position ORDER BY item.position) AS positions
        {_SHEETS} {_WITHOUT_ROW}
        GROUP BY sheet.id
    ) new
    JOIN annotation_response response ON response.id = new.response_id
    JOIN annotation_prompt prompt ON prompt.id = response.prompt_id
    LEFT JOIN annotation_response against ON against.id = new.against_id
    ORDER BY prompt.key COLLATE "C", response.key COLLATE "C", against.key COLLATE "C"
"""  # noqa: S608 - only constants
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
    unit = project.protocol.definition.unit
    values: dict[str, int | str] = {"project": project.pk, "unit": unit, "skips": project.skips_claim_free}
    items: list[int] = []
    prompts: list[str] = []
    responses: list[str] = []
    names: list[str] = []  # of the items: random numbers are computed from the names
    with connection.cursor() as cursor:
        if project.sampling_design == Project.SamplingDesign.RESPONSES and not is_first:
            cursor.execute(_JOIN_RESPONSES, values)
        cursor.execute(_NEW_ITEMS, values)
        for prompt, response, keys, positions in cursor.fetchall():
            items += keys
            prompts += [prompt] * len(keys)
            responses += [response] * len(keys)
            names += [f"{response}:{unit}:{position}" for position in positions]
    if is_first and (project.sample_size or 0) > len(items):
        raise SampleError(
            f"a sample of {localized(f'{project.sample_size:,}')} cannot be drawn: the data set has "
            f"{counted(len(items), unit)} that raters can be asked about"
        )
    if not is_first and not items:
        return 0
    frame = Frame.of_names(project.seed, prompts, responses, names)
    if is_first:
        probability = _first_probabilities(project, items, frame)
    else:
        # The fraction of the earlier draws: their constant probability, or the mean of those by a judge.
        fraction = Avg if project.sampling_design == Project.SamplingDesign.UNCERTAIN else Min
        earlier = SampledItem.objects.filter(project=project).aggregate(value=fraction("probability"))
        probability = np.full(len(items), earlier["value"])
    if project.sampling_design == Project.SamplingDesign.RESPONSES:
        drawn = draw_responses(project.seed, frame, float(probability[0]))
    else:
        drawn = draw_items(project.seed, frame, probability)
    columns = (map(str, items), map(repr, probability.tolist()), np.where(drawn, "t", "f").tolist())
    arrays = [f"{{{','.join(column)}}}" for column in columns]  # psycopg takes ten times as long to write a list
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, [project.pk, *arrays])
    analyze_after(len(items), SampledItem)
    return int(drawn.sum())


def replace_in_samples(old: Sequence[Item], new: Sequence[Item]) -> None:
    """Give items that replace retired `old` ones (sentences, in order) their rows in the samples of all projects.

    A new item takes the row of the first retired one that shares characters with it: so a part of a split sentence is
    drawn if the sentence was, and a merged one if its first part was, with exactly that probability in every design.
    """
    with connection.cursor() as cursor:
        for item in new:
            overlapped = [
                each
                for each in old
                if each.response_id == item.response_id
                and (each.start or 0) < (item.end or 0)
                and (item.start or 0) < (each.end or 0)
            ]
            if overlapped:
                first = min(overlapped, key=lambda each: each.start or 0)
                cursor.execute(_REPLACE, {"new": item.pk, "old": first.pk})


def _first_probabilities(project: Project, items: Sequence[int], frame: Frame) -> Floats:
    size = project.sample_size or 0
    if project.sampling_design == Project.SamplingDesign.UNCERTAIN:
        return unequal_probabilities(size, _uncertainty(project, items))
    if project.sampling_design == Project.SamplingDesign.RESPONSES:
        responses = len(np.unique(frame.response))
        return np.full(len(items), max(1, round(size * responses / len(items))) / responses)
    return np.full(len(items), size / len(items))


def _uncertainty(project: Project, items: Sequence[int]) -> list[float]:
    """Return 1 − the judge's confidence for each item (primary keys), 1 where it has none.

    Its newest verdicts in projects with the same data set and protocol are used. Raises SampleError if none has one.
    """
    judge = project.sampling_judge
    assert judge is not None
    verdicts = Verdict.objects.filter(
        judge=judge, project__dataset=project.dataset_id, project__protocol=project.protocol_id
    )
    uncertainty = dict(verdicts.order_by("pk").values_list("item", 1 - F("confidence")))
    if all(uncertainty.get(item) is None for item in items):
        raise SampleError(
            f"judge {judge.label} has no verdict with a confidence on this data set under this protocol: let it rate "
            "in a project without a sample first, with several samples or log-probabilities, or choose another "
            "design"
        )
    return [1.0 if (value := uncertainty.get(item)) is None else value for item in items]
