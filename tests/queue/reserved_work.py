"""Reservations in tests."""

from annotation.models import Reservation, Slot
from annotation.queue.reservations import Selection
from annotation.queue.slots import RESERVED_BELOW

HERON = Selection("system", "heron")


def assert_in_order(project) -> None:
    """Check that reserved slots rank below zero and all others have the rank of their sheet."""
    reserved = set(Reservation.objects.filter(project=project).values_list("sheet", flat=True))
    for slot in Slot.objects.filter(project=project).select_related("sheet"):
        assert slot.rank == slot.sheet.rank - RESERVED_BELOW * (slot.sheet_id in reserved)
