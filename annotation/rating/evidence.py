"""The passages of the article that a rater attached to an answer.

Each is `{"paragraph": id, "start": n, "end": n, "stance": "supports" | "contradicts", "text": …}`: offsets in code
points of the paragraph's stored text, `end` exclusive. Offsets and text are compared before a passage is stored, so
that it always points to the text that the rater has read.
"""

import json
from collections.abc import Mapping, Sequence
from typing import TypedDict

from django.db import connection
from django.utils.translation import gettext as _

from ..i18n.english import localized
from ..models import Document

SUPPORTS, CONTRADICTS = "supports", "contradicts"
STANCES = (SUPPORTS, CONTRADICTS)
MAX_PASSAGES = 100
MAX_EVIDENCE_LENGTH = 20_000
"""Code points of all passages of one answer together."""
MAX_OFFSET = 2**31 - 1


class Passage(TypedDict):
    """A passage of the article."""

    paragraph: str
    start: int
    end: int
    stance: str
    text: str


def evidence_problems(assignment: int, evidence: Sequence[Passage]) -> list[str]:
    """Return the problems of the passages of an answer under the assignment with this primary key, one per line.

    One query, none without evidence.
    """
    if not evidence:
        return []
    if problems := _form_problems(evidence):
        return problems
    with connection.cursor() as cursor:
        cursor.execute(_PARAGRAPHS, [assignment, sorted({each["paragraph"] for each in evidence})])
        return _place_problems(evidence, dict(cursor.fetchall()))


def evidence_problems_in(document: Document | None, evidence: Sequence[Passage]) -> list[str]:
    """Return the problems of passages of this document, one per line."""
    if len(evidence) > MAX_PASSAGES or sum(len(each["text"]) for each in evidence) > MAX_EVIDENCE_LENGTH:
        message = _("Attach at most %(passages)s passages with %(length)s characters in total.")
        return [message % {"passages": MAX_PASSAGES, "length": localized(f"{MAX_EVIDENCE_LENGTH:,}")}]
    return _form_problems(evidence) or _place_problems(evidence, paragraph_texts(document))


def _form_problems(evidence: Sequence[Passage]) -> list[str]:
    """Return the problems of form. The API's serializer checks these too, other callers do not."""
    problems = []
    for n, passage in enumerate(evidence, 1):
        if missing := [name for name in Passage.__annotations__ if name not in passage]:
            problems.append(_("passage %(n)s lacks: %(names)s") % {"n": n, "names": ", ".join(missing)})
        elif passage["stance"] not in STANCES:
            message = _("passage %(n)s: the stance must be supports or contradicts, but is '%(stance)s'")
            problems.append(message % {"n": n, "stance": passage["stance"]})
    return problems


def _place_problems(evidence: Sequence[Passage], texts: Mapping[str, str]) -> list[str]:
    problems = []
    for n, passage in enumerate(evidence, 1):
        start, end, text = passage["start"], passage["end"], texts.get(passage["paragraph"])
        values = {"n": n, "id": passage["paragraph"], "start": start, "end": end, "length": len(text or "")}
        if text is None:
            problems.append(_("passage %(n)s: the article has no paragraph '%(id)s'") % values)
        elif not 0 <= start < end <= len(text):
            problems.append(
                _("passage %(n)s: %(start)s to %(end)s is not in paragraph '%(id)s', which has %(length)s characters")
                % values
            )
        elif text[start:end] != passage["text"]:
            message = _("passage %(n)s: the text does not match paragraph '%(id)s' from %(start)s to %(end)s")
            problems.append(message % values)
    return problems


def paragraph_texts(document: Document | None) -> dict[str, str]:
    sections = document.sections if document else []
    return {paragraph["id"]: paragraph["text"] for section in sections for paragraph in section["paragraphs"]}


def parse_evidence(text: str) -> list[Passage]:
    """Parse the JSON of a form's field; empty text is no passage. Raises ValueError."""
    passages = json.loads(text or "[]")
    types = Passage.__annotations__
    if not isinstance(passages, list) or not all(
        isinstance(each, dict)
        and set(each) == set(types)
        and all(type(value) is types[name] for name, value in each.items())
        for each in passages
    ):
        raise ValueError(_("The passages have an invalid format."))
    return passages


_PARAGRAPHS = """
    SELECT paragraph->>'id', paragraph->>'text'
    FROM annotation_assignment a
    JOIN annotation_sheet s ON s.id = a.sheet_id
    JOIN annotation_document document ON document.id = s.document_id
    CROSS JOIN LATERAL jsonb_path_query(document.sections, '$[*].paragraphs[*]') paragraph
    WHERE a.id = %s AND paragraph->>'id' = ANY(%s)
"""
