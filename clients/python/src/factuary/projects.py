"""Projects: settings, members, ratings, review, exports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Unpack

from . import records
from .datasets import Dataset, FileOptions, Paths, start_import
from .decoding import decode
from .errors import AnswerError
from .jobs import Job, JobState, counts_of
from .judges import Judges
from .metrics import Metrics
from .records import (  # noqa: F401 -- as in earlier versions
    ChangedBoundaries,
    Guidelines,
    NewItem,
    PayRate,
    PlanVersion,
    ProjectResponse,
    RaterProgress,
    Rating,
    Reoffered,
    Slot,
    WeekOfWork,
)
from .records import InboxQuestion as Question  # noqa: F401 -- its earlier name
from .records import Progress as ProjectProgress  # noqa: F401 -- its earlier name
from .reports import Reports
from .resources import Below, RecordWithMethods, Resource, Rows, check_options
from .review import Review
from .webhooks import Webhooks


class Members(Resource):
    """The members of a project."""

    def __iter__(self) -> Iterator[records.Member]:
        return iter(self._rows(records.Member, "members/"))

    def get(self, username: str) -> records.Member:
        """Return a member. Raises NotFoundError."""
        return self._get(records.Member, f"members/{username}/")

    def add(self, username: str, *, role: str = "rater") -> records.Member:
        """Add a person with an account, or change the role: `rater` or `lead`."""
        return self._write(records.Member, "PUT", f"members/{username}/", role=role)

    def remove(self, username: str) -> None:
        """Remove a member; the ratings stay."""
        self._json("DELETE", f"members/{username}/")

    def replace(self, username: str, successor: str, *, move_reservations: bool = True) -> None:
        """Replace a rater: the successor takes what the rater has not finished."""
        body = {"successor": successor, "move_reservations": move_reservations}
        self._json("POST", f"members/{username}/replace/", json=body)

    def invite(
        self, people: Mapping[str, str] | Sequence[str], *, role: str = "rater"
    ) -> tuple[records.Invitation, ...]:
        """Invite people, all or none: user names, or user name to email address for new accounts."""
        emails = people if isinstance(people, Mapping) else dict.fromkeys(people, "")
        invited = [{"username": name, "email": email} for name, email in emails.items()]
        return self._write(records.Invitations, "POST", "invitations/", role=role, people=invited).invitations


@dataclass(frozen=True, kw_only=True)
class Settings(records.Project):
    """The settings of a project."""

    _tag: str | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Export(records.Export, RecordWithMethods):
    """A file that a job has written; the site deletes it after a week. `size` in bytes."""

    @property
    def _path(self) -> str:
        return f"{self._parent}{self.id}/"

    def content(self) -> bytes:
        return self._bytes("file/")

    def save(self, path: str | Path) -> None:
        Path(path).write_bytes(self.content())

    def delete(self) -> None:
        """Delete the file on the site."""
        self._json("DELETE")


class Exports(Resource):
    """The exported files of a project."""

    def __iter__(self) -> Iterator[Export]:
        return iter(self._rows(Export))

    def create(
        self, what: str = "ratings", *, format: str | None = None, report: str | None = None, with_names: bool = False
    ) -> Job[Export]:
        """Start a job that writes a file. `what`: such as `ratings` or `bundle` (of the frozen `report`)."""
        body: dict[str, Any] = {"what": what, "with_names": with_names}
        body |= {} if format is None else {"format": format}
        body |= {} if report is None else {"report": report}
        return self._start(self._of_job, **body)

    def _of_job(self, job: JobState) -> Export:
        if not job.result or "export" not in job.result:
            raise AnswerError(f"the job {job.id} is done without a file")
        return self.get(job.result["export"])

    def get(self, export_id: str) -> Export:
        """Return a file by its id."""
        return self._get(Export, f"{export_id}/")


@dataclass(frozen=True, kw_only=True)
class Project(records.ProjectRow, RecordWithMethods):
    """A project. `protocol` is SLUG@VERSION; `overlap`: how many raters annotate each response."""

    members = Below(Members, "")
    webhooks = Below(Webhooks, "webhooks/")
    reports = Below(Reports, "")
    judges = Below(Judges, "")
    metrics = Below(Metrics, "metrics/")
    exports = Below(Exports, "exports/")
    review = Below(Review, "review/")

    @property
    def _path(self) -> str:
        return f"{self._parent}{self.slug}/"

    def ratings(
        self,
        *,
        role: str | None = None,
        rater: str | None = None,
        system: str | None = None,
        response: str | None = None,
        counted: bool | None = None,
    ) -> Rows[records.Rating]:
        """Return the ratings of people, judges, gold and adjudication. `role`: such as `rater` or `judge`."""
        return self._rows(
            records.Rating, "ratings/", role=role, rater=rater, system=system, response=response, counted=counted
        )

    def responses(
        self, *, state: str | None = None, rater: str | None = None, system: str | None = None, words: str | None = None
    ) -> Rows[records.ProjectResponse]:
        """Return the responses with their openings. `words`: each occurs in a text, title or id."""
        return self._rows(records.ProjectResponse, "responses/", state=state, rater=rater, system=system, words=words)

    def change_responses(self, action: str, ids: Sequence[int], *, reason: str = "") -> int:
        """Do `reopen`, `free`, `exclude` (with a reason) or `include` on responses, all or none.

        `ids`: of `ProjectResponse`. Return how many were changed.
        """
        body = {"action": action, "ids": list(ids), "reason": reason}
        return int(self._json("POST", "responses/change/", json=body)["changed"])

    def progress(self) -> records.Progress:
        """Return how many openings are done, leased and left."""
        return self._get(records.Progress, "progress/")

    def settings(self) -> Settings:
        answer = self._connection.send("GET", self._path)
        return decode(Settings, answer.json(), _tag=answer.headers.get("ETag"))

    def change(self, *, based_on: Settings | None = None, **settings: Any) -> Settings:
        """Change settings, all or none, and return them. `archived` archives the project.

        `based_on`: settings that were read before; ChangedError if somebody has changed them since.
        """
        self._json("PATCH", json=settings, match=based_on._tag if based_on else None)
        return self.settings()

    def questions(self, state: str = "open") -> Rows[records.InboxQuestion]:
        """Return raters' questions: `open`, `answered`, `splits` or `all`."""
        return self._rows(records.InboxQuestion, "questions/", state=state)

    def answer(
        self, question: records.InboxQuestion | str, text: str, *, published: bool = False
    ) -> records.InboxQuestion:
        """Answer a question; `published` shows the answer to all raters."""
        question_id = question if isinstance(question, str) else question.id
        path = f"questions/{question_id}/answer/"
        return self._write(records.InboxQuestion, "PUT", path, answer=text, published=published)

    def change_boundaries(
        self, question: records.InboxQuestion | str, how: str, parts: Sequence[str] = ()
    ) -> records.ChangedBoundaries:
        """Correct the boundaries of the item of a question: `split` it into `parts`, or merge it with the one `before`
        or `after`. A report of a wrong split is answered so.
        """
        question_id = question if isinstance(question, str) else question.id
        path = f"questions/{question_id}/boundaries/"
        return self._write(records.ChangedBoundaries, "POST", path, how=how, parts=list(parts))

    def guidelines(self) -> records.Guidelines | None:
        """Return the newest guidelines, None if there are none."""
        guidelines = self._json("GET", "guidelines/")
        return None if guidelines is None else self._decode(records.Guidelines, guidelines)

    def publish_guidelines(
        self, text: str, *, examples: Mapping[str, Mapping[str, str]] | None = None, note: str = ""
    ) -> records.Guidelines:
        """Publish a version of the guidelines; a text equal to the newest version returns that version."""
        body = {"text": text, "examples": examples or {}, "note": note}
        return self._write(records.Guidelines, "POST", "guidelines/", **body)

    def guideline_versions(self) -> Rows[records.Guidelines]:
        """Return all versions of the guidelines, the newest first."""
        return self._rows(records.Guidelines, "guidelines/versions/")

    def reoffer(self, question: str = "", option: str = "", *, dry_run: bool = False) -> records.Reoffered:
        """Offer finished responses with ratings under earlier guidelines again: all, or those with one answer."""
        body = {"question": question, "option": option, "dry_run": dry_run}
        return self._write(records.Reoffered, "POST", "guidelines/reoffer/", **body)

    def hours(self) -> tuple[records.WeekOfWork, ...]:
        """Return hours and amounts by week and rater, the newest week first."""
        return self._get(records.Hours, "hours/").weeks

    def pay_rates(self) -> Rows[records.PayRate]:
        """Return the rates per hour, the newest first."""
        return self._rows(records.PayRate, "pay-rates/")

    def set_pay_rate(self, amount: str | None, currency: str, starts_on: str, *, rater: str = "") -> records.PayRate:
        """Set the rate per hour from the week of a day (`2026-11-23`) on, of all raters or of one; None ends it."""
        body = {"amount": amount, "currency": currency, "starts_on": starts_on, "rater": rater}
        return self._write(records.PayRate, "POST", "pay-rates/", **body)

    def raters(self) -> tuple[Mapping[str, Any], ...]:
        """Return each rater compared with gold answers, adjudications and the others; `flags` are quality alerts."""
        return tuple(self._json("GET", "raters/")["raters"])

    def plan(
        self, measure: str | None = None, *, system: str | None = None, unit: str | None = None, **figures: float
    ) -> records.Plan:
        """Return the sample that a margin or a difference takes, as the planner does.

        `figures`: those of `records.PlannerFigures`, such as `half_width=0.03`; others are the project's or usual ones.
        """
        return self._get(records.Plan, "planner/", measure=measure, system=system, unit=unit, **figures)

    def plans(self) -> Rows[records.PlanVersion]:
        """Return the versions of the analysis plan."""
        return self._rows(records.PlanVersion, "analysis-plan/")

    def set_plan(self, toml: str) -> records.PlanVersion:
        """Store a version of the analysis plan; a text equal to the newest version returns that version."""
        return self._write(records.PlanVersion, "POST", "analysis-plan/", toml=toml)

    def jobs(self, *, state: str | None = None, kind: str | None = None) -> Rows[JobState]:
        """Return the project's jobs, the newest first. `state`: such as `open` or `failed`."""
        return self._rows(JobState, "jobs/", state=state, kind=kind)

    def delete(self) -> Job[None]:
        """Start a job that deletes the project with its ratings. For admins."""
        return Job(self._connection, self._json("DELETE")["id"], lambda _: None)


class ProjectOptions(FileOptions, total=False):
    """`dataset`: its name if it is not that of the project. `protocol`: SLUG or SLUG@VERSION; without it one that is
    made of the labels. `labels`: the answer of each label, such as `{"accuracy.accurate": ["verdict:Supported"]}`.
    `annotators`: the user of each annotator, such as `{"label-studio-7": "maria"}`.
    """

    dataset: str
    protocol: str
    labels: Mapping[str, Any] | None
    annotators: Mapping[str, str] | None


class Projects(Resource):
    """The user's projects."""

    def __iter__(self) -> Iterator[Project]:
        return iter(self.list())

    def list(self, *, dataset: str | None = None, archived: bool | None = None) -> Rows[Project]:
        """Return the projects, or those over a data set."""
        return self._rows(Project, dataset=dataset, archived=archived)

    def get(self, slug: str) -> Project:
        """Return a project. Raises NotFoundError."""
        return self._get(Project, f"{slug}/")

    def load(self, slug: str, files: Paths, **options: Unpack[ProjectOptions]) -> Job[Project]:
        """Start a job that imports the export of an annotation tool: its data, and its annotations as ratings of the
        project, which is created if it does not exist. For admins. `format`: such as `label-studio`.
        """
        return start_import(self._connection, files, _form(slug, options), lambda _: self.get(slug))

    def dry_run(self, slug: str, files: Paths, **options: Unpack[ProjectOptions]) -> Job[Mapping[str, Any]]:
        """Start a job that only counts what `load` would import; its result has the counts, and the mappings of labels
        and columns. Nothing is stored. For admins."""
        return start_import(self._connection, files, {**_form(slug, options), "dry_run": True}, counts_of)

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
        return self._write(
            Project,
            "POST",
            slug=slug,
            dataset=dataset.slug if isinstance(dataset, Dataset) else dataset,
            protocol=protocol,
            title=title,
            overlap=overlap,
            seed=seed,
            skips_claim_free=skips_claim_free,
            sampling_design=sampling_design,
            sample_size=sample_size,
            sampling_judge=sampling_judge,
        )


def _form(slug: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form of an import into a project, whose data set has its name unless the options have another."""
    check_options(ProjectOptions, options)
    form = {**options, "project": slug, "slug": options.get("dataset") or slug}
    form.pop("dataset", None)
    return form
