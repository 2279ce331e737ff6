"""Storing records in batches, inside the caller's transaction.

Stored records are compared and never changed: equal content is counted and left alone, other content under a stored id
is a problem. So loading twice changes nothing, and a later file can add but not overwrite.
"""

from collections.abc import Sequence
from operator import attrgetter

from ..models import Dataset, Document, Item, Prompt, Response, System
from ..projects.compatibility import WHOLE
from ..site.database_transactions import analyze_after
from .import_counts import ImportCounts
from .problems import Problems, echo
from .records import SourceDocument, SourcePair, SourcePrompt, SourceResponse
from .response_items import add_facts, given_items_differ, items_of, make_items, make_pairs

BATCH = 500
DOCUMENTS_PER_CHUNK = 50

GENERATED = (WHOLE, Item.BY_HAND)
"""Splitters of items that were created after the import."""


class Store:
    """Stores documents, prompts and responses of one data set, in this order; call `flush` at the end.

    Batches are written when they are full: first the documents, then their prompts, then the responses.
    """

    def __init__(self, dataset: Dataset, counts: ImportCounts, problems: Problems):
        self.dataset, self.counts, self.problems = dataset, counts, problems
        self._document_ids: dict[str, int] = {}
        self._systems: dict[str, System] = {}
        self._seen: set[str] = set()
        self._merged: set[str] = set()
        self._documents: list[SourceDocument] = []
        self._prompts: list[SourcePrompt] = []
        self._responses: list[SourceResponse] = []
        self._pairs: dict[SourcePair, str] = {}
        self._known_pairs: set[SourcePair] = set()
        self.with_new_facts: set[int] = set()
        """Existing responses (primary keys) that got facts."""

    def add_document(self, document: SourceDocument) -> None:
        """Add a document once: the survey has checked that repeated ones are equal."""
        if document.key in self._document_ids:
            return
        self._document_ids[document.key] = 0
        self._documents.append(document)
        if len(self._documents) >= DOCUMENTS_PER_CHUNK:
            self.flush()

    def add_prompt(self, prompt: SourcePrompt) -> None:
        """Add a prompt, or another response to a prompt that was added."""
        if prompt.key not in self._merged:
            self._prompts.append(prompt)
        if prompt.merges:
            self._merged.add(prompt.key)
        if len(self._prompts) >= BATCH:
            self.flush()
        for response in prompt.responses:
            self.add_response(response)
        self._pairs |= {pair: prompt.text for pair in prompt.pairs if pair not in self._known_pairs}
        self._known_pairs.update(prompt.pairs)

    def add_response(self, response: SourceResponse) -> None:
        """Add a response. A response without an id that occurs again is stored once."""
        if response.key in self._seen:
            return
        self._seen.add(response.key)
        self._responses.append(response)
        if len(self._responses) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Write all waiting records."""
        documents, self._documents = self._documents, []
        prompts, self._prompts = self._prompts, []
        responses, self._responses = self._responses, []
        pairs, self._pairs = self._pairs, {}
        if documents:
            self._store_documents(documents)
        if prompts:
            self._store_prompts(prompts)
        if responses:
            self._store_responses(responses)
        if pairs:
            keys = {key for pair in pairs for key in (pair.response, pair.against)}
            ids = dict(self.dataset.responses.filter(key__in=keys).values_list("key", "pk"))
            texts = {(ids[pair.response], ids[pair.against]): text for pair, text in pairs.items()}
            self.counts.new += make_pairs(texts)
            self.counts.add("items", len(pairs))

    def analyze_tables(self) -> None:
        """After many new records, let PostgreSQL plan what follows for the new size of the tables."""
        if self.counts.new and not self.counts.dry_run:
            analyze_after(self.counts.new + self.counts.totals["items"], Document, Prompt, Response, Item)

    def _store_documents(self, sources: list[SourceDocument]) -> None:
        stored = {row.key: row for row in self.dataset.documents.filter(key__in=[d.key for d in sources])}
        fresh = []
        for source in sources:
            row = stored.get(source.key)
            if row is None:
                fresh.append(
                    Document(dataset=self.dataset, key=source.key, title=source.title, sections=source.sections)
                )
            elif (row.title, row.sections) != (source.title, source.sections):
                self._differs(source, "document")
        created = Document.objects.bulk_create(fresh)
        self._document_ids |= {row.key: row.pk for row in [*stored.values(), *created]}
        self.counts.new += len(created)

    def _store_prompts(self, sources: list[SourcePrompt]) -> None:
        rows = self.dataset.prompts.select_related("document").only(
            "key", "text", "reference", "annotations", "metadata", "document__key"
        )
        stored = {row.key: row for row in rows.filter(key__in=[p.key for p in sources])}
        # Documents that an earlier import stored and this file only names.
        keys = {p.document for p in sources if p.document is not None} - self._document_ids.keys()
        if keys:
            self._document_ids |= dict(self.dataset.documents.filter(key__in=keys).values_list("key", "pk"))
        content, fresh = attrgetter("text", "reference", "annotations", "metadata"), []
        for source in sources:
            row = stored.get(source.key)
            if row is None:
                fresh.append(
                    Prompt(
                        dataset=self.dataset,
                        key=source.key,
                        text=source.text,
                        document_id=None if source.document is None else self._document_ids[source.document],
                        reference=source.reference,
                        annotations=source.annotations,
                        metadata=source.metadata,
                    )
                )
            elif content(row) != content(source) or (row.document and row.document.key) != source.document:
                self._differs(source, "prompt")
        self.counts.new += len(Prompt.objects.bulk_create(fresh))

    def _store_responses(self, sources: list[SourceResponse]) -> None:
        prompts = {
            row.key: row for row in self.dataset.prompts.filter(key__in={r.prompt for r in sources}).only("key", "text")
        }
        rows = self.dataset.responses.select_related("system").filter(key__in=[r.key for r in sources])
        stored = {row.key: row for row in rows}
        items, content = items_of(stored.values()), attrgetter("system", "text", "metadata")
        fresh, existing = [], []
        for source in sources:
            row = stored.get(source.key)
            if row is None:
                fresh.append(source)
            elif row.prompt_id != prompts[source.prompt].pk or (row.system.name, row.text, row.metadata) != content(
                source
            ):
                self._differs(source, "response")
            elif given_items_differ(source, items[row.pk]):
                self._differs(source, "response", "items, which never change")
            else:
                existing.append((row, source, items[row.pk]))
                self.counts.add("items", sum(item.splitter not in GENERATED for item in items[row.pk]))
        self.counts.add("responses", len(sources))
        # A later file may have facts of responses that have none.
        added = add_facts(existing)
        self.counts.new += len(added)
        self.counts.add("items", len(added))
        self.with_new_facts |= {item.response_id for item in added}
        self._make_responses(fresh, prompts)

    def _make_responses(self, fresh: Sequence[SourceResponse], prompts: dict[str, Prompt]) -> None:
        for name in dict.fromkeys(source.system for source in fresh):
            if name not in self._systems:
                self._systems[name], _ = System.objects.get_or_create(dataset=self.dataset, name=name)
        created = Response.objects.bulk_create(
            Response(
                dataset=self.dataset,
                prompt=prompts[source.prompt],
                system=self._systems[source.system],
                key=source.key,
                text=source.text,
                metadata=source.metadata,
            )
            for source in fresh
        )
        self.counts.new += len(created)
        self.counts.add("items", make_items(zip(created, fresh, strict=True)))

    def _differs(
        self,
        source: SourceDocument | SourcePrompt | SourceResponse,
        noun: str,
        other: str = "content, which never changes",
    ) -> None:
        remedy = "use another id, or import into another data set"
        self.problems.add(source.location, f"{noun} {echo(source.key)} is already stored with other {other}: {remedy}")
