"""A figure as a file for slides and papers, made from its SVG: the same SVG gives the same bytes."""

from .pdf_objects import in_order

PNG, PDF = "image/png", "application/pdf"
ON_SCREEN, IN_PRINT = "", "-300dpi"  # ending of the name of a PNG


def png(svg: str, ending: str = ON_SCREEN) -> bytes:
    """Return a PNG of twice the SVG's size, or with 300 pixels per inch (72 in the SVG)."""
    import vl_convert

    return vl_convert.svg_to_png(svg, ppi=300) if ending == IN_PRINT else vl_convert.svg_to_png(svg, scale=2)


def pdf(svg: str) -> bytes:
    """Return one page of the size of the figure, its text as text."""
    import vl_convert

    return in_order(vl_convert.svg_to_pdf(svg))
