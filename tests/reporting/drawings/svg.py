"""What a figure shows, read from its SVG."""

import re


def texts(svg: str) -> list[str]:
    """Return the labels of a figure, one a line."""
    return re.findall(r"<(?:text|tspan)[^>]*>([^<]+)</", svg)
