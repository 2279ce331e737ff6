"""The words for units of rating: `{{ "claim"|unit:2 }}` -> claims; `{{ 1204|counted:"claim" }}` -> 1,204 claims."""

from django import template

from ..i18n import unit_names

register = template.Library()

register.filter("unit", unit_names.unit_words)
register.filter("counted", unit_names.counted)
