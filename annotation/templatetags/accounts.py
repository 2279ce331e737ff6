"""For how long links to set a password work: `{% password_link_time %}` -> within 3 days."""

from django import template

from ..accounts.users import password_link_time

register = template.Library()

register.simple_tag(password_link_time)
