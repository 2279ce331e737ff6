"""The forms for signing in and for setting a password: the first field has the focus, labels are in our words."""

from typing import Any

from allauth.account.forms import LoginForm, ResetPasswordKeyForm
from django.utils.translation import gettext_lazy


class SignInForm(LoginForm):
    """Sign in with a user name or an email address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autofocus"] = True


class SetPasswordForm(ResetPasswordKeyForm):
    """Set a password after a one-time link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        first, second = self.fields["password1"], self.fields["password2"]
        first.label, second.label = gettext_lazy("New password"), gettext_lazy("New password again")
        first.help_text = gettext_lazy(
            "At least 10 characters, not only digits; not a common password, and not similar to your name."
        )
        first.widget.attrs["autofocus"] = True
