"""Import of further systems' responses to stored prompts."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.db import transaction

from ..jobs import Progress, Refused
from ..models import Dataset, DatasetImport, User
from .dataset import AnyPath, extend_projects, record_import
from .exchanges import Exchange, named_exchanges
from .fact_files import facts_in
from .formats import FORMATS as DATASET_FORMATS
from .import_counts import ImportCounts
from .input_files import FileReader, source_file
from .json_fields import THE_ROW, Fields, check_id
from .jsonl import is_blank
from .mapping_choice import first_sheet_only
from .problems import BadRecord, Problems, echo
from .record_sample import PROMPTS_SHOWN
from .records import NO_RESPONSE, LeftOut, SourceResponse
from .storage import Store
from .tabular_files import Row, read_rows

BATCH = 500
ROWS = "rows"
FORMATS = (ROWS, *(format.name for format in DATASET_FORMATS.values() if format.exchanges))
"""The formats of responses: a table, or a log of an evaluation."""


@transaction.atomic
def load_responses(
    path: AnyPath,
    dataset: Dataset,
    *,
    format: str = ROWS,
    system: str = "",
    dry_run: bool = False,
    actor: User | None = None,
    progress: Progress | None = None,
) -> ImportCounts:
    """Load a file of responses into `dataset`: a table (see `tabular_files`: `prompt`, `system`, `text`, optional `id`,
    `facts`, `reference_facts`, `facts_by`), or a log in another of `FORMATS`.

    `prompt` is a prompt's id, or its exact text if it is unique. The prompts of a log are found by their ids, or else
    by their texts. `system` is the default for rows without one. New responses are added to every project of the data
    set. Stores everything or nothing: raises Refused.
    """
    if format not in FORMATS:
        raise Refused([f"format {format!r} is unknown; choose one of: {', '.join(FORMATS)}"])
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    counts = ImportCounts({"prompts": 0, "responses": 0, "items": 0}, dry_run=dry_run)
    file_reader = FileReader(source_file(path))
    progress = progress or Progress()
    with Problems() as problems:
        loading = _ResponseLoader(dataset, Store(dataset, counts, problems), problems, system)
        reader = DATASET_FORMATS[format].exchanges
        records: Iterator[Row | Exchange | LeftOut]
        if reader is None:
            records = read_rows(file_reader, problems, format=None, needed=["prompt", "text"])
        else:
            records = named_exchanges(reader, file_reader, problems, system)
        for record in records:
            loading.take(record)
            progress(file_reader.packed, file_reader.size, "reading responses")
        loading.finish()
        if loading.rows == 0 and not problems.lines:
            hint = first_sheet_only([file_reader.source])
            raise file_reader.refused("there is no response in the file" + hint)
    counts.totals["prompts"] = len(loading.prompts)
    if counts.new:
        loading.store.analyze_tables()
        files = [file_reader.file_record()]
        options: dict[str, Any] = {"system": system}
        options |= {"format": format} if format != ROWS else {}
        options |= {"examples": counts.excluded.examples} if counts.excluded.examples else {}
        record_import(dataset, DatasetImport.Kind.RESPONSES, files, options, counts, actor)
        counts.offered_again = extend_projects(dataset, actor, loading.store.with_new_facts)
    progress.lock_job()
    if dry_run:
        transaction.set_rollback(True)
    return counts


class _ResponseLoader:
    """Finds the prompts of rows or exchanges in batches of some hundreds, and passes the responses to the store."""

    def __init__(self, dataset: Dataset, store: Store, problems: Problems, system: str):
        self.dataset, self.store, self.problems, self.system = dataset, store, problems, system
        self.prompts: set[str] = set()
        self.rows = 0
        self._waiting: list[SourceResponse] = []
        self._ids: dict[str, str] = {}
        self._keys: set[str] = set()
        self._texts: dict[str, str] = {}

    def take(self, record: Row | Exchange | LeftOut) -> None:
        self.rows += 1
        if isinstance(record, LeftOut):
            self.store.counts.excluded.add(record.reason, record.location)
            return
        try:
            response = self._response(record) if isinstance(record, Row) else self._answer(record)
            if response:
                self._waiting.append(response)
            else:
                why = record.why_empty if isinstance(record, Exchange) else NO_RESPONSE
                self.store.counts.excluded.add(why, record.location)
        except BadRecord as broken:
            self.problems.add(record.location, broken)
        if len(self._waiting) >= BATCH:
            self._store_batch()

    def finish(self) -> None:
        self._store_batch()
        self.store.flush()

    def _response(self, row: Row) -> SourceResponse | None:
        """Return the response; None if its text is blank, as a table's empty cell."""
        fields = Fields(row.values, THE_ROW)
        prompt = fields.needed_text("prompt")
        if is_blank(fields) or (row.is_csv and "text" not in row.values):
            return None
        text = fields.needed_text("text")
        system = fields.id("system", needed=False) or check_id(self.system, "--system")
        if not system:
            raise BadRecord("the row has no 'system'; set one for such rows with --system")
        key = fields.id("id", needed=False)
        self._check_first(key, row.location, "; 'id' is the id of the response: rename it if it is the question's")
        metadata = {} if row.is_csv else fields.object("metadata")
        facts = facts_in(fields, is_csv=row.is_csv)
        return SourceResponse(row.location, prompt, system, text, id=key, metadata=metadata, facts=facts)

    def _answer(self, exchange: Exchange) -> SourceResponse | None:
        """Return the exchange's response, to the prompt with its id. The prompt's text is kept for an unknown id."""
        named = exchange.prompt_id or exchange.prompt
        if exchange.prompt_id and exchange.prompt:
            self._texts[named] = exchange.prompt
        response = exchange.source_response(named)
        if response:
            self._check_first(response.id, exchange.location, response.id_hint)
        return response

    def _check_first(self, key: str, location: str, hint: str) -> None:
        """Raise BadRecord if an earlier record of the file has this id."""
        first = self._ids.setdefault(key, location) if key else location
        if first != location:
            raise BadRecord(f"response {echo(key)} occurs a second time; the first is in {first}" + hint)

    def _store_batch(self) -> None:
        waiting, self._waiting = self._waiting, []
        for response in self._matched(waiting):
            if response.key in self._keys:
                self.store.counts.excluded.add("repeated response", response.location)
                continue
            self._keys.add(response.key)
            self.prompts.add(response.prompt)
            self.store.add_response(response)
            sample = self.store.counts.sample
            if len(self.prompts) <= PROMPTS_SHOWN and not sample.is_full:
                text, document = self.dataset.prompts.values_list("text", "document__key").get(key=response.prompt)
                sample.take_response(response, text, document)

    def _matched(self, responses: list[SourceResponse]) -> Iterator[SourceResponse]:
        """Yield the responses with their prompt's id; those without a prompt become problems."""
        named = {response.prompt for response in responses}
        ids = set(self.dataset.prompts.filter(key__in=named).values_list("key", flat=True))
        texts, self._texts = self._texts, {}
        by_text: dict[str, list[str]] = defaultdict(list)
        unknown = {texts.get(name, name) for name in named - ids}
        for key, text in self.dataset.prompts.filter(text__in=unknown).values_list("key", "text"):
            by_text[text].append(key)
        for response in responses:
            is_id = response.prompt in ids
            prompts = [response.prompt] if is_id else by_text[texts.get(response.prompt, response.prompt)]
            if len(prompts) == 1:
                yield replace(response, prompt=prompts[0])
                continue
            problem = f"no prompt of data set {self.dataset.slug!r} has the id or the text {echo(response.prompt)}"
            if prompts:
                problem = f"{len(prompts)} prompts have the text {echo(response.prompt)}; use the prompt's id"
            self.problems.add(response.location, problem)
