"""A plan, and the record of a study's methods."""

from annotation.reporting.parts import Share
from annotation.reporting.provenance_record import (
    SCHEMA,
    Blinding,
    Lengths,
    PlanRecord,
    Preparation,
    Provenance,
    SystemLengths,
)
from annotation.reporting.text.names import Names
from tests.cast import article_accuracy

PREPARATION = Preparation(
    training_responses=2, qualification_responses=3, pass_mark=0.8, tries=2, trained=5, passed=4, waived=1,
    hidden_gold_every=10, training=Share(0.9, 18, 20), qualification=None, gold=None, hidden_gold=Share(0.75, 3, 4),
)  # fmt: skip
BLINDING = Blinding(suggestions=False, reference_shown=False, imported=0)
PLAN = PlanRecord(
    version=2, sha256="abcdef0123456789", stored_at="2025-01-01T10:00:00Z", before_first_rating=True, deviations=[],
    earlier=None, family="measure", family_size=3, tests=[], unplanned=[],
)  # fmt: skip
RECORD = Provenance(
    schema=SCHEMA, project="june", title="June", dataset="june", software="0.8.0",
    first_rating="2025-01-02T10:00:00Z", last_rating="2025-02-03T10:00:00Z", ratings=100, raters=[],
    preparation=PREPARATION, blinding=BLINDING, overlap=3, splitters={"1": 40}, guidelines={}, target=0.02, plan=None,
    lengths=[SystemLengths("heron", 10, Lengths(4.2, 4.0, 0.31), Lengths(60.4, 55.0, 0.4))],
)  # fmt: skip


def names() -> Names:
    return Names(article_accuracy().definition)
