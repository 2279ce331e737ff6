"""The order of a pair's responses for a rater, random so that the first position gives no advantage."""

from ..models import Assignment, Response
from ..protocols import are_swapped


def responses_as_seen(assignment: Assignment) -> list[Response]:
    """Return the one response of a sheet, or both in the rater's order."""
    sheet, protocol = assignment.sheet, assignment.project.protocol.definition
    if sheet.against is None:
        return [sheet.response]
    pair = [sheet.response, sheet.against]
    return pair[::-1] if are_swapped(protocol, assignment.public_id) else pair
