"""Fonts of the browser tests: those of tests/fonts on every machine; the machine's own for the test of the layout."""

import os
from pathlib import Path

OWN_FONTS = Path(__file__).resolve().parents[1] / "fonts"
SYSTEM = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts"]
FAMILIES = ("LiberationSans-Regular.ttf", "NotoSans-Regular.ttf", "Roboto-Regular.ttf", "OpenSans-Regular.ttf")
CONFIGURATION = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>{fonts}</dir><dir>{own}</dir><cachedir>{cache}</cachedir></fontconfig>"""


def font_folders() -> list[Path]:
    """Return the folder of the tests' own fonts, and those of common families that are on this machine."""
    files = [file for root in SYSTEM for name in FAMILIES for file in sorted(root.rglob(name))[:1]]
    return [OWN_FONTS, *dict.fromkeys(file.parent for file in files)]


def with_fonts(fonts: Path, folder: Path) -> dict[str, str]:
    """Return an environment in which a browser has the fonts of one folder; write its configuration to `folder`."""
    file = folder / f"fonts-{fonts.name}-{os.getpid()}.conf"
    file.write_text(CONFIGURATION.format(fonts=fonts, own=OWN_FONTS, cache=folder / "fontconfig"))
    return {**os.environ, "FONTCONFIG_FILE": str(file)}
