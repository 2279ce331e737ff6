"""The two responses of a pair in the order in which a rater gets them, so that what stands first has no advantage."""

from ..models import Assignment, Response
from ..protocols import are_swapped


def responses_as_seen(assignment: Assignment) -> list[Response]:
    """The one response of a sheet, or the two in the rater's order."""
    sheet, protocol = assignment.sheet, assignment.project.protocol.definition
    if sheet.against is None:
        return [sheet.response]
    pair = [sheet.response, sheet.against]
    return pair[::-1] if are_swapped(protocol, assignment.public_id) else pair
