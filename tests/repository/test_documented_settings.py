"""docs/settings.md lists each setting of a project as it is declared."""

from django.db import models

from annotation.projects.project_settings import SETTINGS, Setting, When
from tests.conftest import CODE


def row(setting: Setting) -> str:
    """Return the line of the table."""
    field = setting.field
    default = "" if field.default is models.NOT_PROVIDED or field.default is None else f"`{field.default}`"
    if setting.is_switch:
        values, default = "on or off", "on" if field.default else "off"
    elif field.choices:
        values = ", ".join(f"`{key}`" for key, _label in field.flatchoices)
    elif setting.bounds:
        values = "{} to {}".format(*setting.bounds) + (", or none" if field.null else "")
    elif isinstance(field, models.CharField):
        values = f"text, 1 to {field.max_length} characters"
    else:
        values = "a judge, or none"
    who = "admins" if setting.for_admins else "leads"
    when = "" if setting.when is When.AT_ANY_TIME else f", {setting.when.value}"
    cells = (f"`{setting.name}`", setting.label, setting.help, values, default, who + when, f"`{setting.event}`")
    return f"| {' | '.join(cells)} |"


def test_the_table_is_as_the_settings_are_declared() -> None:
    lines = (CODE / "docs" / "settings.md").read_text(encoding="utf-8").splitlines()
    start = lines.index("|---|---|---|---|---|---|---|") + 1
    documented = lines[start : lines.index("", start)]
    assert documented == [row(setting) for setting in SETTINGS.values()]
