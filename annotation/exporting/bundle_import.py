"""Store the files of a bundle as the only project of an empty database, so that its report can be built again.

A bundle that is older than `study_files` has ratings and metadata only: prompts, responses and items are then those of
the ratings, without texts of responses.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import msgspec
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, transaction
from django.db.models import Model

from .. import protocols
from ..csv_guarding import unguard_row
from ..importing.input_files import MEGABYTE, FileReader, SourceFile
from ..importing.problems import Problems
from ..importing.tabular_files import read_rows
from ..importing.zip_archives import entries_of
from ..jobs import Refused
from ..models import (
    Dataset,
    Document,
    FactScore,
    Item,
    Judge,
    JudgeRun,
    MetricScore,
    Project,
    Prompt,
    ProtocolVersion,
    Rating,
    Response,
    SampledItem,
    Sheet,
    System,
    TuningItem,
    User,
    Verdict,
)
from ..reporting.data.groups import key_of
from ..reporting.report import Report
from .codebook import METADATA_FILE
from .fact_scores import FACT_QA_FILE
from .study_files import JUDGE_SETTINGS, METRICS_FILE, ItemLine, JudgeLine, Line, PromptLine, ResponseLine, VerdictLine
from .writers import batches

MAX_WHOLE = 256 * MEGABYTE  # of a file that is read as a whole
BATCH = 5_000
LineType = TypeVar("LineType", bound=Line)
ItemKey = tuple[str, str | None, str, int]
"""Response, the second response of a pair, unit and position."""


class RatingLine(Line, frozen=True, kw_only=True):
    """What a report is computed from of an exported rating."""

    file = "ratings.jsonl"
    response: str
    against: str | None = None
    unit: str = Item.Unit.SENTENCE
    item: int
    rater: str
    role: str = Rating.Role.RATER
    answers: dict[str, str]
    seconds: float | None = None
    rated_at: datetime
    verdict_shown: bool = False


class BundleFiles:
    """The files of a bundle, a zip or its unpacked folder, by their names in it. Raises Refused."""

    def __init__(self, path: Path):
        if path.is_dir():
            folder = next((p.parent for p in (*path.glob("report.json"), *path.glob("*/report.json"))), path)
            files = [p for p in folder.rglob("*") if p.is_file()] if (folder / "report.json").is_file() else []
            self._sources = {p.relative_to(folder).as_posix(): SourceFile.named_as_given(p) for p in files}
        else:
            names = [info.filename for info in entries_of(SourceFile.named_as_given(path))]
            report = min((name for name in names if Path(name).name == "report.json"), default="", key=len)
            start = report.removesuffix("report.json")
            inside = [name for name in names if report and name.startswith(start)]
            self._sources = {name.removeprefix(start): SourceFile(path, f"{path}/{name}", name) for name in inside}
        if not self._sources:
            raise Refused(
                [f"{path}: there is no report.json in it; name the zip of a bundle, or the folder of its files"]
            )

    def __contains__(self, name: str) -> bool:
        return name in self._sources

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def reader(self, name: str) -> FileReader:
        """Return a pass over a file. Raise Refused if there is none of this name."""
        if name not in self._sources:
            raise Refused([f"{name} is not in the bundle; download or unpack it again"])
        return FileReader(self._sources[name])

    def read(self, name: str) -> bytes:
        reader, content = self.reader(name), bytearray()
        for chunk in reader.raw_chunks():
            content += chunk
            if len(content) > MAX_WHOLE:
                raise reader.refused(f"the file is larger than {MAX_WHOLE // MEGABYTE} MB")
        return bytes(content)

    @property
    def is_whole(self) -> bool:
        """Return whether the bundle has the files of `study_files`; older ones have not."""
        return ItemLine.file in self

    def lines(self, kind: type[LineType]) -> Iterator[LineType]:
        decoder, reader = msgspec.json.Decoder(kind), self.reader(kind.file)
        for number, text in reader.lines():
            try:
                yield decoder.decode(text)
            except msgspec.MsgspecError as error:
                raise reader.refused(f"{error}; download or unpack the bundle again", number) from None

    def rows(self, name: str) -> Iterator[dict[str, str]]:
        with Problems() as problems:
            for row in read_rows(self.reader(name), problems, format="csv", needed=[]):
                yield unguard_row(row.values, is_exported=True)


@transaction.atomic
def import_bundle(files: BundleFiles, report: Report) -> Project:
    """Store the files of a bundle. Raises Refused for a broken one, and RuntimeError if the database has a project."""
    if Project.objects.exists():
        raise RuntimeError("a bundle is imported into an empty database only")
    try:
        project = _Import(files, report).store()
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    except (DatabaseError, ValidationError, ValueError, LookupError, ArithmeticError) as error:
        reason = " ".join(str(error).split("\n")[0].split())
        message = (
            f"the files do not fit together ({type(error).__name__}: {reason}); download or unpack the bundle again"
        )
        raise Refused([message]) from None
    return project


class _Import:
    """One import. Rows that others refer to are found by their imported ids or names."""

    def __init__(self, files: BundleFiles, report: Report):
        self.files, self.report = files, report
        self.dataset = Dataset.objects.create(slug="bundle", title="Bundle", format="jsonl")
        self.responses: dict[str, Response] = {}
        self.items: dict[ItemKey, int] = {}
        self.users: dict[str, User] = {}
        self.judges: dict[str, Judge] = {}

    def store(self) -> Project:
        if JudgeLine.file in self.files:
            self._store_judges()
        prompts, responses, items = _rated_data(self.files)
        self.project = self._create_project()
        self._store_responses(prompts, responses)
        newest = self._store_items(items)
        ratings_of_judges = self._store_ratings(newest)
        if self.judges:
            self._store_verdicts(ratings_of_judges)
            self._store_fact_scores()
        if METRICS_FILE in self.files:
            _store(
                MetricScore(
                    response=self.responses[row["response"]],
                    against=self._response(row.get("against")),
                    metric=row["metric"],
                    value=float(row["value"]),
                )
                for row in self.files.rows(METRICS_FILE)
            )
        return self.project

    def _user(self, name: str) -> User:
        if name not in self.users:
            self.users[name] = User.objects.create(username=name, is_active=False, password=make_password(None))
        return self.users[name]

    def _response(self, key: str | None) -> Response | None:
        return None if key is None else self.responses[key]

    def _store_judges(self) -> None:
        for line in self.files.lines(JudgeLine):
            name, _, version = line.judge.rpartition("@")
            self.judges[line.judge] = Judge.objects.create(
                name=name,
                version=int(version),
                user=self._user(line.judge),
                template=line.configuration,  # the hash of all settings: equal ones are equal here too
                base_url="" if line.rule else "https://unknown.invalid",
                **{name: getattr(line, name) for name in JUDGE_SETTINGS},
            )

    def _create_project(self) -> Project:
        source = self.files.read("protocol.toml").decode()
        protocol, data, hybrid = protocols.load(source), self.report.data, self.report.hybrid
        version, _ = ProtocolVersion.objects.get_or_create(
            sha256=protocol.sha256,
            defaults={"slug": protocol.slug, "version": protocol.version, "title": protocol.title, "source": source},
        )
        sample: dict[str, object] = {}
        if data.sample:
            sample = {"sampling_design": data.sample.design, "sample_size": 1}
        if data.sample and data.sample.design == Project.SamplingDesign.UNCERTAIN:  # no figure depends on its judge
            user = self._user("judge of the sample")
            sample["sampling_judge"] = Judge.objects.create(name=user.username, version=1, rule="numbers", user=user)
        return Project.objects.create(
            slug="bundle",
            title="Bundle",
            dataset=self.dataset,
            protocol=version,
            overlap=(hybrid and hybrid.overlap) or 1,
            skips_claim_free=data.skipped is not None,
            **sample,
        )

    def _store_responses(self, prompt_lines: Iterable[PromptLine], response_lines: Iterable[ResponseLine]) -> None:
        data, prompt_lines, response_lines = self.dataset, list(prompt_lines), list(response_lines)
        keys = dict.fromkeys(line.document for line in prompt_lines if line.document is not None)
        documents: dict[str | None, Document] = {key: Document(dataset=data, key=key) for key in keys}
        _store(documents.values())
        prompts = {
            line.prompt: Prompt(
                dataset=data,
                document=documents.get(line.document),
                key=line.prompt,
                text=line.text,
                metadata=line.metadata,
            )
            for line in prompt_lines
        }
        _store(prompts.values())
        names = dict.fromkeys(line.system for line in response_lines)
        systems = {name: System.objects.create(dataset=data, name=name) for name in names}
        self.responses = {
            line.response: Response(
                dataset=data,
                prompt=prompts[line.prompt],
                system=systems[line.system],
                key=line.response,
                text=line.text,
            )
            for line in response_lines
        }
        _store(self.responses.values())

    def _store_items(self, lines: Iterable[ItemLine]) -> dict[tuple[int, str], str]:
        """Store the items, the sample, and a sheet for each response or pair. Return by item and role whose verdict is
        the newest, where several are of the same moment.
        """
        newest: dict[tuple[int, str], str] = {}
        is_about_pairs = self.project.protocol.definition.unit == Item.Unit.PAIR
        sheets: dict[tuple[Response, Response | None], None] = {}
        if not is_about_pairs:
            sheets = {(response, None): None for response in self.responses.values()}
        for batch in batches(lines, BATCH):
            items = []
            for line in batch:
                response, against = self.responses[line.response], self._response(line.against)
                own = {name: getattr(line, name) for name in ("unit", "kind", "rate", "claim_free", "start", "end")}
                text = response.text[line.start : line.end] if line.text is None else line.text
                items.append(Item(response=response, against=against, position=line.item, text=text, **own))
                if is_about_pairs and against:
                    sheets[response, against] = None
            _store(items)
            pairs = list(zip(batch, items, strict=True))
            self.items |= {(line.response, line.against, line.unit, line.item): item.pk for line, item in pairs}
            newest |= {(item.pk, role): name for line, item in pairs for role, name in line.newest.items()}
            _store(
                SampledItem(project=self.project, item=item, probability=line.probability, is_drawn=line.is_drawn)
                for line, item in pairs
                if line.probability is not None
            )
        _store(Sheet(project=self.project, response=pair[0], against=pair[1], rank=0) for pair in sheets)
        return newest

    def _store_ratings(self, newest: dict[tuple[int, str], str]) -> dict[tuple[int, str], Rating]:
        """Store the ratings, and return those of judges by item and name."""
        questions = {q.key for q in self.project.protocol.definition.questions if q.kind == "choice"}
        of_judges: dict[tuple[int, str], Rating] = {}
        for batch in batches(self.files.lines(RatingLine), BATCH):
            ratings = []
            for line in batch:
                item = self.items[line.response, line.against, line.unit, line.item]
                is_older = newest.get((item, line.role), line.rater) != line.rater
                rating = Rating(
                    project=self.project,
                    item_id=item,
                    rater=self._user(line.rater),
                    role=line.role,
                    answers=line.answers,
                    choices={key: answer for key, answer in line.answers.items() if key in questions},
                    counted=line.role == Rating.Role.RATER,
                    seconds=line.seconds,
                    rated_at=line.rated_at - is_older * timedelta(microseconds=1),
                    verdict_shown=line.verdict_shown,
                )
                ratings.append(rating)
                if line.role == Rating.Role.JUDGE:
                    of_judges[item, line.rater] = rating
            _store(ratings)
        return of_judges

    def _store_verdicts(self, ratings: dict[tuple[int, str], Rating]) -> None:
        """Store verdicts and tuning items; `ratings` are those of judges."""
        lines = list(self.files.lines(VerdictLine))
        numbers = sorted({(line.judge, line.run or 0) for line in lines})
        runs = {key: JudgeRun.objects.create(judge=self.judges[key[0]], project=self.project) for key in numbers}
        verdicts: list[Model] = []
        tuned: list[Model] = []
        for line in lines:
            item, judge = self.items[line.response, line.against, line.unit, line.item], self.judges[line.judge]
            own = {name: getattr(line, name) for name in ("state", "confidence", "votes", "fingerprints")}
            own |= {"run": runs[line.judge, line.run or 0], "rating": ratings.get((item, line.judge))}
            if line.state:
                verdicts.append(Verdict(judge=judge, project=self.project, item_id=item, **own))
            if line.tuned:
                tuned.append(TuningItem(judge=judge, item_id=item))
        _store(verdicts)
        _store(tuned)

    def _store_fact_scores(self) -> None:
        """Store the scores of Fact-QA. A judge without one has scored others than the responses of the report."""
        rows = list(self.files.rows(FACT_QA_FILE)) if self.report.fact_qa else []
        others = self.responses.keys() - {row["response"] for row in rows}
        for part in self.report.fact_qa or ():
            judge = self.judges[part.judge]
            run = JudgeRun.objects.create(judge=judge, project=self.project)
            own: dict[str, object] = {"judge": judge, "project": self.project, "run": run}
            scores = []
            for row in rows:
                if row["judge"] != part.judge or "state" not in row:
                    continue
                is_failed = row["state"] == FactScore.State.FAILED  # a tuned one has a score
                score = FactScore(
                    state=FactScore.State.FAILED if is_failed else FactScore.State.SCORED,
                    response=self.responses[row["response"]],
                    counts={"precision": _facts(row, "facts"), "recall": _facts(row, "reference_facts")},
                    unreadable=int(row["unreadable"]),
                    problem=row.get("problem", ""),
                    cost=row.get("cost_usd"),
                    **{name: float(row[name]) for name in ("precision", "recall", "f1") if name in row},
                    **own,
                )
                scores.append(score)
            if not scores:
                scores = [FactScore(state="failed", response=self.responses[key], **own) for key in sorted(others)[:1]]
            _store(scores)


def _facts(row: dict[str, str], facts: str) -> dict[str, float] | None:
    return {"supported": float(row[f"supported_{facts}"]), "facts": float(row[facts])} if facts in row else None


def _rated_data(files: BundleFiles) -> tuple[Iterable[PromptLine], Iterable[ResponseLine], Iterable[ItemLine]]:
    """Return the prompts, responses and items; of an older bundle, those of the ratings."""
    if files.is_whole:
        return files.lines(PromptLine), files.lines(ResponseLine), files.lines(ItemLine)
    metadata: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in files.rows(METADATA_FILE):
        metadata[row["prompt"]][key_of(row["key"])].append(row["value"])
    prompts: dict[str, PromptLine] = {}
    responses: dict[str, ResponseLine] = {}
    items: dict[ItemKey, ItemLine] = {}
    for row in files.rows("ratings.csv"):
        key, against, system = row["prompt"], row.get("against"), row["system"]
        prompts[key] = PromptLine(prompt=key, text="", document=row.get("document"), metadata=dict(metadata[key]))
        names = {row["response"]: system}
        if against is not None:  # "a vs b", in the order of the report
            pair = row["report_system"]
            names[against] = pair.removeprefix(f"{system} vs ")
            if row["is_turned"] == "1":
                names[against] = pair.removesuffix(f" vs {system}")
        for response, name in names.items():
            responses[response] = ResponseLine(response=response, prompt=key, system=name, text="")
        item_key = row["response"], against, row["unit"], int(row["item"])
        newest = items[item_key].newest if item_key in items else {}
        if row["in_report"] == "1" and row["role"] == Rating.Role.ADJUDICATOR:
            newest = {row["role"]: row["rater"]}
        items[item_key] = ItemLine(
            response=row["response"],
            against=against,
            unit=row["unit"],
            item=item_key[3],
            kind=row["kind"],
            text=row.get("text", ""),
            newest=newest,
        )
    return prompts.values(), responses.values(), items.values()


def _store(rows: Iterable[Model]) -> None:
    for batch in batches(rows, BATCH):
        type(batch[0])._default_manager.bulk_create(batch)
