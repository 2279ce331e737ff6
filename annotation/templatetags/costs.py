"""Costs and prices in USD: `{{ run.cost|cost }}` -> 0.1234, `{{ judge.input_price|price }}` -> 0.15."""

from decimal import Decimal

from django import template

from ..i18n.english import localized

register = template.Library()


@register.filter
def cost(amount: Decimal | float | None) -> str:
    """Return the amount with four decimals, or a dash for None: without prices there is no cost."""
    return "–" if amount is None else localized(f"{amount:,.4f}")


@register.filter
def price(amount: Decimal) -> str:
    """Return the amount with all its decimals and no more."""
    return localized(f"{amount.normalize():,f}")
