"""The site as a service provider of SAML: what python3-saml has to know."""

from typing import Any

from allauth.socialaccount.models import SocialApp
from django.http import HttpRequest
from django.urls import reverse
from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Constants

from .strict_response import StrictResponse


class Exchange(OneLogin_Saml2_Auth):
    """A request to an identity provider, or its response."""

    response_class = StrictResponse
    asked_at: int
    """When the provider asked the person, in seconds since 1970; of a valid response."""

    def store_valid_response(self, response: StrictResponse) -> None:
        """Keep what a valid response says."""
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
