"""Names that may break at their separators, and how long ago something was."""

from datetime import timedelta

import pytest
from django.utils import timezone, translation

from annotation.templatetags.words import ago, breakable


@pytest.mark.parametrize(
    ("name", "html"),
    [
        ("wren_answer", "wren_<wbr>answer"),
        ("org/model-7b.v2", "org/<wbr>model-<wbr>7b.<wbr>v2"),
        ("heron", "heron"),
        ("a__b", "a__<wbr>b"),
        ("<b>_x", "&lt;b&gt;_<wbr>x"),
        ("", ""),
    ],
)
def test_a_name_breaks_after_its_separators_and_is_escaped(name: str, html: str) -> None:
    assert breakable(name) == html


@pytest.mark.parametrize(
    ("hours", "english", "spanish"),
    [
        (3, "3 hours ago", "hace 3 horas"),
        (27, "1 day ago", "hace 1 día"),
        (24 * 9, "1 week ago", "hace 1 semana"),
        (24 * 70, "2 months ago", "hace 2 meses"),
    ],
)
def test_it_is_said_in_one_unit(hours: int, english: str, spanish: str) -> None:
    moment = timezone.now() - timedelta(hours=hours, minutes=5)
    assert ago(moment).replace("\xa0", " ") == english
    with translation.override("es"):
        assert ago(moment).replace("\xa0", " ") == spanish


def test_no_moment_has_no_words() -> None:
    assert ago(None) == ""
