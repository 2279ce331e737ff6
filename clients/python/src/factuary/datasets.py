"""Data sets: import files, read contents."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Required, TypedDict, TypeVar, Unpack

from . import records
from .connection import Connection, file_of, form_of
from .generation import Generator
from .jobs import Job, JobState, counts_of
from .records import Breakdown, Format, Import, Kind, System  # noqa: F401 -- as in earlier versions
from .records import DatasetContents as Contents  # noqa: F401 -- its earlier name
from .records import DocumentRow as Document  # noqa: F401 -- its earlier name
from .records import PromptRow as Prompt  # noqa: F401 -- its earlier name
from .records import ResponseRow as Response  # noqa: F401 -- its earlier name
from .resources import RecordWithMethods, Resource, Rows, check_options

T = TypeVar("T")
Paths = str | Path | Sequence[str | Path]


class FileOptions(TypedDict, total=False):
    """How files are read. `system`: where the files name none.

    `columns`: for `rows`, such as `{"prompt": "question", "response": ["answer_a", "answer_b"]}`.
    """

    format: Required[str]
    title: str
    system: str
    columns: Mapping[str, Any] | None


class DatasetOptions(FileOptions, total=False):
    """What is taken from the files: a `subset`, and a `sample` of so many of its prompts, drawn at random by `seed`."""

    subset: str
    sample: int | None
    seed: int


@dataclass(frozen=True, kw_only=True)
class Dataset(records.Dataset, RecordWithMethods):
    """A data set."""

    @property
    def _path(self) -> str:
        return f"{self._parent}{self.slug}/"

    def contents(self) -> records.DatasetContents:
        """Return counts of what it holds."""
        return self._get(records.DatasetContents)

    def documents(self) -> Rows[records.DocumentRow]:
        """Return the documents without their texts."""
        return self._rows(records.DocumentRow, "documents/")

    def prompts(self, *, document: str | None = None) -> Rows[records.PromptRow]:
        """Return the prompts, or those about one document."""
        return self._rows(records.PromptRow, "prompts/", document=document)

    def responses(self, *, system: str | None = None, prompt: str | None = None) -> Rows[records.ResponseRow]:
        """Return the responses, or those of one system or to one prompt."""
        return self._rows(records.ResponseRow, "responses/", system=system, prompt=prompt)

    def imports(self) -> Rows[records.Import]:
        """Return the imports, the newest first."""
        return self._rows(records.Import, "imports/")

    def add_responses(
        self, file: str | Path, *, format: str = "rows", system: str = "", dry_run: bool = False
    ) -> Job[Mapping[str, Any]]:
        """Start a job that imports responses to the prompts; its result has the counts. For admins."""
        form = form_of({"format": format, "system": system, "dry_run": dry_run})
        answer = self._json("POST", "responses/imports/", form=form, files=[file_of(file)])
        return Job(self._connection, answer["id"], counts_of)

    def create_generator(self, system: str, *, base_url: str, model: str, **settings: Any) -> Generator:
        """Store the settings with which responses of a new system are generated, and return them. For admins.

        `settings`: `key` or `key_env`, `template`, `temperature`, `max_tokens`, `context_tokens`, `timeout`,
        `concurrency`, `requests_per_minute`, `input_price` and `output_price` (USD per million tokens). Nothing is
        sent to the model before `run`.
        """
        body = {"system": system, "base_url": base_url, "model": model, **settings}
        return self._write(Generator, "POST", "generators/", **body)

    def generators(self) -> Rows[Generator]:
        """Return the generated systems with their settings. For admins."""
        return self._rows(Generator, "generators/")

    def generator(self, generator_id: str) -> Generator:
        """Return a generated system as it is now. For admins."""
        return self._get(Generator, f"generators/{generator_id}/")

    def delete(self) -> Job[None]:
        """Start a job that deletes the data set; ConflictError while a project uses it. For admins."""
        return Job(self._connection, self._json("DELETE")["id"], lambda _: None)


class Datasets(Resource):
    """The data sets that the user may see."""

    def __iter__(self) -> Iterator[Dataset]:
        return iter(self._rows(Dataset))

    def get(self, slug: str) -> Dataset:
        """Return a data set. Raises NotFoundError."""
        return self._get(Dataset, f"{slug}/")

    def formats(self) -> tuple[records.Format, ...]:
        """Return the formats that can be imported."""
        formats = self._connection.json("GET", "formats/")
        return self._decode(records.Formats, formats).formats

    def load(self, slug: str, files: Paths, **options: Unpack[DatasetOptions]) -> Job[Dataset]:
        """Start a job that imports files into a data set, which is created if it does not exist. For admins."""
        check_options(DatasetOptions, options)
        return start_import(self._connection, files, {"slug": slug, **options}, lambda _: self.get(slug))

    def dry_run(self, slug: str, files: Paths, **options: Unpack[DatasetOptions]) -> Job[Mapping[str, Any]]:
        """Start a job that only counts what `load` would import. Nothing is stored. For admins."""
        check_options(DatasetOptions, options)
        return start_import(self._connection, files, {"slug": slug, "dry_run": True, **options}, counts_of)


def start_import(
    connection: Connection, files: Paths, options: Mapping[str, Any], load: Callable[[JobState], T]
) -> Job[T]:
    """Start a job that imports files; `load` returns its result."""
    paths = [files] if isinstance(files, str | Path) else files
    uploads = [file_of(path) for path in paths]
    return Job(connection, connection.json("POST", "imports/", form=form_of(options), files=uploads)["id"], load)
