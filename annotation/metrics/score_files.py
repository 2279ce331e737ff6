"""Import of scores of metrics that were computed elsewhere, such as BLEURT, BARTScore or a learned reward."""

import math
import re
from dataclasses import asdict, dataclass

from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from ..audit import record
from ..importing.dataset import AnyPath
from ..importing.input_files import FileReader, source_file
from ..importing.json_fields import THE_ROW, Fields
from ..importing.problems import BadRecord, Problems, echo
from ..importing.tabular_files import Row, read_rows
from ..importing.uploads import copied_upload
from ..jobs import Progress, Refused
from ..models import Dataset, MetricScore, Project, Response, User
from .compute import record_score_change
from .text_metrics import COMPUTED_NAMES

BATCH = 1_000
MAX_IN_A_REQUEST = 20_000
"""Scores of a file that is imported in the browser or by the API: a web worker has a minute for a request."""
METRIC_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,59}")
Key = tuple[str, str, str]
"""Imported ids of the response and of the one it is compared with (or empty), and the metric."""


@dataclass(frozen=True)
class _Score:
    location: str
    response: str
    against: str
    metric: str
    value: float

    @property
    def key(self) -> Key:
        return self.response, self.against, self.metric


@dataclass
class ScoreCounts:
    """`scores` in the file, by metric; `new` and `changed` ones."""

    scores: dict[str, int]
    new: int = 0
    changed: int = 0


def import_uploaded_scores(
    file: UploadedFile, project: Project, *, actor: User, replace: bool, dry_run: bool = False
) -> ScoreCounts:
    """Load the file of a request for the project's data set, with at most MAX_IN_A_REQUEST scores. Raises Refused."""
    with copied_upload(file) as copy:
        return load_metric_scores(
            copy, project.dataset, replace=replace, dry_run=dry_run, most=MAX_IN_A_REQUEST, actor=actor, project=project
        )


@transaction.atomic
def load_metric_scores(
    path: AnyPath,
    dataset: Dataset,
    *,
    replace: bool = False,
    dry_run: bool = False,
    most: int | None = None,
    actor: User | None = None,
    project: Project | None = None,
    progress: Progress | None = None,
) -> ScoreCounts:
    """Load a file of rows `response`, optional `against`, `metric`, `value` (JSON lines, CSV, Excel or Parquet).

    `response` and `against` are imported ids; other fields are ignored. Stores everything or nothing: raises Refused. A
    value that differs from a stored one is refused unless `replace`, and so are more than `most` scores. The audit
    names the `actor` (None: a command) and the `project` in which the file was imported.
    """
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    loader = _ScoreLoader(dataset, replace, most)
    file_reader, progress = FileReader(source_file(path)), progress or Progress()
    with loader.problems as problems:
        for row in read_rows(file_reader, problems, format=None, needed=["response", "metric", "value"]):
            loader.take(row)
            progress(file_reader.packed, file_reader.size, "storing scores")
        loader.store_batch()
        if not loader.counts.scores and not problems.lines:
            raise file_reader.refused("there is no score in the file")
    if loader.counts.new or loader.counts.changed:
        record_score_change(dataset)
        target = f"project:{project.slug}" if project else f"dataset:{dataset.slug}"
        after = {**asdict(loader.counts), "files": [file_reader.file_record()]}
        record(actor, "import metric scores", target, project=project, after=after)
    progress.lock_job()
    if dry_run:
        transaction.set_rollback(True)
    return loader.counts


class _ScoreLoader:
    """Check rows and store their scores in batches."""

    def __init__(self, dataset: Dataset, replace: bool, most: int | None):
        self.dataset, self.replace, self.most = dataset, replace, most
        self.problems, self.counts = Problems(), ScoreCounts({})
        self._first: dict[Key, str] = {}
        self._waiting: list[_Score] = []

    def take(self, row: Row) -> None:
        try:
            score = _score_of(row)
            first = self._first.setdefault(score.key, row.location)
            if first != row.location:
                raise BadRecord(
                    f"the score of {score.metric} for response {echo(score.response)} occurs a second time; the first "
                    f"is in {first}"
                )
        except BadRecord as broken:
            self.problems.add(row.location, broken)
            return
        if self.most is not None and len(self._first) > self.most:
            most = intcomma(self.most)
            problem = f"there are more than {most} scores; use the command import_metric_scores for this file"
            raise Refused([f"{row.location}: {problem}"])
        self.counts.scores[score.metric] = self.counts.scores.get(score.metric, 0) + 1
        self._waiting.append(score)
        if len(self._waiting) >= BATCH:
            self.store_batch()

    def store_batch(self) -> None:
        """Store the waiting scores; those that cannot be stored become problems."""
        waiting, self._waiting = self._waiting, []
        keys = {key for score in waiting for key in (score.response, score.against) if key}
        rows = self.dataset.responses.filter(key__in=keys).only("key", "prompt_id")
        responses = {response.key: response for response in rows}
        # By primary keys of both responses, and metric: one index is read, nothing joined.
        scores = MetricScore.objects.filter(
            response__in=[each.pk for each in responses.values()], metric__in={score.metric for score in waiting}
        )
        columns = scores.values_list("response_id", "against_id", "metric", "value")
        stored: dict[tuple[int, int | None, str], float] = {
            (response, against, metric): value for response, against, metric, value in columns
        }
        new, changed = [], []
        for score in waiting:
            try:
                row = self._row(score, responses)
                former = stored.get((row.response_id, row.against_id, row.metric))
                if former is None:
                    new.append(row)
                elif former != score.value:
                    if not self.replace:
                        raise BadRecord(
                            f"{score.metric} of response {echo(score.response)} is stored as {former}, not "
                            f"{score.value}; to change it, choose to replace values that differ (--replace)"
                        )
                    changed.append(row)
            except BadRecord as broken:
                self.problems.add(score.location, broken)
        MetricScore.objects.bulk_create(new)
        MetricScore.objects.bulk_create(
            changed, update_conflicts=True, unique_fields=["response", "against", "metric"], update_fields=["value"]
        )
        self.counts.new += len(new)
        self.counts.changed += len(changed)

    def _row(self, score: _Score, responses: dict[str, Response]) -> MetricScore:
        for key in filter(None, (score.response, score.against)):
            if key not in responses:
                raise BadRecord(f"no response of data set {self.dataset.slug!r} has the id {echo(key)}")
        response, against = responses[score.response], responses.get(score.against)
        if against and (against == response or against.prompt_id != response.prompt_id):
            raise BadRecord("'response' and 'against' must be two responses to the same prompt")
        return MetricScore(response=response, against=against, metric=score.metric, value=score.value)


def _score_of(row: Row) -> _Score:
    fields = Fields(row.unguarded, THE_ROW)
    metric = fields.needed_text("metric")
    if not METRIC_NAME.fullmatch(metric):
        raise BadRecord(
            f"'metric' must be up to 60 letters, digits, '_', '.' and '-', a letter first, but is {echo(metric)}"
        )
    if metric in COMPUTED_NAMES:
        raise BadRecord(f"{metric} is computed by the site; give the imported metric another name")
    response, against = fields.id("response"), fields.id("against", needed=False)
    value = row.values.get("value")
    is_number = row.is_csv or (isinstance(value, int | float) and not isinstance(value, bool))
    try:
        number = float(value) if is_number else math.nan
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise BadRecord(f"'value' must be a finite number, but is {echo(value)}")
    return _Score(row.location, response, against, metric, number)
