"""The forms for signing in and for setting a password: the first field has the focus, labels are in our words."""

from typing import Any

from allauth.account.forms import ChangePasswordForm, LoginForm, ReauthenticateForm, ResetPasswordKeyForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ...accounts.sessions import fix_lifetime
from ...models.user_names import LONGEST_SPELLING
from .adapter import limited


class SignInForm(LoginForm):
    """Sign in with a user name or an email address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autofocus"] = True
        self.fields["login"].validators.append(MaxLengthValidator(LONGEST_SPELLING))

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        """Sign in. The session ends at a fixed time; allauth has set one that changes of the session move."""
        response: HttpResponse = super().login(request, redirect_url=redirect_url)
        fix_lifetime(request.session)
        return response


class LimitedChangePasswordForm(ChangePasswordForm):
    """Change the password. Wrong current ones are limited: an open session must not find it out."""

    def clean_oldpassword(self) -> str:
        with limited(self.user, "change of password"):
            password: str = super().clean_oldpassword()
        return password


class ConfirmPasswordForm(ReauthenticateForm):
    """Enter the password again before a change of the account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].widget.attrs["autofocus"] = True


class SetPasswordForm(ResetPasswordKeyForm):
    """Set a password after a one-time link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        first, second = self.fields["password1"], self.fields["password2"]
        first.label, second.label = gettext_lazy("New password"), gettext_lazy("New password again")
        first.help_text = gettext_lazy(
            "At least 10 characters of any kind; not a common password, and not similar to your name."
        )
        first.widget.attrs["autofocus"] = True


class AddKeyForm(AddWebAuthnForm):
    """allauth's form, with the word of the sign-in page: a key that needs no password is a passkey."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["name"].help_text = _("For example the name of the device.")
        self.fields["passwordless"].label = _("Passkey: sign in without a password")
        self.fields["passwordless"].help_text = _(
            "The device asks for a fingerprint, a face or a PIN. Without it, the key is asked for after the password."
        )
