"""Data sets: import files, read contents."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from .connection import Connection, File
from .generation import Generator
from .jobs import Job, JobState
from .records import Rows, decode

Paths = str | Path | Sequence[str | Path]


@dataclass(frozen=True)
class Format:
    """A format of files. `rules`: values of `subset`; `mapped`: `columns` says what the columns are."""

    name: str
    title: str
    describes: str
    rules: tuple[str, ...]
    several: bool
    mapped: bool


@dataclass(frozen=True)
class System:
    """A system with the number of its responses."""

    name: str
    responses: int


@dataclass(frozen=True)
class Kind:
    """How many items of one unit and kind there are; `unplaced` have no position in the text."""

    unit: str
    kind: str
    rate: bool
    items: int
    unplaced: int


@dataclass(frozen=True)
class Breakdown:
    """A metadata key of the prompts."""

    key: str
    values: int
    prompts: int


@dataclass(frozen=True)
class Contents:
    """A data set with counts of what it holds."""

    slug: str
    title: str
    format: str
    created_at: datetime
    documents: int
    prompts: int
    responses: int
    items: int
    rated_items: int
    systems: tuple[System, ...]
    kinds: tuple[Kind, ...]
    metadata: tuple[Breakdown, ...]
    projects: tuple[str, ...]


@dataclass(frozen=True)
class Document:
    """A document without its text. `key` is the imported id."""

    id: str
    key: str
    title: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True)
class Prompt:
    """A prompt. `document` is an imported id."""

    id: str
    key: str
    text: str
    document: str | None
    reference: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True)
class Response:
    """A response of a system to a prompt. `prompt` is an imported id."""

    id: str
    key: str
    prompt: str
    system: str
    text: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True)
class Import:
    """An import that has stored something."""

    kind: str
    files: tuple[Mapping[str, Any], ...]
    options: Mapping[str, Any]
    counts: Mapping[str, Any]
    imported_by: str | None
    imported_at: datetime


@dataclass(frozen=True)
class Dataset:
    """A data set."""

    slug: str
    title: str
    format: str
    created_at: datetime
    _connection: Connection = field(repr=False, compare=False)

    @property
    def _path(self) -> str:
        return f"datasets/{self.slug}/"

    def contents(self) -> Contents:
        """Return counts of what it holds."""
        return decode(Contents, self._connection.get(self._path))

    def documents(self) -> Rows[Document]:
        """Return the documents without their texts."""
        return Rows(self._connection, f"{self._path}documents/", Document, {})

    def prompts(self, *, document: str | None = None) -> Rows[Prompt]:
        """Return the prompts, or those about one document."""
        return Rows(self._connection, f"{self._path}prompts/", Prompt, {"document": document})

    def responses(self, *, system: str | None = None, prompt: str | None = None) -> Rows[Response]:
        """Return the responses, or those of one system or to one prompt."""
        return Rows(self._connection, f"{self._path}responses/", Response, {"system": system, "prompt": prompt})

    def imports(self) -> Rows[Import]:
        """Return the imports, the newest first."""
        return Rows(self._connection, f"{self._path}imports/", Import, {})

    def add_responses(
        self, file: str | Path, *, format: str = "rows", system: str = "", dry_run: bool = False
    ) -> Job[Mapping[str, Any]]:
        """Start a job that imports responses to the prompts; its result has the counts. For admins."""
        form = {"format": format, "system": system, "dry_run": json.dumps(dry_run)}
        answer = self._connection.send("POST", f"{self._path}responses/imports/", form=form, files=[_file(file)])
        return Job(self._connection, answer.json()["id"], result_of)

    def create_generator(self, system: str, *, base_url: str, model: str, **settings: Any) -> Generator:
        """Store the settings with which responses of a new system are generated, and return them. For admins.

        `settings`: `key` or `key_env`, `template`, `temperature`, `max_tokens`, `context_tokens`, `timeout`,
        `concurrency`, `requests_per_minute`, `input_price` and `output_price` (USD per million tokens). Nothing is
        sent to the model before `run`.
        """
        body = {"system": system, "base_url": base_url, "model": model, **settings}
        return self._generator(self._connection.post(f"{self._path}generators/", body))

    def generators(self) -> Rows[Generator]:
        """Return the generated systems with their settings. For admins."""
        more = {"_connection": self._connection, "_dataset": self.slug}
        return Rows(self._connection, f"{self._path}generators/", Generator, {}, **more)

    def generator(self, generator_id: str) -> Generator:
        """Return a generated system as it is now. For admins."""
        return self._generator(self._connection.get(f"{self._path}generators/{generator_id}/"))

    def _generator(self, answer: Any) -> Generator:
        return decode(Generator, answer, _connection=self._connection, _dataset=self.slug)

    def delete(self) -> Job[None]:
        """Start a job that deletes the data set; ConflictError while a project uses it. For admins."""
        answer = self._connection.delete(self._path)
        return Job(self._connection, answer["id"], lambda _: None)


class Datasets:
    """The data sets that the user may see."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __iter__(self) -> Any:
        """Yield all data sets."""
        return iter(Rows(self._connection, "datasets/", Dataset, {}, _connection=self._connection))

    def get(self, slug: str) -> Dataset:
        """Return a data set. Raises NotFoundError."""
        return decode(Dataset, self._connection.get(f"datasets/{slug}/"), _connection=self._connection)

    def formats(self) -> tuple[Format, ...]:
        """Return the formats that can be imported."""
        return tuple(decode(Format, each) for each in self._connection.get("formats/")["formats"])

    def load(
        self,
        slug: str,
        files: Paths,
        *,
        format: str,
        title: str = "",
        system: str = "",
        subset: str = "all",
        sample: int | None = None,
        seed: int = 1,
        columns: Mapping[str, Any] | None = None,
    ) -> Job[Dataset]:
        """Start a job that imports files into a data set, which is created if it does not exist. For admins.

        `system`: where the files name none. `sample`: prompts drawn at random with `seed`. `columns`: for `rows`, such
        as `{"prompt": "question", "response": ["answer_a", "answer_b"]}`.
        """
        form = import_form(slug, format, title, system, subset, sample, seed, columns)
        return Job(self._connection, start_import(self._connection, form, files), lambda _: self.get(slug))

    def dry_run(
        self,
        slug: str,
        files: Paths,
        *,
        format: str,
        system: str = "",
        subset: str = "all",
        sample: int | None = None,
        seed: int = 1,
        columns: Mapping[str, Any] | None = None,
    ) -> Job[Mapping[str, Any]]:
        """Start a job that only counts what `load` would import. Nothing is stored. For admins."""
        form = import_form(slug, format, "", system, subset, sample, seed, columns) | {"dry_run": "true"}
        return Job(self._connection, start_import(self._connection, form, files), result_of)


def start_import(connection: Connection, form: Mapping[str, str], files: Paths) -> str:
    """Send the files of an import and return the id of its job."""
    paths = [files] if isinstance(files, str | Path) else files
    answer = connection.send("POST", "imports/", form=form, files=[_file(path) for path in paths])
    return str(answer.json()["id"])


def import_form(
    slug: str,
    format: str,
    title: str,
    system: str,
    subset: str = "all",
    sample: int | None = None,
    seed: int = 1,
    columns: Mapping[str, Any] | None = None,
) -> dict[str, str]:
    """Return the form of an import into data set `slug`."""
    form = {"slug": slug, "format": format, "title": title, "system": system, "subset": subset, "seed": str(seed)}
    if sample is not None:
        form["sample"] = str(sample)
    if columns is not None:
        form["columns"] = json.dumps(columns)
    return form


def _file(path: str | Path) -> File:
    return Path(path).name, Path(path).read_bytes()


def result_of(job: JobState) -> Mapping[str, Any]:
    """Return what the job has counted."""
    return job.result or {}
