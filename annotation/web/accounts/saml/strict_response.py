"""A response of an identity provider, with the checks that python3-saml makes only of what is there."""

from typing import Any

from onelogin.saml2.constants import OneLogin_Saml2_Constants as Constants
from onelogin.saml2.response import OneLogin_Saml2_Response
from onelogin.saml2.utils import OneLogin_Saml2_Utils


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
