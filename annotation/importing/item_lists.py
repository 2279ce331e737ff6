"""Lists of items in a file: JSON lines or a table with `response` and `item`, as exports of ratings have them."""

from ..models import Item
from .dataset import AnyPath
from .input_files import FileReader, source_file
from .json_fields import THE_ROW, Fields
from .manual_items import ItemDescription
from .problems import BadRecord, Problems, echo
from .rating_fields import read_item
from .tabular_files import read_rows


def read_item_list(path: AnyPath) -> list[int]:
    """Return the items (primary keys) that the file names by imported ids. Raises Refused with every problem."""
    file_reader, items = FileReader(source_file(path)), []
    with Problems() as problems:
        for row in read_rows(file_reader, problems, format=None, needed=["response", "item"]):
            try:
                items.append(find_item(read_item(Fields(row.unguarded, THE_ROW), row.is_csv)))
            except BadRecord as problem:
                problems.add(row.location, problem)
        if not items and not problems.lines:
            raise file_reader.refused("there is no item in the file")
    return items


def find_item(described: ItemDescription) -> int:
    """Return the item (primary key) of any data set. Raises BadRecord if there is none, or several."""
    items = Item.objects.filter(
        response__key=described.response, unit=described.unit, position=described.position, retired_at=None
    )
    matches = items.filter(against__key=described.against) if described.against else items.filter(against=None)
    keys = list(matches.values_list("pk", flat=True)[:2])
    item = f"{described.unit} {described.position} of response {echo(described.response)}"
    if not keys:
        raise BadRecord(f"there is no {item}")
    if len(keys) > 1:
        raise BadRecord(f"several data sets have a {item}: name a project instead")
    return keys[0]
