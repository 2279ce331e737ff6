"""A hash of the data under a report: the same for the same ratings in any database and any project.

Each counted rating is a line, the PostgreSQL text of the JSON array
`[response, against, system, unit, position, rater, answers]` with imported ids. The lines of a prompt are sorted by
code point, joined by line feeds and hashed; a prompt is then the line `[prompt, metadata, hash]`. The hash of the
prompts' lines, in the order of their ids, is the hash of the data. Grouping by prompt keeps memory flat.
"""

import hashlib
from typing import Any

from django.contrib.postgres.aggregates import StringAgg
from django.db.models import F, Func, JSONField, TextField
from django.db.models.functions import Cast, Collate

from ..models import Project
from ..rating.counting import counted_ratings
from .tallies import canonical

_RATING = Cast(
    Func(
        "item__response__key",
        "item__against__key",
        "item__response__system__name",
        "item__unit",
        "item__position",
        "rater__username",
        "answers",
        function="jsonb_build_array",
        output_field=JSONField(),
    ),
    TextField(),
)


class _Sha256(Func):
    """SHA-256 of a text in UTF-8, hexadecimal."""

    template = "encode(sha256(convert_to(%(expressions)s, 'UTF8')), 'hex')"
    output_field = TextField()


def data_sha256(project: Project) -> str:
    """The hash of the counted ratings of `project`: one query, one row a prompt."""
    lines = StringAgg("line", "\n", order_by=Collate(F("line"), "C"))
    rows = (
        counted_ratings(project)
        .order_by()
        .annotate(line=_RATING)
        .values_list("item__response__prompt__key", "item__response__prompt__metadata")
        .annotate(digest=_Sha256(lines))
    )
    return _joined([(key, metadata, digest) for key, metadata, digest in rows.iterator()])


def _joined(prompts: list[tuple[str, Any, str]]) -> str:
    found = hashlib.sha256()
    for prompt in sorted(prompts, key=lambda row: row[0]):
        found.update(canonical(prompt).encode() + b"\n")
    return found.hexdigest()
