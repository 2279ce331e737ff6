"""Numbers in the format of the reader's language."""

from django.utils.formats import get_format


def localised(text: str) -> str:
    """Return one number as Python writes it, `1,204.5 s`, with the separators of the language of the page; nothing
    changes where the decimal sign is a point.
    """
    decimal = str(get_format("DECIMAL_SEPARATOR"))
    if decimal == ".":
        return text
    return text.translate({ord(","): str(get_format("THOUSAND_SEPARATOR")), ord("."): decimal})
