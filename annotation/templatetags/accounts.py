"""For how long links to set a password work: `{% password_link_time %}` -> within 3 days; what names a person in an
address: `{{ user|shown_username }}`, the user name or a pseudonym.
"""

from django import template

from ..accounts.users import password_link_time
from ..pseudonyms import shown_username

register = template.Library()

register.simple_tag(password_link_time)
register.filter("shown_username", shown_username)
