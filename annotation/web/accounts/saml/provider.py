"""The provider of allauth: the way to the identity provider, and who a person is there."""

from typing import Any

from allauth.socialaccount.providers.saml.provider import SAMLProvider
from django.http import HttpRequest, HttpResponseRedirect
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Constants

from ..reauthentication import confirmation_state
from .service_provider import Exchange, exchange


class SignInProvider(SAMLProvider):
    """A provider of SIGN_IN_PROVIDERS. A person's id there is the attribute `uid`, or a persistent NameID."""

    def redirect(
        self, request: HttpRequest, process: str, next_url: str | None = None, data: Any = None, **kwargs: Any
    ) -> HttpResponseRedirect:
        """Lead to the provider. Where the person goes afterwards stays in the session: there is no RelayState.

        Who confirms their identity is asked for the password, although signed in there.
        """
        leaving, confirmation = exchange(request, self.app), confirmation_state(request)
        address = leaving.login(return_to="", force_authn=bool(confirmation))
        request_id = leaving.get_last_request_id()
        self.stash_redirect_state(request, process, next_url, data, state_id=request_id, **confirmation, **kwargs)
        return HttpResponseRedirect(address)

    def extract_uid(self, data: Exchange) -> str:
        """Return the person's id. Raises ValueError if there is none that stays the same."""
        if name := self.app.settings["attribute_mapping"].get("uid"):
            values = data.get_attributes().get(name, [])
            if len(values) != 1 or not isinstance(values[0], str):
                raise ValueError(f"the attribute {name} has {len(values)} values, not one text")
            return values[0]
        if data.get_nameid_format() != Constants.NAMEID_PERSISTENT or not data.get_nameid():
            raise ValueError("no attribute is the uid, and the NameID is not persistent")
        return str(data.get_nameid())
