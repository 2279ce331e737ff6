"""The formats of dates and numbers in the languages of the pages."""

from datetime import datetime

import pytest
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import date_format
from django.utils.translation import override

from annotation.i18n.english import localized


@pytest.mark.parametrize(
    ("language", "date", "number"),
    [("en-us", "5 June 2026, 14:05", "12,345"), ("es", "5 de junio de 2026 a las 14:05", "12.345")],
)
def test_dates_have_the_day_first_and_24_hours(language: str, date: str, number: str) -> None:
    with override(language):
        assert date_format(datetime(2026, 6, 5, 14, 5), "DATETIME_FORMAT") == date
        assert intcomma(12345) == localized("12,345") == number
