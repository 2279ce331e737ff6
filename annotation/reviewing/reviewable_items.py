"""The items of a project that a lead may review."""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from ..models import Item, Project, Sheet
from ..models.rated_items import is_rateable


class NoSuchItem(LookupError):
    """The project has no such rated item."""


def items_for_review(project: Project) -> QuerySet[Item]:
    """Return the items on the project's sheets that can be rated, drawn or not, without retired ones."""
    sheets = Sheet.objects.filter(project=project, response=OuterRef("response"))
    single = Exists(sheets.filter(against=None))
    paired = Exists(sheets.filter(against=OuterRef("against")))
    on_a_sheet = (Q(against=None) & single) | (Q(against__isnull=False) & paired)
    return Item.objects.filter(on_a_sheet, is_rateable(project), unit=project.protocol.definition.unit)


def item_for_review(project: Project, public_id: UUID) -> Item:
    """Return one of them, with its response, prompt, document and system. Raises NoSuchItem."""
    related = ("response__prompt__document", "response__system", "against__system")
    item = items_for_review(project).select_related(*related).filter(public_id=public_id).first()
    if item is None:
        raise NoSuchItem("There is no such rated item in this project.")
    return item
