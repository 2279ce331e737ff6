"""Create a project with its sheets and slots.

The order of the work is random and fixed by the project's seed: documents are shuffled, and sheets within each
document, so that the responses about a document come together. The same seed gives the same order on every machine,
because it is computed from imported ids, not from database ids.
"""

from itertools import count
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils.text import slugify

from ..audit import record
from ..models import Dataset, Item, Judge, Project, ProtocolVersion, SampledItem, User
from ..queue.errors import ProjectError, SampleError
from ..queue.slots import add_slots, lock_project
from .compatibility import create_response_items, why_nothing_to_rate
from .project_settings import SETTINGS

RESERVED = "new"  # /projects/new/ is a page
MAX_SHORT_NAME = 80
"""The length of the `slug` of a project or data set."""


@transaction.atomic
def create_project(
    slug: str,
    dataset: Dataset,
    protocol: ProtocolVersion,
    *,
    title: str = "",
    overlap: int = 1,
    seed: int = 1,
    skips_claim_free: bool = False,
    sampling_design: str = "",
    sample_size: int | None = None,
    sampling_judge: Judge | None = None,
    actor: User | None = None,
) -> Project:
    """Create a project over all responses of `dataset`, each with `overlap` slots. Raises ProjectError, also if the
    data set has no items of the protocol's unit. `skips_claim_free`: raters are not asked about items marked as likely
    free of claims. `sampling_design`: they are asked about a sample of `sample_size` items, drawn as `queue.sampling`
    says; `uncertain` needs the judge that says where it is unsure.
    """
    project = Project(
        slug=slug,
        title=title or slug,
        dataset=dataset,
        protocol=protocol,
        overlap=overlap,
        seed=seed,
        skips_claim_free=skips_claim_free,
        sampling_design=sampling_design,
        sample_size=sample_size,
        sampling_judge=sampling_judge,
        created_by=actor,
    )
    try:
        validate_slug(project.slug)
    except ValidationError:
        raise ProjectError(
            f"project name {project.slug!r}: use letters, digits, hyphens and underscores only"
        ) from None
    if project.slug == RESERVED:
        raise ProjectError(f"project name {project.slug!r} is reserved by the site: choose another name")
    if Project.objects.filter(slug=project.slug).exists():
        raise ProjectError(f"project {project.slug!r} already exists: choose another name")
    SETTINGS["overlap"].clean(project.overlap)
    _check_sample(project)
    if reason := why_nothing_to_rate(project.dataset, project.protocol.definition.unit):
        raise ProjectError(reason)
    project.save(force_insert=True)
    sheets = add_responses(project)
    after: dict[str, object] = {
        "dataset": dataset.slug,
        "protocol": f"{protocol.slug} {protocol.version}",
        "overlap": overlap,
        "seed": seed,
    }
    if skips_claim_free:
        after["skips_claim_free"] = True
    if sampling_design:
        after |= {"sampling_design": sampling_design, "sample_size": sample_size}
        if sampling_judge:
            after["sampling_judge"] = sampling_judge.label
        after["drawn"] = SampledItem.objects.filter(project=project, is_drawn=True).count()
    record(actor, "create project", f"project:{slug}", project=project, after=after | {"sheets": sheets})
    return project


def _check_sample(project: Project) -> None:
    """Raise SampleError unless design, size and judge fit each other."""
    design, size = project.sampling_design, project.sample_size
    if not design and size is None and project.sampling_judge is None:
        return
    if design not in Project.SamplingDesign.values:
        designs = ", ".join(Project.SamplingDesign.values)
        raise SampleError(f"sampling design {design!r}: choose one of {designs}")
    if size is None or size < 1:
        raise SampleError(f"sample size {size}: choose a number of at least 1")
    if design != Project.SamplingDesign.RESPONSES and project.protocol.definition.asks_once:
        raise SampleError(f"protocol {project.protocol} asks about the whole response too: choose the design responses")
    if (design == Project.SamplingDesign.UNCERTAIN) != (project.sampling_judge is not None):
        raise SampleError("name a judge for the design uncertain, and only for it")


@transaction.atomic
def add_responses(project: Project) -> int:
    """Create the missing sheets for the data set's responses, or pairs of responses, and their slots. Return how many.

    For a protocol about whole responses their items are created too. A response without rated items gets a sheet
    without slots: the queue skips it, and it is counted. An archived project gets the sheets when it is unarchived.
    """
    locked = lock_project(project)
    if locked.archived_at:
        return 0
    unit = locked.protocol.definition.unit
    if unit == Item.Unit.RESPONSE:
        create_response_items(locked.dataset_id)
    with connection.cursor() as cursor:
        pairs = unit == Item.Unit.PAIR
        values = {"project": locked.pk, "dataset": locked.dataset_id, "seed": locked.seed}
        cursor.execute(_NEW_SHEETS_OF_PAIRS if pairs else _NEW_SHEETS, values)
        added = cursor.rowcount
    add_slots(locked)
    return added


def _shuffled(name: str) -> str:
    """Return SQL of 31 bits from seed and name: the first four bytes of their SHA-256, halved."""
    sha256 = f"sha256(convert_to(%(seed)s || ':' || {name}, 'UTF8'))"
    return f"(('x' || encode(substr({sha256}, 1, 4), 'hex'))::bit(32)::bigint >> 1)"


# Sort keys of 62 bits: 31 of the document's (or prompt's) random position, 31 of the response's. One statement, because
# 32,000 responses row by row took 11 seconds; sorted, so that PostgreSQL reads everything before it stores the first
# row (a plan made while the table was empty would scan the growing table for every response).
_RANK_OF_PROMPT = _shuffled("COALESCE('document:' || document.key, 'prompt:' || prompt.key)")
_NEW_SHEETS = f"""
    INSERT INTO annotation_sheet (project_id, response_id, document_id, rank)
    SELECT %(project)s, response.id, prompt.document_id,
        {_RANK_OF_PROMPT} << 31 | {_shuffled("'response:' || response.key")}
    FROM annotation_response response
    JOIN annotation_prompt prompt ON prompt.id = response.prompt_id
    LEFT JOIN annotation_document document ON document.id = prompt.document_id
    WHERE response.dataset_id = %(dataset)s AND NOT EXISTS (
        SELECT FROM annotation_sheet sheet WHERE sheet.project_id = %(project)s AND sheet.response_id = response.id
    )
    ORDER BY 4
"""  # noqa: S608 - only constants
_NEW_SHEETS_OF_PAIRS = f"""
    INSERT INTO annotation_sheet (project_id, response_id, against_id, document_id, rank)
    SELECT DISTINCT %(project)s, response.id, against.id, prompt.document_id,
        {_RANK_OF_PROMPT} << 31 | {_shuffled("'pair:' || response.key || ':' || against.key")}
    FROM annotation_item item
    JOIN annotation_response response ON response.id = item.response_id
    JOIN annotation_response against ON against.id = item.against_id
    JOIN annotation_prompt prompt ON prompt.id = response.prompt_id
    LEFT JOIN annotation_document document ON document.id = prompt.document_id
    WHERE response.dataset_id = %(dataset)s AND item.unit = 'pair' AND NOT EXISTS (
        SELECT FROM annotation_sheet sheet WHERE sheet.project_id = %(project)s
            AND sheet.response_id = response.id AND sheet.against_id = against.id
    )
    ORDER BY 5
"""  # noqa: S608 - only constants


def derived_short_name(title: str, existing: QuerySet[Any], reserved: str) -> str:
    """Return a name from a title that no row of `existing` has as its `slug`: june-study, or june-study-2; "" for a
    title without Latin letters and digits.
    """
    stem = slugify(title)[: MAX_SHORT_NAME - 6].strip("-_")
    if not stem:
        return ""
    used = {reserved, *existing.filter(slug__startswith=stem).values_list("slug", flat=True)}
    numbered = (f"{stem}-{number}" for number in count(2))
    return stem if stem not in used else next(name for name in numbered if name not in used)
