"""Numbers in the format of the reader's language."""

from django.utils.formats import get_format


def localized(text: str) -> str:
    """Replace the separators of a number in Python's format, `1,204.5 s`, by those of the active language; unchanged if
    the decimal sign is a point.
    """
    decimal = str(get_format("DECIMAL_SEPARATOR"))
    if decimal == ".":
        return text
    return text.translate({ord(","): str(get_format("THOUSAND_SEPARATOR")), ord("."): decimal})
