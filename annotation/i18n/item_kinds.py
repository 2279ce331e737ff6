"""The kinds of items in the reader's language: the pieces into which responses are split, and other units."""

from django.utils.translation import gettext_lazy, pgettext_lazy

ITEM_KINDS = {
    "sentence": pgettext_lazy("kind of item", "sentence"),
    "heading": pgettext_lazy("kind of item", "heading"),
    "item": gettext_lazy("list item"),
    "table_row": gettext_lazy("row of a table"),
    "lead_in": gettext_lazy("lead-in to a list"),
    "math": gettext_lazy("formula"),
    "table_header": gettext_lazy("header of a table"),
    "code": pgettext_lazy("kind of item", "code"),
    "reference": gettext_lazy("entry of a reference list"),
    "reasoning": pgettext_lazy("kind of item", "reasoning"),
    "claim": pgettext_lazy("kind of item", "claim"),
    "fact": pgettext_lazy("kind of item", "fact"),
    "response": pgettext_lazy("kind of item", "response"),
    "pair": pgettext_lazy("kind of item", "pair"),
}
