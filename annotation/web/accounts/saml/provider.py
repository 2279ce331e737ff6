"""The provider of allauth: the way to the identity provider, and who a person is there."""

from typing import Any

from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.saml.provider import SAMLProvider
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Constants
from onelogin.saml2.response import OneLogin_Saml2_Response
from onelogin.saml2.utils import OneLogin_Saml2_Utils

from ..reauthentication import confirmation_state


class StrictResponse(OneLogin_Saml2_Response):
    """Requires what the profile of sign-in in a browser says must be in the signed assertion (saml-profiles, 4.1.4.2).

    The audience, and for each bearer the time, the address, and the id of the request. By this id an assertion belongs
    to one sign-in of one browser, so that it cannot be used again; the response around it need not be signed.
    """

    def is_valid(
        self, request_data: dict[str, Any], request_id: str | None = None, raise_exceptions: bool = False
    ) -> bool:
        """Return whether the response is valid; `get_error` says what is wrong."""
        if not super().is_valid(request_data, request_id, raise_exceptions):
            return False
        if not self.get_audiences():
            self._error = "the assertion names no audience"
        elif not self._is_bound(OneLogin_Saml2_Utils.get_self_url_no_query(request_data)):
            self._error = "the assertion is not bound to a time, this address and a request"
        return self._error is None

    def asked_at(self) -> int:
        """Return when the provider asked who the person is, in seconds since 1970. Raises ValueError."""
        instant = self._query_assertion("/saml:AuthnStatement")[0].get("AuthnInstant", "")
        return int(OneLogin_Saml2_Utils.parse_SAML_to_time(instant))

    def _is_bound(self, address: str) -> bool:
        request_id = self.get_in_response_to()
        path = f"/saml:Subject/saml:SubjectConfirmation[@Method='{Constants.CM_BEARER}']/saml:SubjectConfirmationData"
        bearers = self._query_assertion(path)
        return bool(request_id and bearers) and all(
            bearer.get("Recipient") == address
            and bearer.get("InResponseTo") == request_id
            and bearer.get("NotOnOrAfter")
            for bearer in bearers
        )


class Exchange(OneLogin_Saml2_Auth):
    """A request to an identity provider, or its response."""

    response_class = StrictResponse
    asked_at: int
    """When the provider asked the person, in seconds since 1970; of a valid response."""

    def store_valid_response(self, response: StrictResponse) -> None:
        self.asked_at = response.asked_at()
        super().store_valid_response(response)


def exchange(request: HttpRequest, app: SocialApp) -> Exchange:
    """Return the exchange with a provider in a request of the browser."""
    data = {
        "https": "on" if request.is_secure() else "off",
        "http_host": request.get_host(),
        "script_name": request.path,  # python3-saml's name for the whole path
        "get_data": {},
        "post_data": {"SAMLResponse": request.POST.get("SAMLResponse", "")},
    }
    return Exchange(data, saml_settings(request, app))


def saml_settings(request: HttpRequest, app: SocialApp) -> dict[str, Any]:
    """Return python3-saml's settings: signed assertions, no deprecated algorithms, no single logout."""
    options = app.settings
    has_uid = "uid" in options["attribute_mapping"]
    return {
        "strict": True,
        "security": {
            "wantAssertionsSigned": True,
            "wantNameId": not has_uid,
            "wantAttributeStatement": False,  # what is needed of it is checked
            "allowRepeatAttributeName": True,
            "rejectDeprecatedAlgorithm": True,
            "requestedAuthnContext": False,
            "authnRequestsSigned": bool(options["sp_private_key"]),
            "signatureAlgorithm": Constants.RSA_SHA256,
            "digestAlgorithm": Constants.SHA256,
            "allowSingleLabelDomains": True,
            "metadataValidUntil": "",  # a provider that reads the metadata once must not lose them
            "metadataCacheDuration": "",
        },
        "sp": {
            "entityId": _address(request, app, "saml_metadata"),
            "assertionConsumerService": {
                "url": _address(request, app, "saml_acs"),
                "binding": Constants.BINDING_HTTP_POST,
            },
            "NameIDFormat": Constants.NAMEID_UNSPECIFIED if has_uid else Constants.NAMEID_PERSISTENT,
            "x509cert": options["sp_certificate"],
            "privateKey": options["sp_private_key"],
        },
        "idp": {
            "entityId": options["entity_id"],
            "singleSignOnService": {"url": options["sso_url"], "binding": Constants.BINDING_HTTP_REDIRECT},
            "x509certMulti": {"signing": list(options["certificates"])},
        },
    }


def _address(request: HttpRequest, app: SocialApp, name: str) -> str:
    return request.build_absolute_uri(reverse(name, args=[app.provider_id]))


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
