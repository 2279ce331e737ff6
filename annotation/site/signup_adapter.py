"""Admins create accounts (`create_user`, the admin pages); there is no sign-up."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

WRONG_LOGIN = gettext_lazy("The user name or password is not correct.")


class InvitationOnly(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": WRONG_LOGIN,
        "email_password_mismatch": gettext_lazy("The email address or password is not correct."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
