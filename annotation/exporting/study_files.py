"""The files of a bundle from which its report is built again, with ratings.jsonl, fact_qa.csv and report.json.

Each class is a line of one file: a bundle writes them, `rebuilding` reads them, and the codebook describes their
fields. A field with its default is absent. Retired items and excluded responses are in none of the files, and documents
by their ids alone.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Collate, NullIf, Substr
from msgspec import Meta, Struct
from msgspec.structs import fields

from ..judging.judges import find_judge
from ..models import Item, Judge, Project, Prompt, Rating, Sheet, Verdict
from ..models.user_names import name_in_data
from ..pseudonyms import Pseudonyms
from ..queue.exclusion import is_excluded
from ..reporting.data.judge_answers import tuning_items
from ..reporting.report import Report
from .metric_scores import COLUMNS as METRIC_COLUMNS
from .metric_scores import metric_score_rows
from .rating_columns import Column
from .writers import write_csv

_RESPONSE = Annotated[str, Meta(description="imported id of the response")]
_AGAINST = Annotated[str | None, Meta(description="of a pair, the imported id of the second response")]
_UNIT = Annotated[str, Meta(description="sentence, claim, fact, response or pair")]
_POSITION = Annotated[int, Meta(description="position in response and unit, from 0", ge=0)]
Votes = list[dict[str, str] | None]


class Line(Struct, frozen=True, omit_defaults=True):
    file: ClassVar[str]


class PromptLine(Line, frozen=True, kw_only=True):
    file = "prompts.jsonl"
    prompt: Annotated[str, Meta(description="imported id of the prompt")]
    text: Annotated[str, Meta(description="what the systems were asked")]
    document: Annotated[str | None, Meta(description="imported id of the document")] = None
    metadata: Annotated[dict[str, Any], Meta(description="as it was imported")] = {}


class ResponseLine(Line, frozen=True, kw_only=True):
    file = "responses.jsonl"
    response: _RESPONSE
    prompt: Annotated[str, Meta(description="imported id of the prompt")]
    system: Annotated[str, Meta(description="system that produced it")]
    text: Annotated[str, Meta(description="the response")]


class ItemLine(Line, frozen=True, kw_only=True):
    file = "items.jsonl"
    response: _RESPONSE
    against: _AGAINST = None
    unit: _UNIT
    item: _POSITION
    kind: Annotated[str, Meta(description="what it is in the text: sentence, item, table_row, math")] = "sentence"
    rate: Annotated[bool, Meta(description="whether its kind is rated")] = True
    claim_free: Annotated[str, Meta(description="why it probably claims nothing")] = ""
    start: Annotated[int | None, Meta(description="first code point in the text of the response")] = None
    end: Annotated[int | None, Meta(description="code point after its last")] = None
    text: Annotated[str | None, Meta(description="if it is not the text from start to end")] = None
    probability: Annotated[float | None, Meta(description="with which the sample's design draws it")] = None
    is_drawn: Annotated[bool, Meta(description="whether raters were asked about it")] = False
    newest: Annotated[
        dict[str, str], Meta(description="role to author, where several of the role answered at the same moment")
    ] = {}


class JudgeLine(Line, frozen=True, kw_only=True):
    file = "judges.jsonl"
    judge: Annotated[str, Meta(description="name and version, such as strict@1")]
    rule: Annotated[str, Meta(description="its rule; absent of a model")] = ""
    model: Annotated[str, Meta(description="its model; absent of a rule")] = ""
    returned_model: Annotated[str | None, Meta(description="as which the endpoint answered")] = None
    configuration: Annotated[str, Meta(description="SHA-256 of all its settings: equal of repeated versions")]
    fact_qa: Annotated[str, Meta(description="mode of Fact-QA; absent if it rates items")] = ""
    fact_source: Annotated[str, Meta(description="what facts of a response need")] = "reference"
    precision_only: Annotated[bool, Meta(description="whether it asks nothing about reference answers")] = False


class VerdictLine(Line, frozen=True, kw_only=True):
    file = "verdicts.jsonl"
    judge: Annotated[str, Meta(description="name and version; its answers are in ratings.jsonl")]
    response: _RESPONSE
    against: _AGAINST = None
    unit: _UNIT
    item: _POSITION
    state: Annotated[str, Meta(description="rated or failed; absent without a verdict")] = ""
    confidence: Annotated[float | None, Meta(description="0 to 1")] = None
    votes: Annotated[Votes, Meta(description="answers of each sample; null: an invalid one")] = []
    run: Annotated[int | None, Meta(description="number of the run, from 1")] = None
    fingerprints: Annotated[str, Meta(description="system fingerprints of its answers")] = ""
    tuned: Annotated[bool, Meta(description="whether the item tuned the prompt of this version")] = False


STUDY_LINES: tuple[type[Line], ...] = (PromptLine, ResponseLine, ItemLine, JudgeLine, VerdictLine)
JUDGE_SETTINGS = ("rule", "model", "returned_model", "fact_qa", "fact_source", "precision_only")
METRICS_FILE = "metric_scores.csv"
_ITEM_KEY = {"response": "response__key", "against": "against__key", "unit": "unit", "item": "position"}
_ITEM_FIELDS = ("kind", "rate", "claim_free", "start", "end")
_VERDICT_FIELDS = ("state", "confidence", "votes", "fingerprints", "run")
_LAST_NAME = Collate(name_in_data("rater__"), "C")


def columns_of(line: type[Line]) -> Iterator[Column]:
    """Yield the fields of a line as the columns of the codebook."""
    kinds = {str: "text", int: "whole", float: "number", bool: "truth"}
    for field in fields(line):
        hint = field.type
        options = [kind for option, kind in kinds.items() if hint.__origin__ in (option, option | None)]
        yield Column(field.name, next(iter(options), "json"), hint.__metadata__[0].description)


def study_files(project: Project, report: Report, names: Pseudonyms | None) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield name and content of each file of a bundle: `names` are its pseudonyms, None where it names raters."""

    def is_on(**condition: Any) -> Q:
        sheets = Sheet.objects.filter(project=project, **condition)
        return Exists(sheets.filter(response=OuterRef("pk"))) | Exists(sheets.filter(against=OuterRef("pk")))

    # Without the responses that are on excluded sheets alone
    responses = project.dataset.responses.filter(~is_on(exclusion__isnull=False) | is_on(exclusion=None))
    prompts = Prompt.objects.filter(Exists(responses.filter(prompt=OuterRef("pk")))).order_by(Collate("key", "C"))
    items = Item.objects.filter(~is_excluded(project, ""), response__in=responses, retired_at=None).order_by("pk")
    if not report.fact_qa:  # Fact-QA scores responses that have an item of any unit
        items = items.filter(unit=project.protocol.definition.unit)
    by_key, sources = responses.order_by(Collate("key", "C")), {"prompt": "prompt__key", "system": "system__name"}
    files: dict[type[Line], Iterable[Line]] = {
        PromptLine: _lines(PromptLine, prompts, prompt="key", document="document__key"),
        ResponseLine: _lines(ResponseLine, by_key, response="key", **sources),
        ItemLine: _items(project, items, names),
    }
    labels = {part.judge for part in report.fact_qa or ()}
    if report.hybrid and report.hybrid.version:
        labels.add(report.hybrid.judge)
    if compared := report.judge_against_people:
        labels |= {compared.judge, *(version.judge for version in compared.versions)}
    if judges := [find_judge(label) for label in sorted(labels)]:
        files[JudgeLine] = map(_judge, judges)
        files[VerdictLine] = (line for judge in judges for line in _verdicts(project, judge, items))
    for kind, lines in files.items():
        yield kind.file, (msgspec.json.encode(line) + b"\n" for line in lines)
    if report.metrics:
        keys = {None, *responses.values_list("key", flat=True)}
        rows = (row for row in metric_score_rows(project) if {row["response"], row["against"]} <= keys)
        yield METRICS_FILE, write_csv(rows, METRIC_COLUMNS)


def _lines(line: type[Line], rows: QuerySet[Any], **sources: str) -> Iterator[Line]:
    """Yield a line for each row; `sources`: the fields of a row under other names than those of the line."""
    names = line.__struct_fields__
    for values in rows.values_list(*(sources.get(name, name) for name in names)).iterator():
        yield line(**dict(zip(names, values, strict=True)))


def _items(project: Project, items: QuerySet[Item], names: Pseudonyms | None) -> Iterator[ItemLine]:
    """Yield the items in the order in which they were stored: figures of versions of a judge add up in it."""
    sampled = project.sampled_items.values_list("item", "probability", "is_drawn")
    sample = {item: (probability, is_drawn) for item, probability, is_drawn in sampled.iterator()}
    newest = newest_of_a_moment(project, names)
    span = Substr("response__text", F("start") + 1, F("end") - F("start"))
    rows = items.annotate(own_text=NullIf("text", span, output_field=TextField())).order_by("pk")
    for item, *values, text in rows.values_list("pk", *_ITEM_KEY.values(), *_ITEM_FIELDS, "own_text").iterator():
        probability, is_drawn = sample.get(item, (None, False))
        own = dict(zip((*_ITEM_KEY, *_ITEM_FIELDS), values, strict=True))
        yield ItemLine(**own, text=text, probability=probability, is_drawn=is_drawn, newest=newest.get(item, {}))


def newest_of_a_moment(project: Project, names: Pseudonyms | None) -> dict[int, dict[str, str]]:
    """Return by item and role the author whose verdict a report takes where several are of the same moment: that with
    the last name, which pseudonyms do not show.
    """
    verdicts = Rating.objects.filter(project=project, role__in=(Rating.Role.GOLD, Rating.Role.ADJUDICATOR)).order_by()
    moments = verdicts.values("item", "role", "rated_at").annotate(n=Count("pk"), last=Max(_LAST_NAME)).filter(n__gt=1)
    newest: dict[int, dict[str, str]] = {}
    for item, role, last in moments.order_by("rated_at").values_list("item", "role", "last"):
        newest.setdefault(item, {})[role] = names.pseudonym(last) if names else last
    return newest


def _judge(judge: Judge) -> JudgeLine:
    values = {Judge.PUBLIC_NAMES.get(name, name): str(value) for name, value in judge.setting_values().items()}
    settings = msgspec.json.encode(values)
    return JudgeLine(
        judge=judge.label,
        configuration=hashlib.sha256(settings).hexdigest(),
        **{name: getattr(judge, name) for name in JUDGE_SETTINGS},
    )


def _verdicts(project: Project, judge: Judge, items: QuerySet[Item]) -> Iterator[VerdictLine]:
    tuned, of_judge = tuning_items(judge), Verdict.objects.filter(judge=judge, project=project)
    of_judge = of_judge.filter(Q(state=Verdict.State.FAILED) | Q(rating__isnull=False))
    verdicts = {item: values for item, *values in of_judge.values_list("item", *_VERDICT_FIELDS).iterator()}
    runs = {run: number for number, run in enumerate(sorted({run for *_, run in verdicts.values()}), start=1)}
    rows = items.filter(Q(pk__in=tuned) | Q(pk__in=of_judge.values("item"))).order_by("pk")
    for item, *key in rows.values_list("pk", *_ITEM_KEY.values()).iterator():
        own = dict(zip((*_ITEM_KEY, *_VERDICT_FIELDS), (*key, *verdicts.get(item, ())), strict=False))
        own["run"] = runs.get(own.get("run"))
        yield VerdictLine(judge=judge.label, **own, tuned=item in tuned)
