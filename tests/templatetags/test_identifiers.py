"""Names of systems and columns that may break at their separators."""

import pytest

from annotation.templatetags.identifiers import breakable


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
