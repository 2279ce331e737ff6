"""Responses of a baseline without a model: the passages of the document that fit the prompt best."""

from django.db import transaction

from ..jobs import Progress, Refused
from ..models import Dataset, DatasetImport, Document, User
from ..retrieval import METHODS, Retriever
from .dataset import extend_projects, record_import
from .import_counts import ImportCounts
from .problems import Problems
from .records import SourceResponse
from .storage import Store

SEPARATOR = "\n\n"
"""Between several chunks."""


@transaction.atomic
def load_retrieved_responses(
    dataset: Dataset,
    method: str,
    *,
    system: str = "",
    dry_run: bool = False,
    actor: User | None = None,
    progress: Progress | None = None,
) -> ImportCounts:
    """Store for each prompt with a document the chunks that a method of METHODS retrieves, as a response.

    `system` is by default the method. New responses are added to every project of the data set; the same again changes
    nothing. Raises Refused if no prompt has a document.
    """
    if method not in METHODS:
        raise Refused([f"method {method!r} is unknown; choose one of: {', '.join(METHODS)}"])
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    system, progress = system or method, progress or Progress()
    counts = ImportCounts({"prompts": 0, "responses": 0, "items": 0}, dry_run=dry_run)
    prompts = dataset.prompts.order_by("document_id", "key").values_list("key", "text", "document_id")
    total, document, retriever = prompts.count(), None, None
    with Problems() as problems:
        store = Store(dataset, counts, problems)
        for number, (key, text, document_id) in enumerate(prompts.iterator(), 1):
            if document_id != document:
                document = document_id
                retriever = Retriever(text_of(Document.objects.get(pk=document_id)), method) if document_id else None
            best = retriever.best(text) if retriever else []
            if best:
                source = SourceResponse(key, key, system, SEPARATOR.join(best), metadata={"retrieval": method})
                store.add_response(source)
                counts.add("prompts")
            else:
                counts.excluded.add("prompt without a document", key)
            progress(number, total, "retrieving passages")
        store.flush()
    if not counts.totals["prompts"]:
        raise Refused([f"no prompt of data set {dataset.slug!r} has a document"])
    if counts.new:
        store.analyze_tables()
        options = {"system": system, "retrieval": method}
        record_import(dataset, DatasetImport.Kind.RESPONSES, [], options, counts, actor)
        extend_projects(dataset, actor, store.with_new_facts)
    progress.lock_job()
    if dry_run:
        transaction.set_rollback(True)
    return counts


def text_of(document: Document) -> str:
    """Return the headings and paragraphs of a document, one a line."""
    lines = []
    for section in document.sections:
        heading = section.get("heading") or ""
        lines += [*([heading] if heading else []), *(paragraph["text"] for paragraph in section["paragraphs"])]
    return "\n".join(lines)
