"""The texts of the items that a report names."""

from collections.abc import Collection

from ...models import Item


class ItemTexts:
    """The texts of items, each read once."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def read(self, item_ids: Collection[int]) -> dict[int, str]:
        """Return the texts of items by their ids, with one query if some have not been read."""
        if missing := set(item_ids) - self._known.keys():
            self._known |= read_item_texts(missing)
        return {item_id: self._known[item_id] for item_id in item_ids}


def read_item_texts(item_ids: Collection[int]) -> dict[int, str]:
    """Return the texts of items by their ids, with one query."""
    return dict(Item.objects.filter(pk__in=item_ids).values_list("pk", "text"))
