"""Labels of buttons: a verb with its object, except where a heading or the page has only one object: in dialogs, and in
the workspace, whose buttons are about the current item."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "templates"
DIALOG = re.compile(r"<dialog\b.*?</dialog>", re.S)
BUTTON = re.compile(r"<button\b(?P<attributes>(?:[^>{]|\{[^}]*\}+)*)>(?P<content>.*?)</button>", re.S)
LABEL = re.compile(r'{% translate "([^"]*)"')
NAMES_ITS_OBJECT = re.compile(r"aria-label|visually-hidden")
NEED_NO_OBJECT = {"Adjudicate", "Cancel", "Search"}


def single_words(template: str) -> list[str]:
    """Return the labels of one word of the buttons outside dialogs."""
    buttons = BUTTON.finditer(DIALOG.sub("", template))
    labels = [label for each in buttons if not NAMES_ITS_OBJECT.search(each[0]) for label in LABEL.findall(each[0])]
    return [label for label in labels if " " not in label and label not in NEED_NO_OBJECT]


def test_buttons_name_their_object() -> None:
    paths = [path for path in sorted(TEMPLATES.rglob("*.html")) if path.parent.name != "rating"]
    found = {path.name: single_words(path.read_text()) for path in paths}
    assert {name: labels for name, labels in found.items() if labels} == {}


def test_a_label_of_one_word_is_found() -> None:
    for template, labels in (
        ('<button type="submit">{% translate "Release" %}</button>', ["Release"]),
        ('<button>{% icon "x" %} {% translate "Save" context "button" %}</button>', ["Save"]),
        ('<button>{% translate "Save target" %}</button>', []),
        ('<button>{% translate "Remove" %}<span class="visually-hidden">: {{ rater }}</span></button>', []),
        ('<dialog><h2>Remove?</h2><button>{% translate "Remove" %}</button></dialog>', []),
        ('<button type="button">{% translate "Cancel" %}</button>', []),
    ):
        assert single_words(template) == labels
