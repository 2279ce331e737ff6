"""In which order a rater gets the two responses of a pair, so that what stands first has no advantage.

The order is one bit of the assignment's random id: it is the same whenever the rater comes back to the sheet, differs
from rater to rater by chance alone, and nothing has to be kept beside the answers. These are stored as if everybody had
seen the first response first, and read back as the rater saw it: only a rater at work, in the page or by a program, has
the other order.
"""

from typing import Any
from uuid import UUID

from ..models import Assignment, Response
from ..protocols import Answers, Protocol, from_the_other_side, has_sides


def are_swapped(protocol: Protocol, assignment: UUID) -> bool:
    """Whether the rater of this assignment (its public id) has the second response of a pair first."""
    return has_sides(protocol) and bool(assignment.int & 1)


def as_seen(protocol: Protocol, assignment: UUID, answers: Answers) -> dict[str, Any]:
    """Stored answers as the rater gave them; and, the other way round, answers given as they are stored."""
    return from_the_other_side(protocol, answers) if are_swapped(protocol, assignment) else dict(answers)


def responses_as_seen(assignment: Assignment) -> list[Response]:
    """The one response of a sheet, or the two in the rater's order."""
    sheet, protocol = assignment.sheet, assignment.project.protocol.definition
    if sheet.against is None:
        return [sheet.response]
    pair = [sheet.response, sheet.against]
    return pair[::-1] if are_swapped(protocol, assignment.public_id) else pair
