"""The form that adds a passkey or a security key."""

from typing import Any

from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django.utils.translation import gettext as _


class AddKeyForm(AddWebAuthnForm):
    """allauth's form, with the word of the sign-in page: a key that needs no password is a passkey."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["name"].help_text = _("For example the name of the device.")
        self.fields["passwordless"].label = _("Passkey: sign in without a password")
        self.fields["passwordless"].help_text = _(
            "The device asks for a fingerprint, a face or a PIN. Without it, the key is asked for after the password."
        )
