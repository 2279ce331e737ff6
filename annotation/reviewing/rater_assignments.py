"""Where a rater's answers about an item are: the assignment of the rater's response."""

from django.db.models import OuterRef, Q, Subquery

from ..models import Assignment


def assignment_id(rater: str, item: str = "item") -> Subquery:
    """Return an annotation for rows with a `project`: the public id of the assignment that `rater` has or had on the
    response, or pair, of `item`; both are names of fields. Null if the rater never had it.
    """
    is_same_pair = Q(sheet__against=OuterRef(f"{item}__against")) | Q(sheet__against=None)
    assignments = Assignment.objects.filter(
        is_same_pair,
        project=OuterRef("project"),
        rater=OuterRef(rater),
        sheet__response=OuterRef(f"{item}__response"),
    )
    return Subquery(assignments.order_by("-taken_at").values("public_id")[:1])
