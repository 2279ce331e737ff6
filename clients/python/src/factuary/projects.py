"""Projects: settings, members, ratings, review, exports."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from .connection import Connection
from .datasets import Dataset, Paths, import_form, result_of, start_import
from .errors import AnswerError
from .jobs import Job, JobState
from .judges import Judges
from .members import Members
from .metrics import Metrics
from .plans import Plan
from .records import Rows, decode
from .reports import Reports
from .review import Review
from .webhooks import Webhooks


@dataclass(frozen=True)
class Rating:
    """Answers about one item by a person or a judge. `response`, `against`, `prompt` and `document` are imported ids.

    `counted`: whether reports count it. `rater` is a user name, or a pseudonym where raters are hidden.
    """

    id: int
    response: str
    against: str | None
    prompt: str
    document: str | None
    system: str
    item: str
    unit: str
    position: int
    kind: str
    text: str
    rater: str
    role: str
    answers: Mapping[str, Any]
    comment: str
    evidence: tuple[Mapping[str, Any], ...]
    seconds: float | None
    rated_at: datetime
    counted: bool


@dataclass(frozen=True)
class Slot:
    """One of the openings of a response."""

    assignment: str | None
    rater: str | None
    expires_at: datetime | None
    finished_at: datetime | None
    ratings: int
    flags: int


@dataclass(frozen=True)
class ProjectResponse:
    """A response of a project, or a pair, with its openings. `excluded` is the reason, or None."""

    id: int
    response: str
    against: str | None
    prompt: str
    system: str
    document: str | None
    purpose: str
    excluded: str | None
    slots: tuple[Slot, ...]
    reserved_for: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """A rater's question or report of a wrong split."""

    id: str
    kind: str
    text: str
    asker: str
    asked_at: datetime
    item: str
    item_text: str
    response: str
    answer: str
    published: bool
    answered_by: str | None
    answered_at: datetime | None


@dataclass(frozen=True)
class NewItem:
    """An item that replaces others; `start` and `end` in code points of the response."""

    item: str
    position: int
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class ChangedBoundaries:
    """The effect of a change of boundaries. `ratings` no longer count; `asked_again`: raters who get the response
    again; `gold`: new items with the gold answer of the old ones.
    """

    retired: tuple[str, ...]
    items: tuple[NewItem, ...]
    ratings: int
    asked_again: int
    gold: int


@dataclass(frozen=True)
class WeekOfWork:
    """A rater's week from `week_from`, a Monday. `rate` (per hour) and `amount` are decimal texts or None."""

    week_from: str
    rater: str
    annotations: int
    ratings: int
    ratings_with_time: int
    hours: float
    rate: str | None
    currency: str | None
    amount: str | None


@dataclass(frozen=True)
class PayRate:
    """A rate per hour from a week on: of one rater, or of all (None). `amount`: decimal text, None where it ended."""

    rater: str | None
    amount: str | None
    currency: str
    starts_on: str


@dataclass(frozen=True)
class Guidelines:
    """A version of the guidelines, in Markdown. `examples`: question key to option key to text."""

    number: int
    note: str
    text: str
    examples: Mapping[str, Mapping[str, str]]
    made_at: datetime


@dataclass(frozen=True)
class Reoffered:
    """How many responses are offered again, and how many of their items are bookmarked."""

    responses: int
    items: int


@dataclass(frozen=True)
class PlanVersion:
    """A version of the analysis plan, in TOML."""

    number: int
    toml: str
    sha256: str
    before_first_rating: bool
    created_by: str | None
    created_at: datetime


@dataclass(frozen=True)
class RaterProgress:
    """What a rater has done and has leased. `ratings`: all, those of unfinished responses included."""

    rater: str
    finished: int
    leased: int
    ahead: int
    ratings: int


@dataclass(frozen=True)
class ProjectProgress:
    """The openings of all responses (`places`): done, leased to raters (`ahead` of these not started), and left."""

    places: int
    done: int
    leased: int
    ahead: int
    left: int
    responses: int
    nothing_to_rate: int
    set_aside: int
    excluded: int
    raters: tuple[RaterProgress, ...]


@dataclass(frozen=True)
class Settings:
    """The settings of a project that can be changed. `sampling_*` are fixed when it is created."""

    title: str
    overlap: int
    target_half_width: float | None
    suggestions: bool
    prefetch_limit: int
    skips_claim_free: bool
    hides_raters: bool
    verdict_visibility: str
    shown_judge: str | None
    archived_at: datetime | None
    _tag: str | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Export:
    """A file that a job has written; the site deletes it after a week. `size` in bytes."""

    id: str
    what: str
    name: str
    size: int
    sha256: str
    made_by: str | None
    made_at: datetime
    expires_at: datetime
    _connection: Connection = field(repr=False, compare=False)
    _path: str = field(repr=False, compare=False)

    def content(self) -> bytes:
        """Return the bytes of the file."""
        return self._connection.send("GET", f"{self._path}{self.id}/file/").content

    def save(self, path: str | Path) -> None:
        """Store the file."""
        Path(path).write_bytes(self.content())

    def delete(self) -> None:
        """Delete the file on the site."""
        self._connection.delete(f"{self._path}{self.id}/")


class Exports:
    """The exported files of a project."""

    def __init__(self, connection: Connection, project: str) -> None:
        self._connection, self._path = connection, f"projects/{project}/exports/"

    def __iter__(self) -> Iterator[Export]:
        """Yield the files, the newest first."""
        return iter(Rows(self._connection, self._path, Export, {}, _connection=self._connection, _path=self._path))

    def create(
        self, what: str = "ratings", *, format: str | None = None, report: str | None = None, with_names: bool = False
    ) -> Job[Export]:
        """Start a job that writes a file. `what`: such as `ratings` or `bundle` (of the frozen `report`)."""
        body: dict[str, Any] = {"what": what, "with_names": with_names}
        body |= {} if format is None else {"format": format}
        body |= {} if report is None else {"report": report}
        return Job(self._connection, self._connection.post(self._path, body)["id"], self._of_job)

    def _of_job(self, job: JobState) -> Export:
        if not job.result or "export" not in job.result:
            raise AnswerError(f"the job {job.id} is done without a file")
        return self.get(job.result["export"])

    def get(self, export_id: str) -> Export:
        """Return a file by its id."""
        row = self._connection.get(f"{self._path}{export_id}/")
        return decode(Export, row, _connection=self._connection, _path=self._path)


@dataclass(frozen=True)
class Project:
    """A project. `protocol` is SLUG@VERSION; `overlap`: how many raters annotate each response."""

    slug: str
    title: str
    dataset: str
    protocol: str
    overlap: int
    seed: int
    sampling_design: str
    sample_size: int | None
    created_at: datetime
    archived_at: datetime | None
    _connection: Connection = field(repr=False, compare=False)

    @property
    def _path(self) -> str:
        return f"projects/{self.slug}/"

    @property
    def members(self) -> Members:
        """The members."""
        return Members(self._connection, self.slug)

    @property
    def webhooks(self) -> Webhooks:
        """The webhooks."""
        return Webhooks(self._connection, self.slug)

    @property
    def reports(self) -> Reports:
        """Live and frozen reports."""
        return Reports(self._connection, self.slug)

    @property
    def judges(self) -> Judges:
        """The judges, their runs and verdicts."""
        return Judges(self._connection, self.slug)

    @property
    def metrics(self) -> Metrics:
        """The automatic metrics."""
        return Metrics(self._connection, self.slug)

    @property
    def exports(self) -> Exports:
        """The exported files."""
        return Exports(self._connection, self.slug)

    @property
    def review(self) -> Review:
        """Disagreements, adjudications and gold answers."""
        return Review(self._connection, self.slug)

    def ratings(
        self,
        *,
        role: str | None = None,
        rater: str | None = None,
        system: str | None = None,
        response: str | None = None,
        counted: bool | None = None,
    ) -> Rows[Rating]:
        """Return the ratings of people, judges, gold and adjudication. `role`: such as `rater` or `judge`."""
        query = {"role": role, "rater": rater, "system": system, "response": response, "counted": counted}
        return Rows(self._connection, f"{self._path}ratings/", Rating, query)

    def responses(
        self, *, state: str | None = None, rater: str | None = None, system: str | None = None, words: str | None = None
    ) -> Rows[ProjectResponse]:
        """Return the responses with their openings. `words`: each occurs in a text, title or id."""
        query = {"state": state, "rater": rater, "system": system, "words": words}
        return Rows(self._connection, f"{self._path}responses/", ProjectResponse, query)

    def change_responses(self, action: str, ids: Sequence[int], *, reason: str = "") -> int:
        """Do `reopen`, `free`, `exclude` (with a reason) or `include` on responses, all or none.

        `ids`: of `ProjectResponse`. Return how many were changed.
        """
        body = {"action": action, "ids": list(ids), "reason": reason}
        return int(self._connection.post(f"{self._path}responses/change/", body)["changed"])

    def progress(self) -> ProjectProgress:
        """Return how many openings are done, leased and left."""
        return decode(ProjectProgress, self._connection.get(f"{self._path}progress/"))

    def settings(self) -> Settings:
        """Return the settings."""
        answer = self._connection.send("GET", self._path)
        return decode(Settings, answer.json(), _tag=answer.headers.get("ETag"))

    def change(self, *, based_on: Settings | None = None, **settings: Any) -> Settings:
        """Change settings, all or none, and return them. `archived` archives the project.

        `based_on`: settings that were read before; ChangedError if somebody has changed them since.
        """
        self._connection.patch(self._path, settings, match=based_on._tag if based_on else None)
        return self.settings()

    def questions(self, state: str = "open") -> Rows[Question]:
        """Return raters' questions: `open`, `answered`, `splits` or `all`."""
        return Rows(self._connection, f"{self._path}questions/", Question, {"state": state})

    def answer(self, question: Question | str, text: str, *, published: bool = False) -> Question:
        """Answer a question; `published` shows the answer to all raters."""
        question_id = question.id if isinstance(question, Question) else question
        body = {"answer": text, "published": published}
        return decode(Question, self._connection.put(f"{self._path}questions/{question_id}/answer/", body))

    def change_boundaries(self, question: Question | str, how: str, parts: Sequence[str] = ()) -> ChangedBoundaries:
        """Correct the boundaries of the item of a question: `split` it into `parts`, or merge it with the one `before`
        or `after`. A report of a wrong split is answered so.
        """
        question_id = question.id if isinstance(question, Question) else question
        body = {"how": how, "parts": list(parts)}
        return decode(
            ChangedBoundaries, self._connection.post(f"{self._path}questions/{question_id}/boundaries/", body)
        )

    def guidelines(self) -> Guidelines | None:
        """Return the newest guidelines, None if there are none."""
        row = self._connection.get(f"{self._path}guidelines/")
        return None if row is None else decode(Guidelines, row)

    def publish_guidelines(
        self, text: str, *, examples: Mapping[str, Mapping[str, str]] | None = None, note: str = ""
    ) -> Guidelines:
        """Publish a version of the guidelines; a text equal to the newest version returns that version."""
        body = {"text": text, "examples": examples or {}, "note": note}
        return decode(Guidelines, self._connection.post(f"{self._path}guidelines/", body))

    def guideline_versions(self) -> Rows[Guidelines]:
        """Return all versions of the guidelines, the newest first."""
        return Rows(self._connection, f"{self._path}guidelines/versions/", Guidelines, {})

    def reoffer(self, question: str = "", option: str = "", *, dry_run: bool = False) -> Reoffered:
        """Offer finished responses with ratings under earlier guidelines again: all, or those with one answer."""
        body = {"question": question, "option": option, "dry_run": dry_run}
        return decode(Reoffered, self._connection.post(f"{self._path}guidelines/reoffer/", body))

    def hours(self) -> tuple[WeekOfWork, ...]:
        """Return hours and amounts by week and rater, the newest week first."""
        answer = self._connection.get(f"{self._path}hours/")
        return tuple(decode(WeekOfWork, week) for week in answer["weeks"])

    def pay_rates(self) -> Rows[PayRate]:
        """Return the rates per hour, the newest first."""
        return Rows(self._connection, f"{self._path}pay-rates/", PayRate, {})

    def set_pay_rate(self, amount: str | None, currency: str, starts_on: str, *, rater: str = "") -> PayRate:
        """Set the rate per hour from the week of a day (`2026-11-23`) on, of all raters or of one; None ends it."""
        body = {"amount": amount, "currency": currency, "starts_on": starts_on, "rater": rater}
        return decode(PayRate, self._connection.post(f"{self._path}pay-rates/", body))

    def raters(self) -> tuple[Mapping[str, Any], ...]:
        """Return each rater compared with gold answers, adjudications and the others; `flags` are quality alerts."""
        return tuple(self._connection.get(f"{self._path}raters/")["raters"])

    def plan(
        self, measure: str | None = None, *, system: str | None = None, unit: str | None = None, **figures: float
    ) -> Plan:
        """Return the sample that a margin or a difference takes, as the planner does.

        `figures`: those of `plans.Figures`, such as `half_width=0.03`; others are the project's or usual ones.
        """
        query = {"measure": measure, "system": system, "unit": unit, **figures}
        return decode(Plan, self._connection.get(f"{self._path}planner/", query))

    def plans(self) -> Rows[PlanVersion]:
        """Return the versions of the analysis plan."""
        return Rows(self._connection, f"{self._path}analysis-plan/", PlanVersion, {})

    def set_plan(self, toml: str) -> PlanVersion:
        """Store a version of the analysis plan; a text equal to the newest version returns that version."""
        return decode(PlanVersion, self._connection.post(f"{self._path}analysis-plan/", {"toml": toml}))

    def jobs(self, *, state: str | None = None, kind: str | None = None) -> Rows[JobState]:
        """Return the project's jobs, the newest first. `state`: such as `open` or `failed`."""
        return Rows(self._connection, f"{self._path}jobs/", JobState, {"state": state, "kind": kind})

    def delete(self) -> Job[None]:
        """Start a job that deletes the project with its ratings. For admins."""
        return Job(self._connection, self._connection.delete(self._path)["id"], lambda _: None)


class Projects:
    """The user's projects."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __iter__(self) -> Iterator[Project]:
        """Yield all projects of the user."""
        return iter(self.list())

    def list(self, *, dataset: str | None = None, archived: bool | None = None) -> Rows[Project]:
        """Return the projects, or those over a data set."""
        query = {"dataset": dataset, "archived": archived}
        return Rows(self._connection, "projects/", Project, query, _connection=self._connection)

    def get(self, slug: str) -> Project:
        """Return a project. Raises NotFoundError."""
        return decode(Project, self._connection.get(f"projects/{slug}/"), _connection=self._connection)

    def load(
        self,
        slug: str,
        files: Paths,
        *,
        format: str,
        dataset: str = "",
        title: str = "",
        protocol: str = "",
        system: str = "",
        columns: Mapping[str, Any] | None = None,
        labels: Mapping[str, Any] | None = None,
        annotators: Mapping[str, str] | None = None,
    ) -> Job[Project]:
        """Start a job that imports the export of an annotation tool: its data, and its annotations as ratings of the
        project, which is created if it does not exist. For admins.

        `format`: such as `label-studio`. `dataset`: its name if it is not that of the project. `protocol`: SLUG or
        SLUG@VERSION; without it one that is made of the labels. `labels`: the answer of each label, such as
        `{"accuracy.accurate": ["verdict:Supported"]}`. `annotators`: the user of each annotator, such as
        `{"label-studio-7": "maria"}`.
        """
        form = import_form(dataset or slug, format, title, system, columns=columns)
        form |= _project_form(slug, protocol, labels, annotators)
        return Job(self._connection, start_import(self._connection, form, files), lambda _: self.get(slug))

    def dry_run(
        self,
        slug: str,
        files: Paths,
        *,
        format: str,
        dataset: str = "",
        protocol: str = "",
        system: str = "",
        columns: Mapping[str, Any] | None = None,
        labels: Mapping[str, Any] | None = None,
        annotators: Mapping[str, str] | None = None,
    ) -> Job[Mapping[str, Any]]:
        """Start a job that only counts what `load` would import; its result has the counts, and the mappings of labels
        and columns. Nothing is stored. For admins."""
        form = import_form(dataset or slug, format, "", system, columns=columns) | {"dry_run": "true"}
        form |= _project_form(slug, protocol, labels, annotators)
        return Job(self._connection, start_import(self._connection, form, files), result_of)

    def create(
        self,
        slug: str,
        *,
        dataset: Dataset | str,
        protocol: str,
        title: str = "",
        overlap: int = 1,
        seed: int = 1,
        skips_claim_free: bool = False,
        sampling_design: str = "",
        sample_size: int | None = None,
        sampling_judge: str | None = None,
    ) -> Project:
        """Create a project over all responses of a data set. `protocol`: SLUG (the newest version) or SLUG@VERSION.

        For admins.
        """
        body = {
            "slug": slug,
            "dataset": dataset.slug if isinstance(dataset, Dataset) else dataset,
            "protocol": protocol,
            "title": title,
            "overlap": overlap,
            "seed": seed,
            "skips_claim_free": skips_claim_free,
            "sampling_design": sampling_design,
            "sample_size": sample_size,
            "sampling_judge": sampling_judge,
        }
        return decode(Project, self._connection.post("projects/", body), _connection=self._connection)


def _project_form(
    slug: str, protocol: str, labels: Mapping[str, Any] | None, annotators: Mapping[str, str] | None
) -> dict[str, str]:
    form = {"project": slug, "protocol": protocol}
    form |= {} if labels is None else {"labels": json.dumps(labels)}
    form |= {} if annotators is None else {"annotators": json.dumps(annotators)}
    return form
