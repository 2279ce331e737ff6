"""The form of an account."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy


class PersonForm(forms.Form):
    """A new account. Its owner sets the password."""

    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=150,
        help_text=gettext_lazy("Letters, digits and @ . + - _. It appears in exports."),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        required=False,
        help_text=gettext_lazy("For signing in and for a forgotten password. Can be left empty."),
    )
    admin = forms.BooleanField(
        label=gettext_lazy("Admin: loads data, makes projects and accounts, and sees every project"), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs |= {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        self.fields["email"].widget.attrs["autocomplete"] = "off"
