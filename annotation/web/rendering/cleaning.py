"""Sanitize HTML: whatever a model wrote, only these elements and attributes remain."""

import nh3
from django.utils.safestring import SafeString, mark_safe

from .formulas import ATTRIBUTES as MATH_ATTRIBUTES
from .formulas import ELEMENTS as MATH_ELEMENTS

_TEXT_ELEMENTS = frozenset(
    {"p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "s", "br", "hr", "a"}
    | {"table", "thead", "tbody", "tr", "th", "td", "sup", "span", "div", "small"}
)
_CLASSES = {
    "span": {"s", "first", "formula", "picture", "box"},
    "div": {"s", "table"},
    "code": {"formula"},
    "sup": {"cite"},
    "th": {"right", "middle"},
    "td": {"right", "middle"},
}
_BLOCKS = ("p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "table", "th", "td")
_CLEANER = nh3.Cleaner(
    tags=set(_TEXT_ELEMENTS | MATH_ELEMENTS),
    attributes={
        "a": {"href"},
        "ol": {"start"},
        "span": {"data-item", "data-raw", "title"},
        "div": {"data-item"},
        **{element: set(MATH_ATTRIBUTES) for element in MATH_ELEMENTS},
    },
    tag_attribute_values={block: {"dir": {"ltr", "rtl"}} for block in _BLOCKS},
    allowed_classes=_CLASSES,
    set_tag_attribute_values={"a": {"target": "_blank"}},
    link_rel="noopener noreferrer nofollow",
    url_schemes={"http", "https", "mailto"},
    url_relative="deny",
)


def clean(html: str) -> SafeString:
    """Remove everything from HTML that runs, loads, posts, styles or names."""
    return mark_safe(_CLEANER.clean(html))  # noqa: S308 - this is the sanitizer
